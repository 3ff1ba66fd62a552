"""Validators that look at pictures while they are drawn (AutoDavis, section 2.3).

All pictures of a wave are looked at together, so that as many requests are in flight as the
validators' servers take. Answers are kept as all answers are: a run that goes on after a kill asks
none of them again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import seeding
from lvlmbench.stages.check.checking import Checking
from lvlmbench.stages.check.making import VALIDATOR
from lvlmbench.stages.render.renderer import Scene
from lvlmbench.stages.render.retries.judge import Shown
from lvlmbench.stages.render.retries.records import Rejection
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.suites.drawing import Confirmer
from lvlmbench.suites.posed import Posed
from lvlmbench.suites.suite import suite_of

Row = dict[str, Any]

#: Pictures that are in memory at a time.
_AT_ONCE = 128
#: Columns of a check's answer that ``tables.CHECK_ANSWERS`` and ``tables.ATTEMPT_CHECKS`` share.
_SHARED = (
    "validator", "image_id", "subtask", "check_id", "element_type", "answer_index", "status",
    "answered_index", "correct", "why", "request_id",
)  # fmt: skip


def _row(check: Posed, answer: Row, number: int, attempt: int) -> Row:
    """The row of ``tables.ATTEMPT_CHECKS`` about a check, by that of ``tables.CHECK_ANSWERS``."""
    return {
        **{name: answer[name] for name in _SHARED},
        "scene_id": check.scene_id,
        "attempt": attempt,
        "number": number,
        "element": check.element,
        "question": check.question,
        "options": list(check.options),
    }


class Looker:
    """Has the validators that decide answer the checks of pictures, and keeps what they say.

    Parameters
    ----------
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        A validator is not known, or cannot look at pictures.
    """

    def __init__(self, params: Params, confirmer: Confirmer, cache: Path | None = None) -> None:
        own, names = params.validator, suite_of(params).deciding(params)
        self._confirmer, self.attempts = confirmer, confirmer.attempts
        self._askers: dict[str, Asker] = {
            name: VALIDATOR.asker(params, own.validators, name, own.repairs, cache)
            for name in names
        }
        self._checking = {
            name: Checking(asker, name, own.prompts) for name, asker in self._askers.items()
        }
        self._seen: dict[str, list[Row]] = defaultdict(list)

    def look(self, pictures: Iterable[Shown]) -> dict[str, Rejection]:
        """Return why pictures are rejected, by scene; those that are kept are not there.

        Raises
        ------
        UserError
            A validator cannot be asked, or its budget is reached; what was answered is kept.
        """
        found: dict[str, Rejection] = {}
        held: list[Shown] = []
        for each in pictures:
            held.append(each)
            if len(held) == _AT_ONCE:
                found |= self._look(held)
                held = []
        return found | self._look(held)

    def _look(self, pictures: Sequence[Shown]) -> dict[str, Rejection]:
        """Several pictures, each of another scene."""
        attempts = {shown.scene_id: shown.attempt for shown in pictures}
        images = {
            shown.scene_id: (seeding.item_id(shown.scene_id, CLEAN), shown.png)
            for shown in pictures
        }
        posed = [
            (number, check)
            for shown in pictures
            for number, check in enumerate(self._confirmer.checks(shown.scene))
        ]
        rows: dict[str, list[Row]] = defaultdict(list)
        for checking in self._checking.values():
            answers = checking.rows([check for _, check in posed], images, attempts)
            for (number, check), answer in zip(posed, answers, strict=True):
                row = _row(check, answer, number, attempts[check.scene_id])
                rows[check.scene_id].append(row)
                self._seen[check.scene_id].append(row)
        found: dict[str, Rejection] = {}
        for shown in pictures:
            fault = self._confirmer.judge(shown.scene, rows[shown.scene_id])
            if fault is not None:
                found[shown.scene_id] = Rejection(self._confirmer.name, *fault)
        return found

    def prompt(self, scene: Scene, number: int) -> str | None:
        """Return the prompt of a further attempt; None where it is the scene's own."""
        rows = self._seen.get(scene["scene_id"], [])
        last = max((row["attempt"] for row in rows), default=0)
        return self._confirmer.prompt(scene, number, [r for r in rows if r["attempt"] == last])

    def rows(self, scene: Scene) -> list[Row]:
        """Return what was seen in all attempts at a scene, rows of ``tables.ATTEMPT_CHECKS``."""
        return self._seen.get(scene["scene_id"], [])

    def requests(self) -> list[Row]:
        """Return all calls so far, rows of ``tables.ATTEMPT_REQUESTS``."""
        rows = [
            {"validator": name, **row} for name, asker in self._askers.items() for row in asker.rows
        ]
        return sorted(rows, key=lambda row: (row["validator"], row["request_id"], row["call"]))
