"""Answers that are brought are judged as those of a served model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.judge.run import Files, Outs, judge_files
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import take_in
from lvlmbench.submissions.leaderboard import judge
from support import dialogue_snapshot

SUITES = {
    "valor": {"scenes_per_subtask": 2},
    "touchstone": {"scenes_per_subtask": 1},
}


def said(row: dict[str, Any]) -> str:
    """The reference to most questions, half of it to some."""
    return row["answer"][: len(row["answer"]) // (1 if row["question_id"][0] in "02468ace" else 2)]


def snapshot_of(root: Path, kind: str) -> Asked:
    params = validate(
        {"suite": kind, "kind": kind, "corpus": SUITES[kind], "render": {"size": 256},
         **dialogue_snapshot.SECTIONS}
    )  # fmt: skip
    return dialogue_snapshot.build(root, params, said)


@pytest.mark.parametrize("kind", SUITES)
def test_brought_answers_are_judged_as_served_ones(tmp_path: Path, kind: str) -> None:
    snapshot, path = snapshot_of(tmp_path / "snapshot", kind), tmp_path / "answers.jsonl"
    names = {"model": dialogue_snapshot.MODEL, "scenario": "clean"}
    own = snapshot.read(tables.ANSWERS, **names).to_pylist()
    lines = [json.dumps({"question_id": row["question_id"], "answer": row["text"]}) for row in own]
    path.write_text("\n".join(lines))
    mine = tmp_path / "mine"
    take_in(snapshot, AnswersFile(path), "mine", "clean", mine)
    judge(snapshot, mine, ["clean"])
    for each in snapshot.params.judge.judges:
        outs = Outs(*(tmp_path / "served" / each.name / name for name in Outs._fields))
        tables_of = (tables.QUESTIONS, tables.SCENES, tables.LAYOUTS, tables.TRUTH)
        files = Files(snapshot.parts(tables.ANSWERS, **names), *map(snapshot.parts, tables_of))
        judge_files(snapshot.params, each.name, (names["model"], "clean"), files, outs)
        for name, served in outs._asdict().items():
            if name != "requests":
                brought = mine / name / each.name / "clean" / tables.part_name(0)
                found = [tables.read([p], tables.TABLES[name]) for p in (brought, served)]
                rows = [[{**row, "model": ""} for row in table.to_pylist()] for table in found]
                assert rows[0] == rows[1], (each.name, name)
                assert rows[0] or name == "pairwise" or each.name == "form"
