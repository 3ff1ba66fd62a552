"""What jobs on other machines take from the run that they belong to, on a disk that all see.

Where a scheduler runs the jobs, each starts a Snakemake of its own on its node, which reads the
Snakefile again. It takes from the run what the run has found out, so that it looks at no published
file, and what another stage publishes meanwhile makes no difference to it. That lies in a file with
a name of its own, which goes when the next run begins: by that a job that still waits or works
sees that its run has ended, e.g. by ``kill -9``, and that another may be making the same files.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import STATE, remove

#: Environment variable with the path of that file, relative to the working directory.
FOLLOWED = "LVLMBENCH_FOLLOWED"

_RUNS = f"{STATE}/runs"


def lead(found: Mapping[str, Any]) -> None:
    """Begin a run: jobs that start from here on take ``found``; those of earlier runs end."""
    remove(Path(_RUNS))
    path = Path(_RUNS, f"{uuid.uuid4().hex}.json")
    atomic_bytes(path, json.dumps(found).encode())
    os.environ[FOLLOWED] = str(path)


def followed() -> dict[str, Any] | None:
    """What :func:`lead` left for this job; None for who is no job of a run.

    Raises
    ------
    UserError
        Another run has begun meanwhile.
    """
    path = os.environ.get(FOLLOWED)
    if not path:
        return None
    try:
        found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UserError(str(Path.cwd()), "the run of this job has ended", "run again") from None
    return found


def left_behind() -> bool:
    """Whether another run has begun since the one that this job belongs to."""
    path = os.environ.get(FOLLOWED)
    if not path:
        return False
    try:
        # Opened, as network file systems only then ask whether a file is still there.
        with Path(path).open("rb"):
            return False
    except FileNotFoundError:
        return True
    except OSError:
        return False
