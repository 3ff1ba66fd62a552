"""Processes that end with their parent, and a lock that ends with its process."""

from __future__ import annotations

import ctypes
import getpass
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from lvlmbench.core.cache import take_flock
from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import STATE

_PR_SET_PDEATHSIG = 1

#: Two presses of Ctrl-C within so many seconds are one.
_TWICE_S = 3.0

#: The lock of a run, relative to the folder that it runs in.
RUN_LOCK = Path(STATE, "run.lock")

#: For so many seconds a run waits for those that look at what is there before they run themselves.
_LOOKING_S = 10.0

#: Environment variable with the id of the process that runs the jobs.
RUN = "LVLMBENCH_RUN"


def die_with_parent(parent: int | None = None) -> None:
    """Have the kernel kill this process when its parent ends, however that ends (Linux).

    It survives ``exec``. So ``kill -9`` of DVC or Snakemake leaves no job that writes on. A parent
    that ends before it can say so is noticed if its id is given.
    """
    parent = parent or os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


class Interrupts:
    """Ctrl-C of a run: the first ends it in order, one more than three seconds later at once.

    Those in between count as the first: Python would break into its clearing up, with a traceback.
    SIGTERM is left to Snakemake, which lets the jobs that run finish; it is noted alone.
    """

    def __init__(self) -> None:
        self._first: float | None = None
        self._local, self._told_to_end = True, False

    @property
    def came(self) -> bool:
        """Whether somebody has pressed Ctrl-C, or the run was told to end."""
        return self._first is not None or self._told_to_end

    def heed(self, local: bool = True) -> None:
        """From now on, in the main thread, unless SIGINT is ignored, as in the background.

        Parameters
        ----------
        local
            Whether jobs run on this machine, where they are killed with their parent. Elsewhere a
            run that ends at once would leave them in the queue, so a late press interrupts again.
        """
        self._local = local
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._interrupted)
        if callable(snakemakes := signal.getsignal(signal.SIGTERM)):

            def end(number: int, frame: FrameType | None) -> None:
                self._told_to_end = True
                snakemakes(number, frame)

            signal.signal(signal.SIGTERM, end)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        late = self._first is not None and now - self._first > _TWICE_S
        if late and self._local:
            os.write(2, b"\nended at once: the same command goes on where it was\n")
            os._exit(128 + number)
        if self._first is None or late:
            self._first = now
            raise KeyboardInterrupt


def begin_run() -> None:
    """Tell the jobs of this process which process that is.

    Snakemake wants a name of who runs it. A container may run as a user who has none.
    """
    os.environ[RUN] = str(os.getpid())
    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["LOGNAME"] = str(os.getuid())


def die_with_run() -> None:
    """:func:`die_with_parent` for a job: at once where the process that began the run is gone.

    A job takes a moment from its start to here, long enough for the run to be killed.
    """
    die_with_parent()
    run = os.environ.get(RUN)
    if run is None or os.getppid() == int(run) or not Path("/proc/self/stat").exists():
        return
    try:
        state = Path("/proc", run, "stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        state = "Z"
    if state == "Z":
        os.kill(os.getpid(), signal.SIGKILL)


def take_lock(path: Path) -> int:
    """Lock a file for the life of this process, or until the returned descriptor is closed.

    Raises
    ------
    UserError
        Another process holds it.
    """
    descriptor, until = _opened(path), time.monotonic() + _LOOKING_S
    while not take_flock(descriptor, path, wait=False):
        with looking(path) as nobody:
            waits = nobody and time.monotonic() < until
        if not waits:
            os.close(descriptor)
            raise UserError(
                str(path.parent.resolve().parent),
                "another run is at work in this folder",
                "wait for it to end, or stop it",
            )
        time.sleep(0.1)
    return descriptor


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """:func:`take_lock` for the length of the block."""
    descriptor = take_lock(path)
    try:
        yield
    finally:
        os.close(descriptor)


@contextmanager
def looking(path: Path) -> Iterator[bool]:
    """Say whether nobody holds the lock of a file; nobody is given it within the block.

    Several may look at once.
    """
    descriptor = _opened(path)
    try:
        yield take_flock(descriptor, path, wait=False, shared=True)
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
