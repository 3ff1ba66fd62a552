"""``lvlmbench scores`` while the first run is under way, and with a suite that is not there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.engine.expected import Job
from lvlmbench.engine.process import RUN_LOCK, take_lock
from lvlmbench.engine.under_way import note_begun, trial_left, under_way

ROOT = Path(__file__).parents[2]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["scores", *arguments])
    assert stop.value.code == 2
    return capsys.readouterr().err


def test_how_far_a_run_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert under_way(tmp_path) is None
    assert (
        refused(capsys) == "params.yaml: is not in this folder; go to the project's folder first\n"
    )
    Path("params.yaml").write_text("suites: {dysca: {}}\n")
    assert "SUITE/metrics.parquet: is not there; run 'make report'\n" in refused(capsys)
    held = take_lock(Path(RUN_LOCK))
    assert under_way(tmp_path) == "a run is under way, at its start"
    note_begun(
        [Job(n, "render", f"render-{n}", "x.log") for n in range(3)] + [Job(9, "all", "", "")]
    )
    done = Path(".lvlmbench/build/0/benchmark/render-0.usage.json")
    done.parent.mkdir(parents=True)
    done.touch()
    said = "a run is under way, for 1 minute: about 1 of 4 jobs done"
    assert under_way(tmp_path) == said
    assert f"is not there yet: {said}; wait for it to end" in refused(capsys)
    os.close(held)
    assert under_way(tmp_path) is None


def test_a_suite_that_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suite in ("touchstone", "dysca"):
        (tmp_path / "results" / suite).mkdir(parents=True)
        (tmp_path / "results" / suite / "metrics.parquet").touch()
    line = refused(capsys, "--snapshot", str(tmp_path), "--suite", "touchston")
    assert line == (
        "--suite: there are no numbers of a suite 'touchston'; did you mean 'touchstone'?\n"
    )
    assert "there are: dysca, touchstone" in refused(
        capsys, "--snapshot", str(tmp_path), "--suite", "zzz"
    )


def test_a_comparison_says_that_a_run_is_under_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        (tmp_path / name / ".lvlmbench").mkdir(parents=True)
        (tmp_path / name / "params.yaml").write_text("snapshot: {name: x}\n")
    held = take_lock(tmp_path / "b" / RUN_LOCK)
    main(["diff", str(tmp_path / "a"), str(tmp_path / "b")])
    os.close(held)
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"{tmp_path / 'b'}: a run is under way")
    assert said.endswith("do it again once it has ended")


def test_a_trial_that_dvc_has_not_ended_is_told(tmp_path: Path) -> None:
    """A killed 'dvc exp run' leaves a reference behind, by which 'dvc metrics diff' errs."""
    assert trial_left(tmp_path) == []
    left = tmp_path / ".git/refs/exps/exec/EXEC_BASELINE"
    left.parent.mkdir(parents=True)
    left.write_text("0" * 40)
    (line,) = trial_left(tmp_path)
    page, section = re.search(r"(docs/\S+), \"(.*?)\"", line).groups()  # type: ignore[union-attr]
    text = (ROOT / page).read_text()
    assert section in text and f"git update-ref -d {left.relative_to(tmp_path / '.git')}" in text
