"""Signals, two runs at once, a moved folder, few file descriptors, a clock that was set back."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from e2e.clone import Clone
from faults.kills import Run, untrue_seals
from faults.places import failed, lines, linked_copy

pytestmark = [pytest.mark.e2e, pytest.mark.long]


@pytest.fixture
def clone(made: Clone, tmp_path: Path) -> Clone:
    return linked_copy(made, tmp_path / "clone")


def started(clone: Clone, run: Run, rule: str) -> None:
    deadline = time.monotonic() + 300
    while rule not in clone.started():
        assert not run.ended() and time.monotonic() < deadline, run.said
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_runs_leave_nothing_half_made_and_let_no_second_one_in(
    clone: Clone, made: Clone, shown_two: dict[str, str], number: signal.Signals
) -> None:
    expected = made.artifacts()
    clone.run("rm", "-r", ".lvlmbench/build")
    clone.set("report", items=2)
    run = Run(clone, ("snakemake", "--cores", "2"))
    started(clone, run, "report")
    if number == signal.SIGTERM:
        os.killpg(run.process.pid, signal.SIGSTOP)  # it would end before the other one has begun
        try:
            said = failed(clone, "snakemake", "--cores", "2")
        finally:
            os.killpg(run.process.pid, signal.SIGCONT)
        assert len(lines(said, "another run is at work in this folder")) == 1, said
    os.killpg(run.process.pid, number)
    run.wait()
    assert number == signal.SIGINT or "Traceback" not in run.said  # Python's own, as it exits
    assert untrue_seals(clone, expected) == []
    assert clone.snakemake("--cores", "2").get("report", 0) <= 1
    assert clone.artifacts() == shown_two


def test_a_folder_that_was_moved_is_the_same(clone: Clone, made: Clone, tmp_path: Path) -> None:
    """Moved when half is built: no path of the machine is in what is made."""
    clone.run("rm", "-r", "data/dysca/scores", "results/report.html", ".lvlmbench/build")
    clone.killed("snakemake", once=lambda: "score" in clone.started())
    clone.path.rename(tmp_path / "moved here")
    moved = Clone(tmp_path / "moved here", clone.home)
    moved.snakemake("--cores", "2")
    assert moved.artifacts() == made.artifacts()


def test_few_file_descriptors_are_one_line_or_enough(origin: Clone, tmp_path: Path) -> None:
    clone = origin.fresh(tmp_path / "clone")
    process = clone.start("bash", "-c", "ulimit -n 64; exec snakemake --cores 2")
    said = process.communicate()[0]
    print("  ulimit -n 64:", process.returncode, lines(said, "open files"))
    assert "Traceback" not in said
    assert process.returncode == 0 or lines(said, "too many open files"), said


def test_a_home_that_cannot_be_written(clone: Clone, shown_two: dict[str, str]) -> None:
    """Nor a folder for temporary files that is there."""
    clone.set("report", items=2)
    places = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "", "TMPDIR": "/proc/nowhere"}
    clone.run("env", *(f"{k}={v}" for k, v in places.items()), "snakemake", "--cores", "2")
    assert clone.artifacts() == shown_two


def test_time_stamps_of_the_future_change_nothing(clone: Clone, made: Clone) -> None:
    """As after a clock that ran ahead was set right."""
    later = time.time() + 10**6
    for top in ("data", "results", ".lvlmbench"):
        for file in (clone.path / top).rglob("*"):
            if file.is_file() and not file.is_symlink():
                os.utime(file, (later, later))
    assert clone.snakemake("-n") == {}
    clone.run("rm", "data/dysca/scores/chance/clean/part-00000.parquet")
    clone.snakemake("--cores", "2")
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}
