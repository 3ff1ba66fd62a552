"""Why a job failed, in one line on the terminal of the run, wherever the job ran.

A job beside its run prints the line itself. What a job on another machine prints lies in a log of
the scheduler, so it leaves the line on the disk that both see, and the run prints it when it learns
that the job has failed. Where a job left none, because it was killed, the words and logs of the
scheduler have to do.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.core.amounts import amount
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import STATE
from lvlmbench.engine.hashing import digest

#: Folder of what the jobs of a run have said; it goes when the next run begins.
SAID = f"{STATE}/said"

#: Environment variable that is set where a job does not run beside its run.
AWAY = "LVLMBENCH_AWAY"

_ON = "the same command goes on where it was"
#: What is said of a run that was interrupted.
STOPPED = f"stopped: what was finished is kept; {_ON}"

#: What Slurm writes into the log of a job that it ends.
_ENDED = re.compile(r"^slurmstepd\S*: error: (.*(?:CANCELLED|oom|OOM).*)$", re.M)


#: Of what is said of a job that raised, the reason, without its stage and its log.
_RAISED = re.compile(r"stage '[^']*': a job ended with -?\d+: (.*); see \S+", re.S)


def first_to_say(line: str) -> bool:
    """Whether nobody has said ``line`` in this run yet, nor the same of another job: a hundred
    shards may fail alike."""
    raised = _RAISED.fullmatch(line)
    mark = Path(SAID, digest(raised[1] if raised else line, size=8))
    mark.parent.mkdir(parents=True, exist_ok=True)
    try:
        with mark.open("x", encoding="utf-8") as file:
            file.write(line)
    except FileExistsError:
        return False
    return True


def say_at_exit(stopped: bool) -> None:
    """Say why a run was not finished when the process ends, behind Snakemake's own last words.

    Parameters
    ----------
    stopped
        Whether somebody has interrupted it.
    """
    if stopped:
        line = STOPPED
    else:
        why = reason() or no_word("a job")
        line = f"not finished: {why}\nmend that, then {_ON}"
    say_last([line])


def reason() -> str:
    """Return the first line that a failed job of this run has said; empty where none did."""
    said = [path.read_text(encoding="utf-8") for path in sorted(_marks(), key=_made)]
    said = list(dict.fromkeys(line for line in said if line))
    more = f" (and {amount(len(said) - 1, 'other reason')}, above)" if len(said) > 1 else ""
    return said[0] + more if said else ""


def _marks() -> list[Path]:
    """A file for each different line that jobs of this run have said."""
    return [path for path in Path(SAID).glob("*") if path.suffix != ".txt"]


def last_said() -> float:
    """Return when a job of this run has last said why it failed, as a time; 0 where none did, or
    where several have said different things.
    """
    marks = _marks()
    return _made(marks[0]) if len(marks) == 1 else 0.0


def no_word(who: str) -> str:
    """Return what is said of jobs that failed and have not told why: the kernel kills so, too."""
    return f"{who} failed: if nothing above says why, it was killed, maybe for want of memory"


def say_of_a_plan(
    lines: Iterable[str], otherwise: Iterable[str], logger: logging.Logger
) -> Callable[[], None]:
    """Say lines when the process ends, if no run has begun; returns what one that begins calls.

    They are asked for then, and not before.

    Parameters
    ----------
    otherwise
        What is said in their place where no rule makes what is asked for. Of another error, which
        leaves no plan either, nothing is.
    """
    failed, missing = threading.Event(), threading.Event()

    def heed(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            failed.set()
        if "No rule to produce" in record.getMessage():
            missing.set()
        return True

    def say() -> None:
        for line in otherwise if missing.is_set() else () if failed.is_set() else lines:
            print(line, file=sys.stderr)

    logger.addFilter(heed)
    atexit.register(say)
    return lambda: atexit.unregister(say)


def say_last(lines: Iterable[str]) -> None:
    """Say lines when the process ends, behind Snakemake's own last words."""
    for line in reversed([*lines]):  # what is registered last is said first
        atexit.register(print, line, file=sys.stderr, flush=True)


def _made(path: Path) -> float:
    return path.stat().st_mtime


def _word(log: str) -> Path:
    """Where the line of the job with this log lies."""
    return Path(SAID, f"{digest(log, size=8)}.txt")


def tell(log: Path, line: str) -> None:
    """In a job that has failed: say why."""
    if os.environ.get(AWAY):
        atomic_bytes(_word(str(log)), line.encode())
        print(line, file=sys.stderr)
    elif first_to_say(line):
        # A line of progress may stand there, which is replaced in place.
        print(f"\r\x1b[2K{line}" if sys.stderr.isatty() else line, file=sys.stderr)


def _words(logs: Iterable[str]) -> list[str]:
    """The lines that jobs with these logs have left."""
    found = []
    for log in logs:
        try:
            found.append(_word(log).read_text(encoding="utf-8"))
        except OSError:
            continue
    return found


def _ended_by(logs: Sequence[str]) -> str:
    """Why a scheduler ended a job, by the job's logs; empty where they do not tell."""
    for log in logs:
        try:
            text = Path(log).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if found := _ENDED.findall(text):
            return str(found[-1]).strip("* ")
    return ""


def failed_away(record: logging.LogRecord) -> list[str]:
    """Lines about what Snakemake tells in ``record``: that a scheduler's job has failed.

    Nothing where it tells of something else, or of a job that has spoken for itself.
    """
    told: dict[str, Any] = vars(record)
    event = getattr(told.get("event"), "value", "")
    if event == "group_error":
        jobs = told["job_error_info"]
        own = [log for job in jobs for log in job["log"]]
        who = f"group of {', '.join(sorted({job['rule_name'] for job in jobs}))}"
        logs, said = list(told["aux_logs"]), ""
    elif event == "job_error" and told.get("rule_msg"):
        own = logs = list(told["log"])
        who = f"rule {told['rule_name']}"
        said = told["rule_msg"].strip().split("\n")[0]
    else:
        return []
    if words := _words(own):
        return words
    why = _ended_by(logs) or said or "its job failed"
    return [f"{who}: {why}; see {logs[-1]}" if logs else f"{who}: {why}"]


def worth_saying(record: logging.LogRecord) -> bool:
    """A filter of Snakemake's messages, which says why a job on another machine failed.

    False for the shell command of a failed job: the job has said in one line what is wrong.
    """
    for line in failed_away(record):
        if first_to_say(line):
            print(line, file=sys.stderr)
    return not (
        getattr(record, "exception", None) == "RuleException"
        and "CalledProcessError" in record.getMessage()
    )
