"""When a model's next request may start: pace, shared slots and limits by the minute in one."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from lvlmbench.core.cache import default_folder
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.requests.limits import Minutes, Slots
from lvlmbench.stages.requests.pacing import START, Flight, Pace
from lvlmbench.stages.requests.server import Server

#: Seconds between looks at the slots while other processes hold them all.
SLOT_WAIT_S = 0.02
#: Weight of the newest reply in the running mean of tokens.
_NEWEST = 0.05
#: Pauses shorter than this are not worth telling about.
_TOLD_S = 1.0


@dataclass(frozen=True, slots=True)
class Permit:
    """What one request was let in with: the tokens that were counted for it."""

    flight: Flight
    tokens: float


class Throttle:
    """The gate of one model's requests (see
    :class:`lvlmbench.stages.requests.dispatch.Gate`).

    Whoever was let in takes its :meth:`permit`, in the order of entering, and ends with one of
    :meth:`served`, :meth:`pushed_back`, :meth:`timed_out` and :meth:`failed`.

    Parameters
    ----------
    usual_tokens
        What a request is thought to take until replies tell.
    first
        Requests in flight at the start.

    Raises
    ------
    UserError
        The files that processes share cannot be used.
    """

    def __init__(
        self,
        server: Server,
        usual_tokens: float,
        clock: Callable[[], float] = time.monotonic,
        first: float = START,
    ) -> None:
        self.clock = clock
        self.pace = Pace(server.concurrency, clock(), first)
        name = item_id("pace", server.base_url.rstrip("/"), server.model)
        folder = default_folder() / "pace"
        self._slots = Slots(folder / f"{name}.slots", server.concurrency)
        self._tokens = usual_tokens
        self._heard = 0
        self._minutes: Minutes | None = None
        limits = server.limits
        if limits != (None, None):
            self._minutes = Minutes(folder / f"{name}.minutes", *limits, usual_tokens, clock)
        self._entered: deque[Permit] = deque()  # not yet sent
        self._held_until, self._held_by = -math.inf, ""
        self._crowded = False  # other processes hold all slots

    def close(self) -> None:
        """Let other processes have what this one held."""
        self._slots.close()
        if self._minutes is not None:
            self._minutes.close()

    def enter(self) -> float:
        """Seconds until a request may start; 0: it is in flight from now on."""
        now = self.clock()
        if (wait := self.pace.wait(now)) > 0:
            return wait
        self._crowded = not self._slots.take()
        if self._crowded:
            return SLOT_WAIT_S
        if self._minutes is not None and (wait := self._minutes.take(self._tokens)) > 0:
            self._slots.give()
            self._hold(now + wait, "the limit by the minute")
            return wait
        self._entered.append(Permit(self.pace.start(now), self._tokens))
        return 0.0

    def withdraw(self) -> None:
        """What :meth:`enter` has let in last is not sent."""
        permit = self._entered.pop()
        self.pace.called_off(permit.flight)
        self._slots.give()
        if self._minutes is not None:
            self._minutes.correct(-1.0, -permit.tokens)

    def rest(self) -> None:
        """There is nothing to start at the moment."""
        self._slots.rest()

    def permit(self) -> Permit:
        """What the request that starts now was let in with."""
        return self._entered.popleft()

    def served(self, permit: Permit, tokens: int | None) -> None:
        """The server has worked for a reply; ``tokens`` is what it says that it took."""
        self._slots.give()
        self.pace.served(self.clock(), permit.flight)
        if self._minutes is not None and tokens is not None:
            self._minutes.correct(0.0, tokens - permit.tokens)
            self._heard += 1
            self._tokens += (tokens - self._tokens) * max(_NEWEST, 1 / self._heard)

    def pushed_back(self, permit: Permit, asked: float | None, what: str) -> float | None:
        """The server has turned a request away; seconds that all of them pause, if they do."""
        self._slots.give()
        now = self.clock()
        seconds = self.pace.pushed_back(now, permit.flight, asked)
        if seconds is not None:
            self._hold(now + seconds, what)
        return seconds

    def timed_out(self, permit: Permit) -> None:
        """There was no reply in time."""
        self._slots.give()
        self.pace.timed_out(self.clock(), permit.flight)

    def failed(self) -> None:
        """A failure that says nothing about the server's load."""
        self._slots.give()
        self.pace.failed()

    def _hold(self, until: float, what: str) -> None:
        self._held_until, self._held_by = until, what

    def note(self, waiting: int) -> str:
        """What is going on, in a few words; ``waiting`` requests wait to be sent again."""
        left = self._held_until - self.clock()
        if left >= _TOLD_S:
            return f"waiting {left:.0f} s: {self._held_by}"
        if self._crowded and not self.pace.in_flight:
            return "waiting: the model's other jobs ask as much as its endpoint.concurrency allows"
        again = f", {waiting} to ask again" if waiting else ""
        return f"{self.pace.in_flight} in flight{again}"
