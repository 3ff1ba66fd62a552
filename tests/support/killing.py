"""Runs that ask a server and are killed: what they have kept, and when they are."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

from lvlmbench.stages.answer.requests.journal import read
from support.answer_tables import stats


def kept(folder: Path) -> set[str]:
    """Requests whose replies are in a journal or in the cache, which are only looked at."""
    found: set[str] = set()
    for path in (folder / "journal").glob("*.jsonl"):
        with path.open("rb") as file:
            replies, damaged = read(file)
        assert damaged == 0
        found.update(request for request, _ in replies)
    with sqlite3.connect(f"file:{folder / 'answers.sqlite'}?mode=ro", uri=True) as db:
        found.update(request for (request,) in db.execute("SELECT request_sha256 FROM replies_v5"))
    return found


def answered(url: str) -> int:
    """Replies that the server has given."""
    return sum(stats(url)["answered"].values())


def killed_once(
    start: Callable[[], BaseProcess], url: str, moments: random.Random, most: int = 40
) -> None:
    """Kill a run after some more replies, ``most`` of them at most, somewhere between two."""
    process = start()
    goal = answered(url) + moments.randint(5, most)
    deadline = time.monotonic() + 120
    while answered(url) < goal:
        assert process.is_alive() and time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(moments.uniform(0, 0.05))
    process.kill()
    process.join()
    time.sleep(0.1)  # until the server has seen that the connections are gone
