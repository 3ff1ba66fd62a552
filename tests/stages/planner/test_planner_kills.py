"""kill -9 while a planner is asked: what had arrived is not asked again, nor paid.

Examiners are asked by the same code, and killed in the tests that run by default.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from pathlib import Path

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.stages.planner import run
from support.answer_tables import running_server, stats
from support.examined import COST, EXAMINER_SERVER, at
from support.examined import spent as in_ledger
from support.killing import answered, kept, killed_once
from support.planned_exam import calls, outs_in, planned, planned_params

KILLS = 20
CONCURRENCY = 4
ROUNDS = 20

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(
    [
        "lvlmbench.stages.planner.run",
        "lvlmbench.suites.autodavis.describing",
        "lvlmbench.stages.answer.kinds.openai_chat.asking",
        "openai",
    ]
)


def _run(given: dict[str, object], folder: str) -> None:
    os.environ["LVLMBENCH_CACHE_DIR"] = folder
    sys.stderr = Path(folder, "log").open("a")  # noqa: SIM115
    outs = outs_in(Path(folder))
    run.plan_files(validate(given), "gpt", outs, Path(folder, "answers.sqlite"))


def started(params: Params, folder: Path) -> multiprocessing.process.BaseProcess:
    """A run of its own."""
    given = params.model_dump(mode="json", exclude_unset=True)
    process = FORK.Process(target=_run, args=(given, str(folder)))
    process.start()
    return process


@pytest.mark.long
def test_kills_pay_nothing_twice_and_change_nothing(tmp_path: Path) -> None:
    moments = random.Random(20261126)
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    killed.mkdir(), whole.mkdir()
    lost: list[int] = []
    ways = ("--ways", "valid,fenced,unknown_ids", "--latency", "0.03")
    with running_server(*ways, script=EXAMINER_SERVER) as url:
        words = {"words": "reading traffic", "general": 2, "fine": 3}
        params = planned_params(at(url, concurrency=CONCURRENCY), ROUNDS, **words)
        for _ in range(KILLS):
            killed_once(lambda: started(params, killed), url, moments, 25)
            assert not outs_in(killed).aspects.exists()
            lost.append(answered(url) - len(kept(killed)) - sum(lost))
        before = len(kept(killed))
        last = started(params, killed)
        last.join(300)
        assert last.exitcode == 0
        seen, spent = stats(url)["answered"], in_ledger(params, killed)
        again = started(params, whole)
        again.join(300)
    found, asked = planned(outs_in(killed)), calls(outs_in(killed))
    hashes = {call["request_sha256"] for call in asked}
    print(f"  kept {before} of {len(hashes)} when killed last; answered in vain: {lost}")
    assert KILLS < before < len(hashes)
    # What was answered beyond the calls was in flight at a kill: nothing that had arrived.
    assert sum(seen.values()) == len(hashes) + sum(lost)
    assert all(0 <= n <= CONCURRENCY for n in lost)
    assert sum(times > 1 for times in seen.values()) <= sum(lost)
    # A reply that had arrived may miss the ledger where the kill came before it was added.
    assert -1e-9 <= len(hashes) * COST - spent <= KILLS * COST + 1e-9
    # A run that was never killed comes to the same.
    assert planned(outs_in(whole)) == found
    other = calls(outs_in(whole))
    assert [c | {"latency_s": None} for c in asked] == [c | {"latency_s": None} for c in other]
