"""kill -9 at ten moments while scripts/answer.py asks: nothing that had arrived is asked again."""

from __future__ import annotations

import multiprocessing
import os
import random
import runpy
import sqlite3
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.stages.answer.requests.journal import read
from support.answer_tables import KEY, openai_params, running_server, stats, write_shard

CONCURRENCY, QUESTIONS, KILLS = 4, 120, 10

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(
    [
        "lvlmbench.stages.answer.answering",
        "lvlmbench.stages.answer.kinds.openai_chat.asking",
        "openai",
    ]
)


def _run(script: str, folder: str, arguments: list[str]) -> None:
    os.chdir(folder)
    os.environ["TEST_KEY"] = KEY
    sys.argv = [script, *arguments]
    sys.stderr = open("log", "a")  # noqa: PTH123, SIM115
    runpy.run_path(script, run_name="__main__")


def kept(folder: Path) -> set[str]:
    """Requests whose replies are in a journal or in the cache, which are only looked at."""
    found: set[str] = set()
    for path in (folder / ".lvlmbench/cache/journal").glob("*.jsonl"):
        with path.open("rb") as file:
            replies, damaged = read(file)
        assert damaged == 0
        found.update(request for request, _ in replies)
    cache = folder / ".lvlmbench/cache/answers.sqlite"
    with sqlite3.connect(f"file:{cache}?mode=ro", uri=True) as db:
        found.update(request for (request,) in db.execute("SELECT request_sha256 FROM replies_v5"))
    return found


def counts(url: str) -> tuple[int, int]:
    """Requests that have come to the server, and those that it has answered."""
    found = stats(url)
    return sum(found["asked"].values()), sum(found["answered"].values())


def settled(url: str) -> int:
    """Requests that have come, once the server has worked off those of killed clients."""
    deadline = time.monotonic() + 300
    while True:
        time.sleep(0.15)
        asked, answered = counts(url)
        if asked == answered:
            return asked
        assert time.monotonic() < deadline


@pytest.mark.long
def test_ten_kills_pay_nothing_twice_and_change_no_byte(tmp_path: Path, root: Path) -> None:
    moments = random.Random(20261121)
    script = str(root / "scripts/answer.py")
    lost = []
    with running_server("--key", KEY) as url:
        config = openai_params(url, "slow", concurrency=CONCURRENCY)

        def start(folder: Path) -> multiprocessing.process.BaseProcess:
            folder.mkdir(exist_ok=True)
            arguments = ["--model", "m", *write_shard(folder, QUESTIONS // 2, config)]
            process = FORK.Process(target=_run, args=(script, str(folder), arguments))
            process.start()
            return process

        killed = tmp_path / "killed"
        for _ in range(KILLS):
            process = start(killed)
            goal = counts(url)[1] + moments.randint(1, 8)
            deadline = time.monotonic() + 300
            while counts(url)[1] < goal:
                assert process.is_alive() and time.monotonic() < deadline
                time.sleep(0.005)
            time.sleep(moments.uniform(0, 0.1))
            process.kill()
            process.join()
            assert not (killed / "answers.parquet").exists()
            lost.append(settled(url) - len(kept(killed)) - sum(lost))
        before = len(kept(killed))
        process = start(killed)
        process.join(300)
        asked = counts(url)[0]
        whole = tmp_path / "whole"
        start(whole).join(300)
        assert counts(url)[0] - asked == QUESTIONS
    print(f"  kept {before} of {QUESTIONS} when killed last; in flight at the kills: {lost}")
    assert KILLS < before < QUESTIONS
    # What the server has served beyond the questions was in flight at a kill.
    assert asked == QUESTIONS + sum(lost)
    assert all(0 <= n <= CONCURRENCY for n in lost) and sum(lost) > 0
    assert not list((killed / ".lvlmbench").rglob("*.jsonl"))

    def answers(folder: Path) -> pa.Table:
        found = tables.read([folder / "answers.parquet"], tables.ANSWERS)
        assert all(s > 0 for s in found["latency_s"].to_pylist())
        return found.drop_columns(["latency_s"])  # the one column that is measured

    assert answers(killed).num_rows == QUESTIONS
    assert tables.hash_batches([answers(killed)])[0] == tables.hash_batches([answers(whole)])[0]
