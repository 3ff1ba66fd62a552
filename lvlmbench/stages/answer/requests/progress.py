"""How far a model has come, on standard error.

A line is written by time, not by replies, so that a server that keeps its clients waiting does not
look like a hang.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import TextIO

from lvlmbench.core.amounts import duration
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Reply
from lvlmbench.stages.requests.budget import dollars

#: Seconds between two lines on a terminal, where each replaces the last, and in a log.
TERMINAL_S, LOG_S = 0.5, 10.0
#: Seconds that the rate is taken over.
_WINDOW_S = 60.0
#: Seconds without a reply from which on the line says so.
_QUIET_S = 10.0


def rate(per_s: float) -> str:
    """Return a rate in words: ``12.1/s``, or ``4.0/min`` where it is slow."""
    return f"{per_s:.1f}/s" if per_s >= 0.95 else f"{60 * per_s:.1f}/min"


class Progress:
    """Counts replies and tells about them for the length of a ``with`` block.

    Parameters
    ----------
    label
        What a line begins with.
    total
        Questions in all, of which ``known`` need not be asked.
    note
        Says what the model is doing right now; may be empty.
    budget
        Says how much of the budget is spent; may be empty.
    every_s
        Seconds between two lines.
    served
        Whether a server answers. Another model that is silent computes: it is not gone.
    """

    def __init__(
        self,
        label: str,
        total: int,
        known: int,
        *,
        note: Callable[[], str] = str,
        budget: Callable[[], str] = str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        every_s: float | None = None,
        served: bool = True,
    ) -> None:
        self._served = served
        self.label, self.total, self.known = label, total, known
        self.statuses: Counter[str] = Counter()
        self.tokens, self.cost = 0, 0.0
        self._note, self._budget, self._clock = note, budget, clock
        self._stream = stream or sys.stderr
        self._tty = self._stream.isatty()
        self._every_s = every_s or (TERMINAL_S if self._tty else LOG_S)
        self._began = self._last = clock()
        self._marks: deque[tuple[float, int]] = deque([(self._began, 0)])
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell_often, daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the last line; none where nothing is known, or all there is to say is the error."""
        self._ended.set()
        self._thread.join()
        answered = self.known or any(self.statuses[name] for name in FINAL_STATUSES)
        if answered or (self.statuses and kind is None):
            self._write(self.line(last=True), "\n")
        elif self._tty:
            self._write("", "")

    def add(self, reply: Reply) -> None:
        """Count one reply that has just arrived."""
        with self._lock:
            self.statuses[reply.status] += 1
            self.tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
            self.cost += reply.cost_usd or 0.0
            self._last = self._clock()

    def tell(self) -> None:
        """Write how it stands now."""
        self._write(self.line(), "" if self._tty else "\n")

    def line(self, last: bool = False) -> str:
        """How it stands, e.g. ``m: 120/400 (80 known) answered 38, error 2; 12.1/s; 23 s left;
        9,100 tokens; $0.012; budget 12% of $5.00; 48 in flight``."""
        with self._lock:
            now, asked = self._clock(), self.statuses.total()
            counts = ", ".join(f"{k} {n}" for k, n in sorted(self.statuses.items()))
            tokens, cost, quiet = self.tokens, self.cost, now - self._last
            per_s = self._rate(now, asked, whole=last)
        left = self.total - self.known - asked
        head = f"{self.label}: {self.known + asked}/{self.total}"
        head += f" ({self.known} known)" if self.known else ""
        parts = [f"{head} {counts}".rstrip()]
        if asked and per_s:
            parts.append(rate(per_s))
            if left and not last:
                parts.append(f"{duration(left / per_s)} left")
        if tokens:
            parts.append(f"{tokens:,} tokens")
        if cost:
            parts.append(dollars(cost))
        if budget := self._budget():
            parts.append(f"budget {budget}")
        if not last and left:
            doing = self._note()
            if quiet >= _QUIET_S and (self._served or not doing):
                parts.append(self._silence(asked, quiet))
            parts.append(doing)
        return "; ".join(part for part in parts if part)

    def _silence(self, asked: int, quiet: float) -> str:
        """What is said of a model that has not replied for some time."""
        if self._served:
            return f"no reply for {duration(quiet)}"
        return f"{'the next' if asked else 'the first'} batch is under way for {duration(quiet)}"

    def _rate(self, now: float, asked: int, whole: bool) -> float:
        """Replies a second of late, or since the beginning."""
        while len(self._marks) > 1 and self._marks[1][0] <= now - _WINDOW_S:
            self._marks.popleft()
        then, before = (self._began, 0) if whole else self._marks[0]
        if now > self._marks[-1][0]:
            self._marks.append((now, asked))
        return (asked - before) / max(now - then, 1e-9)

    def _tell_often(self) -> None:
        while not self._ended.wait(self._every_s):
            try:
                self.tell()
            except OSError:  # a full disk: the last line meets it, too, and there it is told
                return

    def _write(self, line: str, end: str) -> None:
        self._stream.write(f"\r{line}\x1b[K{end}" if self._tty else f"{line}{end}")
        self._stream.flush()
