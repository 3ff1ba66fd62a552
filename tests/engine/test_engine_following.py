"""Jobs on other machines: what they take from their run, and what of them reaches its terminal."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import load_project
from lvlmbench.core.errors import UserError
from lvlmbench.engine import builds, failures, following, job
from lvlmbench.engine.failures import AWAY, failed_away, tell, worth_saying
from lvlmbench.engine.following import FOLLOWED, followed, lead, left_behind
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.stages import pipeline


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FOLLOWED, "")
    monkeypatch.setenv(AWAY, "")


def test_who_is_no_job_follows_nobody() -> None:
    assert followed() is None
    assert not left_behind()


def test_a_job_takes_what_its_run_has_found_until_another_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lead({"renderer": "pictograph"})
    mine = os.environ[FOLLOWED]
    assert followed() == {"renderer": "pictograph"}
    assert not left_behind()
    lead({"renderer": "diffusion"})
    assert followed() == {"renderer": "diffusion"}
    monkeypatch.setenv(FOLLOWED, mine)
    assert left_behind()
    with pytest.raises(UserError, match="the run of this job has ended"):
        followed()


@pytest.mark.long
def test_jobs_have_the_plan_of_their_run_whatever_is_published_meanwhile(root: Path) -> None:
    items = pipeline(load_project(root / "params.yaml"), root)
    plan = Plan(root, items)
    name = "answer/dysca/chance/clean"
    tables = ("images/clean", "questions")
    paths = [f"data/dysca/{table}/part-00000.parquet" for table in tables]
    kept = Plan.kept(root, items, plan.keep())
    Path("data/dysca/questions").mkdir(parents=True)
    Path("data/dysca/questions/part-00000.parquet").write_bytes(b"published meanwhile")
    assert kept.given(name, paths) == plan.given(name, paths)
    assert kept.status[name].build == plan.status[name].build
    assert [s.name for s in kept.ancestors(name)] == [s.name for s in plan.ancestors(name)]
    assert not Path(builds.BUILDS).exists(), "a job writes no plan"


def test_a_job_ends_when_another_run_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = Path(builds.BUILDS, "0" * 16)
    build.mkdir(parents=True)
    plan = {"stage": "render", "root": str(tmp_path), "reuse": False, "seal": {"code": {}}}
    plan |= dict.fromkeys(("above", "publish", "keep", "sweep"))
    (build / builds.PLAN).write_text(json.dumps(plan))
    log = build / "job.log"
    monkeypatch.setattr(job, "WATCH_S", 0.05)
    lead({})
    mine = os.environ[FOLLOWED]
    lead({})
    monkeypatch.setenv(FOLLOWED, mine)
    began = time.monotonic()
    line = job.run_job(build, log, [sys.executable, "-c", "import time; time.sleep(60)"])
    assert line == "the run of this job has ended, another has begun"
    assert time.monotonic() - began < 30


def error(event: str, **told: Any) -> logging.LogRecord:
    """What Snakemake says of a job that a scheduler calls failed."""
    from snakemake_interface_logger_plugins.common import LogEvent

    record = logging.LogRecord("snakemake.logging", logging.ERROR, "", 0, "Error", (), None)
    vars(record).update(event=LogEvent(event), **told)
    return record


STATUS = "SLURM-job '7' failed, SLURM status is: 'FAILED'. Detailed failure reason unavailable."


def test_a_job_says_it_itself_once_where_it_runs_beside_its_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell(Path("a.log"), "model 'm': no key")
    tell(Path("b.log"), "model 'm': no key")
    assert capsys.readouterr().err == "model 'm': no key\n"
    worth_saying(error("job_error", rule_name="answer", rule_msg=None, log=["a.log"]))
    assert capsys.readouterr().err == ""


def test_the_line_of_a_job_elsewhere_is_said_once_by_the_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as node:
        node.setenv(AWAY, "1")
        tell(Path("a.log"), "model 'm': no key")
        tell(Path("b.log"), "model 'm': no key")
    assert capsys.readouterr().err.count("no key") == 2, "each in the log of its own Slurm job"
    for log in ("a.log", "b.log"):
        told = error("job_error", rule_name="answer", rule_msg=STATUS, log=[log, "slurm/7.log"])
        assert worth_saying(told)
    assert capsys.readouterr().err == "model 'm': no key\n"


@pytest.mark.parametrize("who", ["slurmstepd", "slurmstepd-n1"])
def test_of_a_job_that_was_killed_the_scheduler_tells(who: str) -> None:
    log = Path("7.log")
    log.write_text(
        "Building DAG of jobs...\n"
        f"{who}: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-02 DUE TO TIME LIMIT ***\n"
    )
    told = error("job_error", rule_name="render", rule_msg=STATUS, log=["r.log", str(log)])
    words = "JOB 7 ON n1 CANCELLED AT 2026-01-02 DUE TO TIME LIMIT"
    assert failed_away(told) == [f"rule render: {words}; see {log}"]
    log.write_text("nothing\n")
    assert failed_away(told) == [f"rule render: {STATUS}; see {log}"]
    jobs = [{"rule_name": name, "log": [f"{name}.log"]} for name in ("filter", "scenario")]
    group = error("group_error", job_error_info=jobs, aux_logs=[str(log)])
    assert failed_away(group) == [f"group of filter, scenario: its job failed; see {log}"]


def test_of_a_group_the_jobs_that_failed_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(AWAY, "1")
    tell(Path("filter.log"), "filters: no weights")
    jobs = [{"rule_name": "filter", "log": [name]} for name in ("other.log", "filter.log")]
    group = error("group_error", job_error_info=jobs, aux_logs=[])
    assert failed_away(group) == ["filters: no weights"]


def test_other_messages_pass_unchanged(capsys: pytest.CaptureFixture[str]) -> None:
    record = logging.LogRecord("snakemake.logging", logging.INFO, "", 0, "Select jobs", (), None)
    assert worth_saying(record)
    assert capsys.readouterr().err == ""
    assert not Path(failures.SAID).exists()
    assert following.FOLLOWED in os.environ
