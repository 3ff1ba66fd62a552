"""Having DVC record what lies here, also after a DVC that was killed while it wrote.

DVC writes ``dvc.lock`` and its own table of locks in place, so ``kill -9`` can leave half of
either, which no command of DVC reads any more. What they hold can be had again: ``dvc commit``
records every stage anew, and a table of locks is about processes that are gone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import remove
from lvlmbench.versions.programs import dvc, git, git_says

LOCK = "dvc.lock"

#: DVC's table of which of its processes reads or writes what.
_PROCESSES = Path(".dvc", "tmp", "rwlock")


def readable(lock: Path) -> bool:
    """Whether DVC can read a ``dvc.lock``; one that is not there is written anew."""
    from dvc.exceptions import DvcException
    from dvc.schema import COMPILED_LOCKFILE_SCHEMA
    from dvc.utils.serialize import parse_yaml
    from voluptuous import Invalid

    if not lock.exists():
        return True
    try:
        COMPILED_LOCKFILE_SCHEMA(parse_yaml(lock.read_text(encoding="utf-8"), str(lock)))
    except (DvcException, Invalid, UnicodeDecodeError):
        return False
    return True


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    except FileNotFoundError:
        pass
    return True


def mend(project: Path) -> list[str]:
    """Put back what a killed DVC has left half written; returns what was mended."""
    mended = []
    processes = project / _PROCESSES
    if not _is_json(processes):
        time.sleep(0.5)  # or is it being written?
        if not _is_json(processes):
            remove(processes)
            mended.append(str(_PROCESSES))
    lock = project / LOCK
    if not readable(lock):
        if git_says(project, "cat-file", "-e", f"HEAD:./{LOCK}"):
            atomic_bytes(lock, git(project, "show", f"HEAD:./{LOCK}").encode())
        else:
            remove(lock)
        mended.append(LOCK)
    return mended


def record(project: Path, say: Callable[[str], None]) -> None:
    """Have ``dvc.lock`` name the data that lies here.

    Raises
    ------
    UserError
        DVC failed.
    """
    for name in mend(project):
        say(f"mended: {name}, which a killed DVC had left half written")
    say("DVC keeps the data: some seconds for each gigabyte, and for each stage one")
    dvc(project, "commit", "--force", fix="mend that and run again")
