"""Commands on a snapshot take the parameters that its last run was given."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from lvlmbench.commands.arguments import open_snapshot, project_of
from lvlmbench.config.layers import Layers
from lvlmbench.core.errors import UserError
from lvlmbench.engine.under_way import note_begun
from lvlmbench.snapshot.reader import Snapshot


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a file over its params.yaml that has another suite."""
    (home := tmp_path / "home").mkdir()
    monkeypatch.chdir(home)
    Path("params.yaml").write_text("suites: {dysca: {}}\n")
    Path("my.yaml").write_text("suites: {dysca: null, mine: {kind: dysca}}\n")
    Path("other.yaml").write_text("suites: {dysca: null, third: {kind: dysca}}\n")
    return home


def asked(folder: Path, *config: str, suite: str | None = None) -> argparse.Namespace:
    return argparse.Namespace(snapshot=folder, config=[*map(Path, config)], suite=suite)


def suites(arguments: argparse.Namespace) -> list[str]:
    return [*project_of(arguments, arguments.suite).suites]


def test_it_is_that_of_a_run_with_a_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert suites(asked(home)) == ["dysca"] and capsys.readouterr().err == ""
    note_begun([], Layers([Path("params.yaml"), Path("my.yaml")]).given())
    assert suites(asked(home)) == suites(asked(home, suite="mine")) == ["mine"]
    said = capsys.readouterr().err.splitlines()
    assert said == ["parameters as the last run had them: params.yaml with my.yaml"] * 2
    assert suites(asked(home, "other.yaml")) == ["third"], "what is named goes first"
    assert suites(asked(home, suite="dysca")) == ["dysca"], "of params.yaml, which has it"
    with pytest.raises(UserError, match="there is no suite 'dysco'"):
        open_snapshot(Snapshot, asked(home, suite="dysco"))


def test_it_is_that_of_a_run_in_another_folder(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a folder, e.g. of 'make demo', has no params.yaml."""
    (run := tmp_path / "run").mkdir()
    monkeypatch.chdir(run)
    note_begun([], Layers([home / "params.yaml", home / "my.yaml"]).given())
    monkeypatch.chdir(home)
    found = open_snapshot(Snapshot, asked(run))
    assert (found.params.suite, found.data) == ("mine", run / "data/mine")
    with pytest.raises(UserError, match=r"params\.yaml: is missing"):
        open_snapshot(Snapshot, asked(tmp_path))
