"""Replies on their way to the answer cache: an append-only file for each process that asks.

A reply is handed to the operating system before anything else is done with it, so a killed process
loses nothing that had arrived; the disk has it :data:`SYNC_S` later, should the machine fail. A
journal is locked while its writer lives. When that has ended, however it ended, the next process
takes the journal over.

Appending to a file of one's own works over network file systems, too.
"""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, TypeAlias

from lvlmbench.core.amounts import amount
from lvlmbench.core.cache import SYNC_S, locked, take_flock
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Reply

#: Replies with the hashes of their requests.
Kept: TypeAlias = list[tuple[str, Reply]]

#: Fields of a reply that are kept.
FIELDS = tuple(f.name for f in dataclasses.fields(Reply) if f.name != "rejected")

#: File whose lock who makes, takes over or removes a journal holds.
_LOCK = "lock"
SUFFIX = ".jsonl"


def stored(reply: Reply, field: str) -> Any:
    """A field of a reply as it is kept. An answer that was cut off is kept as answered, with its
    finish reason: versions that know no such status may share the files."""
    value = getattr(reply, field)
    return "answered" if field == "status" and value == "truncated" else value


@dataclasses.dataclass(frozen=True)
class _Line:
    request_sha256: str
    reply: Reply


@cache
def _lines() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(_Line)


def encode(request: str, reply: Reply) -> bytes:
    """Return one line of a journal."""
    fields = {name: stored(reply, name) for name in FIELDS}
    line = json.dumps({"request_sha256": request, "reply": fields}, ensure_ascii=False)
    return line.encode("utf-8") + b"\n"


def decode(line: bytes) -> tuple[str, Reply]:
    """Return request and reply of a line.

    Raises
    ------
    ValueError
        It is not a line that :func:`encode` wrote.
    """
    found: _Line = _lines().validate_python(json.loads(line))
    if found.reply.status not in FINAL_STATUSES:
        raise ValueError("not a final reply")
    encode(found.request_sha256, found.reply)  # a lone surrogate passes until here
    return found.request_sha256, found.reply


def read(file: IO[bytes]) -> tuple[Kept, int]:
    """Return replies of a journal, and how many damaged lines it has.

    A last line that was cut off is left out and not counted: its writer was killed.
    """
    replies: Kept = []
    damaged = 0
    for line in file:
        try:
            replies.append(decode(line))
        except (ValueError, RecursionError):
            damaged += line.endswith(b"\n")
    return replies, damaged


def take_over(folder: Path, keep: Callable[[Kept], None]) -> None:
    """Give ``keep`` what the journals of ended processes hold, then remove them.

    A process that is killed between the two leaves the journal to the next one, so ``keep`` must
    take the same replies twice. Of processes that start at once each journal has one.

    Raises
    ------
    UserError
        ``keep`` has raised it; the journal is still there.
    """
    if not folder.is_dir():
        return
    with locked(folder / _LOCK):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            with path.open("r+b") as file:
                if not take_flock(file.fileno(), path, wait=False):
                    continue
                replies, damaged = read(file)
                keep(replies)
                path.unlink()
            if damaged:
                lines = amount(damaged, "damaged line")
                print(f"{path}: left {lines} out; those answers are lost", file=sys.stderr)


class Journal:
    """The journal of this process. To be closed.

    Raises
    ------
    UserError
        The folder cannot be written, or its file system has no locks.
    """

    def __init__(self, folder: Path, sync_s: float = SYNC_S) -> None:
        self._folder, self._size, self._unsynced = folder, 0, False
        self.path = folder / f"{os.getpid()}-{secrets.token_hex(8)}{SUFFIX}"
        self._failure: OSError | None = None
        with locked(folder / _LOCK):
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._file = os.open(self.path, flags, 0o644)
            take_flock(self._file, self.path)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sync_often, args=(sync_s,), daemon=True)
        self._thread.start()

    def add(self, request: str, reply: Reply) -> None:
        """Write a reply.

        Raises
        ------
        UserError
            The disk is full or fails; what was written before is whole.
        """
        if self._failure is not None:
            raise self._unwritable(self._failure) from None
        data = encode(request, reply)
        left = data
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise self._unwritable(error) from None
        self._size += len(data)
        self._unsynced = True

    def _unwritable(self, error: OSError) -> UserError:
        what = f"cannot be written ({(error.strerror or str(error)).lower()})"
        fix = "see to the disk and run again: what was answered is not asked again"
        return UserError(str(self.path), what, fix)

    def _sync_often(self, seconds: float) -> None:
        while not self._ended.wait(seconds):
            self._sync()

    def _sync(self) -> None:
        if self._unsynced:
            self._unsynced = False
            try:
                os.fsync(self._file)
            except OSError as error:
                self._failure = error

    def close(self, keep: Callable[[], None]) -> None:
        """Have ``keep`` store elsewhere what was written, then remove the journal.

        Raises
        ------
        UserError
            ``keep`` has raised it. The journal is left to the next process.
        """
        self._ended.set()
        self._thread.join()
        try:
            self._sync()
            with locked(self._folder / _LOCK):
                keep()
                self.path.unlink(missing_ok=True)
        finally:
            os.close(self._file)
