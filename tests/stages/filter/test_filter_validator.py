"""The filter that goes by a validator: thresholds of levels, what was not answered, who is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS, verdict_rows
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.metrics.independent import dependent, own_examiners
from lvlmbench.suites.suite import suite_of
from support.exam.made import Exam
from support.examined import at, small_exam
from support.render_scenes import vocabulary
from support.validated import with_validator

FILTER = {"name": "alignment", "kind": "validator", "validator": {"by": "eye"}}
SECTION = at("http://h/v1")
Row = dict[str, Any]


@pytest.fixture(scope="module")
def exam() -> Exam:
    return small_exam(1)


def deciding_params(exam: Exam, **keys: Any) -> Params:
    return with_validator(exam.params, SECTION, filters=[FILTER], **keys)


def answers(image: Row, right: Sequence[bool | None], planted: bool = False) -> list[Row]:
    """What a validator says of the checks of a picture; None: nothing."""
    about = {name: image[name] for name in ("image_id", "scene_id")}
    return [
        {
            **about, "validator": "eye", "subtask": "r", "check_id": f"{planted} {number}",
            "planted": planted, "element_type": "object", "answer_index": 0, "shown_index": 0,
            "status": "answered" if each is not None else "error", "request_id": "q",
            "answered_index": None if each is None else int(not each), "correct": each,
            "why": None if each is not None else "down",
        }
        for number, each in enumerate(right)
    ]  # fmt: skip


def verdicts(exam: Exam, said: list[Row]) -> list[Row]:
    """What the filter makes of the pictures of an exam."""
    params = deciding_params(exam)
    [spec] = params.filter.filters
    judge = FILTERS.get(spec.registered, "test")(params, spec, {})
    judge.hear(tables.CHECK_ANSWERS.of(said))
    return verdict_rows(judge, exam.images, exam.scenes)


def test_each_level_has_its_threshold(exam: Exam) -> None:
    said = []
    for image in exam.images.to_pylist():
        said += answers(image, [True] * 5 + [False]) + answers(image, [False] * 9, planted=True)
    found = verdicts(exam, said)
    by_scene = dict(
        zip(
            exam.scenes["scene_id"].to_pylist(),
            suite_of(exam.params).thresholds(exam.params, vocabulary(), exam.scenes),
            strict=True,
        )
    )
    assert {*by_scene.values()} == {1.0, 0.8}
    for row in found:
        assert (row["filter"], row["score"]) == ("alignment", 0.8333)
        assert row["threshold"] == by_scene[row["scene_id"]]
        assert row["keep"] is (row["threshold"] == 0.8)
        assert row["reason"] == (None if row["keep"] else "not as described")
    assert len({row["keep"] for row in found}) == 2


def test_what_was_not_answered_counts_as_neither(exam: Exam) -> None:
    first, second, third, *_ = exam.images.to_pylist()
    said = answers(first, [True, True, None]) + answers(second, [None, None])
    said += answers(third, [False, None])
    found = {row["image_id"]: row for row in verdicts(exam, said)}
    one, two, three = (found[image["image_id"]] for image in (first, second, third))
    assert (one["keep"], one["score"], one["note"]) == (True, 1.0, "1 of 3 checks not answered")
    assert (two["keep"], two["score"], two["note"]) == (True, None, "2 of 2 checks not answered")
    assert (three["keep"], three["score"]) == (False, 0.0)
    rest = [row for row in found.values() if row not in (one, two, three)]
    assert all(row["keep"] and row["note"] is None and row["score"] is None for row in rest)


def test_mistakes_are_one_line(exam: Exam) -> None:
    params = deciding_params(exam)
    [spec] = params.filter.filters
    kind = FILTERS.get("validator", "test")
    other = FilterSpec.model_validate(FILTER | {"validator": {"by": "ear"}})
    assert kind.check is not None
    with pytest.raises(UserError, match="there is no validator 'ear'; use one of: eye"):
        kind.check(params, other, "filter.filters: alignment")
    nobody = with_validator(exam.params, SECTION)
    nobody = nobody.model_copy(
        update={"validator": nobody.validator.model_copy(update={"validators": ()})}
    )
    with pytest.raises(UserError, match=r"list it under validator\.validators"):
        kind.check(nobody, spec, "filter.filters: alignment")
    retries = params.render.retries.model_copy(update={"filters": (spec,)})
    render = params.render.model_copy(update={"retries": retries})
    with pytest.raises(UserError, match=r"none is drawn yet; list it under filter\.filters"):
        retry_filters(params.model_copy(update={"render": render}))


def test_a_family_that_decides_has_nothing_independent(exam: Exam) -> None:
    models = [{"name": name, "engine": "chance", "family": family}
              for name, family in (("a", "gpt"), ("b", "llama"))]  # fmt: skip
    models.append({"name": "c", "engine": "chance"})
    asks = {"models": models, "family": "gpt"}
    seen, decides = with_validator(exam.params, SECTION, **asks), deciding_params(exam, **asks)
    assert seen.filter.deciding == {} and dependent(seen) == own_examiners(seen) == {}
    assert decides.filter.deciding == {"alignment": "eye"}
    assert dependent(decides) == {"a": tuple(suite_of(decides).examiners(decides))}
    assert dependent(decides)["a"] and own_examiners(decides) == {}
    unknown = deciding_params(exam, models=models)
    assert dependent(unknown) == {}
