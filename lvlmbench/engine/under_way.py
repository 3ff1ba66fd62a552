"""What a run leaves of itself: how far it has come, and what it was given, as seen from outside."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.core.amounts import amount
from lvlmbench.core.cache import take_flock
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import BUILDS, STATE
from lvlmbench.engine.expected import Job
from lvlmbench.engine.process import RUN_LOCK

#: A run's note of what it is going to do.
_NOTE = f"{STATE}/run.json"


def note_begun(jobs: Sequence[Job], given: Mapping[str, Any] | None = None) -> None:
    """At the start of a run: leave when that is, how many jobs it has, how many of them are
    measured, and what parameters it was ``given``.
    """
    found = {"began": time.time(), "jobs": len(jobs), "measured": sum(bool(j.log) for j in jobs)}
    atomic_bytes(Path(_NOTE), json.dumps({**found, "given": given}, default=str).encode())


def given(root: Path) -> tuple[list[Path], dict[str, Any]] | None:
    """Return the parameter files of the last run in a folder, and what its command line laid over
    them; None where no run has left that.
    """
    try:
        note = json.loads((root / _NOTE).read_text(encoding="utf-8"))["given"]
        return [root / file for file in note["files"]], dict(note["config"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def left_out(now: Mapping[str, Any]) -> list[str]:
    """Return a line where the last run in this folder had files over params.yaml, and this one,
    whose parameters are ``now``, has none: it may make what nobody wants.
    """
    before = given(Path())
    over = [file.name for file in before[0][1:]] if before is not None else []
    if not over or now["files"][1:] or now["config"]:
        return []
    had = f"the last run in this folder had {', '.join(over)} over it"
    return [f"note: params.yaml alone; {had} (CONFIG of make, --configfile of snakemake)"]


def trial_left(root: Path) -> list[str]:
    """Return a line where DVC has not ended a trial (``dvc exp run``): git's HEAD is then detached,
    and DVC compares with what was there before it.
    """
    if not (root / ".git/refs/exps/exec/EXEC_BASELINE").exists():
        return []
    how = 'docs/running.md, "A killed trial", tells how to get back'
    return [f"note: a 'dvc exp run' is under way here or was killed; if it was killed, {how}"]


def under_way(root: Path) -> str | None:
    """Return how far the run in a folder has come, in words; None where none is under way."""
    if not _locked(root / RUN_LOCK):
        return None
    try:
        note = json.loads((root / _NOTE).read_text(encoding="utf-8"))
        began, jobs, told = float(note["began"]), int(note["jobs"]), int(note["measured"])
    except (OSError, ValueError, LookupError, TypeError):
        return "a run is under way, at its start"
    measured = (root / BUILDS).glob("*/benchmark/*.usage.json")
    done = len({path.name for path in measured if path.stat().st_mtime >= began})
    done = done * jobs // max(told, 1)
    minutes = max(1, round((time.time() - began) / 60))
    return (
        f"a run is under way, for {amount(minutes, 'minute')}: about {done} of "
        f"{amount(max(done, jobs), 'job')} done"
    )


def _locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not take_flock(descriptor, path, wait=False, shared=True)
    except UserError:
        return False
    finally:
        os.close(descriptor)
