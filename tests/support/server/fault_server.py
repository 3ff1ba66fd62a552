"""A chat-completions server that fails a chosen share of first attempts, fast enough for load.

Run as its own process: ``python fault_server.py [--latency 0.1] [--rejected 0.1] ...``. The first
line on standard output is its base URL. What becomes of a request's first attempt is decided by a
hash of its body, so that it is the same in every run; later attempts are answered. In this order:

``--rejected``    HTTP 429 at once, with a Retry-After of 0.2 to 1 second
``--failing``     HTTP 500
``--hanging``     no answer, until the client hangs up
``--broken``      a body that is not JSON
``--truncated``   a body that is shorter than its Content-Length, then a closed connection

The others get "(A)" to "(D)" after ``--latency`` seconds. ``GET /stats`` gives how often each
request came and was answered in full, how many faults there were, and the most requests that were
in flight at once. ``GET /reset`` gives the same and forgets it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

FAULTS = ("rejected", "failing", "hanging", "broken", "truncated")


def fault_of(body: bytes, shares: dict[str, float]) -> tuple[str | None, float]:
    """What the first attempt with this body meets, and a number in [0, 1) to vary it with."""
    digest = hashlib.sha256(body).digest()
    place = int.from_bytes(digest[:8], "little") / 2**64
    vary = int.from_bytes(digest[8:16], "little") / 2**64
    for name in FAULTS:
        place -= shares[name]
        if place < 0:
            return name, vary
    return None, vary


@dataclass
class State:
    """What all connections share."""

    latency: float
    shares: dict[str, float]
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    most_in_flight: int = 0

    def forget(self) -> None:
        """Start counting anew."""
        self.asked.clear(), self.answered.clear(), self.faults.clear()
        self.most_in_flight = self.in_flight

    def stats(self) -> bytes:
        return json.dumps(
            {
                "asked": self.asked,
                "answered": self.answered,
                "faults": self.faults,
                "most_in_flight": self.most_in_flight,
            }
        ).encode()


def completion(text: str, finish: str = "stop", **more: str) -> bytes:
    """Body of a successful reply."""
    message = {"role": "assistant", "content": text, **more}
    return json.dumps(
        {
            "id": "chatcmpl-test",
            "object": "chat.completion",
            "created": 0,
            "model": "test-2026-11-01",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    ).encode()


LETTERS = [completion(f"({letter})") for letter in "ABCD"]
_REASONS = {200: "OK", 404: "Not Found", 429: "Too Many Requests"}


def response(status: int, body: bytes, headers: str = "", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = (
        f"HTTP/1.1 {status} {_REASONS.get(status, 'No')}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {size}\r\n{headers}\r\n"
    )
    return head.encode("ascii") + body


class Connection(asyncio.Protocol):
    """One client's connection: one request after the other."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.chunks: list[bytes] = []
        self.size, self.wanted = 0, 0  # bytes that have come; bytes of the whole request, if known
        self.busy = False
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self._idle()

    def _idle(self) -> None:
        if self.busy:
            self.busy = False
            self.state.in_flight -= 1

    def data_received(self, data: bytes) -> None:
        self.chunks.append(data)
        self.size += len(data)
        if not self.wanted:
            whole = b"".join(self.chunks)
            end = whole.find(b"\r\n\r\n")
            if end < 0:
                return
            self.chunks, self.head = [whole[end + 4 :]], whole[:end]
            length = 0
            for line in self.head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line[15:])
            self.wanted, self.size = end + 4 + length, len(whole)
        if self.size >= self.wanted:
            body = b"".join(self.chunks)
            self.chunks, self.size, self.wanted = [], 0, 0
            self.request(self.head.split(b" ", 2)[1], body)

    def request(self, path: bytes, body: bytes) -> None:
        state = self.state
        if path in (b"/v1/stats", b"/v1/reset"):
            stats = state.stats()
            if path == b"/v1/reset":
                state.forget()
            return self.transport.write(response(200, stats))
        if path != b"/v1/chat/completions":
            return self.transport.write(response(404, b'{"error": {"message": "no such path"}}'))
        request = hashlib.sha256(body).hexdigest()
        state.asked[request] += 1
        self.busy = True
        state.in_flight += 1
        state.most_in_flight = max(state.most_in_flight, state.in_flight)
        fault, vary = fault_of(body, state.shares)
        if state.asked[request] > 1:
            fault = None
        if fault is not None:
            state.faults[fault] += 1
        if fault == "hanging":
            return None
        said = (200, LETTERS[int(vary * 4)]) if fault else self.good(body, vary)
        if fault == "rejected":
            return self.answer(request, fault, vary, said)
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(state.latency, self.answer, request, fault, vary, said)

    def good(self, body: bytes, vary: float) -> tuple[int, bytes]:
        """Status and body of the reply to a request that meets no fault."""
        return 200, LETTERS[int(vary * 4)]

    def answer(self, request: str, fault: str | None, vary: float, said: tuple[int, bytes]) -> None:
        self.timer = None
        self._idle()
        status, good = said
        if fault == "rejected":
            wait = f"Retry-After: {0.2 + 0.8 * vary:.2f}\r\n"
            self.transport.write(response(429, b'{"error": {"message": "slow down"}}', wait))
        elif fault == "failing":
            self.transport.write(response(500, b'{"error": {"message": "hiccup"}}'))
        elif fault == "broken":
            self.transport.write(response(200, good[: len(good) // 2]))
        elif fault == "truncated":
            self.transport.write(response(200, good[: len(good) // 2], length=len(good)))
            self.transport.close()
        else:
            self.transport.write(response(status, good))
            self.state.answered[request] += status == 200


async def serve(
    state: State, port: int, connection: Callable[[State], Connection] = Connection
) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: connection(state), "127.0.0.1", port, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    gc.disable()  # no cycles here that matter, and its pauses would look like the client's
    await server.serve_forever()


def arguments(description: str | None) -> argparse.ArgumentParser:
    """What the server is started with."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds an answer takes")
    parser.add_argument("--port", type=int, default=0)
    for name in FAULTS:
        parser.add_argument(f"--{name}", type=float, default=0.0, help="share of first attempts")
    return parser


def main() -> None:
    args = arguments(__doc__).parse_args()
    shares = {name: getattr(args, name) for name in FAULTS}
    asyncio.run(serve(State(args.latency, shares), args.port))


if __name__ == "__main__":
    main()
