"""Files that several processes share: where they lie, how they are locked, SQLite among them."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lvlmbench.core.errors import UserError

#: Seconds between two calls of fsync, where something is written often.
SYNC_S = 2.0


def default_folder() -> Path:
    """Return ``.lvlmbench/cache`` below the working directory.

    The environment variable ``LVLMBENCH_CACHE_DIR`` names another folder, e.g. one that several
    clones share.
    """
    return Path(os.environ.get("LVLMBENCH_CACHE_DIR", ".lvlmbench/cache"))


#: What ``flock`` says where a file system has no locks.
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


def take_flock(descriptor: int, path: Path, *, wait: bool = True, shared: bool = False) -> bool:
    """Lock an open file for as long as ``descriptor`` is open; says whether it could be had.

    Several may have a ``shared`` lock, while nobody has another.

    The lock ends with its process, however that ends. Network file systems have it too, for files
    that are open for writing.

    Raises
    ------
    UserError
        The file system has no locks.
    """
    try:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(descriptor, kind | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        fix = "work on another disk, or let LVLMBENCH_CACHE_DIR name a folder on one for the cache"
        raise UserError(str(path), "lies on a file system without locks", fix) from None
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made where it is not, for the length of the block.

    Raises
    ------
    UserError
        The file system has no locks, or a file is where a folder should be.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        fix = "move the file of that name away"
        raise UserError(str(error.filename), "is not a folder", fix) from None
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        take_flock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def mendable(path: Path, what: str, lost: str) -> Iterator[None]:
    """Turn what SQLite complains of into one line.

    Raises
    ------
    UserError
        ``what``, e.g. "the answer cache", cannot be used; ``lost`` says what deleting it costs.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise UserError(
            str(path),
            f"{what} cannot be used ({error})",
            f"check free space and permissions; if the file is damaged, delete it ({lost})",
        ) from None


#: Types of file systems that one machine alone writes to.
_OF_ONE_MACHINE = {
    *("apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs"),
    *("reiserfs", "tmpfs", "xfs", "zfs"),
}

_MOUNTS = Path("/proc/self/mountinfo")

#: How white space in the path of a mounted file system is written there.
_ESCAPED = re.compile(r"\\([0-7]{3})")


def of_one_machine(path: Path, mounts: Path = _MOUNTS) -> bool:
    """Return whether a path lies on a disk of this machine, not on one that machines share.

    Where the mounted file systems are not to be seen (outside Linux), it is taken to.

    Parameters
    ----------
    mounts
        The kernel's list of mounted file systems, as in proc(5).
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    except OSError:
        return True
    place, longest, found = path.resolve(), -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        point = _ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), before.split(" ")[4])
        if place.is_relative_to(point) and len(point) >= longest:
            longest, found = len(point), after.split()[0]
    return not found or found in _OF_ONE_MACHINE


def open_shared(path: Path, create: str, busy_s: float = 60.0) -> sqlite3.Connection:
    """Return a connection that commits each statement; several processes may use the file at once.

    SQLite does not wait for other processes where the journal's mode is changed, whatever its busy
    timeout, but fails at once: so the waiting is done here.

    Parameters
    ----------
    create
        Statement that makes the table where it is not there.
    busy_s
        Seconds to wait for others.

    Raises
    ------
    sqlite3.Error
        The file cannot be used, or others have held it for all that time.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise sqlite3.OperationalError(f"{error.filename}: {error.strerror}") from None
    db = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
    # A write-ahead log needs memory that all who use the file share: they must be on one machine.
    mode = "WAL" if of_one_machine(path.parent) else "DELETE"
    deadline = time.monotonic() + busy_s
    while True:
        try:
            db.execute(f"PRAGMA journal_mode={mode}")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute(create)
            return db
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > deadline:
                db.close()
                raise
            time.sleep(0.02)
