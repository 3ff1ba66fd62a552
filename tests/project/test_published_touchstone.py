"""Numbers of TouchStone recomputed, and where they do not fit each other."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import pytest

from lvlmbench.suites.dialogue import ABILITIES, TASKS
from lvlmbench.suites.touchstone_bench.counts import ABILITY_QUESTIONS, QUESTIONS

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data" / "published"
VALIDITY = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")
FILES = ("", "_repository", "_abilities", "_figure1", "_people")


def _rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / f"touchstone{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_a_whole_table_and_listed(name: str) -> None:
    rows = _rows(name)
    assert rows and all(None not in row and None not in row.values() for row in rows)
    assert f"`touchstone{name}.csv`" in (PUBLISHED / "README.md").read_text(encoding="utf-8")


def test_the_repository_has_another_score_of_one_model() -> None:
    paper = {row["model"]: row["touchstone_score"] for row in _rows("")}
    repository = {row["model"]: row["touchstone_score"] for row in _rows("_repository")}
    assert {*paper} & {*repository} == {"Qwen-VL"}
    assert (paper["Qwen-VL"], repository["Qwen-VL"]) == ("645.2", "711.6")
    for model, score in repository.items():
        assert f"{model} {score}" in VALIDITY or model == "Qwen-VL"


def test_shares_are_of_one_set_of_whole_numbers_alone() -> None:
    shares = [float(row["share_percent"]) for row in _rows("_abilities")]
    assert sum(shares) == pytest.approx(100)
    fitting = [
        [n for n in range(QUESTIONS + 1) if round(100 * n / QUESTIONS, 1) == share]
        for share in shares
    ]
    [found] = [numbers for numbers in product(*fitting) if sum(numbers) == QUESTIONS]
    assert list(found) == [int(row["questions"]) for row in _rows("_abilities")]
    assert [row["ability"] for row in _rows("_abilities")] == [*ABILITIES]
    assert list(found) == [ABILITY_QUESTIONS[name] for name in ABILITIES]


def test_text_and_figure_count_tasks_otherwise() -> None:
    rows = _rows("_abilities")
    assert [int(row["tasks_in_text"]) for row in rows] == [2, 9, 7, 5, 4]
    drawn = [int(row["tasks_in_figure"]) for row in rows]
    assert drawn == [2, 10, 7, 5, 3]
    assert drawn == [sum(t.ability == name for t in TASKS.values()) for name in ABILITIES]
    assert sum(int(row["tasks_in_text"]) for row in rows) == sum(drawn) == len(TASKS)


def test_the_ring_fits_the_abilities_within_two_a_task() -> None:
    rows = _rows("_figure1")
    assert [(row["ability"], row["task"], int(row["questions"])) for row in rows] == [
        (task.ability, task.label, task.published) for task in TASKS.values()
    ]
    for ability, number in ABILITY_QUESTIONS.items():
        ring = [int(row["questions"]) for row in rows if row["ability"] == ability]
        assert abs(sum(ring) - number) <= 2 * len(ring)


def test_people_agree_more_among_themselves() -> None:
    judge, people = (float(row["agreement_percent"]) for row in _rows("_people"))
    assert (judge, people) == (72.2, 78.4)
    assert f"{judge} %" in VALIDITY and f"{people} %" in VALIDITY
