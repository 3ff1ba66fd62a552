"""The whole DAG through a real Slurm of two nodes: same bytes, whatever is cancelled or killed.

Set LVLMBENCH_SLURM_LONG for a node that crashes, which Slurm takes minutes to get over.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from slurm.cluster import Cluster, cluster, missing

from e2e.clone import EVERYTHING, Clone

pytestmark = [pytest.mark.e2e, pytest.mark.slurm]

#: What the tests run with: a user's copy of profiles/slurm, which looks after jobs more often.
MINE = "profiles/mine"


@pytest.fixture(scope="module")
def slurm() -> Iterator[Cluster]:
    """A Slurm of two nodes that commands find through the environment."""
    if lacking := missing():
        message = f"Slurm is not installed: no {', '.join(lacking)}"
        if os.environ.get("LVLMBENCH_REQUIRE_SLURM"):
            pytest.fail(message)
        pytest.skip(f"{message} (Debian, Ubuntu: apt-get install slurm-wlm munge)")
    with cluster() as found, pytest.MonkeyPatch.context() as patch:
        for name, value in found.environment.items():
            patch.setenv(name, value)
        yield found


def with_profile(clone: Clone) -> Clone:
    """Write the profile into a clone."""
    settings = yaml.safe_load((clone.path / "profiles/slurm/config.yaml").read_text())
    settings |= {
        "default-resources": ["slurm_partition=main"],
        "seconds-between-status-checks": 1,
        "slurm-init-seconds-before-status-checks": 1,
    }
    file = clone.path / MINE / "config.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump(settings))
    return clone


def submitted(said: str) -> int:
    """How many Slurm jobs a run says it has submitted."""
    return len(set(re.findall(r"has been submitted with SLURM jobid (\d+)", said)))


def until(holds: Callable[[], object], run: subprocess.Popen[str]) -> None:
    """Wait until something holds; the run must not end before."""
    deadline = time.monotonic() + 300
    while not holds():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.1)


def running(slurm: Cluster, of: str) -> list[str]:
    """Ids of the Slurm jobs at work for a rule or group."""
    said = slurm.say("squeue", "-h", "-t", "R", "-o", "%i %k")
    return [line.split()[0] for line in said.splitlines() if f"rule_{of}" in line]


def test_cancelled_and_killed_runs_end_with_the_same_bytes(
    slurm: Cluster, origin: Clone, made: Clone, tmp_path: Path
) -> None:
    clone = with_profile(origin.fresh(tmp_path / "clone"))
    command = ("snakemake", "--workflow-profile", MINE)

    run = clone.start(*command)
    until(lambda: running(slurm, "corpus"), run)
    job = running(slurm, "corpus")[0]
    slurm.say("scancel", job)
    said, _ = run.communicate(timeout=300)
    assert run.returncode == 1
    lines = [line for line in said.splitlines() if "CANCELLED" in line]
    print("  after scancel:", lines)
    assert len(lines) == 1 and lines[0].startswith("group of corpus: "), said
    assert "Traceback" not in said
    assert submitted(said) == 2 < sum(EVERYTHING.values())
    assert not (clone.path / "data" / "seals").exists(), "published half-made"

    run = clone.start(*command)
    until(lambda: running(slurm, "answer"), run)
    os.killpg(run.pid, signal.SIGKILL)  # of the run alone: its jobs are Slurm's
    run.communicate()
    left = slurm.say("squeue", "-h", "-o", "%i").split()
    print("  jobs that outlive the run:", left)
    assert left

    said = clone.run(*command)
    print("  Slurm jobs of the last run:", submitted(said))
    assert "render" not in re.findall(r"^([a-z_]+) +\d+$", said, flags=re.M)
    assert not set(left) & set(slurm.say("squeue", "-h", "-o", "%i").split())
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}
    assert clone.snakemake("-n", "--workflow-profile", MINE) == {}


def test_dvc_sends_jobs_to_slurm(slurm: Cluster, made: Clone, tmp_path: Path) -> None:
    clone = with_profile(made.copy(tmp_path / "clone"))
    clone.set("report", items=2)
    said = clone.run("env", f"SNAKEMAKE_PROFILE={MINE}", "dvc", "repro")
    assert submitted(said) == 1
    assert clone.run("dvc", "status").strip() == "Data and pipelines are up to date."
    changed = clone.artifacts()
    local = made.copy(tmp_path / "local")
    local.set("report", items=2)
    local.dvc_repro()
    assert changed == local.artifacts() != made.artifacts()


def test_local_weights_ask_for_a_gpu_and_what_their_jobs_say_reaches_the_terminal(
    slurm: Cluster, made: Clone, tmp_path: Path
) -> None:
    """A mistake that jobs find on their nodes is one line, as it is without Slurm."""
    clone = with_profile(made.copy(tmp_path / "clone"))
    weights = {"model": "nobody/nothing"}
    asked = {"name": "asked", "engine": "transformers_vlm", "transformers": weights}
    clone.set("answer", models=[{"name": "chance", "engine": "chance"}, asked])
    seal = "data/seals/answer/asked/clean.json"
    partition = ("--set-resources", "answer:slurm_partition=gpu")
    command = ("env", "HF_HUB_OFFLINE=1", "snakemake", seal, "--workflow-profile", MINE, *partition)
    said = clone.run(*command, code=1)
    jobs = re.findall(r"has been submitted with SLURM jobid (\d+)", said)
    assert len(jobs) == 2
    for job in jobs:
        told = slurm.say("scontrol", "show", "job", job)
        assert "Partition=gpu" in told and "NodeList=n2" in told and "CPUs/Task=4" in told, told
        assert "TresPerJob=gres:gpu:1" in told, told
    lines = [line for line in said.splitlines() if "nobody/nothing" in line]
    print("  said:", lines)
    assert len(lines) == 1 and "could not be loaded" in lines[0], said
    assert "Traceback" not in said and not (clone.path / seal).exists()
