"""Validators that look at measured pictures while they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.check.looking import Looker
from lvlmbench.stages.metrics.independent import dependent, own_examiners
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Shard
from lvlmbench.suites.posed import Posed
from lvlmbench.suites.suite import suite_of
from support.examined import at, small_exam
from support.render_scenes import vocabulary
from support.validated import with_validator

Row = dict[str, Any]


class Doubtful:
    """Answers checks as described, but for those of some attempts; of some it knows nothing.

    Parameters
    ----------
    misses
        Attempts at each scene whose checks it answers otherwise.
    silent
        Whether no answer comes at all.
    """

    def __init__(self, misses: Sequence[int] = (), silent: bool = False) -> None:
        self._misses, self._silent = misses, silent
        self.looked: Counter[int] = Counter()

    def rows(
        self,
        checks: Sequence[Posed],
        images: Mapping[str, tuple[str, bytes]],
        attempts: Mapping[str, int],
    ) -> list[Row]:
        """Rows as ``Checking`` makes them."""
        self.looked.update(attempts[scene] for scene in images)
        return [self._row(check, images[check.shown_id][0], attempts) for check in checks]

    def _row(self, check: Posed, image_id: str, attempts: Mapping[str, int]) -> Row:
        right = attempts[check.shown_id] not in self._misses
        answered = check.answer_index if right else (check.answer_index + 1) % len(check.options)
        return {
            "validator": "eye", "image_id": image_id, "subtask": check.subtask,
            "check_id": check.check_id, "element_type": check.element_type,
            "answer_index": check.answer_index,
            "status": "timeout" if self._silent else "answered",
            "answered_index": None if self._silent else answered,
            "correct": None if self._silent else right,
            "why": None, "request_id": check.check_id,
        }  # fmt: skip


def deciding() -> Params:
    """A small exam of pictographs whose validator decides."""
    given = small_exam(1).params.model_dump(mode="json", exclude_unset=True)
    eye = {"name": "eye", "engine": "openai_chat", "endpoint": at("http://127.0.0.1:9/v1")}
    return validate(given | {"validator": {"validators": [eye], "deciding": ["eye"]}})


def drawn(eye: Doubtful, folder: Path) -> tuple[list[Row], list[Row], list[Row]]:
    """Attempts, what was seen in them, and layouts."""
    params, exam = deciding(), small_exam(1)
    confirmer = suite_of(params).confirmer(params, vocabulary(), exam.descriptions)
    assert confirmer is not None
    looker = Looker(params, confirmer, folder / "answers.sqlite")
    looker._checking = {"eye": eye}  # type: ignore[dict-item]
    shard = Shard(params, vocabulary(), exam.scenes, None, folder / "kept", Progress(), (), looker)
    found = [*shard.rows()]
    return (
        [row for one in found for row in one.attempts],
        [row for one in found for row in one.checks],
        [row for one in found for row in one.layouts],
    )


def test_what_a_deciding_validator_does_not_see_is_drawn_anew(tmp_path: Path) -> None:
    eye = Doubtful(misses=[0])
    attempts, checks, layouts = drawn(eye, tmp_path)
    scenes = {row["scene_id"] for row in layouts}
    last = {row["scene_id"]: row for row in attempts if row["outcome"] != "refused"}
    kept = [row for row in last.values() if row["outcome"] == "kept"]
    assert len(kept) >= 0.95 * len(scenes)
    rejected = [row for row in attempts if row["filter"] == "confirmed"]
    assert len(rejected) >= len(scenes) and all(row["score"] == 0 for row in rejected)
    assert eye.looked[0] and eye.looked[1]
    assert {row["attempt"] for row in checks} >= {0, 1}


def test_who_does_not_answer_rejects_nothing(tmp_path: Path) -> None:
    attempts, _, _ = drawn(Doubtful(silent=True), tmp_path)
    assert "confirmed" not in {row["filter"] for row in attempts}


def test_a_picture_that_is_given_up_is_not_asked_about(tmp_path: Path) -> None:
    params, exam = deciding(), small_exam(1)
    attempts, checks, layouts = drawn(Doubtful(misses=range(99)), tmp_path)
    assert {row["outcome"] for row in attempts} <= {"rejected", "refused"}
    suite, seen = suite_of(params), tables.ATTEMPT_CHECKS.of(checks)
    measured, nothing = tables.LAYOUTS.of(layouts), tables.PROPOSALS.empty_table()
    known = vocabulary()
    assert len(suite.proposed(params, known, exam.scenes, measured, nothing, seen)) == 0
    assert len(suite.proposed(params, known, exam.scenes, measured, nothing)) > 0


def test_a_name_that_is_no_validator_is_one_line() -> None:
    with pytest.raises(Exception, match="deciding: 'ear' is no validator; listed are: none"):
        validate({"validator": {"deciding": ["ear"]}})


def test_a_family_that_decides_has_nothing_independent() -> None:
    models = [{"name": name, "engine": "chance", "family": family}
              for name, family in (("a", "gpt"), ("b", "llama"))]  # fmt: skip
    models.append({"name": "c", "engine": "chance"})
    given, section = small_exam(1).params, at("http://h/v1")
    seen = with_validator(given, section, models=models, family="gpt")
    decides = with_validator(given, section, models=models, family="gpt", deciding=["eye"])
    assert dependent(seen) == own_examiners(seen) == {}
    assert dependent(decides) == {"a": tuple(suite_of(decides).examiners(decides))}
    assert dependent(decides)["a"] and own_examiners(decides) == {}
    assert dependent(with_validator(given, section, models=models, deciding=["eye"])) == {}
