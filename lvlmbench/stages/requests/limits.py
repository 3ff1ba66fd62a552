"""Limits that all processes of a machine keep together: requests in flight, and by the minute.

Both live in small files. Requests in flight are locks on single bytes of a file, a request a byte:
the kernel lets go of them when their process ends, however it ends. They are open file description
locks (Linux, fcntl(2)), which belong to whoever opened the file, so that two models of one process
do not let go of each other's.

Requests and tokens by the minute follow the generic cell rate algorithm (ITU-T I.371): the file
holds, for each, the time at which all that was sent would have been sent at an even rate.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lvlmbench.core.errors import UserError

#: struct flock of 64-bit Linux: type, whence, start, length, process (0 for this kind of lock).
_FLOCK = struct.Struct("@hhqqi4x")
#: Bytes of the file: slots from 0, then a seat for each process, then a flag for each.
_SEATS, _FLAGS, _MOST_PROCESSES = 4096, 8192, 1024


def _open(path: Path) -> int:
    """File descriptor of a file that all may read and write; made where it is not there.

    Raises
    ------
    UserError
        The file cannot be made or opened.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: OSError) -> UserError:
    return UserError(
        str(path),
        f"cannot be used to share a model's limits ({error.strerror})",
        "set LVLMBENCH_CACHE_DIR to a folder on a local disk that can be written to",
    )


class Slots:
    """Requests in flight, over all processes that use the same file.

    Where several want more than there are, each gets its share: who has fewer raises a flag, and
    who has more takes no new one while a flag is up.

    Parameters
    ----------
    most
        Slots of all processes together, at most 4096.
    """

    def __init__(self, path: Path, most: int) -> None:
        self.path, self.most = path, most
        self._free = deque(range(most))
        self._held: list[int] = []
        self._flag_is_up = False
        self._file = _open(path)
        self._seat = next((s for s in range(_MOST_PROCESSES) if self._lock(_SEATS + s)), None)

    def take(self) -> bool:
        """Take a slot, if there is one for us."""
        if not self._free:
            return False
        if self._held and self._flagged() and len(self._held) >= self._share():
            return False
        for _ in range(len(self._free)):
            slot = self._free.pop()
            if self._lock(slot):
                self._held.append(slot)
                return True
            self._free.appendleft(slot)
        self._flag(len(self._held) < self._share())
        return False

    def give(self) -> None:
        """Give a slot back."""
        slot = self._held.pop()
        self._set(slot, fcntl.F_UNLCK)
        self._free.append(slot)

    def rest(self) -> None:
        """Note that no more are wanted for now."""
        self._flag(False)

    def close(self) -> None:
        """Give all slots back."""
        os.close(self._file)

    def _share(self) -> int:
        return -(-self.most // max(1, 1 + sum(1 for _ in self._others(_SEATS, _MOST_PROCESSES))))

    def _flagged(self) -> bool:
        """Whether another process waits for slots."""
        return next(self._others(_FLAGS, _MOST_PROCESSES), None) is not None

    def _flag(self, up: bool) -> None:
        if up != self._flag_is_up and self._seat is not None:
            self._set(_FLAGS + self._seat, fcntl.F_WRLCK if up else fcntl.F_UNLCK)
            self._flag_is_up = up

    def _lock(self, byte: int) -> bool:
        try:
            self._set(byte, fcntl.F_WRLCK)
        except BlockingIOError:
            return False
        return True

    def _set(self, byte: int, kind: int) -> None:
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _FLOCK.pack(kind, os.SEEK_SET, byte, 1, 0))
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise BlockingIOError from None
            raise _unusable(self.path, error) from None

    def _others(self, start: int, length: int) -> Iterator[int]:
        """Bytes of a range that others hold, in no particular order."""
        if length <= 0:
            return
        asked = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, start, length, 0)
        kind, _, found, size, _ = _FLOCK.unpack(fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, asked))
        if kind == fcntl.F_UNLCK:
            return
        yield found
        yield from self._others(start, found - start)
        yield from self._others(found + size, start + length - found - size)


#: Seconds in which no more than the limit is sent: a minute, and one for what the network delays.
MINUTE_S = 61.0
_BURST = 1 / 20
_ROUNDING_S = 1e-6


class Rate:
    """So much a minute, in a form that needs one number to be kept (cost 1 = one request).

    Up to a twentieth of the limit, three seconds' worth, may go at once; what follows goes at the
    pace at which burst and pace together make no more than the limit in any minute, however the
    server places its minutes.

    Parameters
    ----------
    limit
        Most in a minute.
    largest
        What one request usually costs; a burst is at least this much, but no more than half.
    """

    def __init__(self, limit: float, largest: float = 1.0) -> None:
        self.burst = max(limit * _BURST, min(largest, limit / 2), 1.0)
        if largest == 1.0:
            self.burst = float(int(self.burst))
        self.interval = MINUTE_S / max(limit - self.burst + 1.0, 1.0)

    def ready_at(self, even: float, cost: float) -> float:
        """Return when this cost may go; ``even`` is when all before would have gone evenly."""
        return even - max(self.burst - cost, 0.0) * self.interval

    def after(self, even: float, cost: float, now: float) -> float:
        """Return ``even`` once this cost has gone."""
        return max(even, now) + cost * self.interval


class Minutes:
    """Requests and tokens sent in a minute, over all processes that use the same file.

    Parameters
    ----------
    requests, tokens
        Limits; None for none.
    usual_tokens
        What a request usually takes.
    clock
        Seconds of a clock that all processes of the machine share.
    """

    _STATE = struct.Struct("<ddd")  # when it was written; "even" of requests and of tokens

    def __init__(
        self,
        path: Path,
        requests: int | None,
        tokens: int | None,
        usual_tokens: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path, self._clock = path, clock
        self._requests = None if requests is None else Rate(requests)
        self._tokens = None if tokens is None else Rate(tokens, max(usual_tokens, 2.0))
        self._file = _open(path)

    def take(self, tokens: float) -> float:
        """Send one request of about so many tokens: 0 where it may go now, and is then counted;
        else the seconds until it may, unless another process is faster."""
        with self._state() as (now, even):
            ready = now
            if self._requests is not None:
                ready = max(ready, self._requests.ready_at(even[0], 1.0))
            if self._tokens is not None:
                ready = max(ready, self._tokens.ready_at(even[1], tokens))
            if ready - now > _ROUNDING_S:
                return ready - now
            if self._requests is not None:
                even[0] = self._requests.after(even[0], 1.0, now)
            if self._tokens is not None:
                even[1] = self._tokens.after(even[1], tokens, now)
            return 0.0

    def correct(self, requests: float, tokens: float) -> None:
        """Count so many more, or fewer, than were counted before."""
        with self._state() as (_, even):
            if self._requests is not None:
                even[0] += requests * self._requests.interval
            if self._tokens is not None:
                even[1] += tokens * self._tokens.interval

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    @contextmanager
    def _state(self) -> Iterator[tuple[float, list[float]]]:
        """Time, and what the file holds: held alone, and written back."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                raw = os.pread(self._file, self._STATE.size, 0)
                now = self._clock()
                even = [now, now]
                if len(raw) == self._STATE.size:
                    written, *kept = self._STATE.unpack(raw)
                    if written <= now:  # else the machine, and its clock, started anew
                        even = kept
                before = list(even)
                yield now, even
                if even != before or len(raw) != self._STATE.size:
                    os.pwrite(self._file, self._STATE.pack(now, *even), 0)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        except OSError as error:
            raise _unusable(self.path, error) from None
