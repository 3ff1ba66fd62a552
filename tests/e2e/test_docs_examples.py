"""Parameters of the documents' examples: planned by Snakemake itself, and run with stand-ins for
the servers that they name."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.clone import Clone
from lvlmbench import tables
from support.answer_tables import SERVER, running_server
from support.documents.parameters import layers
from support.documents.reading import PAGES, ROOT, Block, block, blocks

pytestmark = [pytest.mark.e2e, pytest.mark.long]

#: The first of each page: that costs seconds each, and test_docs_examples.py of tests/project plans
#: all without Snakemake. Examples of extending.md want code that is not part of the project.
PLANNED = [
    next(iter(blocks(page, "yaml")))
    for page in PAGES
    if blocks(page, "yaml") and page != "docs/extending.md"
]
#: The server that examples name.
NAMED = "http://localhost:8000/v1"
#: An exam of one aspect at three levels.
EXAM = {
    "kind": "autodavis",
    "corpus": {
        "drawable_by": "pictograph",
        "subtasks": ["spatial_understanding"],
        "scenes_per_subtask": 3,
        "autodavis": {"only": ["left_and_right"]},
    },
    "scenarios": {"names": ["clean"], "noisy": []},
}


@pytest.mark.parametrize("example", PLANNED, ids=lambda each: each.name)
def test_snakemake_plans_an_example(
    example: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "files").mkdir()
    files = map(str, layers(example, tmp_path / "files"))
    done = subprocess.run(
        ["snakemake", "-n", "--quiet", "all", "--snakefile", str(ROOT / "Snakefile"),
         "--directory", str(tmp_path), "--configfile", *files],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "plan: " in done.stderr + done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    (tmp_path / "home").mkdir()
    return Clone.origin(tmp_path / "project", tmp_path / "home")


def run(clone: Clone, name: str, url: str, more: dict[str, Any]) -> str:
    """Lay an example over small parameters, its server at ``url``, and run to the report."""
    shown = block(name).text.replace(NAMED, url)
    assert url in shown
    shown = shown.replace("my-org/my-model", "letter-B")  # which the server of all answers knows
    (clone.path / "shown.yaml").write_text(shown)
    (clone.path / "small.yaml").write_text(yaml.safe_dump(more))
    files = ("--configfile", "small.yaml", "shown.yaml")
    return clone.run("snakemake", "--cores", "2", "results/report.html", *files)


def test_the_judges_judge_and_are_examined(clone: Clone) -> None:
    free = {"multiple_choice": 0.4, "true_false": 0.4, "free_form": 0.2}
    small = {"suites": {"dysca": {"corpus": {"type_proportions": free}}}}
    with running_server("--ways", "valid", script=SERVER.with_name("schema_server.py")) as url:
        run(clone, "docs/judges.md: Judges: yaml 1", url, small)
    exam = tables.read(clone.path / "data/dysca/judge_exam", tables.JUDGE_EXAM)
    assert {"lexical", "my-judge", "lexical, my-judge"} == {*exam["judge"].to_pylist()}
    report = (clone.path / "results/report.html").read_text()
    assert "my-judge" in report


def test_the_examiner_writes_questions(clone: Clone) -> None:
    name = "docs/autodavis.md: An examiner behind an endpoint: yaml 1"
    with running_server("--ways", "valid", script=SERVER.with_name("examiner_server.py")) as url:
        run(clone, name, url, {"suites": {"dysca": None, "exam": EXAM}})
    folder = clone.path / "data/exam/proposals/my-examiner"
    assert tables.read(folder, tables.PROPOSALS).num_rows == 3


def test_the_validator_decides(clone: Clone) -> None:
    name = "docs/autodavis.md: A validator behind an endpoint: yaml 1"
    with running_server() as url:
        run(clone, name, url, {"suites": {"dysca": None, "exam": EXAM}})
    folder = clone.path / "data/exam/verdicts/alignment"
    assert tables.read(folder, tables.VERDICTS).num_rows == 3
