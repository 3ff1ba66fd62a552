"""Limits that processes share: slots in flight, requests and tokens by the minute."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from bisect import bisect_left
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.requests.limits import MINUTE_S, Minutes, Slots
from lvlmbench.stages.requests.throttle import Throttle
from support.answer_tables import item, openai_params, running_server, stats
from support.server import fault_server


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now


def test_slots_are_counted_over_all_who_use_the_file(tmp_path: Path) -> None:
    a, b = Slots(tmp_path / "x.slots", 3), Slots(tmp_path / "x.slots", 3)
    assert [a.take(), b.take(), a.take()] == [True, True, True]
    assert not a.take() and not b.take()
    a.give()
    assert b.take() and not b.take()
    other = Slots(tmp_path / "y.slots", 1)
    assert other.take()  # another model's
    b.close()
    assert a.take() and a.take()


def test_who_has_fewer_gets_what_becomes_free(tmp_path: Path) -> None:
    a = Slots(tmp_path / "x.slots", 8)
    assert all(a.take() for _ in range(8))
    b = Slots(tmp_path / "x.slots", 8)
    assert not b.take()  # and so it waits
    for _ in range(4):
        a.give()
        assert not a.take()  # a has more than its half, and b wants some
        assert b.take()
        assert not b.take()
    a.give()
    assert a.take()  # b has its half
    for _ in range(4):
        b.give()
    b.rest()
    assert all(a.take() for _ in range(4))  # nobody wants them


HOLDER = """
import sys, time
from pathlib import Path
from lvlmbench.stages.requests.limits import Slots
slots = Slots(Path(sys.argv[1]), 4)
while slots.take():
    pass
print("full", flush=True)
time.sleep(60)
"""


def test_a_killed_process_leaves_no_slot_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.slots"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "full\n"
        slots = Slots(path, 4)
        assert not slots.take()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        assert [slots.take() for _ in range(5)] == [True] * 4 + [False]
    finally:
        holder.kill()
        holder.wait()


def sent_greedily(minutes: Minutes, clock: Clock, seconds: float, tokens: float) -> list[float]:
    """When requests went that were sent as soon as each was let."""
    times = []
    end = clock.now + seconds
    while clock.now < end:
        wait = minutes.take(tokens)
        if wait == 0:
            times.append(clock.now)
        else:
            clock.now += wait
    return times


def most_in_a_minute(times: list[float]) -> int:
    """Most of the times that lie in a minute, wherever it begins."""
    return max(bisect_left(times, start + 60) - n for n, start in enumerate(times))


@pytest.mark.parametrize("limit", [1, 2, 7, 60, 500])
def test_no_minute_has_more_requests_than_the_limit(tmp_path: Path, limit: int) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path / "m", limit, None, clock=clock)
    times = sent_greedily(minutes, clock, 600.0, 1.0)
    assert most_in_a_minute(times) <= limit
    assert len(times) >= 0.9 * limit * 10
    assert times.count(times[0]) == max(1, limit // 20)  # at once, at the start


@pytest.mark.parametrize("tokens", [10, 400, 2000])
def test_no_minute_has_more_tokens_than_the_limit(tmp_path: Path, tokens: int) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path / "m", None, 10_000, usual_tokens=tokens, clock=clock)
    times = sent_greedily(minutes, clock, 600.0, tokens)
    assert most_in_a_minute(times) * tokens <= 10_000
    assert len(times) * tokens >= 0.75 * 10_000 * 10


def test_a_request_larger_than_the_limit_goes_in_its_time(tmp_path: Path) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path / "m", None, 1000, usual_tokens=3000, clock=clock)
    times = sent_greedily(minutes, clock, 3600.0, 3000)
    assert 0.4 < len(times) * 3000 / (60 * 1000) <= 1.1


def test_what_was_counted_is_corrected(tmp_path: Path) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path / "m", None, 1200, usual_tokens=50, clock=clock)
    assert minutes.take(50) == 0
    waits = minutes.take(50)
    assert waits > 0
    minutes.correct(0, -50)  # it took none
    assert minutes.take(50) == 0
    minutes.correct(0, 1150)  # it took a minute's worth
    assert minutes.take(50) == pytest.approx(MINUTE_S, rel=0.1)


def test_limits_hold_over_all_who_use_the_file(tmp_path: Path) -> None:
    clock = Clock()
    both = [Minutes(tmp_path / "m", 60, None, clock=clock) for _ in range(2)]
    times: list[float] = []
    while clock.now < 5300:
        waits = [one.take(1.0) for one in both]
        times += [clock.now] * waits.count(0.0)
        clock.now += min(waits) or 0.01
    assert most_in_a_minute(times) <= 60
    assert len(times) >= 0.9 * 5 * 60


def test_a_clock_that_started_anew_stops_nobody(tmp_path: Path) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path / "m", 1, None, clock=clock)
    assert minutes.take(1.0) == 0 and minutes.take(1.0) > 50
    clock.now = 3.0  # the machine was started again
    assert minutes.take(1.0) == 0 and minutes.take(1.0) > 50


def test_a_folder_that_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for make in (lambda p: Slots(p, 1), lambda p: Minutes(p, 1, None)):
        with pytest.raises(UserError, match="LVLMBENCH_CACHE_DIR"):
            make(tmp_path / "file" / "x")


def test_an_endpoint_without_limits_writes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    for changes, kinds in (({}, {"slots"}), ({"requests_per_minute": 5}, {"slots", "minutes"})):
        endpoint = openai_params("http://h/v1", "m", **changes).answer.models[0].find(Endpoint)
        assert endpoint is not None
        throttle = Throttle(endpoint, 100.0)
        assert throttle.enter() == 0
        throttle.close()
        assert {p.suffix[1:] for p in (tmp_path / "pace").iterdir()} == kinds


def test_who_finds_all_places_taken_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    endpoint = openai_params("http://h/v1", "m", concurrency=1).answer.models[0].find(Endpoint)
    assert endpoint is not None
    first, second = Throttle(endpoint, 100.0), Throttle(endpoint, 100.0)
    assert first.enter() == 0 and second.enter() > 0
    assert first.note(0) == "1 in flight"
    assert second.note(0).startswith("waiting: the model's other jobs ask as much as its endpoint")
    first.close()
    assert second.enter() == 0
    assert second.note(0) == "1 in flight"
    second.close()


def test_the_engine_keeps_to_requests_by_the_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 600 a minute, thirty go at once, the others one in a tenth of a second."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    with running_server(script=Path(fault_server.__file__)) as url:
        config = openai_params(url, "m", api_key_env=None, concurrency=64, requests_per_minute=600)
        model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
        began = time.monotonic()
        assert len(list(model.answer(map(item, range(40))))) == 40
        assert time.monotonic() - began > 10 * MINUTE_S / 571 - 0.01
        assert sum(stats(url)["asked"].values()) == 40


ASKER = """
import sys
sys.path.insert(0, sys.argv[1])
from support.answer_tables import item, openai_params
from lvlmbench.stages.answer.engine import MODELS
config = openai_params(sys.argv[2], "m", api_key_env=None, concurrency=6)
model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
start = int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
print(len(list(model.answer(map(item, range(start, start + 60))))))
"""


@pytest.mark.long
def test_concurrency_is_a_bound_over_all_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    script = Path(fault_server.__file__)
    with running_server("--latency", "0.05", script=script) as url:
        jobs = [
            subprocess.Popen(
                [sys.executable, "-c", ASKER, str(script.parents[2]), url, str(1000 * n)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for n in range(2)
        ]
        try:
            for job in jobs:
                assert job.stdout is not None and job.stdout.readline() == "ready\n"
            for job in jobs:
                assert job.stdin is not None
                job.stdin.write("go\n")
                job.stdin.flush()
            assert [job.communicate(timeout=300)[0] for job in jobs] == ["60\n", "60\n"]
        finally:
            for job in jobs:
                job.kill()
        seen = stats(url)
    assert seen["most_in_flight"] <= 6
    assert sum(seen["asked"].values()) == 120


def test_two_models_of_one_process_do_not_free_each_others_slots(tmp_path: Path) -> None:
    """Locks of the older kind would all go once either file is closed."""
    a, b = Slots(tmp_path / "x", 1), Slots(tmp_path / "x", 1)
    assert a.take()
    b.close()
    results: list[bool] = []
    other = Slots(tmp_path / "x", 1)
    thread = threading.Thread(target=lambda: results.append(other.take()))
    thread.start()
    thread.join()
    assert results == [False]
