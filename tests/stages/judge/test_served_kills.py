"""kill -9 at many moments while a judge is asked: what had arrived is not asked again, nor paid.

By default a few kills; ``LVLMBENCH_LONG`` makes it twenty.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from support.answer_tables import running_server, stats
from support.judged_answers import COST, SCHEMA_SERVER, judge_all, judge_at, of_rows, paid
from support.killing import answered, kept, killed_once

KILLS = 20 if os.environ.get("LVLMBENCH_LONG") else 2
CONCURRENCY, REQUESTS = 4, 90 * KILLS

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(
    [
        "lvlmbench.stages.judge.making",
        "lvlmbench.stages.answer.kinds.openai_chat.asking",
        "openai",
    ]
)


def _run(url: str, folder: str) -> None:
    os.environ["LVLMBENCH_CACHE_DIR"] = folder
    sys.stderr = Path(folder, "log").open("a")  # noqa: SIM115
    judge = judge_at(url, Path(folder, "answers.sqlite"), concurrency=CONCURRENCY)
    found = judge_all(judge, REQUESTS)
    told = [row | {"latency_s": None} for row in judge.requests]  # the one that is measured
    Path(folder, "found.json").write_text(json.dumps([repr(sorted(found.items())), told]))


def result(folder: Path) -> list[Any]:
    """What a run came to: what the judge says, and its rows."""
    found: list[Any] = json.loads((folder / "found.json").read_text())
    return found


@pytest.mark.scaled
def test_kills_pay_nothing_twice_and_change_nothing(tmp_path: Path) -> None:
    moments = random.Random(20261125)
    lost: list[int] = []
    arguments = ("--ways", "all", "--latency", "0.01")
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    killed.mkdir(), whole.mkdir()
    with running_server(*arguments, script=SCHEMA_SERVER) as url:

        def start() -> multiprocessing.process.BaseProcess:
            process = FORK.Process(target=_run, args=(url, str(killed)))
            process.start()
            return process

        for _ in range(KILLS):
            killed_once(start, url, moments)
            assert not (killed / "found.json").exists()
            lost.append(answered(url) - len(kept(killed)) - sum(lost))
        before = len(kept(killed))
        start().join(300)
        seen = stats(url)["answered"]
        spent = paid(url, killed / "answers.sqlite")
    rows = result(killed)[1]
    print(f"  kept {before} of {len(rows)} when killed last; answered in vain: {lost}")
    assert KILLS < before < len(rows) == len({row["request_sha256"] for row in rows})
    # What was answered beyond the calls was in flight at a kill: nothing that had arrived.
    assert sum(seen.values()) == len(rows) + sum(lost)
    assert all(0 <= n <= CONCURRENCY for n in lost)
    assert sum(times > 1 for times in seen.values()) <= sum(lost)
    # A reply that had arrived may miss the ledger where the kill came before it was added.
    assert -1e-9 <= len(rows) * COST - spent <= KILLS * COST + 1e-9
    with running_server(*arguments, script=SCHEMA_SERVER) as url:
        process = FORK.Process(target=_run, args=(url, str(whole)))
        process.start()
        process.join(300)
        assert paid(url, whole / "answers.sqlite") == pytest.approx(len(rows) * COST)
    without_place = ("request_sha256", "parameters")  # another server has another address

    def about(folder: Path) -> list[Any]:
        said, told = result(folder)
        return [said, [{k: v for k, v in row.items() if k not in without_place} for row in told]]

    assert about(killed) == about(whole)


def test_the_judge_of_another_run_asks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    cache = tmp_path / "answers.sqlite"
    with running_server("--ways", "all", script=SCHEMA_SERVER) as url:
        first = judge_at(url, cache)
        found = judge_all(first, 90)
        asked = stats(url)["asked"]
        second = judge_at(url, cache)
        assert judge_all(second, 90) == found
        assert stats(url)["asked"] == asked
    assert second.requests == first.requests
    assert of_rows(second) == pytest.approx(paid(url, cache))
