"""Asking many items at once: what may start starts, what waits holds nobody up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator

import pytest

from lvlmbench.stages.requests.dispatch import Dispatcher, Later
from support.virtual_server import VirtualLoop


class Places:
    """A gate with a fixed number of places, and none before a time."""

    def __init__(self, loop: VirtualLoop, most: int, opens_at: float = 0.0) -> None:
        self.loop, self.most, self.opens_at = loop, most, opens_at
        self.taken = self.withdrawn = self.rested = 0

    def enter(self) -> float:
        if self.taken >= self.most:
            return math.inf
        if self.loop.now < self.opens_at:
            return self.opens_at - self.loop.now
        self.taken += 1
        return 0.0

    def withdraw(self) -> None:
        self.taken -= 1
        self.withdrawn += 1

    def rest(self) -> None:
        self.rested += 1


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    made = VirtualLoop()
    asyncio.set_event_loop(made)
    yield made
    made.close()


class Work:
    """Attempts that take a second, and may have to be made again."""

    def __init__(self, loop: VirtualLoop, gate: Places, again: dict[int, float]) -> None:
        self.loop, self.gate, self.again = loop, gate, again
        self.began: list[tuple[float, int]] = []
        self.called_off: list[int] = []

    async def __call__(self, number: int) -> int | Later:
        self.began.append((self.loop.now - 1000, number))
        try:
            await asyncio.sleep(1.0)
        except asyncio.CancelledError:
            self.called_off.append(number)
            raise
        finally:
            self.gate.taken -= 1
        if number < 0:
            raise RuntimeError(f"item {number}")
        return Later(self.again.pop(number)) if number in self.again else number * number


def made(
    loop: VirtualLoop, most: int, again: dict[int, float] | None = None
) -> tuple[Work, Dispatcher[int, int]]:
    gate = Places(loop, most)
    work = Work(loop, gate, again or {})
    return work, Dispatcher(loop, work, gate)


def test_all_items_come_back_once(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 4)
    assert sorted(dispatcher.run(range(10))) == [(n, n * n) for n in range(10)]
    assert loop.now - 1000 == pytest.approx(3.0)
    assert work.gate.taken == 0 and work.gate.withdrawn == 1


def test_an_item_that_waits_holds_no_place(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 1, {0: 100.0})
    order = [item for item, _ in dispatcher.run(range(5))]
    assert order == [1, 2, 3, 4, 0]
    assert loop.now - 1000 == pytest.approx(102.0)
    assert work.gate.rested > 0


def test_what_is_due_goes_before_what_is_new(loop: VirtualLoop) -> None:
    _, dispatcher = made(loop, 1, {0: 1.5})
    assert [item for item, _ in dispatcher.run(range(5))] == [1, 2, 0, 3, 4]
    assert dispatcher.waiting == 0


def test_nothing_starts_while_a_result_is_not_taken(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 3)
    begun = []
    for _ in dispatcher.run(range(9)):
        begun.append(len(work.began))
    assert begun == [3, 3, 3, 6, 6, 6, 9, 9, 9]


def test_results_are_handed_out_before_a_failure_is_raised(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 4)
    taken = []
    with pytest.raises(RuntimeError, match="item -1"):
        for item, _ in dispatcher.run([-1, 1, 2, 3, 4, 5]):
            taken.append(item)
    assert sorted(taken) == [1, 2, 3]
    assert len(work.began) == 4 and work.gate.taken == 0


def test_an_exception_of_the_source_calls_off_what_is_in_flight(loop: VirtualLoop) -> None:
    def items() -> Iterator[int]:
        yield from (1, 2)
        raise ValueError("no more")

    work, dispatcher = made(loop, 4)
    with pytest.raises(ValueError, match="no more"):
        list(dispatcher.run(items()))
    assert work.began == [] and work.gate.withdrawn == 1 and not asyncio.all_tasks(loop)


def test_who_leaves_early_leaves_nothing_in_flight(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 2, {1: 0.0})
    results = dispatcher.run(range(100))
    assert next(results) == (0, 0)
    results.close()  # type: ignore[attr-defined]
    assert work.gate.taken == 0 and not asyncio.all_tasks(loop)


def test_what_is_in_flight_is_waited_for_and_handed_out_where_another_fails(
    loop: VirtualLoop,
) -> None:
    """It may be paid for."""
    work, dispatcher = made(loop, 2, {7: 1.0})
    taken = []
    with pytest.raises(RuntimeError, match="item -1"):
        for item, _ in dispatcher.run([7, -1, 2, 3]):
            taken.append(item)
    # What waits to be asked again is not asked, and nothing new is.
    assert taken == [] and [n for _, n in work.began] == [7, -1] and work.gate.taken == 0
    gate = Places(loop, 2)

    async def attempt(number: int) -> int | Later:
        await asyncio.sleep(number)
        if number == 1:
            raise RuntimeError("failed")
        return number

    began = loop.now
    with pytest.raises(RuntimeError, match="failed"):
        for item, _ in Dispatcher(loop, attempt, gate).run([50, 1, 2]):
            taken.append(item)
    assert taken == [50] and loop.now - began == pytest.approx(50)


def test_what_ends_while_it_is_called_off_troubles_nobody(loop: VirtualLoop) -> None:
    async def attempt(number: int) -> int | Later:
        await asyncio.sleep(1)
        for _ in range(number):
            await asyncio.sleep(0)
        if not number:
            raise RuntimeError("failed")
        return number

    troubles: list[object] = []
    loop.set_exception_handler(lambda _, context: troubles.append(context))
    with pytest.raises(RuntimeError, match="failed"):
        list(Dispatcher(loop, attempt, Places(loop, 5)).run(range(5)))
    assert not troubles and not asyncio.all_tasks(loop)


def test_a_closed_gate_is_waited_for_without_polling(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 2)
    work.gate.opens_at = 1030.0
    looks = 0
    enter = work.gate.enter

    def counted() -> float:
        nonlocal looks
        looks += 1
        return enter()

    work.gate.enter = counted  # type: ignore[method-assign]
    assert len(list(dispatcher.run(range(2)))) == 2
    assert loop.now - 1000 == pytest.approx(31.0)
    assert looks <= 8


def test_no_items_are_no_work(loop: VirtualLoop) -> None:
    work, dispatcher = made(loop, 2)
    assert list(dispatcher.run([])) == [] and work.began == []
