"""Accuracy by level and of pairs, by hand-computed numbers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.scene.levels import LEVELS
from lvlmbench.stages.metrics.metrics import metric_rows
from support.score_tables import MC, TF, Row, pick, score, table

#: Question -> (type, skill, right, level, pair). Scenes 2k and 2k + 1 are twins.
ASKED: list[tuple[str, str, bool | None, str, str | None]] = [
    (MC, "counting", True, "easy", "p0"),
    (MC, "counting", True, "easy", "p0"),
    (MC, "counting", True, "easy", "p1"),
    (MC, "counting", False, "easy", "p1"),
    (MC, "size", False, "hard", "p2"),
    (MC, "size", False, "hard", "p2"),
    (MC, "size", True, "hard", "p3"),  # its twin was not answered
    (MC, "size", None, "hard", "p3"),
    (MC, "size", True, "hard", "p4"),  # of its twin nothing was asked
    (MC, "size", True, "hard", None),
    (TF, "size", True, "medium", "p5"),
    (TF, "size", True, "medium", "p5"),
]


def rows_of(asked: list[tuple[str, str, bool | None, str, str | None]]) -> list[Row]:
    scores, about = [], []
    for number, (kind, subtask, right, level, pair) in enumerate(asked):
        status = "answered" if right is not None else "refused"
        scores.append(score(number, kind, subtask, right, status=status))
        about.append((f"{number:04d}", 0.25 if kind == MC else 0.5, level, pair))
    names = ("question_id", "chance", "level", "pair")
    columns = dict(zip(names, map(list, zip(*about, strict=True)), strict=True))
    types = {name: tables.QUESTIONS.schema.field(name).type for name in names}
    questions = pa.table({name: pa.array(columns[name], types[name]) for name in names})
    scenes = [{"scene_id": f"s{n}", "pair": pair} for n, (*_, pair) in enumerate(asked)]
    return metric_rows(table(scores), questions=questions, scenes=tables.SCENES.of(scenes))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return rows_of(ASKED)


def test_accuracy_by_level(rows: list[Row]) -> None:
    easy, hard = (pick(rows, "accuracy", MC, level=level) for level in ("easy", "hard"))
    assert (easy["value"], easy["n"], easy["n_unscored"]) == (75.0, 4, 0)
    assert (hard["value"], hard["n"], hard["n_unscored"]) == (60.0, 5, 1)
    assert pick(rows, "accuracy", TF, level="medium")["value"] == 100.0
    of_skill = pick(rows, "accuracy", MC, "size", level="hard")
    assert (of_skill["value"], of_skill["n"]) == (60.0, 5)
    assert pick(rows, "accuracy", MC, "counting")["value"] == 75.0


def test_the_first_level_less_the_last(rows: list[Row]) -> None:
    """75 % of the easy questions are right and 60 % of the hard ones; unlike pairs of answers,
    questions of two levels are other questions."""
    found = pick(rows, "level_difference", MC)
    assert (found["value"], found["n"], found["n_unscored"]) == (15.0, 9, 1)
    assert found["low"] < 0 < found["high"] <= 100
    assert not [r for r in rows if r["metric"] == "level_difference" and r["question_type"] == TF]


def test_far_more_right_answers_to_easy_questions_are_no_chance() -> None:
    """40 of 50 against 10 of 50: Student's interval of two independent shares."""
    asked = [
        (MC, subtask, at % 5 < right, level, None)
        for subtask in ("size", "counting")
        for level, right in (("easy", 4), ("hard", 1))
        for at in range(25)
    ]
    found = pick(rows_of(asked), "level_difference", MC)
    assert found["value"] == pytest.approx(60.0)
    assert found["stderr"] == pytest.approx(100 * (2 * 0.16 / 50) ** 0.5, rel=0.05)
    assert found["low"] == pytest.approx(60 - 1.985 * found["stderr"], rel=0.02)


def test_levels_stand_in_their_order(rows: list[Row]) -> None:
    found = [r["level"] for r in rows if r["metric"] == "accuracy" and r["level"] != "all"]
    assert {*found} == {*LEVELS}
    of_types = [
        r["level"]
        for r in rows
        if r["metric"] == "accuracy" and r["questions"] == r["subtask"] == "all"
    ]
    levels = [level for level in of_types if level != "all"]
    assert levels == ["easy", "hard", "medium"], "multiple choice, then true or false"


def test_a_pair_is_right_where_both_answers_are(rows: list[Row]) -> None:
    """p0 is right, p1 and p2 are not, p3 cannot be scored, p4 is half of a pair."""
    found = pick(rows, "pair_accuracy", MC)
    assert (found["value"], found["n"], found["n_unscored"]) == (round(100 / 3, 6), 3, 1)
    easy = pick(rows, "pair_accuracy", MC, level="easy")
    hard = pick(rows, "pair_accuracy", MC, level="hard")
    assert (easy["value"], easy["n"], easy["n_unscored"]) == (50.0, 2, 0)
    assert (hard["value"], hard["n"], hard["n_unscored"]) == (0.0, 1, 1)
    assert pick(rows, "pair_accuracy", MC, "counting")["value"] == 50.0
    assert pick(rows, "pair_accuracy", TF)["value"] == 100.0


def test_a_scene_and_its_twin_count_as_one_for_intervals() -> None:
    """Two right and two wrong pairs: as few as four scenes, not as many as eight."""
    pairs = [(MC, "size", n < 4, "easy", f"p{n // 2}") for n in range(8)]
    alone = [(MC, "size", n < 2, "easy", None) for n in range(4)]
    twins, single = (pick(rows_of(asked), "accuracy", MC, "size") for asked in (pairs, alone))
    assert (twins["value"], twins["n"], single["n"]) == (50.0, 8, 4)
    assert twins["stderr"] == pytest.approx(single["stderr"], rel=0.1)


def test_suites_without_levels_have_no_such_rows() -> None:
    rows = metric_rows(table([score(0, MC, "animal", True), score(1, TF, "animal", False)]))
    assert {row["level"] for row in rows} == {"all"}
    assert not [row for row in rows if row["metric"] in ("pair_accuracy", "level_difference")]


def test_how_far_levels_are_apart_is_no_chance() -> None:
    """Each snapshot has as many questions of each level: what differs between levels widens no
    interval."""
    apart = [(MC, "size", level == "easy", level, None) for level in ("easy", "hard")] * 20
    mixed = [(MC, "size", at % 2 == 0, "easy", None) for at in range(40)]
    one, other = (pick(rows_of(asked), "accuracy", MC, "size") for asked in (apart, mixed))
    assert one["value"] == other["value"] == 50.0
    assert other["high"] - other["low"] > 2 * (one["high"] - one["low"]) > 0
