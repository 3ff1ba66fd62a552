"""Scenarios that offer other options: the browser and item pages show what was asked there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser
from support.offered import FIRST, build_with_drafts, letter_of, params_of
from support.report_pages import read


@pytest.fixture(scope="module")
def asked_twice(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("offered")
    build_with_drafts(root)
    return read(root, params_of())


@pytest.fixture(scope="module")
def data(asked_twice: Snapshot) -> dict[str, Any]:
    made = browser.build(asked_twice, Leaderboard(asked_twice), 50_000_000)
    found: dict[str, Any] = json.loads(made.head)
    return found


def test_options_are_listed_as_each_scenario_offers_them(
    asked_twice: Snapshot, data: dict[str, Any]
) -> None:
    rows = {row["question_id"]: row for row in asked_twice.questions.to_pylist()}
    images = asked_twice.images[FIRST].to_pylist()
    orders = {row["question_id"]: row["order"] for row in images}
    at = [each["name"] for each in data["scenarios"]].index(FIRST)
    seen = 0
    for question in (each for item in data["items"] for each in item["questions"]):
        row, order = rows[question["id"]], orders[question["id"]]
        assert question["options"] == row["options"]
        offered = tables.offered(row["options"], row["replaced"], order)
        if offered == row["options"]:
            assert "elsewhere" not in question
            continue
        want = {"options": offered, "right": order.index(row["answer_index"]), "s": [at]}
        assert question["elsewhere"] == [want]
        seen += 1
    assert seen > 20


def test_answers_are_read_by_the_letters_that_were_asked(data: dict[str, Any]) -> None:
    seen = dict.fromkeys(range(len(data["scenarios"])), 0)
    outcomes = [each["name"] for each in data["outcomes"]]
    for question in (each for item in data["items"] for each in item["questions"]):
        shown = {s: one for one in question.get("elsewhere", ()) for s in one["s"]}
        for answer in question["answers"]:
            said = letter_of(answer["text"])
            if said is None or not question["options"]:
                continue
            assert answer["reading"] == f"read as ({said}), by its letter"
            right = shown.get(answer["s"], question)["right"]
            assert (outcomes[answer["o"]] == "right") == ("ABCD".index(said) == right)
            seen[answer["s"]] += 1
    assert min(seen.values()) > 20
