"""Many requests to a server that fails a share of them: none is lost, none is paid twice."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx2
import openai
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, Item, Reply
from lvlmbench.stages.answer.kinds.openai_chat import asking
from lvlmbench.stages.answer.kinds.openai_chat.asking import OpenAIChat
from lvlmbench.stages.requests.pacing import START
from lvlmbench.stages.requests.throttle import Throttle
from support.answer_tables import item, openai_params, running_server, stats
from support.server import fault_server
from support.virtual_server import GOOD, Server, quick, run

FAULT_SERVER = Path(fault_server.__file__)
SHARES = {"rejected": 0.10, "failing": 0.05, "hanging": 0.02, "broken": 0.02, "truncated": 0.01}
ARGUMENTS = [part for name, value in SHARES.items() for part in (f"--{name}", str(value))]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


def engine(url: str, **changes: object) -> OpenAIChat:
    config = openai_params(url, "m", api_key_env=None, **changes)
    model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
    assert isinstance(model, OpenAIChat)
    return model


@pytest.mark.long
def test_of_a_thousand_requests_none_is_lost_and_none_is_double() -> None:
    n, concurrency = 1000, 64
    with running_server("--latency", "0.02", *ARGUMENTS, script=FAULT_SERVER) as url:
        replies: dict[str, Reply] = {}
        model = engine(url, concurrency=concurrency, timeout_s=5, retries=4)
        for asked_item, reply in model.answer(map(item, range(n))):
            assert asked_item.question_id not in replies
            replies[asked_item.question_id] = reply
        seen = stats(url)
    assert model.note == ""
    faults = Counter(seen["faults"])
    assert all(faults[name] > 0 for name in SHARES)  # else nothing is tested
    statuses = Counter(reply.status for reply in replies.values())
    assert statuses == {
        "answered": n - faults["hanging"] - faults["broken"],
        "timeout": faults["hanging"],
        "error": faults["broken"],
    }
    repeated = faults["rejected"] + faults["failing"] + faults["truncated"]
    assert Counter(reply.attempts for reply in replies.values()) == {1: n - repeated, 2: repeated}
    errors = {reply.error for reply in replies.values()}
    assert errors == {None, "no reply within 5 s", "the reply is not JSON"}
    # What the server saw.
    assert len(seen["asked"]) == n
    assert Counter(seen["asked"].values()) == {1: n - repeated, 2: repeated}
    assert sum(seen["answered"].values()) == statuses["answered"]
    assert set(seen["answered"].values()) == {1}
    assert concurrency / 2 < seen["most_in_flight"] <= concurrency


class Faulty(Server):
    """The faults of the fault server, in virtual time."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[bytes] = set()
        self.hangs = 0

    async def reply(self, now: float, content: bytes) -> tuple[int, float | None, bytes]:
        fault, vary = fault_server.fault_of(content, SHARES)
        if content in self.seen:
            fault = None
        self.seen.add(content)
        if fault == "rejected":
            return 429, 0.2 + 0.8 * vary, b""
        if fault == "hanging":
            self.hangs += 1
            await asyncio.Event().wait()
        await self.work()
        if fault == "truncated":
            raise openai.APIConnectionError(request=httpx2.Request("POST", "http://h"))
        return 500 if fault == "failing" else 200, None, b"{" if fault == "broken" else GOOD


@pytest.mark.long
def test_faults_cost_little_time() -> None:
    """At most 1.3 times the time without faults, less what the time-outs hold themselves."""
    n, concurrency, timeout_s = 6000, 64, 5.0
    clean = run(quick(Server(), 0.1), n, concurrency=concurrency)
    server = Faulty()
    faulty = run(quick(server, 0.1), n, concurrency=concurrency, timeout_s=timeout_s)
    done = [
        at
        for at, reply in zip(faulty.done_at, faulty.replies.values(), strict=True)
        if reply.status != "timeout"
    ]
    assert server.hangs > 60
    held = server.hangs * timeout_s / concurrency
    assert (max(done) - 1000 - held) / clean.seconds < 1.3


def in_flight(url: str) -> int:
    """Requests that the fault server has not answered."""
    seen = stats(url)
    return sum(seen["asked"].values()) - sum(seen["answered"].values())


def test_what_is_in_flight_when_the_items_end_is_waited_for() -> None:
    """The source may end early, when a budget is spent."""
    with running_server("--latency", "0.2", script=FAULT_SERVER) as url:
        model = engine(url, concurrency=8)

        def some() -> Iterator[Item]:
            yield from map(item, range(5))

        replies = list(model.answer(some()))
        assert len(replies) == 5 and in_flight(url) == 0


def test_a_consumer_that_leaves_calls_off_what_is_in_flight() -> None:
    with running_server("--latency", "0.05", script=FAULT_SERVER) as url:
        model = engine(url, concurrency=8)
        answers = model.answer(map(item, range(1000)))
        next(answers)
        answers.close()  # type: ignore[attr-defined]
        asked = sum(stats(url)["asked"].values())
        assert asked <= 16 and model.note == ""
        # Everything is free again.
        assert len(list(engine(url, concurrency=8).answer(map(item, range(1000, 1010))))) == 10


def test_no_request_takes_the_place_of_a_reply_that_is_not_yet_taken() -> None:
    """What the server has been asked is at most what was taken and what may be in flight."""
    with running_server("--latency", "0.01", script=FAULT_SERVER) as url:
        model = engine(url, concurrency=4)
        for taken, _ in enumerate(model.answer(map(item, range(60)))):
            assert sum(stats(url)["asked"].values()) <= taken + 4


def test_a_note_tells_what_goes_on() -> None:
    seen: set[str] = set()
    with running_server("--latency", "0.3", script=FAULT_SERVER) as url:
        model = engine(url, concurrency=8)
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(0.01):
                seen.add(model.note)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            assert len(list(model.answer(map(item, range(16))))) == 16
        finally:
            ended.set()
            looking.join()
    notes = {note for note in seen if note}
    assert notes and all(note.endswith("in flight") for note in notes)
    assert max(int(note.split()[0]) for note in notes) == 8


def test_the_fault_server_decides_by_the_request_alone() -> None:
    bodies = [json.dumps({"n": n}).encode() for n in range(20_000)]
    found = Counter(fault_server.fault_of(body, SHARES)[0] for body in bodies)
    for name, value in SHARES.items():  # six standard deviations
        assert abs(found[name] - value * 20_000) < 6 * (20_000 * value) ** 0.5


GARBAGE = {
    "no HTTP": (b"220 mail.example ESMTP\r\n\r\n", "the reply is not HTTP"),
    "no length": (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "the reply is not HTTP"),
    "a bad chunk": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "the reply is not HTTP",
    ),
    "cut headers": (b"HTTP/1.1 200 OK\r\nContent-Le", "the connection broke"),
    "a cut body": (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "the connection broke"),
    "bad compression": (
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        "the connection broke",
    ),
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_what_is_no_http_is_retried_and_then_a_row(kind: str) -> None:
    data, said = GARBAGE[kind]

    def serve(listener: socket.socket) -> None:
        for _ in range(2):
            connection = listener.accept()[0]
            connection.recv(1 << 20)
            connection.sendall(data)
            connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        found = []
        with pytest.raises(UserError, match=f"every request failed: {said}"):
            for _, reply in engine(url, retries=1).answer([item(1)]):
                found.append((reply.status, reply.attempts, reply.error))
    assert found == [("error", 2, said)]


def test_the_next_run_of_an_engine_begins_where_the_last_one_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[float] = []
    ended: list[float] = []

    class Seen(Throttle):
        def __init__(self, endpoint: Endpoint, usual_tokens: float, first: float = START) -> None:
            super().__init__(endpoint, usual_tokens, first=first)
            begun.append(self.pace.limit)

        def close(self) -> None:
            ended.append(self.pace.limit)
            super().close()

    monkeypatch.setattr(asking, "Throttle", Seen)
    with running_server("--latency", "0.02", script=FAULT_SERVER) as url:
        model = engine(url, concurrency=64)
        for run_ in range(2):
            many = range(200 * run_, 200 * (run_ + 1))
            assert len(list(model.answer(map(item, many)))) == len(many)
    assert begun == [START, ended[0]]
    assert ended[0] != START  # else nothing is tested
