"""The DAG through a real Slurm of two nodes: same bytes, whatever is cancelled or killed."""

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

from e2e.clone import CLUSTERS, EVERYTHING, Clone
from support.slurm.cluster import Cluster, cluster, missing

Begin = Callable[..., "subprocess.Popen[str]"]

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
        patch.setenv(CLUSTERS, "1")
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


@pytest.fixture
def begun(slurm: Cluster) -> Iterator[Begin]:
    """Starts commands in clones; none outlives its test, whatever becomes of it."""
    runs: list[subprocess.Popen[str]] = []

    def begin(clone: Clone, *command: str) -> subprocess.Popen[str]:
        runs.append(clone.start(*command))
        return runs[-1]

    yield begin
    for run in runs:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()


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


@pytest.mark.long
def test_a_cancelled_job_and_a_killed_run_change_no_byte(
    slurm: Cluster, begun: Begin, origin: Clone, made: Clone, tmp_path: Path
) -> None:
    clone = with_profile(origin.fresh(tmp_path / "clone"))
    target = "results/report.html"
    command = ("snakemake", target, "--workflow-profile", MINE)

    run = begun(clone, *command)
    until(lambda: running(slurm, "render"), run)
    slurm.say("scancel", running(slurm, "render")[0])
    said, _ = run.communicate(timeout=600)
    lines = [line for line in said.splitlines() if "CANCELLED" in line]
    print("  after scancel:", lines)
    assert run.returncode == 1
    assert len(lines) == 1 and lines[0].startswith("rule render: JOB "), said
    assert "Traceback" not in said
    count = submitted(said)

    run = begun(clone, *command)
    until(lambda: running(slurm, "render"), run)
    os.killpg(run.pid, signal.SIGKILL)  # the run alone: its job is Slurm's
    said, _ = run.communicate()
    left = slurm.say("squeue", "-h", "-o", "%i").split()
    print("  jobs that outlive the run:", left)
    assert left
    assert not (clone.path / "data" / "seals").exists(), "published half-made"
    count += submitted(said)

    said = clone.run(*command)
    again = set(re.findall(r"^([a-z_]+) +\d+$", said, flags=re.M))
    count += submitted(said)
    print("  Slurm jobs:", count, "the last run made:", sorted(again))
    assert "answer" in again and "scenes" not in again
    assert count < sum(EVERYTHING.values())
    assert not set(left) & set(slurm.say("squeue", "-h", "-o", "%i").split())
    found = clone.artifacts()
    assert found == made.artifacts()
    assert {target, "data/dysca/images/clean/part-00001.parquet"} <= set(found)
    assert clone.snakemake("-n", target) == {}
    assert clone.snakemake("-n", target, "--workflow-profile", MINE) == {}


@pytest.mark.long
def test_dvc_sends_jobs_to_slurm(slurm: Cluster, made: Clone, tmp_path: Path) -> None:
    clone = with_profile(made.copy(tmp_path / "clone"))
    clone.set("report", items=2)
    said = clone.run("env", f"SNAKEMAKE_PROFILE={MINE}", "dvc", "repro")
    assert submitted(said) == 1
    assert clone.run("dvc", "status").strip() == "Data and pipelines are up to date."
    before, after = made.artifacts(), clone.artifacts()
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"data/seals/report.json", "results/report.html"}
    assert clone.snakemake("-n") == {}


@pytest.mark.long
def test_local_weights_ask_for_a_gpu_and_what_their_jobs_say_reaches_the_terminal(
    slurm: Cluster, made: Clone, tmp_path: Path
) -> None:
    """A mistake that jobs find on their nodes is one line, as it is without Slurm."""
    clone = with_profile(made.copy(tmp_path / "clone"))
    weights = {"model": "nobody/nothing"}
    asked = {"name": "asked", "engine": "transformers_vlm", "transformers": weights}
    clone.set("answer", models=[{"name": "chance", "engine": "chance"}, asked])
    seal = "data/seals/answer/dysca/asked/clean.json"
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


@pytest.mark.long
def test_jobs_of_a_crashed_node_run_again_on_another(
    slurm: Cluster, begun: Begin, origin: Clone, made: Clone, tmp_path: Path
) -> None:
    clone = with_profile(origin.fresh(tmp_path / "clone"))
    run = begun(clone, "snakemake", "data/seals/render/dysca.json", "--workflow-profile", MINE)
    until(lambda: running(slurm, "render"), run)
    job = running(slurm, "render")[0]
    node = slurm.say("squeue", "-h", "-j", job, "-o", "%N").strip()
    slurm.fail_node(node)
    until(lambda: "Restarts=1" in slurm.say("scontrol", "show", "job", job), run)
    print("  after the crash:", slurm.say("squeue", "-h", "-o", "%i %T %r").splitlines())
    slurm.start_node(node)
    said, _ = run.communicate(timeout=600)
    assert run.returncode == 0, said
    images = {n: h for n, h in made.artifacts().items() if n.startswith("data/dysca/images/clean/")}
    drawn = {n: h for n, h in clone.artifacts().items() if n.startswith("data/dysca/images/")}
    assert drawn == images != {}
