"""Whether a run is under way in a folder, and how far it has come, as seen from outside."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from lvlmbench.core.amounts import amount
from lvlmbench.core.cache import take_flock
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import BUILDS, LOCK, STATE
from lvlmbench.engine.expected import Job

#: A run's note of what it is going to do.
_NOTE = f"{STATE}/run.json"


def note_begun(jobs: Sequence[Job]) -> None:
    """At the start of a run: leave when that is, and how many of its jobs are measured."""
    found = {"began": time.time(), "jobs": sum(bool(job.log) for job in jobs)}
    atomic_bytes(Path(_NOTE), json.dumps(found).encode())


def under_way(root: Path) -> str | None:
    """Return how far the run in a folder has come, in words; None where none is under way."""
    if not _locked(root / LOCK):
        return None
    try:
        note = json.loads((root / _NOTE).read_text(encoding="utf-8"))
        began, jobs = float(note["began"]), int(note["jobs"])
    except (OSError, ValueError, LookupError, TypeError):
        return "a run is under way, at its start"
    measured = (root / BUILDS).glob("*/benchmark/*.usage.json")
    done = len({path.name for path in measured if path.stat().st_mtime >= began})
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
        return not take_flock(descriptor, path, wait=False)
    except UserError:
        return False
    finally:
        os.close(descriptor)
