"""A user's own copy of TouchStone's questions through the whole pipeline, out of it and back."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml

from e2e.clone import Clone
from lvlmbench import tables
from support import own_questions
from support.report_pages import head

pytestmark = [pytest.mark.e2e, pytest.mark.long]

TABLE = "data/private/touchstone/questions.tsv"
RUN = ("results/report.html", "--cores", "2", "--configfile", "own.yaml")
LVLMBENCH = ("python", "-m", "lvlmbench.commands.main")
AT = ("--snapshot", ".", "--config", "own.yaml", "--suite", "own")


@pytest.fixture
def clone(origin: Clone, tmp_path: Path) -> Clone:
    """The small project with a table in a folder that git ignores, and a file that names it."""
    clone = origin.fresh(tmp_path / "clone")
    own_questions.write(clone.path / TABLE)
    suite = {
        "kind": "touchstone_bench",
        "corpus": {
            "subtasks": [*own_questions.SUBTASKS],
            "scenes_per_subtask": 2,
            "touchstone_bench": {"file": TABLE},
        },
        "scenarios": {"names": ["clean", "blind"], "noisy": [{"name": "blind"}]},
    }
    layer = {"suites": {"dysca": None, "own": suite}}
    (clone.path / "own.yaml").write_text(yaml.safe_dump(layer))
    return clone


def test_it_runs_whole_goes_out_and_comes_back(clone: Clone) -> None:
    clone.snakemake(*RUN)
    folder = tables.QUESTIONS.folder(clone.path / "data/own")
    asked = tables.read(folder, tables.QUESTIONS).to_pylist()
    assert len(asked) == 14 and all(row["description"] for row in asked)
    folder = tables.PAIRWISE.folder(
        clone.path / "data/own", judge="lexical", model="chance", scenario="clean"
    )
    pairs = tables.read(folder, tables.PAIRWISE).to_pylist()
    assert {row["status"] for row in pairs} <= {"unjudged"}  # nothing that can be seen decides
    html = (clone.path / "results/report.html").read_text()
    items = head(html)["items"]
    assert items and all(p["p"] is None for item in items for p in item["pictures"])
    assert clone.run("git", "status", "--porcelain").split() == ["??", "own.yaml"]
    assert not clone.snakemake(*RUN)

    write = ("submission", "write", *AT, "--model", "chance", "--out", "out.tsv")
    said = clone.run(*LVLMBENCH, *write)
    assert "14 rows (clean), answers of chance" in said
    with (clone.path / "out.tsv").open(newline="") as file:
        written = [*csv.DictReader(file, dialect="excel-tab")]
    given = {row["index"]: row for row in own_questions.rows()}
    assert all(row.items() >= given[row["index"]].items() for row in written)
    score = ("score", *AT, "--answers", "out.tsv", "--model", "again")
    scored = clone.run(*LVLMBENCH, *score)
    assert "14 rows, for 14 questions" in scored and "again" in scored

    table = clone.path / TABLE
    own_questions.write(table, [{**row, "question": "What?"} for row in own_questions.rows()])
    assert "questions" in clone.snakemake(*RUN)
