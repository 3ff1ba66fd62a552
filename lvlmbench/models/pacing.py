"""How many requests to keep in flight, judged by how the server takes them.

A window is about one round trip: as many replies as may be in flight, of requests that began in
it. Within it the limit rises with every reply (doubling at first, then by a step a window), as long
as it is used. It falls, once a window, where the server pushes back on a third of the replies, or
where they take twice as long as they did and no more of them come. This is how TCP finds its rate
(RFC 5681: slow start, additive increase, multiplicative decrease), with shares in place of single
losses: a server that turns away one request in ten at random is not full.

A limit below one spaces requests out: half a request in flight is one, then a pause as long as it
took. That is what a server that takes few requests a minute comes to.
"""

from __future__ import annotations

import math
import statistics
from collections import deque

#: Requests in flight at the start.
START = 16
#: Replies of a window at least: with fewer, chance alone makes a third of them bad.
_SHORTEST_WINDOW = 20
_HIGH_SHARE = 1 / 3
#: The model pauses where three in four of the last replies were turned away.
_LAST = 16
_MOST_OF_LAST = 0.75
_SHRINK, _SHRINK_FROM_START = 0.7, 0.5
_SMALLEST = 1 / 64
#: Replies this much slower than the best window's mean a queue ...
_SLOW = 2.0
#: ... unless they come this much more often ...
_GAIN = 1.05
#: ... or take no less where fewer are sent: then the questions take longer.
_HELPED = 0.85
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0


class Pace:
    """Limit on the requests in flight, and pauses of the whole model.

    Pure logic: times are seconds of any clock, given with each call.

    Parameters
    ----------
    most
        What the limit never exceeds.
    """

    def __init__(self, most: int, now: float) -> None:
        self.most = most
        self.limit = float(min(START, most))
        self.in_flight = 0
        self.open_at = now
        self._threshold = float(most)  # doubling below it, steps above
        self._next_at = now  # for a limit below one
        self._typical_s = 0.0
        self._changed_at = -math.inf  # what began before the last decrease says nothing new
        self._last: deque[bool] = deque(maxlen=_LAST)
        self._asked_waits: deque[float] = deque(maxlen=_LAST)
        self._pauses_in_a_row = 0
        self._best_s = math.inf
        self._best_rate = 0.0
        self._tried_at: float | None = None  # median before the last decrease for slowness
        self._tried_limit = self.limit
        self._open_window(now)

    def _open_window(self, now: float) -> None:
        self._began = now
        self._seconds: list[float] = []
        self._replies = self._served = self._pushed = 0
        self._shrunk = False

    @property
    def _window(self) -> float:
        return max(_SHORTEST_WINDOW, self.limit)

    def wait(self, now: float) -> float:
        """Seconds until a request may start: 0 now, infinity once one has ended."""
        if self.in_flight >= max(1, int(self.limit)):
            return math.inf
        return max(self.open_at - now, self._next_at - now if self.limit < 1 else 0.0, 0.0)

    def started(self, now: float) -> None:
        """A request has started."""
        self.in_flight += 1
        if self.limit < 1:
            self._next_at = now + self._typical_s / self.limit

    def unsent(self) -> None:
        """A request that was started is not sent after all, or was called off."""
        self.in_flight -= 1

    def served(self, now: float, began: float) -> None:
        """A reply that the server has worked for."""
        used = self.in_flight + 1 >= self.limit
        self.in_flight -= 1
        seconds = now - began
        self._typical_s += (seconds - self._typical_s) * (0.1 if self._typical_s else 1.0)
        self._last.append(False)
        self._pauses_in_a_row = 0
        self._served += 1
        if used:
            step = min(max(1.0, self.most / 32), self.limit / 4)
            grown = 1.0 if self.limit < self._threshold else step / self._window
            self.limit = min(self.limit + min(grown, self.limit), float(self.most))
        self._note(now, began, seconds)

    def timed_out(self, now: float, began: float) -> None:
        """No reply within the limit of time: a very slow one."""
        self.in_flight -= 1
        self._note(now, began, now - began)

    def failed(self) -> None:
        """A failure that says nothing about the server's load."""
        self.in_flight -= 1

    def pushed_back(self, now: float, began: float, asked: float | None) -> float | None:
        """The server has turned a request away, asking to wait for ``asked`` seconds.

        Returns
        -------
        float or None
            Seconds that the whole model now pauses, where this starts a pause.
        """
        self.in_flight -= 1
        if began <= self._changed_at and self._pauses_in_a_row:
            return None  # was under way when the pause began
        self._last.append(True)
        if asked is not None:
            self._asked_waits.append(asked)
        if began > self._changed_at and not self._shrunk:
            self._pushed += 1
            if self._pushed >= self._window * _HIGH_SHARE:
                self._shrink(now)
        looked_at = min(_LAST, max(_LAST // 2, int(self.limit)))
        recent = list(self._last)[-looked_at:]
        most = len(recent) == looked_at and sum(recent) >= _MOST_OF_LAST * looked_at
        if most or self._pauses_in_a_row:
            return self._pause(now)
        self._note(now, began, None)
        return None

    def _pause(self, now: float) -> float:
        known = list(self._asked_waits)
        backed_off = min(_FIRST_PAUSE_S * 2.0**self._pauses_in_a_row, _LONGEST_PAUSE_S)
        seconds = statistics.median(known) if known else backed_off
        self.open_at = now + seconds
        self._changed_at = now
        self._pauses_in_a_row += 1
        if self._pauses_in_a_row == 1:
            self._threshold = self.limit
            self.limit = max(self.limit / 4, min(self.limit, 1.0))
        self._last.clear()
        self._asked_waits.clear()
        self._open_window(self.open_at)
        return seconds

    def _shrink(self, now: float) -> None:
        first = self._threshold >= self.most and self.limit < self.most
        self.limit = max(self.limit * (_SHRINK_FROM_START if first else _SHRINK), _SMALLEST)
        self._threshold = self.limit
        self._changed_at = now
        self._shrunk = True

    def _note(self, now: float, began: float, seconds: float | None) -> None:
        """Count a reply of the window, and close the window where it is full."""
        if began < self._began:
            return
        self._replies += 1
        if seconds is not None:
            self._seconds.append(seconds)
        if self._replies < self._window:
            return
        if self._seconds and not self._shrunk:
            self._judge_speed(now)
        self._open_window(now)

    def _judge_speed(self, now: float) -> None:
        median = statistics.median(self._seconds)
        rate = self._served / max(now - self._began, 1e-9)
        if self._tried_at is not None:
            helped = median <= _HELPED * self._tried_at
            self._tried_at = None
            if not helped:
                self._best_s = median
                self.limit = max(self.limit, self._tried_limit)
        elif median > _SLOW * self._best_s and rate < _GAIN * self._best_rate:
            self._tried_at, self._tried_limit = median, self.limit
            self._shrink(now)
        self._best_s = min(self._best_s, median)
        self._best_rate = max(0.99 * self._best_rate, rate)
