"""What the browser's data holds of answers beside references."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser

JUDGE, MODEL = "lexical", "model-a"
PLENTY = 50_000_000
SCORES = ("as_first", "reference_second", "as_second", "reference_first")
TURNS = [{"question": "Is it day?", "answer": "Yes </script>."}]


@pytest.fixture(scope="module")
def data(snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """With turns and descriptions, and reasons of all kinds; some pairs have failed."""
    root = tmp_path_factory.mktemp("pairs")
    for path in snapshot.data.iterdir():
        if path.name != "pairwise":
            (root / path.name).symlink_to(path)
    names = {"judge": JUDGE, "model": MODEL, "scenario": "clean"}
    rows = snapshot.read(tables.PAIRWISE, None, **names).to_pylist()
    for i, row in enumerate(rows):
        row |= {"reasons": "<b>one</b>" * 400, "reasons_swapped": None if i % 2 else "two"}
        if i % 3 == 0:
            row |= dict.fromkeys(SCORES)
            row |= {"status": "timeout", "why": "nothing came"}
    tables.write_rows(
        rows, tables.PAIRWISE.folder(root, **names) / tables.part_name(0), tables.PAIRWISE, "s"
    )
    found = replace(snapshot, data=root)
    found.__dict__["asked"] = {name: _with_turns(each) for name, each in snapshot.asked.items()}
    made: dict[str, Any] = json.loads(browser.build(found, Leaderboard(found), PLENTY).head)
    made["rows"] = {row["question_id"]: row for row in rows}
    return made


def _with_turns(questions: pa.Table) -> pa.Table:
    rows = questions.to_pylist()
    for row in rows:
        if row["question_type"] == "free_form":
            row |= {"turns": TURNS, "description": "A fox in snow."}
    return pa.Table.from_pylist(rows, tables.QUESTIONS.schema)


def test_scores_and_reasons_are_those_of_the_table(data: dict[str, Any]) -> None:
    m = [each["name"] for each in data["models"]].index(MODEL)
    assert data["judges"] == [JUDGE] and data["tie"] == 0.5
    scored = failed = 0
    for item in data["items"]:
        for question in item["questions"]:
            for answer in question["answers"]:
                row = data["rows"].get(question["id"])
                if (answer["m"], answer["s"]) != (m, 0) or row is None:
                    continue
                if row["status"] == "unanswered":
                    assert "pairs" not in answer
                    continue
                [pair] = answer["pairs"]
                assert pair["reasons"] == [row["reasons"][:1500], row["reasons_swapped"] or ""]
                if row["as_first"] is None:
                    assert (pair["status"], pair["why"]) == (row["status"], row["why"] or "")
                    failed += 1
                else:
                    assert pair["scores"] == [row[name] for name in SCORES]
                    scored += 1
    assert scored > 5 and failed > 5


def test_turns_references_and_descriptions_are_those_of_the_questions(
    data: dict[str, Any], snapshot: Snapshot
) -> None:
    known = {row["question_id"]: row for row in snapshot.questions.to_pylist()}
    seen = 0
    for item in data["items"]:
        for question in item["questions"]:
            row = known[question["id"]]
            if row["question_type"] != "free_form":
                assert not {"turns", "reference", "described"} & {*question}
                continue
            assert question["turns"] == [["Is it day?", "Yes </script>."]]
            if question["id"] in data["rows"]:
                assert question["reference"] == row["answer"]
                assert question["described"] == "A fox in snow."
                seen += 1
    assert seen > 5


def test_without_pairs_nothing_is_said_of_references(snapshot: Snapshot, tmp_path: Path) -> None:
    for path in snapshot.data.iterdir():
        if path.name != "pairwise":
            (tmp_path / path.name).symlink_to(path)
    bare = replace(snapshot, data=tmp_path)
    found = json.loads(browser.build(bare, Leaderboard(bare), PLENTY).head)
    for item in found["items"]:
        for question in item["questions"]:
            assert "reference" not in question
            assert not any("pairs" in answer for answer in question["answers"])
