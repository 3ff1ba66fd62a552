"""Several questions about one picture: different ones, in styles and of twins as the first."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from lvlmbench.scene.asking import Key
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables.questions import CHECK
from support.exam.judging import faults, pictures
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary

Row = dict[str, Any]
#: Aspects whose pictures show several things of which as much can be asked, and one of a single.
ONLY = ["colors_of_things", "diagonal_directions", "nearest_neighbor", "between_two"]
_MOST = 3


@pytest.fixture(scope="module")
def exam() -> Exam:
    again = {"pictures": 2, "each": 2}
    requests = ("basic_understanding", "spatial_understanding")
    own = {"only": ONLY, "twins": True, "restyled": again}
    return drawn(params_of(requests=requests, scenes=36, atomic=True, **own))


def asked(exam: Exam, most: int, start: int = 0, stop: int | None = None) -> list[Row]:
    """The questions about the same pictures, or some of them, so many about each at most."""
    given = exam.params.model_dump(mode="json")["corpus"]["autodavis"] | {"questions": most}
    own = type(exam.params.corpus).model_validate(
        exam.params.corpus.model_dump(mode="json") | {"autodavis": given}
    )
    params = exam.params.model_copy(update={"corpus": own})
    scenes = exam.scenes.slice(start, (stop or len(exam.scenes)) - start)
    found: list[Row] = (
        suite_of(params).questions(params, vocabulary(), scenes, exam.layouts).to_pylist()
    )
    return found


def by_id(rows: list[Row]) -> dict[str, Row]:
    found = {row["question_id"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def shown(rows: list[Row]) -> list[Row]:
    """Questions alone, without their atomic checks."""
    return [row for row in rows if f"/{CHECK}/" not in row["key"]]


def test_more_questions_leave_the_others_as_they_are(exam: Exam) -> None:
    one, more = by_id(asked(exam, 1)), by_id(asked(exam, _MOST))
    assert one == by_id(exam.questions.to_pylist())
    assert one.items() <= more.items()
    assert len(shown([*more.values()])) > 1.5 * len(shown([*one.values()]))
    checked = {
        Key.read(key.partition(f"/{CHECK}/")[0]).question_id(row["scene_id"])
        for row in more.values()
        if f"/{CHECK}/" in (key := row["key"])
    }
    assert checked == {i for i, row in more.items() if row in shown([row]) and not row["base"]}


def test_no_two_questions_about_a_picture_are_the_same(exam: Exam) -> None:
    rows = shown(asked(exam, _MOST))
    for name in ("question", "program", "key"):
        assert {*Counter((row["scene_id"], row[name]) for row in rows).values()} == {1}, name
    own = [row for row in rows if not row["base"]]  # asked again, each has a place of its own
    assert {*Counter((row["scene_id"], row["answer_index"]) for row in own).values()} == {1}
    assert {*Counter(row["scene_id"] for row in rows).values()} == {1, 2, _MOST}
    assert {Key.read(row["key"]).about[-1] for row in rows} == {*ONLY}


def test_each_further_answer_is_true_and_all_else_false(exam: Exam) -> None:
    assert faults(shown(asked(exam, 8)), pictures(exam)) == []


def test_twins_and_styles_are_asked_the_same(exam: Exam) -> None:
    pair_of = {row["scene_id"]: row["pair"] for row in exam.scenes.to_pylist()}
    rows = shown(asked(exam, _MOST))
    first = {(row["scene_id"], row["key"]): row for row in rows}
    pairs: dict[str, list[Row]] = {}
    further = Counter[str]()
    for row in rows:
        more = "/2/" in row["key"] or "/3/" in row["key"]
        if row["base"] is not None:
            base = first[row["base"], row["key"]]
            assert (row["question"], row["answer"]) == (base["question"], base["answer"])
            assert {*row["options"]} == {*base["options"]}  # their order is the copy's own
            further["style"] += more
        elif row["pair"] is not None:
            pairs.setdefault(row["pair"], []).append(row)
            further["twin"] += more
    for one, other in pairs.values():
        assert (one["question"], one["key"]) == (other["question"], other["key"])
        assert {*one["options"]} == {*other["options"]} and one["answer"] != other["answer"]
        assert pair_of[one["scene_id"]] == pair_of[other["scene_id"]]
    assert min(further["style"], further["twin"]) > 1, further


def test_questions_depend_on_nothing_beside_them(exam: Exam) -> None:
    bases = [row["base"] or row["scene_id"] for row in exam.scenes.to_pylist()]
    keeps = [row["pair"] or base for row, base in zip(exam.scenes.to_pylist(), bases, strict=True)]
    cuts = [0, *(at for at in range(1, len(bases)) if keeps[at] != keeps[at - 1]), len(bases)]
    parts = [row for a, b in pairwise(cuts) for row in asked(exam, _MOST, a, b)]
    assert by_id(parts) == by_id(asked(exam, _MOST))
