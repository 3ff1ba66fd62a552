"""Typing errors on the command line are told with what was meant."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lvlmbench.commands.main import main

MADE = [
    ("raport", "there is no target 'raport'; 'make help' lists them"),
    ("report CONFG=my.yaml", "there is no variable 'CONFG'; use one of: PYTHON CORES CONFIG"),
    ("-o install snapshot", "make snapshot: no NAME is given"),
    ("-o install report CONFIG=no.yaml", "CONFIG: there is no file 'no.yaml'"),
    ("-o install report CORES=two", "CORES: 'two' is no number of cores; give a number or all"),
]
SUITES = "dysca, composed, autodavis, valor, touchstone"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("scores --tabel x", "lvlmbench scores: does not know '--tabel'; did you mean '--table'?"),
        ("scores more", "lvlmbench scores: does not know 'more'; see 'lvlmbench scores --help'"),
        ("config check --bass=x", "check: does not know '--bass=x'; did you mean '--base'?"),
        ("scoers", "there is no 'scoers'; did you mean 'scores'? use one of: config, hash"),
        ("scores --format tabel", "--format: there is no 'tabel'; did you mean 'table'? use one"),
        ("label exprt", "there is no 'exprt'; did you mean 'export'?"),
        (
            "export-questions --snapshot {root} --suite dysac --out q",
            f"there is no suite 'dysac'; did you mean 'dysca'? use one of: {SUITES}",
        ),
    ],
)
def test_what_is_meant_is_told(
    root: Path, capsys: pytest.CaptureFixture[str], typed: str, said: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(typed.format(root=root).split())
    err = capsys.readouterr().err
    assert stop.value.code == 2 and err.count("\n") == 1
    assert said in err


def test_a_file_that_is_no_yaml_is_one_line(root: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("answer:\n  models: [\n")
    typed = ["make", "-s", "-o", "install", "report", f"CONFIG={wrong}"]
    ended = subprocess.run(typed, cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
    assert ended.stderr.startswith(f"{wrong}:")


@pytest.mark.parametrize(
    ("typed", "said"),
    MADE,
)
def test_variables_of_make(root: Path, typed: str, said: str) -> None:
    ended = subprocess.run(
        ["make", "-s", *typed.split()], cwd=root, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2 and said in ended.stderr.splitlines()[0]
