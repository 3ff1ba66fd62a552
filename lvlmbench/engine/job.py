"""What surrounds each job of the DAG: its log, its errors as one line, and honest names.

A build folder's name says which code made its files. So a job whose code was edited while it ran
leaves nothing. And a job whose inputs came out with the same bytes as the published ones takes
its published outputs instead of making them again.

What a job prints goes to its log. Of a job that takes long the terminal shows how far it has come:
lines of the form ``NAME: ... 120/600 ...``, now and then.
"""

from __future__ import annotations

import errno
import functools
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from lvlmbench.core.blame import told_in
from lvlmbench.core.errors import UserError, printable
from lvlmbench.core.guard import USER_ERROR, as_user_error, guarded
from lvlmbench.engine.builds import (
    ABOVE,
    BUILDS,
    CHECKPOINTS,
    HASHES,
    PLAN,
    check_code,
    discard,
    drop_unfinished,
    note_made,
    read_plan,
    remove,
)
from lvlmbench.engine.failures import tell
from lvlmbench.engine.following import left_behind
from lvlmbench.engine.hashing import Hashes, files_below
from lvlmbench.engine.measured import note_usage
from lvlmbench.engine.process import die_with_parent
from lvlmbench.engine.publish import link_tree
from lvlmbench.engine.warm import Forked, Server

#: The project.
ROOT = Path(__file__).resolve().parents[2]

#: Seconds between two looks at whether the run is still there that a job belongs to.
WATCH_S = 2.0

#: Seconds between two looks at how far a job has come.
TELL_S = 15.0
#: Environment variable that is set where one line tells of the whole run.
ONE_LINE = "LVLMBENCH_ONE_LINE"
#: Bytes that are free on a full disk: what a failed write has given back.
_NO_SPACE = 1 << 16
#: What stands in the log of a job that found its outputs as they were.
_TAKEN = "The inputs are what they were: took the published outputs.\n"
_PROGRESS = re.compile(r"\S+: .*\b\d+/\d+\b")


def outputs(build: Path, command: Sequence[str]) -> list[Path]:
    """Arguments that lie where the job's own build folder holds what will be published."""
    return [Path(a) for a in command if a.startswith((f"{build}/data/", f"{build}/results/"))]


def _published(path: Path) -> Path:
    """Where a file of a build folder is published."""
    return Path(*path.parts[len(Path(BUILDS).parts) + 1 :])


def reuse(build: Path, plan: dict[str, Any], command: Sequence[str], hashes: Hashes) -> bool:
    """Take the published outputs where the inputs equal the published ones; says whether so.

    A job that reads whole folders is held to read all that its stage declares. One that makes
    nothing that is published as it is has nothing to take.
    """
    made = outputs(build, command)
    if not made or not plan["reuse"] or not all(_published(path).exists() for path in made):
        return False
    if any(a.startswith(f"{build}/{ABOVE}") for a in command):
        to_make = made
        read = [(Path(b, out), Path(out)) for out, b in plan["above"].items() if b != "."]
        if not all(built.exists() for built, _ in read):  # nobody waits for it, so it may yet come
            return False
    else:
        # Snakemake has removed what the job is to make: what is there of its own build, it reads.
        to_make = [path for path in made if not files_below(path)]
        there = (Path(a) for a in command if a.startswith(f"{BUILDS}/"))
        read = [(path, _published(path)) for path in there if path not in to_make]
    if any(hashes.tree(built) != hashes.tree(published) for built, published in read):
        return False
    for path in to_make:
        remove(path)
        link_tree(_published(path), path)
    return True


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _full(log: Path) -> bool:
    """Whether a job seems to have failed for want of space, so that its log may say nothing."""
    with log.open("rb") as f:
        f.seek(max(0, f.seek(0, os.SEEK_END) - 4096))
        said = b"No space left on device" in f.read()
    return said or shutil.disk_usage(log.parent).free < _NO_SPACE


def progress(log: Path) -> str:
    """The last line of progress among the last lines of a log; empty where there is none."""
    with log.open("rb") as f:
        f.seek(max(0, f.seek(0, os.SEEK_END) - 4096))
        lines = f.read().decode("utf-8", errors="replace").split("\n")[:-1]
    return next((line.strip() for line in reversed(lines) if _PROGRESS.match(line)), "")


def found_as_it_was(log: Path) -> bool:
    """Whether the job with this log took what is published, as its inputs are what they were."""
    try:
        with log.open("rb") as f:
            return f.read(len(_TAKEN) + 1) == _TAKEN.encode()
    except OSError:
        return False


@contextmanager
def _every(seconds: float, look: Callable[[], None]) -> Iterator[None]:
    """Call ``look`` now and then, for the length of the block."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(seconds):
            look()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _telling(log: Path) -> AbstractContextManager[None]:
    """Show the progress that a job writes to ``log`` on stderr, for the length of the block."""
    said = ""

    def tell() -> None:
        nonlocal said
        if (line := progress(log)) != said:
            said = line
            print(line, file=sys.stderr, flush=True)

    return nullcontext() if os.environ.get(ONE_LINE) else _every(TELL_S, tell)


def _watching(process: subprocess.Popen[bytes] | Forked) -> AbstractContextManager[None]:
    """End a job once another run has begun, which may be making the same files.

    Only a job on another machine outlives its run at all.
    """

    def watch() -> None:
        if left_behind():
            process.kill()

    return _every(WATCH_S, watch)


def _started(
    command: Sequence[str], log: BinaryIO, environment: Mapping[str, str], server: Server | None
) -> subprocess.Popen[bytes] | Forked:
    """The process of a job's command."""
    if server is not None:
        return Forked([*command], log, environment, server)
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=environment,
        preexec_fn=functools.partial(die_with_parent, os.getpid()),
    )


def main(given: list[str], server: Server | None = None) -> None:
    """Run the job that ``job.py`` is asked for.

    A failure is one line on stderr, said once for all the shards that fail so.

    Raises
    ------
    SystemExit
        It has failed.
    """
    if given[0] == "--below":
        given = [argument.removeprefix(f"{given[1]}/") for argument in given[2:]]
    script, build, log, *arguments = given
    command = [sys.executable, str(ROOT / "scripts" / f"{script}.py"), *arguments]
    with guarded():
        try:
            line = run_job(Path(build), Path(log), command, server)
        except UserError as error:
            line = str(error)
        except FileNotFoundError as error:
            if (line := gone(Path(build), error)) is None:
                raise
        if line is not None:
            tell(Path(log), _in_its_file(line))
            raise SystemExit(USER_ERROR)


def _in_its_file(line: str) -> str:
    """A mistake in the parameters in the name of the file that brought it into this run."""
    from lvlmbench.config.layers import Layers
    from lvlmbench.engine.under_way import given

    noted, config = given(Path()) or ([], {})
    files = [file.resolve() if file.parts[:1] == ("..",) else file for file in noted]
    try:
        return Layers(files, config).place(line)
    except UserError:  # a file that was removed or edited meanwhile
        return line


def gone(build: Path, error: FileNotFoundError) -> str | None:
    """Return in one line that a build was removed under its job; None where that is not why."""
    if (build / PLAN).is_file() and (build / "log").is_dir():
        return None
    what = f"was removed while a job used it ('{error.filename}' is not there)"
    return str(UserError(str(build), what, "run again"))


def run_job(
    build: Path, log: Path, command: Sequence[str], server: Server | None = None
) -> str | None:
    """Run a job's command in the current directory, its output going to ``log``.

    It runs in a fork of ``server``, which this process is one of, where that is given.

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
    drop_unfinished(outputs(build, command))
    if reuse(build, plan, command, hashes):
        note_made(build, outputs(build, command), hashes)
        log.write_text(_TAKEN)
        return None
    path = os.pathsep.join(filter(None, (plan["root"], os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("wb") as f:
        process = _started(command, f, environment, server)
    try:
        with _telling(log), _watching(process):
            ended = process.wait()
    finally:
        process.kill()  # where waiting was interrupted; nothing happens to an ended process
    note_usage(build, log.stem, time.monotonic() - began, before)
    try:
        check_code(plan)
    except UserError:
        discard(build, [*outputs(build, command), build / CHECKPOINTS])
        raise
    if left_behind():
        return "the run of this job has ended, another has begun"
    if ended == USER_ERROR and (line := _last_line(log)):
        return line
    if ended and _full(log):
        return str(as_user_error(OSError(errno.ENOSPC, "No space left on device", str(log.parent))))
    if ended:
        why = told_in(log.read_text(encoding="utf-8", errors="replace"))
        why = f": {printable(why)}" if why else ""
        return f"stage '{plan['stage']}': a job ended with {ended}{why}; see {log}"
    note_made(build, outputs(build, command), hashes)
    return None
