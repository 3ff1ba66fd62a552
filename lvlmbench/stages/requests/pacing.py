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

import heapq
import math
import statistics
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

#: Requests in flight at the start.
START = 16
#: Replies of a window at least: with fewer, chance alone makes a third of them bad.
_SHORTEST_WINDOW = 20
_HIGH_SHARE = 1 / 3
#: The model pauses where nine in ten of the requests that began last were turned away.
_FEWEST_LAST, _MOST_LAST = 10, 16
_MOST_OF_LAST = 0.9
_SHRINK, _SHRINK_FROM_START = 0.7, 0.5
_SMALLEST = 1 / 64
#: Replies this much slower than the best window's mean a queue ...
_SLOW = 2.0
#: ... unless they come this much more often ...
_GAIN = 1.05
#: ... and where a try with this many fewer in flight is of no help, they mean longer questions.
_FEWER = 0.9
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0


@dataclass(slots=True, eq=False)
class Flight:
    """A request in flight: when it began, among how many, and whether it was turned away."""

    began: float
    among: int
    pushed_back: bool = False


class _Trial(NamedTuple):
    """What was before a try with fewer requests in flight."""

    median: float
    among: float
    limit: float


class Pace:
    """Limit on the requests in flight, and pauses of the whole model.

    Pure logic: times are seconds of any clock, given with each call.

    Parameters
    ----------
    most
        What the limit never exceeds.
    first
        What it begins with: where a run before it has found the server's rate, what that ended
        with.
    """

    def __init__(self, most: int, now: float, first: float = START) -> None:
        self.most = most
        self.limit = float(min(first, most))
        self.in_flight = 0
        self.open_at = now
        self._threshold = math.inf  # doubling below it, steps above
        self._wanting = False  # more would start if the limit were higher
        self._next_at = now  # for a limit below one
        self._typical_s = 0.0
        # By order of their beginning: whoever is turned away is so sooner than others are served.
        self._last: deque[Flight] = deque(maxlen=_MOST_LAST)
        self._asked_waits: deque[float] = deque(maxlen=_MOST_LAST)
        self._resting: list[float] = []  # a heap: until when places of the turned away stay empty
        self._paused_at = -math.inf
        self._pauses_in_a_row = 0
        self._best_s = math.inf
        self._best_rate = 0.0
        self._tried: _Trial | None = None
        self._open_window(now)

    def _open_window(self, now: float) -> None:
        self._opened_at = now
        self._size = max(_SHORTEST_WINDOW, int(self.limit))
        self._seconds: list[float] = []
        self._among = 0  # sum over the same replies
        self._begun = self._replies = self._served = self._pushed = 0
        self._shrunk = False

    def wait(self, now: float) -> float:
        """Return seconds until a request may start: 0 now, infinity once one has ended."""
        while self._resting and self._resting[0] <= now:
            heapq.heappop(self._resting)
        self._wanting = self.in_flight + len(self._resting) >= max(1, int(self.limit))
        if self._wanting:
            return self._resting[0] - now if self._resting else math.inf
        return max(self.open_at - now, self._next_at - now if self.limit < 1 else 0.0, 0.0)

    def start(self, now: float) -> Flight:
        """Note that a request starts."""
        self.in_flight += 1
        self._begun += 1
        if self.limit < 1:
            self._next_at = now + self._typical_s / self.limit
        flight = Flight(now, self.in_flight)
        self._last.append(flight)
        return flight

    def called_off(self, flight: Flight) -> None:
        """Note that a request that has started is not sent after all."""
        self.in_flight -= 1
        self._begun -= 1
        self._last.remove(flight)

    def served(self, now: float, flight: Flight) -> None:
        """Note a reply that the server has worked for."""
        self.in_flight -= 1
        seconds = now - flight.began
        self._typical_s += (seconds - self._typical_s) * (0.1 if self._typical_s else 1.0)
        if flight.began > self._paused_at:
            self._pauses_in_a_row = 0
        if self._wanting and self._tried is None:
            step = min(max(1.0, self.most / 32), self.limit / 4)
            grown = 1.0 if self.limit < self._threshold else step / self._size
            self.limit = min(self.limit + min(grown, self.limit), float(self.most))
        self._served += 1
        if flight.began >= self._opened_at:
            self._seconds.append(seconds)
            self._among += flight.among
            self._count(now)

    def timed_out(self, now: float, flight: Flight) -> None:
        """Note that no reply came in time: many of these are as good as a push-back."""
        self.in_flight -= 1
        self._count_against(now, flight)

    def failed(self) -> None:
        """Note a failure that says nothing about the server's load."""
        self.in_flight -= 1

    def pushed_back(self, now: float, flight: Flight, asked: float | None) -> float | None:
        """Note that the server has turned a request away, asking to wait for ``asked`` seconds.

        Returns
        -------
        float or None
            Seconds that the whole model now pauses, where this starts a pause.
        """
        self.in_flight -= 1
        flight.pushed_back = True
        if flight.began <= self._paused_at:
            return None  # was under way when the pause began
        if asked is not None:
            self._asked_waits.append(asked)
        recent = list(self._last)[-min(_MOST_LAST, max(_FEWEST_LAST, int(self.limit))) :]
        turned_away = sum(other.pushed_back for other in recent) / len(recent)
        enough = self._pauses_in_a_row > 0 or len(recent) >= _FEWEST_LAST
        if turned_away >= _MOST_OF_LAST and enough:
            return self._pause(now)
        if turned_away >= _HIGH_SHARE:
            heapq.heappush(self._resting, flight.began + self._typical_s)
        self._count_against(now, flight)
        return None

    def _pause(self, now: float) -> float:
        backed_off = min(_FIRST_PAUSE_S * 2.0**self._pauses_in_a_row, _LONGEST_PAUSE_S)
        seconds = statistics.median(self._asked_waits) if self._asked_waits else backed_off
        if not self._shrunk:
            self._shrink()
        if self._pauses_in_a_row:  # still closed: one request is enough to find out
            self.limit = min(self.limit, 1.0)
        self.open_at = now + seconds
        self._paused_at = now
        self._pauses_in_a_row += 1
        self._last.clear()
        self._asked_waits.clear()
        self._resting.clear()
        self._open_window(self.open_at)
        return seconds

    def _shrink(self) -> None:
        first = math.isinf(self._threshold)
        self.limit = max(self.limit * (_SHRINK_FROM_START if first else _SHRINK), _SMALLEST)
        self._threshold = self.limit
        self._shrunk = True

    def _count_against(self, now: float, flight: Flight) -> None:
        if flight.began >= self._opened_at:
            self._pushed += 1
            high = _HIGH_SHARE * max(self._begun, self._size)
            if self._pushed >= high and not self._shrunk:
                self._shrink()
            self._count(now)

    def _count(self, now: float) -> None:
        """Count a reply of the window, and close the window where it is full."""
        self._replies += 1
        if self._replies < self._size:
            return
        if self._seconds and not self._shrunk:
            self._judge_speed(now)
        self._open_window(now)

    def _judge_speed(self, now: float) -> None:
        """Try with less where replies are slow and gain nothing; go back where that is no help.

        In a queue, replies take as much less time as there are fewer requests in flight. Where
        they take about the same, it is the questions that take longer.
        """
        median = statistics.median(self._seconds)
        among = self._among / len(self._seconds)
        rate = self._served / max(now - self._opened_at, 1e-9)
        tried, self._tried = self._tried, None
        fewer = 1.0 if tried is None else among / tried.among
        if tried is not None and fewer < _FEWER and median > tried.median * (1 + fewer) / 2:
            self._best_s = median
            self.limit = max(self.limit, tried.limit)
        elif median > _SLOW * self._best_s and rate < _GAIN * self._best_rate:
            self._tried = _Trial(median, among, self.limit)
            self._shrink()
        self._best_s = min(self._best_s, median)
        self._best_rate = max(0.99 * self._best_rate, rate)
