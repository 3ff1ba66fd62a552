"""Examples of the documents that show what they do only when they run, on small made-up tables."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from PIL import Image

from lvlmbench.commands.main import main
from lvlmbench.config import load_params, validate_project
from lvlmbench.config.layers import merge
from lvlmbench.engine.publish import link_tree
from lvlmbench.stages.examine.examine import outcomes
from lvlmbench.stages.exports.export import Source
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import grounds
from support import exports_snapshot, report_snapshot, submissions_snapshot
from support.answer_tables import running_server
from support.documents.kinds import registers
from support.documents.reading import ROOT, Block, all_blocks, block
from support.documents.shell import Command, commands, statements
from support.drawn_truths import RENDERER, drawn_truths
from support.judged_answers import SCHEMA_SERVER
from support.planted_truth import vocabulary

#: Blocks whose commands are typed in a finished snapshot, but for those of SLOW and WANTS.
TYPED = (
    "docs/exports.md: Ask a model elsewhere: sh 1",
    "docs/filters.md: What people say: sh 1",
    "docs/metrics.md: The table: sh 1",
    "docs/snapshots.md: Get it elsewhere: sh 3",
)
#: Commands that take long, by their first words.
SLOW = ("lvlmbench score ",)
#: Commands that want what a person makes in a browser: tests/commands/test_commands_label.py.
WANTS = ("lvlmbench label import ",)

SCRIPTS = [each for each in all_blocks("python") if not registers(each)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished snapshot of a suite, whose numbers another suite has, too, and its exports."""
    params = report_snapshot.noisy_params(
        corpus={"scenes_per_subtask": 1, "subtasks": ["animal", "color", "text"]},
        scenarios={"names": ["clean", "corruption"], "noisy": [{"name": "corruption"}]},
    )
    root = submissions_snapshot.build(tmp_path_factory.mktemp("finished"), params)
    source = Source(load_params(root / "params.yaml"), root / "data/dysca")
    exports_snapshot.export(source, root / "results/dysca/exports", "huggingface", "croissant")
    shutil.copytree(root / "results/dysca", root / "results/valor")
    return root


@pytest.fixture
def inside(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, entered."""
    link_tree(finished, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def type_in(name: str, *slow: str) -> None:
    """Type a block's own commands here, slow ones only if they are named."""
    for statement in statements(block(name).text):
        if statement.startswith(WANTS) or statement.startswith(SLOW) > statement.startswith(slow):
            continue
        for command in commands(statement):
            _run(command)


def _run(command: Command) -> None:
    if command.program == "lvlmbench":
        assert main(command.words[1:]) == 0
    elif command.program == "python":
        subprocess.run([sys.executable, *command.words[1:]], check=True)


@pytest.mark.parametrize("name", TYPED)
def test_commands_run_in_a_finished_snapshot(
    name: str, inside: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    type_in(name)
    assert capfd.readouterr().out.strip()


@pytest.mark.long
def test_answers_of_another_program_are_scored(inside: Path) -> None:
    type_in(TYPED[0], *SLOW)
    assert (inside / "results/dysca/submissions/report.html").is_file()


@pytest.mark.parametrize("example", SCRIPTS, ids=lambda each: each.name)
def test_scripts_run_in_a_finished_snapshot(
    example: Block,
    inside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(inside / "cache"))
    monkeypatch.setattr(Image.Image, "show", lambda self: print(self.size))
    held: dict[str, object] = {"__name__": "example"}
    exec(compile(example.text, example.name, "exec"), held)
    assert "found" not in held or "100" in capsys.readouterr().out


@pytest.mark.long
def test_the_judges_of_the_example_are_examined() -> None:
    """One of them is behind a server, which the tests stand in for."""
    scenes = grounds(drawn_truths(8, 3), lexis_of(vocabulary(), RENDERER), 3)
    text = block("docs/judges.md: Judges: yaml 1").text
    with running_server("--ways", "valid", script=SCHEMA_SERVER) as url:
        shown = yaml.safe_load(text.replace("http://localhost:8000/v1", url))
        whole = merge(yaml.safe_load((ROOT / "params.yaml").read_text()), shown)
        params = validate_project(whole).suite("composed")
        names = [judge.name for judge in params.judge.judges]
        found = [*outcomes(params, names, scenes, 1)]
    assert {each.judge for each in found} == {*names, ", ".join(sorted(names))}
