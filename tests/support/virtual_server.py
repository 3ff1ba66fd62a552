"""The engine openai_chat in virtual time, against models of servers that limit their clients.

The event loop never sleeps: where it would, its clock jumps. So minutes of traffic take a second.
"""

from __future__ import annotations

import asyncio
import math
import selectors
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai

from lvlmbench.core.seeding import digest
from lvlmbench.stages.answer.chat.client import ChatClient
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Reply
from lvlmbench.stages.requests.client import Ticket
from lvlmbench.stages.requests.dispatch import Dispatcher
from lvlmbench.stages.requests.throttle import Throttle
from support.answer_tables import item, openai_params

GOOD = (
    b'{"model": "m-1", "choices": [{"message": {"content": "(B)"}, "finish_reason": "stop"}], '
    b'"usage": {"prompt_tokens": 100, "completion_tokens": 10}}'
)


def share(*parts: object) -> float:
    """A number in [0, 1) that looks random and is the same in every run."""
    return int.from_bytes(digest(*parts, size=8), "little") / 2**64


class _Jumping(selectors.SelectSelector):
    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing to wait for, and nothing in flight"
        self.loop.now += max(timeout, 0.0)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Event loop whose clock jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        self.now = 1000.0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


class Server:
    """Answers at once, or however a subclass decides in :meth:`handle`."""

    latency = 1.0

    def __init__(self) -> None:
        self.came: list[float] = []  # when each request came
        self.statuses: Counter[int] = Counter()
        self.in_flight = self.most_in_flight = 0

    async def work(self, factor: float = 1.0) -> None:
        """Take time: the latency, or up to half more or less."""
        await asyncio.sleep(self.latency * factor * (0.5 + share("work", len(self.came))))

    async def handle(self, now: float) -> tuple[int, float | None]:
        """Status and Retry-After of a request that comes now."""
        await self.work()
        return 200, None

    async def reply(self, now: float, content: bytes) -> tuple[int, float | None, bytes]:
        """Status, Retry-After and body for a request that comes now."""
        status, wait = await self.handle(now)
        return status, wait, GOOD

    async def post(self, path: str, *, content: bytes, cast_to: Any) -> httpx2.Response:
        """What the package's client does with a request and a response."""
        now = asyncio.get_running_loop().time()
        self.came.append(now)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            status, wait, body = await self.reply(now, content)
        finally:
            self.in_flight -= 1
        self.statuses[status] += 1
        if status == 200:
            return httpx2.Response(200, content=body)
        headers = {} if wait is None else {"Retry-After": f"{wait:.3f}"}
        request = httpx2.Request("POST", "http://h/v1/chat/completions")
        response = httpx2.Response(status, headers=headers, request=request)
        raise openai.APIStatusError("no", response=response, body={"message": "slow down"})

    async def close(self) -> None:
        """Nothing to close."""


def quick(server: Server, latency: float) -> Server:
    """The server with another latency in seconds."""
    server.latency = latency
    return server


@dataclass
class Run:
    """What a run came to."""

    replies: dict[str, Reply] = field(default_factory=dict)
    seconds: float = 0.0
    limits: list[float] = field(default_factory=list)  # of requests in flight, at each reply
    done_at: list[float] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.replies) / self.seconds


def run(
    server: Server,
    n: int,
    on_reply: Callable[[VirtualLoop], None] = lambda loop: None,
    **changes: Any,
) -> Run:
    """Ask ``n`` questions, each once."""
    given = {"timeout_s": 600, "retries": 4, **changes}
    config = openai_params("http://h/v1", "m", **given)
    endpoint = config.answer.models[0].find(Endpoint)
    assert endpoint is not None
    picture = item(0)
    loop, found = VirtualLoop(), Run()
    asyncio.set_event_loop(loop)
    throttle = Throttle(endpoint, 500.0, clock=loop.time)
    client = ChatClient("m", endpoint, None, throttle)
    client._api = server  # type: ignore[assignment]
    dispatcher = Dispatcher(loop, client.ask, throttle)
    items = (item(k, image=picture.image) for k in range(n))
    tickets = (Ticket(asked, asked.question_id) for asked in items)
    try:
        for ticket, reply in dispatcher.run(tickets):
            assert ticket.item.question_id not in found.replies
            found.replies[ticket.item.question_id] = reply
            found.limits.append(throttle.pace.limit)
            found.done_at.append(loop.now)
            found.notes.add(throttle.note(dispatcher.waiting))
            on_reply(loop)
    finally:
        throttle.close()
        loop.close()
    assert len(found.replies) == n
    found.seconds = loop.now - 1000.0
    return found


class TokenBucket(Server):
    """Takes ``rate`` requests a second and ``capacity`` at once; turns the others away."""

    def __init__(self, rate: float, capacity: float, hint: str = "exact") -> None:
        super().__init__()
        self.refill, self.capacity, self.hint = rate, capacity, hint
        self.tokens, self.at = capacity, 1000.0

    async def handle(self, now: float) -> tuple[int, float | None]:
        self.tokens = min(self.capacity, self.tokens + (now - self.at) * self.refill)
        self.at = now
        if self.tokens < 1:
            await asyncio.sleep(0.01)
            exact = (1 - self.tokens) / self.refill
            hints = {"exact": exact, "second": float(math.ceil(exact)), "none": None}
            return 429, hints[self.hint]
        self.tokens -= 1
        await self.work()
        return 200, None


class FixedWindow(Server):
    """Takes ``limit`` requests in each minute of its own clock."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit, self.minute, self.used = limit, -1, 0

    async def handle(self, now: float) -> tuple[int, float | None]:
        if int(now // 60) != self.minute:
            self.minute, self.used = int(now // 60), 0
        if self.used >= self.limit:
            await asyncio.sleep(0.01)
            return 429, 60 - now % 60
        self.used += 1
        await self.work()
        return 200, None


class Crowded(Server):
    """Turns away what comes while ``most`` are in flight."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    async def handle(self, now: float) -> tuple[int, float | None]:
        if self.in_flight > self.most:
            await asyncio.sleep(0.01)
            return 429, None
        await self.work()
        return 200, None


class Queue(Server):
    """Works on ``most`` at once; the others wait in line."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.room = asyncio.Semaphore(most)

    async def handle(self, now: float) -> tuple[int, float | None]:
        async with self.room:
            await self.work()
        return 200, None


class Batching(Server):
    """Slower with each request in flight, but worth it, as a GPU's batches are."""

    async def handle(self, now: float) -> tuple[int, float | None]:
        await self.work(1 + self.in_flight / 32)
        return 200, None


class AtRandom(Server):
    """Turns a share of the requests away, whatever there is to do."""

    def __init__(self, share: float, wait: float = 0.6) -> None:
        super().__init__()
        self.share, self.wait = share, wait

    async def handle(self, now: float) -> tuple[int, float | None]:
        if share("turn away", len(self.came)) < self.share:
            await asyncio.sleep(0.01)
            return 429, self.wait
        await self.work()
        return 200, None


class Longer(Server):
    """The first ``after`` requests are quick to answer, the others take ten times as long."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    async def handle(self, now: float) -> tuple[int, float | None]:
        await self.work(1 if len(self.came) <= self.after else 10)
        return 200, None
