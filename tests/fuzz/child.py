"""Run something in a forked child: with limits, and with everything that it says kept."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

#: Bytes of address space that a case may take beside what the parent has.
MEMORY = 3 << 30
#: Seconds of computing that a case may take; waiting counts apart, as machines may be busy.
SECONDS = 40
#: Bytes of a file that a case may write.
FILE = 1 << 29


@dataclass(frozen=True)
class Outcome:
    """How it ended: exit code (negative: the signal), whether it hung, what it said."""

    code: int
    hung: bool
    out: str
    err: str
    seconds: float


def warmed(action: Callable[[], object], folder: Path) -> None:
    """Run ``action`` in this process, so that children need not import what it imports.

    Raises
    ------
    SystemExit
        It did not end well; what it said is shown.
    """
    said = io.StringIO()
    with contextlib.chdir(folder), redirect_stdout(said), redirect_stderr(said):
        try:
            action()
        except SystemExit as ended:
            if ended.code:
                raise SystemExit(said.getvalue()) from None


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _run(action: Callable[[], object], folder: Path) -> int:
    """In the child: the exit code that a process would have had."""
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(folder.with_suffix(f".{name}"), os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(file, number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", closefd=False
    )
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    try:
        action()
    except SystemExit as ended:
        code = ended.code
        return code if isinstance(code, int) else int(code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def forked(action: Callable[[], object], folder: Path, limit: float) -> Outcome:
    """Run ``action`` in a child with ``folder`` as its working directory.

    Parameters
    ----------
    limit
        Seconds after which it is killed and counts as hung; so does what computes for longer than
        :data:`SECONDS`.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            os.setsid()
            code = _run(action, folder)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code & 0xFF)
    hung, status = False, 0
    pause = 0.001
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() - began > limit:
            hung = True
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            break
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)
    with contextlib.suppress(ProcessLookupError):  # what it may have started
        os.killpg(pid, signal.SIGKILL)
    said = []
    for name in ("stdout", "stderr"):
        file = folder.with_suffix(f".{name}")
        said.append(file.read_bytes().decode(errors="replace") if file.exists() else "")
        file.unlink(missing_ok=True)
    code = os.waitstatus_to_exitcode(status)
    hung = hung or code in (-signal.SIGXCPU, -signal.SIGKILL)
    return Outcome(code, hung, *said, time.monotonic() - began)
