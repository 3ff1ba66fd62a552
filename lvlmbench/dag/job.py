"""What surrounds each job of the DAG: its log, its errors as one line, and honest names.

A build folder's name says which code made its files. So a job whose code was edited while it ran
leaves nothing. And a job whose inputs came out with the same bytes as the published ones takes
its published outputs instead of making them again.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lvlmbench.cli_support import USER_ERROR
from lvlmbench.dag.builds import (
    ABOVE,
    BUILDS,
    HASHES,
    STATE,
    check_code,
    discard,
    note_made,
    read_plan,
    remove,
)
from lvlmbench.dag.hashing import Hashes, digest
from lvlmbench.dag.process import die_with_parent
from lvlmbench.dag.publish import link_tree
from lvlmbench.errors import UserError

SAID = f"{STATE}/said"


def outputs(build: Path, command: Sequence[str]) -> list[Path]:
    """Arguments that lie in the job's own build folder, but for the links to its inputs."""
    own = [a for a in command if a.startswith(f"{build}/")]
    return [Path(a) for a in own if not a.startswith(f"{build}/{ABOVE}")]


def _published(path: Path) -> Path:
    """Where a file of a build folder is published."""
    return Path(*path.parts[len(Path(BUILDS).parts) + 1 :])


def reuse(build: Path, plan: dict[str, Any], command: Sequence[str], hashes: Hashes) -> bool:
    """Take the published outputs where the inputs equal the published ones; says whether so."""
    made = outputs(build, command)
    whole = any(a.startswith(f"{build}/{ABOVE}") for a in command)
    if whole or not plan["reuse"] or not all(_published(path).exists() for path in made):
        return False
    inputs = [Path(a) for a in command if a.startswith(f"{BUILDS}/") and Path(a) not in made]
    if any(hashes.tree(path) != hashes.tree(_published(path)) for path in inputs):
        return False
    for path in made:
        remove(path)
        link_tree(_published(path), path)
    return True


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def first_to_say(line: str) -> bool:
    """Whether no job of this run has printed ``line`` yet: a hundred shards may fail alike."""
    mark = Path(SAID, f"{os.getppid()}-{digest(line, size=8)}")
    mark.parent.mkdir(parents=True, exist_ok=True)
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def run_job(build: Path, log: Path, command: Sequence[str]) -> str | None:
    """Run a job's command in the current directory, its output going to ``log``.

    Returns None after success, else one line that says why it failed: its own last line where it
    ended with a user's error.

    Raises
    ------
    UserError
        The code was edited meanwhile; the job's outputs are gone.
    """
    plan = read_plan(build)
    check_code(plan)
    hashes = Hashes(Path(HASHES))
    if reuse(build, plan, command, hashes):
        note_made(build, outputs(build, command), hashes)
        log.write_text("The inputs are what they were: took the published outputs.\n")
        return None
    environment = {**os.environ, "PYTHONPATH": plan["root"], "PYTHONDONTWRITEBYTECODE": "1"}
    with log.open("wb") as f:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=f,
            stderr=subprocess.STDOUT,
            env=environment,
            preexec_fn=die_with_parent,
        ).returncode
    try:
        check_code(plan)
    except UserError:
        discard(build, outputs(build, command))
        raise
    if ended == USER_ERROR and (line := _last_line(log)):
        return line
    if ended:
        return f"stage '{plan['stage']}': a job ended with {ended}; see {log}"
    note_made(build, outputs(build, command), hashes)
    return None
