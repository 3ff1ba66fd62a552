"""Ask many items at once: what may start starts, what must wait holds nobody up.

The event loop runs only between the consumer's steps: whatever has ended is handed out first, and
new requests start once the consumer comes back for more. So what it does with a reply (writing it
down) is done before anything takes that reply's place.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Later:
    """An attempt's outcome: ask again after this many seconds."""

    seconds: float


class Gate(Protocol):
    """Says when a request may start.

    Whoever was let in leaves by the gate's own means; those that are called off at the end of a
    run may not get to it.
    """

    def enter(self) -> float:
        """Return 0 where one may start, which then is in flight; else the seconds until one asks
        again, infinity to ask once a request has ended."""
        ...

    def withdraw(self) -> None:
        """Take back the last :meth:`enter` that was granted: nothing is sent for it."""
        ...

    def rest(self) -> None:
        """Note that there is nothing to start at the moment."""
        ...


#: One attempt at an item: a result, or when to try again. What it raises ends the run.
Attempt: TypeAlias = Callable[[T], Coroutine[Any, Any, R | Later]]


class Dispatcher(Generic[T, R]):
    """Attempts at items, as many at once as a gate lets in.

    An item that waits for its next attempt takes no place in flight. Nothing is polled: the loop
    sleeps until a request ends or a known time comes.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, attempt: Attempt[T, R], gate: Gate) -> None:
        self._loop, self._attempt, self._gate = loop, attempt, gate
        self._flying: dict[asyncio.Task[R | Later], T] = {}
        self._landed: list[tuple[T, asyncio.Task[R | Later]]] = []
        self._waiting: list[tuple[float, int, T]] = []  # a heap by due time
        self._order = itertools.count()
        self._failure: BaseException | None = None

    @property
    def waiting(self) -> int:
        """Return items that wait for their next attempt."""
        return len(self._waiting)

    def run(self, items: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield each item's result as soon as it is there; all are taken to their end.

        An exception of an attempt is raised once all others in flight have ended, which may be paid
        for, and were handed out. In any event, also where the caller stops early, nothing is in
        flight afterwards.
        """
        source = iter(items)
        more = True
        try:
            while True:
                yield from self._hand_out()
                if self._failure is not None:
                    if not self._flying:
                        raise self._failure
                    wait = math.inf
                else:
                    more, wait = self._start(source, more)
                if not (more or self._flying or self._waiting):
                    return
                timer = None if math.isinf(wait) else self._loop.call_later(wait, self._loop.stop)
                self._loop.run_forever()
                if timer is not None:
                    timer.cancel()
        finally:
            self._call_off()

    def _hand_out(self) -> Iterator[tuple[T, R]]:
        landed, self._landed = self._landed, []
        for item, task in landed:
            if (error := task.exception()) is not None:
                self._failure = self._failure or error
                continue
            outcome = task.result()
            if isinstance(outcome, Later):
                due = self._loop.time() + outcome.seconds
                heapq.heappush(self._waiting, (due, next(self._order), item))
            else:
                yield item, outcome

    def _start(self, source: Iterator[T], more: bool) -> tuple[bool, float]:
        """Start what may start; whether items are left, and seconds until there is more to do."""
        while True:
            due_in = self._waiting[0][0] - self._loop.time() if self._waiting else math.inf
            if due_in > 0 and not more:
                self._gate.rest()
                return more, due_in
            if (wait := self._gate.enter()) > 0:
                return more, wait
            if due_in <= 0:
                item = heapq.heappop(self._waiting)[2]
            else:
                try:
                    item = next(source)
                except BaseException as end:
                    self._gate.withdraw()
                    if not isinstance(end, StopIteration):
                        raise
                    more = False
                    continue
            task = self._loop.create_task(self._attempt(item))
            self._flying[task] = item
            task.add_done_callback(self._land)

    def _land(self, task: asyncio.Task[R | Later]) -> None:
        if task not in self._flying:  # called off when it had just ended
            return
        self._landed.append((self._flying.pop(task), task))
        self._loop.stop()

    def _call_off(self) -> None:
        tasks = list(self._flying)
        for task in tasks:
            task.remove_done_callback(self._land)
            task.cancel()
        self._flying.clear()
        if tasks:
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
