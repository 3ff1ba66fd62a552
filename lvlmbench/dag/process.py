"""Processes that end with their parent, and a lock that ends with its process."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lvlmbench.errors import UserError

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends, however that ends (Linux).

    It survives ``exec``. So ``kill -9`` of DVC or Snakemake leaves no job that writes on.
    """
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def take_lock(path: Path, *, wait: bool) -> int:
    """Lock a file for the life of this process, or until the returned descriptor is closed.

    Raises
    ------
    UserError
        Another process holds it and ``wait`` is false.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(descriptor)
        raise UserError(
            str(path.parent.resolve().parent),
            "another run is at work in this folder",
            "wait for it to end, or stop it",
        ) from None
    return descriptor


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock for the length of the block, waiting for it."""
    descriptor = take_lock(path, wait=True)
    try:
        yield
    finally:
        os.close(descriptor)
