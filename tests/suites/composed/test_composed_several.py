"""Several questions of a type about one scene: different ones, and the same for its twin."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.suites.suite import suite_of
from support.composed_sample import Sample
from support.composed_scenes import composed, made
from support.oracle_checks import faults
from support.render_scenes import vocabulary

Row = dict[str, Any]
_MOST = 3


@cache
def asked(most: int) -> list[Row]:
    """The questions about the same scenes, so many of each type at most."""
    return _asked(most, made().scenes, made().layouts)


def _asked(most: int, scenes: pa.Table, layouts: pa.Table) -> list[Row]:
    params = composed(composed={"questions": most})
    found: list[Row] = suite_of(params).questions(params, vocabulary(), scenes, layouts).to_pylist()
    return found


def by_id(rows: list[Row]) -> dict[str, Row]:
    found = {row["question_id"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def test_more_questions_leave_the_others_as_they_are() -> None:
    one, two, more = (by_id(asked(most)) for most in (1, 2, _MOST))
    assert one == by_id(made().questions.to_pylist())
    assert one.items() <= two.items() <= more.items()
    closed = [
        sum(row["question_type"] != "short_answer" for row in each.values()) for each in (one, two)
    ]
    assert closed[1] > 1.3 * closed[0]


def test_no_two_questions_of_a_type_about_a_scene_are_the_same() -> None:
    for name in ("question", "program", "key"):
        seen = Counter((row["scene_id"], row["question_type"], row[name]) for row in asked(_MOST))
        assert {*seen.values()} == {1}, name
    numbers = Counter((row["scene_id"], row["question_type"]) for row in asked(_MOST))
    assert {*numbers.values()} == {1, 2, _MOST}


def test_twins_are_asked_each_question_together_and_nothing_else_twice() -> None:
    pair_of = {row["scene_id"]: row["pair"] for row in made().scenes.to_pylist()}
    pairs: dict[str, list[Row]] = {}
    alone: dict[tuple[str, ...], set[str]] = {}
    for row in asked(_MOST):
        if row["pair"] is not None:
            pairs.setdefault(row["pair"], []).append(row)
        elif row["question_type"] != "true_false":
            what = (pair_of[row["scene_id"]], row["question_type"], row["program"], row["answer"])
            alone.setdefault(what, set()).add(row["scene_id"])
    for one, other in pairs.values():
        same = ("question", "options", "question_type", "key", "program", "chance")
        assert [one[name] for name in same] == [other[name] for name in same]
        assert one["answer"] != other["answer"]
        assert pair_of[one["scene_id"]] == pair_of[other["scene_id"]]
    assert {len(scenes) for scenes in alone.values()} == {1}
    further = [row for row in asked(_MOST) if row["key"].endswith(("/2", "/3"))]
    assert sum(row["pair"] is not None for row in further) > 20


def test_questions_depend_on_nothing_beside_them() -> None:
    parts: list[Row] = []
    for start in range(0, len(made().scenes), 8):
        scenes = made().scenes.slice(start, 8)
        ids = {*scenes["scene_id"].to_pylist()}
        rows = [row for row in made().layouts.to_pylist() if row["scene_id"] in ids]
        parts += _asked(_MOST, scenes, pa.Table.from_pylist(rows, made().layouts.schema))
    assert by_id(parts) == by_id(asked(_MOST))


def test_each_further_answer_is_true_and_all_else_false() -> None:
    assert faults(Sample(made().params, made().scenes, made().layouts, ()), asked(8)) == Counter()


@pytest.mark.parametrize("kind", ["composed", "autodavis"])
@pytest.mark.parametrize("most", [0, 9, 1.5])
def test_a_number_that_cannot_be_is_one_line(kind: str, most: float) -> None:
    with pytest.raises(UserError) as caught:
        validate({"suite": kind, "kind": kind, "corpus": {kind: {"questions": most}}})
    assert f"corpus.{kind}.questions" in str(caught.value) and "\n" not in str(caught.value)
