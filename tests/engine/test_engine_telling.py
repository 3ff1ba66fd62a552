"""What a run tells of itself: the plan, one line of progress, how it ended."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench.config import Project, validate_project
from lvlmbench.config.layers import merge
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine import expected, messages
from lvlmbench.engine.builds import MADE, PLAN
from lvlmbench.engine.expected import Job
from lvlmbench.engine.failures import first_to_say
from lvlmbench.engine.job import _TAKEN, ONE_LINE
from lvlmbench.engine.messages import Teller, left_lines, made_line, plan_lines, reason_lines
from lvlmbench.engine.plan import Status
from lvlmbench.engine.process import Interrupts
from lvlmbench.engine.seals import Seal
from lvlmbench.scene.subtasks import subtasks_of

JOBS = [
    Job(1, "render", "render-00000", "render.log"),
    Job(2, "answer", "answer-chance-clean-00000", ""),
    Job(3, "answer", "answer-mine-clean-00000", "answer.log"),
    Job(4, "publish_report", "publish_report", ""),
]


class Event(StrEnum):
    JOB_INFO = "job_info"
    JOB_FINISHED = "job_finished"
    JOB_ERROR = "job_error"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ONE_LINE, "")


def told(teller: Teller, event: Event | None, message: str = "", **more: Any) -> None:
    record = logging.LogRecord("snakemake", logging.INFO, "", 0, message, None, None)
    vars(record).update(more)
    if event is None:
        record.levelno = logging.ERROR
    else:
        vars(record)["event"] = event
    teller.emit(record)


def begun(project: Project, out: io.StringIO) -> Teller:
    teller = Teller(out)
    teller.begin(project, JOBS, 2)
    return teller


NO_SEAL = Seal(params={}, code={}, inputs={}, outs={})


def test_a_plan_says_which_items_changed_and_at_its_end_how_many() -> None:
    def changed(*why: str) -> Status:
        return Status(False, False, "", why, NO_SEAL)

    status = {
        "scenes/dysca": changed("code/scenes"),
        "answer/dysca/a/clean": changed("a", "b", "c", "d", "e"),
        "answer/dysca/b/clean": changed("a", "b", "c", "d", "e"),
        "judge/dysca/a": changed("a", "b", "c", "d", "e"),
        "report": changed(),
    }
    one = "to do: scenes/dysca (code/scenes)"
    names = "answer/dysca/a/clean, answer/dysca/b/clean, judge/dysca/a"
    assert reason_lines(status) == [one, f"to do: {names} (a, b, c, d, ...)"]
    assert reason_lines(status, short=True) == [
        one,
        "to do: answer 2, judge (a, b, c, d, ...)",
        "then: report (they read what is made before them; where that comes out the same, they "
        "stay as they are)",
    ]
    new = {f"answer/dysca/{n}/clean": changed("not made yet") for n in range(31)}
    assert reason_lines(new) == ["to do: answer 31 (not made yet)"], "no page of names"


def test_the_plan_names_jobs_minutes_and_room(project: Project) -> None:
    what, plan, time = plan_lines(project, JOBS, 2)
    assert what == "snapshot 'default': 200 scenes, 8 scenarios, 3 models"
    assert plan == "plan: 4 jobs: render, answer 2; the rest puts files in place"
    assert re.fullmatch(
        r"time: about \d+ (s|min) on 2 cores; disk: about [\d.]+ [GM]B, [\d.]+ [GM]B are free", time
    ), time


def test_of_several_suites_the_plan_names_each(both: Project) -> None:
    assert plan_lines(both, JOBS, 2)[0] == (
        "snapshot 'default': dysca: 200 scenes, 8 scenarios, "
        "composed: 360 scenes, 4 scenarios, autodavis: 720 scenes, 2 scenarios, "
        "valor: 220 scenes, 2 scenarios, "
        f"touchstone: {4 * len(subtasks_of('touchstone'))} scenes, 2 scenarios, 3 models"
    )


def test_too_little_room_is_said_at_the_start(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**6))
    assert plan_lines(project, JOBS, 1)[2].endswith("1 MB are free: that may be too little")


def test_earlier_runs_say_how_long_jobs_take(project: Project) -> None:
    before = expected.seconds(project, JOBS)
    path = Path(".lvlmbench/benchmark/stages/answer/mine/clean/answer-mine-clean-00000.usage.json")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cpu_s": 4321.0}))
    path.with_name("answer-chance-clean-00000.usage.json").write_text("{cut sho")
    after = expected.seconds(project, JOBS)
    assert 4321.0 < after[3] < 2 * 4321.0, "with what is beside the work"
    assert after == {**before, 3: after[3]}


def test_a_small_suite_is_expected_to_take_less(both: Project) -> None:
    jobs = [Job(n, "render", f"render-{name}-00000", "") for n, name in enumerate(both.suites)]
    dysca, *_, touchstone = expected.seconds(both, jobs).values()
    assert touchstone < dysca / 2  # 80 scenes beside 200


def test_one_line_says_how_far_the_run_has_come(project: Project) -> None:
    out = io.StringIO()
    teller = begun(project, out)
    Path("answer.log").write_text("mine/clean: 120/600 answered 120; 8.1/s; 59 s left\n")
    told(teller, Event.JOB_INFO, jobid=1)
    told(teller, Event.JOB_FINISHED, job_id=1)
    told(teller, Event.JOB_INFO, jobid=2)
    teller._show()
    told(teller, Event.JOB_INFO, jobid=3)
    teller._show()
    first, second = out.getvalue().splitlines()
    assert re.fullmatch(r"1/4 jobs, 1 s gone, about .* left: answer-chance-clean-00000", first)
    assert second.endswith("left: mine/clean: 120/600 answered 120; 8.1/s; 59 s left")


def test_the_end_says_how_many_jobs_found_their_outputs_as_they_were(project: Project) -> None:
    out = io.StringIO()
    teller = begun(project, out)
    Path("answer.log").write_text(_TAKEN)
    teller.succeeded(Path("results/report.html"))
    assert out.getvalue().startswith("done in 1 s: 4 jobs: 3 made, 1 found as it was\n")
    Path("answer.log").write_text(_TAKEN + "and more")
    assert made_line([*teller._jobs.values()]) == "4 jobs"


def test_the_time_that_is_left_does_not_jump(project: Project) -> None:
    """A machine that is six times as slow is believed bit by bit, not all at once."""
    teller = begun(project, io.StringIO())
    teller._expected = dict.fromkeys(range(40), 10.0)
    teller._jobs = dict.fromkeys(range(40), JOBS[0])
    teller._whole, teller._left = 400.0, 40
    left = []
    for done in range(9):
        for n in range(done):
            teller._expected.pop(n, None)
        teller._began = time.monotonic() - 30.0 * done
        told_s = re.search(r"about (?:(\d+) h )?(\d+) min left", teller._line())
        assert told_s is not None
        left.append(60 * int(told_s[1] or 0) + int(told_s[2]))
    assert left[0] < left[-1] and all(b < 3 * a for a, b in pairwise(left))


def test_on_a_terminal_the_line_is_replaced_and_fits(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    teller = begun(project, out)
    teller._show()
    teller.succeeded(Path("results/report.html"))
    shown, *rest = out.getvalue().split("\r\x1b[2K")[1:]
    assert len(shown) == 30 and shown.endswith("\r") and "\n" not in shown
    assert rest[0] == "done in 1 s: 4 jobs\n"
    assert rest[1] == f"open in a browser: {Path('results/report.html').resolve()}\n"
    assert rest[2].startswith("next: ask your own model")


def test_after_a_failure_the_last_line_says_what_to_do(project: Project) -> None:
    out = io.StringIO()
    teller = begun(project, out)
    told(teller, Event.JOB_ERROR, rule_name="answer", jobid=2)
    teller.failed(Interrupts())
    told(teller, None, "At least one job did not complete successfully.")
    why, last = out.getvalue().splitlines()[-2:]
    assert why.startswith("not finished: answer failed: if nothing above says why, it was killed")
    assert last.startswith("mend that, then the same command")
    assert first_to_say("its server is gone") and first_to_say("no space")
    teller.failed(Interrupts())
    last = out.getvalue().splitlines()[-2]
    assert last.endswith("its server is gone (and 1 other reason, above)")


def test_a_reason_that_stands_right_above_is_not_said_twice(project: Project) -> None:
    out = io.StringIO()
    teller = begun(project, out)
    teller._told = 0.0
    assert first_to_say("model 'm': cannot connect; start the server")
    told(teller, Event.JOB_ERROR, rule_name="answer", jobid=2)
    teller.failed(Interrupts())
    assert out.getvalue().startswith("not finished: mend that, then the same command goes on")
    teller.failed(Interrupts())  # now there is a line between
    assert "not finished: model 'm': cannot connect; start the server\n" in out.getvalue()


def test_a_run_that_only_publishes_says_so(project: Project) -> None:
    (line,) = [x for x in plan_lines(project, JOBS[3:], 1) if x.startswith("plan: ")]
    assert line == "plan: 1 job: what was made is put in place"


def test_a_second_press_does_not_break_into_the_first_ones_clearing_up() -> None:
    # A background job of a shell begins with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupts = Interrupts()
    try:
        interrupts.heed()
        assert not interrupts.came
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        assert interrupts.came
    finally:
        signal.signal(signal.SIGINT, before)


#: Presses Ctrl-C three times; prints what comes of it.
PRESSES = """
import os, signal, sys
from lvlmbench.engine import process
process._TWICE_S = 0.0
interrupts = process.Interrupts()
interrupts.heed(local=sys.argv[1] == "local")
for _ in range(3):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    ("where", "code", "said"), [("local", 130, 1), ("elsewhere", 0, 3), ("ignored", 0, 0)]
)
def test_a_late_press_ends_a_local_run_at_once(
    root: Path, where: str, code: int, said: int
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PRESSES, where],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_IGN if where == "ignored" else signal.SIG_DFL
        ),
    )
    assert (ended.returncode, ended.stdout.count("interrupted")) == (code, said)
    assert ("ended at once" in ended.stderr) == (code == 130)


def test_a_run_that_was_told_to_end_was_stopped() -> None:
    """What Snakemake does then, it does."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    pressed = signal.getsignal(signal.SIGINT)
    interrupts = Interrupts()
    try:
        interrupts.heed()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)
        assert interrupts.came and heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, pressed)


def test_a_run_that_was_stopped_has_failed_at_nothing(project: Project) -> None:
    class Pressed(Interrupts):
        came = True

    out = io.StringIO()
    teller = begun(project, out)
    told(teller, Event.JOB_ERROR, rule_name="answer", jobid=2)
    teller.failed(Pressed())
    assert (
        out.getvalue().splitlines()[-1].startswith("stopped: what was finished is kept; the same")
    )


def test_what_snakemake_cannot_do_is_not_kept_quiet() -> None:
    out = io.StringIO()
    teller = Teller(out)
    told(teller, None, "MissingInputException in rule x")
    told(teller, Event.JOB_INFO, "Execute 1 jobs...", jobid=1)
    record = logging.LogRecord(
        "s", logging.INFO, "", 0, "Nothing to be done (all ...).", None, None
    )
    teller.emit(record)
    assert out.getvalue().splitlines() == [
        "MissingInputException in rule x",
        "nothing to do: all is up to date",
    ]


@pytest.mark.parametrize("quiet, dry, hears", [("ALL", 0, 1), ("ALL", 1, 0), ("RULES", 0, 0)])
def test_who_does_not_ask_for_quiet_hears_snakemake(quiet: str, dry: int, hears: int) -> None:
    workflow = SimpleNamespace(
        dryrun=bool(dry), output_settings=SimpleNamespace(quiet=[SimpleNamespace(name=quiet)])
    )
    logger = logging.Logger("of Snakemake")
    teller = Teller.listening(logger, workflow)
    assert (teller is not None, bool(logger.handlers)) == (bool(hears), bool(hears))
    heard = list[str]()
    logger.addHandler(listener := logging.Handler())
    listener.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger.info("1 jobs have missing provenance/metadata so that it in part cannot be used")
    logger.info("Nothing to be done")
    assert heard == ["Nothing to be done"]


def test_the_demo_is_60_scenes_in_the_clean_scenario_beside_the_default(root: Path) -> None:
    base, demo = (read_yaml(root / name) for name in ("params.yaml", "profiles/demo.yaml"))
    assert isinstance(base, dict) and isinstance(demo, dict)
    project = validate_project(merge(base, demo), "profiles/demo.yaml")
    params = project.suite()
    assert params.corpus.n_scenes == 60
    assert params.scenarios.names == ("clean",)
    assert [m.name for m in params.answer.models] == [m["name"] for m in base["answer"]["models"]]
    assert params.reference == validate_project(base, "params.yaml").reference
    assert "--directory demo" in (root / "Makefile").read_text()
    assert "/demo/" in (root / ".gitignore").read_text().split("\n")


def test_the_small_snapshot_is_as_its_file_says(root: Path) -> None:
    base, small = (read_yaml(root / name) for name in ("params.yaml", "profiles/small.yaml"))
    assert isinstance(base, dict) and isinstance(small, dict)
    project = validate_project(merge(base, small), "profiles/small.yaml")
    scenes = {name: project.suite(name).corpus.n_scenes for name in project.suites}
    assert scenes == {"dysca": 12, "composed": 6}
    assert len(project.suite("dysca").answer.models) == 2


def test_a_plan_tells_of_finished_jobs_where_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [Job(0, "all", "all", ""), Job(1, "scenes", "scenes-dysca", "")]
    monkeypatch.setattr(messages, "jobs_of", lambda _: jobs)
    status = {"scenes/dysca": Status(False, False, str(tmp_path), (), NO_SEAL)}
    (tmp_path / MADE).mkdir()
    (tmp_path / PLAN).touch()  # as a dry run leaves it
    workflow = SimpleNamespace(dag=object())
    assert [*left_lines(workflow, status)] == ["plan: 1 job: scenes"]
    (tmp_path / MADE / "one.json").touch()
    (line,) = left_lines(workflow, status)
    assert line == "plan: 1 job: scenes; jobs that an earlier run has finished are not among these"
