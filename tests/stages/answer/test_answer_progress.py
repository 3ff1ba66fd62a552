"""What is told while a model is asked, also while no reply comes."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Iterator

import pytest

from lvlmbench.core.amounts import duration
from lvlmbench.engine.job import _PROGRESS
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.requests.progress import Progress, rate
from support.answer_tables import item


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


PAID = Reply("x", "answered", prompt_tokens=1000, completion_tokens=5, cost_usd=0.5)


def test_a_line_has_counts_rate_time_left_tokens_cost_budget_and_note() -> None:
    clock, stream = Clock(), io.StringIO()
    progress = Progress(
        "m/clean",
        total=100,
        known=40,
        note=lambda: "48 in flight",
        budget=lambda: "12% of $5.00",
        stream=stream,
        clock=clock,
    )
    for _ in range(20):
        progress.add(PAID)
    progress.add(Reply("", "error"))
    clock.now += 7
    progress.tell()
    assert stream.getvalue() == (
        "m/clean: 61/100 (40 known) answered 20, error 1; 3.0/s; 13 s left; 20,100 tokens; $10.00; "
        "budget 12% of $5.00; 48 in flight\n"
    )


def test_while_nothing_comes_the_line_says_so_and_changes() -> None:
    """The terminal shows a job's line where it is not the one before: see lvlmbench.engine.job."""
    clock, stream, doing = Clock(), io.StringIO(), ["8 in flight"]
    progress = Progress("m/clean", 60, 0, note=lambda: doing[0], stream=stream, clock=clock)
    for what in ("8 in flight", "8 in flight", "waiting 300 s: HTTP 429: slow down"):
        doing[0] = what
        clock.now += 15
        progress.tell()
    lines = stream.getvalue().splitlines()
    assert lines == [
        "m/clean: 0/60; no reply for 15 s; 8 in flight",
        "m/clean: 0/60; no reply for 30 s; 8 in flight",
        "m/clean: 0/60; no reply for 45 s; waiting 300 s: HTTP 429: slow down",
    ]
    assert all(_PROGRESS.match(line) for line in lines)


def test_the_rate_is_of_the_last_minute() -> None:
    clock = Clock()
    progress = Progress("m", 10_000, 0, stream=io.StringIO(), clock=clock)
    for second in range(300):
        for _ in range(1 if second < 200 else 5):
            progress.add(Reply("x", "answered"))
        clock.now += 1
        progress.tell()
    assert "; 5.0/s; " in progress.line()
    assert "; 2.3/s" in progress.line(last=True)  # 700 in 300 s


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (99, "99 s"), (119, "2 min"), (5940, "99 min"), (11_100, "3 h 05 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_rates() -> None:
    assert [rate(r) for r in (120, 0.95, 0.5, 0.01)] == ["120.0/s", "0.9/s", "30.0/min", "0.6/min"]


def test_a_terminal_has_one_line_that_changes() -> None:
    stream = Terminal()
    with Progress("m", 2, 0, stream=stream, every_s=60) as progress:
        progress.tell()
        progress.add(PAID)
        progress.tell()
        progress.add(PAID)
    shown = stream.getvalue().split("\r")
    assert [s.split("\x1b")[0].split(";")[0] for s in shown] == [
        *("", "m: 0/2", "m: 1/2 answered 1", "m: 2/2 answered 2")
    ]
    assert stream.getvalue().count("\n") == 1


def test_nothing_is_said_where_nothing_was_to_do_or_all_failed_with_an_error() -> None:
    stream = io.StringIO()
    with Progress("m", 0, 0, stream=stream):
        pass
    with pytest.raises(KeyError), Progress("m", 5, 0, stream=stream) as progress:
        progress.add(Reply("", "error"))
        raise KeyError
    assert stream.getvalue() == ""


class Slow:
    """An engine whose server keeps it waiting until enough was told, and that says so."""

    cached, parameters, note = False, {}, ""

    def __init__(self, said: io.StringIO) -> None:
        self.said = said

    def request_sha256(self, item: Item) -> str:
        return item.question_id

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        deadline = time.monotonic() + 300
        for each in items:
            self.note = f"waiting for {each.question}"
            while self.note not in self.said.getvalue():
                assert time.monotonic() < deadline, self.said.getvalue()
                time.sleep(0.01)
            yield each, Reply("x", "answered")


def test_lines_come_by_themselves_with_what_the_engine_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without them the engine would never answer."""
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr("lvlmbench.stages.answer.requests.progress.LOG_S", 0.01)
    replies = answer_items(Slow(said), [item(0), item(1)], None, "m/clean")
    assert [r.text for r in replies] == ["x", "x"]
    assert re.search(
        r"^m/clean: 0/2; waiting for Which animal is number 0\?$", said.getvalue(), re.M
    )
    assert said.getvalue().splitlines()[-1].startswith("m/clean: 2/2 answered 2; ")


def test_a_model_of_this_machine_that_is_silent_computes() -> None:
    now = [0.0]
    progress = Progress("m", 9, 0, stream=io.StringIO(), clock=lambda: now[0], served=False)
    now[0] = 52.0
    assert progress.line() == "m: 0/9; the first batch is under way for 52 s"
