"""How the engine openai_chat meets servers that limit their clients, in virtual time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.requests.pacing import Pace
from support.virtual_server import (
    AtRandom,
    Batching,
    Crowded,
    FixedWindow,
    Longer,
    Queue,
    Server,
    TokenBucket,
    quick,
    run,
)


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


def test_it_soon_uses_all_that_it_may() -> None:
    server = quick(Server(), 0.1)
    found = run(server, 2000, concurrency=64)
    assert server.most_in_flight == 64
    assert found.seconds < 1.15 * 2000 / 640
    assert found.limits[100] >= 60  # after the first few round trips


@pytest.mark.parametrize("concurrency", [4, 64])
def test_random_rejections_hold_back_their_own_requests_alone(concurrency: int) -> None:
    server = quick(AtRandom(0.1), 0.1)
    found = run(server, 100 * concurrency, concurrency=concurrency)
    assert all(r.status == "answered" for r in found.replies.values())
    assert found.rate > 0.85 * concurrency / 0.1 * 0.9
    assert min(found.limits[200:]) > 0.6 * concurrency
    assert not any(note.startswith("waiting") for note in found.notes)


# Server, questions, concurrency, answers a second that it can give, rejections an answer.
LIMITED: dict[str, tuple[Callable[[], Server], int, int, float, float]] = {
    "tokens of a bucket": (lambda: TokenBucket(20, 20), 2000, 64, 20, 0.4),
    "without Retry-After": (lambda: TokenBucket(20, 20, "none"), 2000, 64, 20, 0.4),
    "in whole seconds": (lambda: TokenBucket(20, 20, "second"), 2000, 64, 20, 0.4),
    "a small bucket": (lambda: quick(TokenBucket(100, 10), 0.3), 3000, 256, 100, 0.6),
    "fewer than one in flight": (lambda: quick(TokenBucket(2, 2), 0.3), 500, 32, 2, 0.7),
    "fixed minutes": (lambda: FixedWindow(600), 3000, 64, 10, 0.05),
    "fixed minutes, slow": (lambda: quick(FixedWindow(600), 5.0), 3000, 256, 10, 0.05),
    "places": (lambda: Crowded(10), 1000, 64, 10, 0.6),
    "few places": (lambda: Crowded(3), 500, 64, 3, 0.7),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", LIMITED)
def test_what_a_limited_server_can_do_it_does(kind: str) -> None:
    """Goodput within a fifth of the server's limit, no answer lost, few rejections."""
    make, n, concurrency, limit, waste = LIMITED[kind]
    server = make()
    found = run(server, n, concurrency=concurrency)
    assert all(r.status == "answered" for r in found.replies.values())
    assert found.rate > 0.8 * limit
    assert server.statuses[429] <= waste * n


def test_a_closed_minute_is_waited_for_as_a_whole() -> None:
    server = FixedWindow(600)
    found = run(server, 1500, concurrency=64)
    assert any(
        n.startswith("waiting") and n.endswith("s: HTTP 429: slow down") for n in found.notes
    )
    # While the minute lasts nothing is sent but what was under way.
    quiet = sorted(b - a for a, b in zip(server.came, server.came[1:], strict=False))
    assert quiet[-1] > 30


def test_a_server_with_a_queue_is_not_flooded() -> None:
    server = Queue(16)
    found = run(server, 4000, concurrency=512)
    assert found.rate > 0.9 * 16
    # The first queue may be long; then it shrinks, for nothing is gained by it.
    assert max(found.limits) > 2 * found.limits[-1] > 32


def test_a_server_that_batches_gets_its_batches() -> None:
    found = run(Batching(), 4000, concurrency=64)
    assert found.rate > 0.95 * 64 / 3
    assert found.limits[-1] == 64


def test_longer_answers_are_no_queue() -> None:
    found = run(Longer(1000), 4000, concurrency=64)
    assert found.seconds < 1.15 * (1000 / 64 + 3000 / 6.4)
    assert found.limits[-1] > 56


def test_a_server_that_is_closed_for_long_is_asked_now_and_then() -> None:
    class Closed(Server):
        async def handle(self, now: float) -> tuple[int, float | None]:
            if now > 1010 and now < 1900:
                return 429, None
            return await super().handle(now)

    server = Closed()
    found = run(server, 3000, concurrency=64)
    statuses = [r.status for r in found.replies.values()]
    assert statuses.count("error") < 10  # the few that were asked meanwhile, again and again
    assert server.statuses[429] < 64 + 60


def test_a_wait_that_nobody_sits_out_ends_the_run_and_says_until_when() -> None:
    with pytest.raises(UserError) as error:
        run(AtRandom(1.0, wait=3600.0), 5, concurrency=4)
    line = str(error.value)
    assert "HTTP 429: slow down; it takes no request before 20" in line and "in 60 min" in line
    assert line.endswith("run the same command again then: what was answered is kept")


def test_time_outs_shrink_the_limit() -> None:
    pace = Pace(64, 0.0)
    now = 0.0
    for seconds in (0.1, 60.0):
        for _ in range(10):
            flights = []
            while pace.wait(now) == 0:
                flights.append(pace.start(now))
            now += seconds
            for flight in flights:
                if seconds < 1:
                    pace.served(now, flight)
                else:
                    pace.timed_out(now, flight)
        if seconds < 1:
            assert pace.limit == 64
    assert pace.limit < 64


def test_a_rejection_from_before_a_pause_does_not_lengthen_it() -> None:
    pace = Pace(16, 0.0)
    flights = [pace.start(0.001 * n) for n in range(16)]
    pauses = [pace.pushed_back(1.0, flight, 30.0) for flight in flights]
    assert [p for p in pauses if p is not None] == [30.0]
    assert pace.in_flight == 0
    assert pace.wait(1.0) == pytest.approx(30.0) and pace.wait(31.0) == 0


def test_what_is_called_off_leaves_no_trace() -> None:
    pace = Pace(1, 0.0)
    flight = pace.start(0.0)
    assert pace.wait(0.0) == math.inf
    pace.called_off(flight)
    assert pace.in_flight == 0 and pace.wait(0.0) == 0


def test_a_run_begins_with_what_another_has_found() -> None:
    assert Pace(64, 0.0).limit == 16 and Pace(8, 0.0).limit == 8
    assert Pace(64, 0.0, first=50.0).limit == 50 and Pace(8, 0.0, first=50.0).limit == 8
