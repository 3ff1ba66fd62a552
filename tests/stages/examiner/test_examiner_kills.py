"""kill -9 while an examiner is asked: what had arrived is not asked again, nor paid.

By default a few kills; ``LVLMBENCH_LONG`` makes it twenty.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from pathlib import Path

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.stages.examiner import run
from support.answer_tables import running_server, stats
from support.examined import COST, EXAMINER_SERVER, at, on_disk, rows, small_exam, with_examiner
from support.examined import spent as in_ledger
from support.killing import answered, kept, killed_once

KILLS = 20 if os.environ.get("LVLMBENCH_LONG") else 2
CONCURRENCY = 4
ROUNDS = 12 if os.environ.get("LVLMBENCH_LONG") else 2

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(
    [
        "lvlmbench.stages.examiner.run",
        "lvlmbench.suites.autodavis.briefs",
        "lvlmbench.stages.answer.kinds.openai_chat.asking",
        "openai",
    ]
)


def _run(given: dict[str, object], files: run.Files, folder: str) -> None:
    os.environ["LVLMBENCH_CACHE_DIR"] = folder
    sys.stderr = Path(folder, "log").open("a")  # noqa: SIM115
    outs = run.Outs(Path(folder, "p.parquet"), Path(folder, "r.parquet"))
    run.propose_files(validate(given), "gpt", files, outs, Path(folder, "answers.sqlite"))


def started(params: Params, files: run.Files, folder: Path) -> multiprocessing.process.BaseProcess:
    """A run of its own."""
    given = params.model_dump(mode="json", exclude_unset=True)
    process = FORK.Process(target=_run, args=(given, files, str(folder)))
    process.start()
    return process


@pytest.mark.scaled
def test_kills_pay_nothing_twice_and_change_nothing(tmp_path: Path) -> None:
    moments, exam = random.Random(20261126), small_exam(ROUNDS)
    files = on_disk(exam, tmp_path)
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    killed.mkdir(), whole.mkdir()
    lost: list[int] = []
    with running_server("--ways", "all", "--latency", "0.03", script=EXAMINER_SERVER) as url:
        params = with_examiner(exam.params, "gpt", section=at(url, concurrency=CONCURRENCY))
        for _ in range(KILLS):
            killed_once(lambda: started(params, files, killed), url, moments, 25)
            assert not (killed / "p.parquet").exists()
            lost.append(answered(url) - len(kept(killed)) - sum(lost))
        before = len(kept(killed))
        last = started(params, files, killed)
        last.join(300)
        assert last.exitcode == 0
        seen, spent = stats(url)["answered"], in_ledger(params, killed)
        again = started(params, files, whole)
        again.join(300)
    found, calls = rows(run.Outs(killed / "p.parquet", killed / "r.parquet"))
    hashes = {call["request_sha256"] for call in calls}
    print(f"  kept {before} of {len(hashes)} when killed last; answered in vain: {lost}")
    assert KILLS < before < len(hashes)
    # What was answered beyond the calls was in flight at a kill: nothing that had arrived.
    assert sum(seen.values()) == len(hashes) + sum(lost)
    assert all(0 <= n <= CONCURRENCY for n in lost)
    assert sum(times > 1 for times in seen.values()) <= sum(lost)
    # A reply that had arrived may miss the ledger where the kill came before it was added.
    assert -1e-9 <= len(hashes) * COST - spent <= KILLS * COST + 1e-9
    # A run that was never killed comes to the same.
    other, of_other = rows(run.Outs(whole / "p.parquet", whole / "r.parquet"))
    assert found == other
    assert [c | {"latency_s": None} for c in calls] == [c | {"latency_s": None} for c in of_other]
