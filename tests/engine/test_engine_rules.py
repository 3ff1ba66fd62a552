"""What the rules of the whole workflow have in common."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from lvlmbench.engine.job import outputs
from lvlmbench.engine.stages import lies_in

ROOT = Path(__file__).parents[2]
#: Takes files of its own build as inputs, once those are whole.
_READS_ITS_BUILD = "exports_index"


def plan(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    """A dry run of the tiny configuration."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "snakemake", "-n", "-p", "--snakefile", ROOT / "Snakefile"),
            *("--workflow-profile", "none", target),
            *("--configfile", ROOT / "tests/configs/tiny.yaml"),
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_of_a_target_that_no_rule_makes_the_error_comes_last(tmp_path: Path) -> None:
    done = plan(tmp_path, "raport")
    assert done.returncode == 1
    assert "No rule to produce raport" in done.stdout.strip().splitlines()[-1]
    (last,) = done.stderr.splitlines()  # no plan behind the error
    assert last.endswith("is nothing that a run makes; did you mean 'results/report.html'?")


def commands(folder: Path) -> list[tuple[str, list[str]]]:
    """(script, command) of every job that a first run of the tiny configuration would start."""
    done = plan(folder, "results/report.html")
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    reason, jobs = done.stderr.strip().splitlines()[-2:]
    assert reason.startswith("to do: scenes 5, render 5, ")
    assert re.match(r"plan: \d+ jobs: scenes \d+, render \d+, ", jobs), jobs
    found = map(shlex.split, re.findall(r"^Shell command: exec (.*)$", said, flags=re.M))
    return [(command[3], command) for command in found]  # python -S job.py SCRIPT ...


@pytest.mark.long
def test_no_job_writes_where_another_one_does(tmp_path: Path) -> None:
    """A job clears what an earlier try of it had half written; it must not be another's work."""
    made: list[tuple[str, set[str]]] = []
    for rule, command in commands(tmp_path):
        build = Path(next(a for a in command if a.startswith(".lvlmbench/build/")))
        files = {str(path) for path in outputs(build, command)}
        # Figures of one job come in an archive, which another one unpacks.
        files |= {each for each in command if each.startswith(f"{build}/{rule}/")}
        assert files, rule
        if rule != _READS_ITS_BUILD:
            made.append((rule, files))
    assert {"scenes", "questions", "figures", "exports", "metrics", "report"} <= {
        rule for rule, _ in made
    }
    for (one, mine), (other, theirs) in combinations(made, 2):
        for a in mine:
            for b in theirs:
                assert not lies_in(a, b) and not lies_in(b, a), f"{one} and {other}: {a}, {b}"
