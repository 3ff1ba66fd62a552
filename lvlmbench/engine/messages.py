"""What a run tells: what it is going to do, how far it has come, how it ended.

The plan is always told. The rest is for who asks Snakemake to be quiet about everything, as
``make report`` does: one line for the whole run, in place on a terminal, now and then in a log.
What Snakemake would have said of errors is told, too, unless a job has said it itself.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from lvlmbench.config import Params, Project
from lvlmbench.core.amounts import amount
from lvlmbench.engine import expected
from lvlmbench.engine.builds import MADE
from lvlmbench.engine.calls import call_lines
from lvlmbench.engine.expected import Job
from lvlmbench.engine.failures import STOPPED, last_said, no_word, reason
from lvlmbench.engine.job import ONE_LINE, found_as_it_was, progress
from lvlmbench.engine.outcome import outcome_lines
from lvlmbench.engine.plan import Status
from lvlmbench.engine.process import Interrupts

#: Seconds between two lines: on a terminal, where the line is replaced, and in a log.
_TERMINAL_S, _LOG_S = 1.0, 30.0
#: Rules that only collect what others made.
_COLLECTS = re.compile(r"all|asked|publish\w*|\w+_tables|figures\w*|exports|offer")
#: The part of all work for which the expected pace stands, beside what was seen of the true one.
_BELIEVED = 0.15
_NOTHING = "Nothing to be done"
#: Items that are named one by one; where more have changed in the same way, they are counted.
_NAMED = 30
_BEHIND = "they read what is made before them; where that comes out the same, they stay as they are"


def rough_time(seconds: float) -> str:
    """Return ``4 s``, ``40 s``, ``5 min``, ``3 h 20 min``, roughly."""
    if seconds < 55:
        return f"{max(1, round(seconds, -1 if seconds > 15 else None)):.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def rough_room(size: float) -> str:
    """Return ``1.5 GB``, ``20 MB``."""
    return f"{size / 10**9:.1f} GB" if size >= 10**8 else f"{max(1, round(size / 10**6))} MB"


def _kinds(rules: Sequence[str]) -> str:
    """How many jobs of which rules, in the order in which they are given."""
    counted = Counter(rule for rule in rules if not _COLLECTS.fullmatch(rule))
    return ", ".join(f"{rule} {n}" if n > 1 else rule for rule, n in counted.items())


def reason_lines(status: Mapping[str, Status], short: bool = False) -> list[str]:
    """Say which items changed themselves, not only through what is before them, and how.

    Parameters
    ----------
    status
        How it stands with each item.
    short
        Whether to count the items of each stage where several have changed, be they few or not;
        and to tell of those behind them.
    """
    same: dict[tuple[str, ...], list[str]] = {}
    for name, found in status.items():
        if found.why:
            same.setdefault(found.why, []).append(name)
    lines = []
    for why, items in same.items():
        names = _by_stage(items) if short or len(items) > _NAMED else ", ".join(items)
        lines.append(f"to do: {names} ({', '.join(why[:4])}{', ...' if len(why) > 4 else ''})")
    behind = [name for name, found in status.items() if not found.valid and not found.why]
    if short and behind:
        lines.append(f"then: {_by_stage(behind)} ({_BEHIND})")
    return lines


def _by_stage(items: Sequence[str]) -> str:
    """How many items of each stage; their names where there is one of each."""
    stages = Counter(name.split("/")[0] for name in items)
    if len(items) == len(stages):
        return ", ".join(items)
    return ", ".join(f"{stage} {n}" if n > 1 else stage for stage, n in stages.items())


def plan_lines(project: Project, jobs: Sequence[Job], cores: int) -> list[str]:
    """What a run is going to do: jobs, rough minutes, room on disk."""
    rules = [job.rule for job in jobs]
    spent = expected.whole(project, jobs, cores)
    need, free = expected.room(project, rules), shutil.disk_usage(Path.cwd()).free
    models = len(project.answer.models)
    asked = list(project.answer.models) if "answer" in rules else []
    if not {"judge", "examine"}.isdisjoint(rules):
        asked += [model for judge in project.judge.judges for model in judge.models.values()]
    asked += project.examiner.examiners if {"examiner", "planner"} & {*rules} else ()
    asked += project.validator.validators if "check" in rules else ()
    kinds = (model.made_by() for model in asked)
    served = any(kind is not None and kind.served for kind in kinds)
    waits = ", and what servers take to answer" if served else ""
    short = ": that may be too little" if free < need else ""
    on = f"on {cores} cores" if cores > 1 else "on one core"
    return [
        f"snapshot '{project.snapshot.name}': "
        + "".join(_suite(project.suite(name), len(project.suites)) for name in project.suites)
        + amount(models, "model"),
        jobs_line(jobs),
        f"time: about {rough_time(spent)} {on}{waits}; "
        f"disk: about {rough_room(need)}, {rough_room(free)} are free{short}",
        *call_lines(project, jobs),
    ]


def jobs_line(jobs: Sequence[Job]) -> str:
    """How many jobs a run has, and of which rules."""
    rules = [job.rule for job in jobs]
    words = _kinds(rules) or "what was made is put in place"
    collect = [rule for rule in rules if _COLLECTS.fullmatch(rule)]
    more = "; the rest puts files in place" if 0 < len(collect) < len(jobs) else ""
    return f"plan: {amount(len(jobs), 'job')}: {words}{more}"


def left_lines(workflow: Any, status: Mapping[str, Status]) -> Iterator[str]:
    """Say which jobs a plan holds, once Snakemake knows them: less than what is to do, where a run
    that was stopped has finished some."""
    jobs = jobs_of(workflow) if getattr(workflow, "dag", None) is not None else []
    jobs = [job for job in jobs if job.rule != "all"]  # which runs nothing
    if jobs:
        left = [Path(each.build, MADE) for each in status.values() if not each.valid]
        begun = any(note for made in left for note in made.glob("*.json"))
        more = "; jobs that an earlier run has finished are not among these" if begun else ""
        yield f"{jobs_line(jobs)}{more}"


def _suite(params: Params, of: int) -> str:
    """A suite's scenes and scenarios, with its name where there are others."""
    scenes, scenarios = params.corpus.n_scenes, amount(len(params.scenarios.names), "scenario")
    return f"{params.suite + ': ' if of > 1 else ''}{amount(scenes, 'scene')}, {scenarios}, "


def jobs_of(workflow: Any) -> list[Job]:
    """The jobs that a workflow of Snakemake is going to run, in the order of its rules."""
    found = []
    for job in workflow.dag.needrun_jobs(exclude_finished=False):
        rule = str(job.rule.name)
        named = bool(job.benchmark) and not _COLLECTS.fullmatch(rule)
        name = Path(str(job.benchmark)).stem if named else rule
        log = str(job.log[0]) if job.log else ""
        found.append(Job(workflow.dag.jobid(job), rule, name, log, dict(job.wildcards_dict)))
    order = {rule.name: n for n, rule in enumerate(workflow.rules)}
    return sorted(found, key=lambda job: (order.get(job.rule, len(order)), job.name))


def made_line(jobs: Sequence[Job]) -> str:
    """How many jobs of a finished run have made something, and how many found it as it was."""
    taken = sum(bool(job.log) and found_as_it_was(Path(job.log)) for job in jobs)
    found = "found as it was" if taken == 1 else "found as they were"
    of = f": {len(jobs) - taken:,} made, {taken:,} {found}" if taken else ""
    return f"{amount(len(jobs), 'job')}{of}"


class Teller(logging.Handler):
    """Tells how a run goes, from what Snakemake logs.

    Parameters
    ----------
    out
        Where to.
    """

    def __init__(self, out: TextIO = sys.stderr) -> None:
        super().__init__()
        self._out, self._replaces = out, out.isatty()
        self._guard = threading.RLock()
        self._jobs: dict[int, Job] = {}
        self._expected: dict[int, float] = {}
        self._running: dict[int, float] = {}
        self._began, self._last, self._left = time.monotonic(), 0.0, 0
        self._cores, self._whole = 1, 0.0
        self._ended, self._told = threading.Event(), 0.0
        self._failed: Counter[str] = Counter()

    @classmethod
    def listening(cls, logger: logging.Logger, workflow: Any) -> Teller | None:
        """One that hears Snakemake; None where Snakemake speaks for itself.

        What it says of notes that it lacks is left out: seals decide, and travel with the data.
        """
        logger.addFilter(lambda record: "provenance/metadata" not in record.getMessage())
        quiet = {str(getattr(q, "name", q)).upper() for q in workflow.output_settings.quiet or ()}
        if "ALL" not in quiet or workflow.dryrun:
            return None
        teller = cls()
        logger.addHandler(teller)
        return teller

    def begin(self, project: Project, jobs: Sequence[Job], cores: int) -> None:
        """The run begins."""
        os.environ[ONE_LINE] = "1"
        self._project = project
        self._jobs = {job.number: job for job in jobs}
        self._expected = expected.seconds(project, jobs)
        self._whole = sum(self._expected.values())
        self._left, self._cores = len(jobs), max(1, cores)
        self._began = time.monotonic()
        threading.Thread(target=self._tick, daemon=True).start()

    def _tick(self) -> None:
        while not self._ended.wait(_TERMINAL_S if self._replaces else _LOG_S):
            self._show()

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of what Snakemake logs."""
        told: dict[str, Any] = vars(record)
        event = str(getattr(told.get("event"), "value", "")).lower()
        with self._guard:
            if event == "job_info":
                self._running[told["jobid"]] = time.monotonic()
            elif event == "job_finished" and self._expected.pop(told["job_id"], None) is not None:
                self._running.pop(told["job_id"], None)
                self._left -= 1
            elif event in ("job_error", "group_error"):
                self._running.pop(told.get("jobid", -1), None)
                self._failed[str(told.get("rule_name", "group"))] += 1
            elif not self._ended.is_set():
                self._pass_on(record)

    def _pass_on(self, record: logging.LogRecord) -> None:
        """What Snakemake says before there are jobs, or instead: it has no other way out."""
        message = record.getMessage()
        if message.startswith(_NOTHING):
            self.say("nothing to do: all is up to date")
        elif record.levelno >= logging.ERROR and not self._failed and message not in ("", "None"):
            self.say(message)

    def _line(self) -> str:
        """How far the run has come."""
        now, total = time.monotonic(), len(self._jobs)
        gone, left = now - self._began, sum(self._expected.values())
        # What runs has done some of its part, at most nine tenths.
        left -= sum(
            min(0.9 * self._expected.get(n, 0.0), now - began) for n, began in self._running.items()
        )
        # The more is done, the more the pace so far counts: the machine may be another, or busy.
        # A few jobs tell little, so the expected pace stands beside it as if it had been seen.
        done, seen = self._whole - left, _BELIEVED * self._whole
        pace = (gone + seen / self._cores) / max(done + seen, 1e-9)
        names = [self._jobs[n].name for n in self._running if n in self._jobs]
        said = next(filter(None, map(self._said, self._running)), "")
        about = said or ", ".join(names[: 2 * self._cores])
        return (
            f"{total - self._left}/{total} jobs, {rough_time(gone)} gone, "
            f"about {rough_time(left * pace)} left{about and f': {about}'}"
        )

    def _said(self, number: int) -> str:
        """The last line of progress of a job that runs."""
        job = self._jobs.get(number)
        try:
            return progress(Path(job.log)) if job is not None and job.log else ""
        except OSError:
            return ""

    def _show(self) -> None:
        with self._guard:
            if self._ended.is_set():
                return
            line = self._line()
            if self._replaces:
                line = line[: shutil.get_terminal_size().columns - 1]
                self._out.write(f"\r\x1b[2K{line}\r")
            else:
                self._out.write(f"{line}\n")
                self._told = time.time()
            self._out.flush()

    def say(self, line: str) -> None:
        """A line that stays."""
        with self._guard:
            self._out.write(f"\r\x1b[2K{line}\n" if self._replaces else f"{line}\n")
            self._told = time.time()
            self._out.flush()

    def succeeded(self, report: Path) -> None:
        """The run has ended well."""
        self._ended.set()
        took = rough_time(time.monotonic() - self._began)
        self.say(f"done in {took}: {made_line([*self._jobs.values()])}")
        if any(job.rule == "publish_report" for job in self._jobs.values()):
            for line in outcome_lines(self._project, report):
                self.say(line)

    def failed(self, interrupts: Interrupts) -> None:
        """The run has ended before its end; each job has said why above."""
        self._ended.set()
        if interrupts.came:
            self.say(STOPPED)
            return
        rules = ", ".join(f"{rule} ({n})" if n > 1 else rule for rule, n in self._failed.items())
        why = reason() or (no_word(rules) if rules else "the run failed, for the reason above")
        on = "mend that, then the same command goes on where it was (logs: .lvlmbench/build/*/log)"
        # What a job has just said of itself stands right above.
        self.say(
            f"not finished: {on}" if last_said() > self._told else f"not finished: {why}\n{on}"
        )
