"""kill -9 while pictures are asked for: nothing that had arrived is asked for again."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sqlite3
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

from support.answer_tables import stats
from support.killing import killed_once
from support.served_pictures import asking, draw, serving

CONCURRENCY, PRICE = 4, 0.01
KILLS = int(os.environ.get("LVLMBENCH_KILLS", "5"))
PICTURES = 15 * KILLS

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(
    ["support.served_pictures", "lvlmbench.stages.render.kinds.openai_images.renderer", "openai"]
)


def _run(url: str, folder: str, shard: str, count: int = PICTURES) -> None:
    os.environ["LVLMBENCH_CACHE_DIR"] = f"{folder}/cache"
    config = asking(url, "slow", concurrency=CONCURRENCY, price_per_image=PRICE)
    draw(config, Path(folder) / shard, count)


def kept(folder: Path) -> set[str]:
    """Requests whose pictures are in the store, which is only looked at."""
    with sqlite3.connect(f"file:{folder / 'cache/pictures.sqlite'}?mode=ro", uri=True) as db:
        return {request for (request,) in db.execute("SELECT request_sha256 FROM pictures_v1")}


def came(url: str) -> int:
    """Requests that have come, once the server has worked off those of killed clients."""
    deadline = time.monotonic() + 60
    while True:
        time.sleep(0.15)
        found = stats(url)
        asked, answered = (sum(found[name].values()) for name in ("asked", "answered"))
        if asked == answered:
            return asked
        assert time.monotonic() < deadline


def test_kills_pay_nothing_twice_but_what_was_in_flight(tmp_path: Path) -> None:
    moments = random.Random(20261129)
    lost: list[int] = []
    with serving() as url:

        def start() -> BaseProcess:
            process = FORK.Process(target=_run, args=(url, str(tmp_path), "killed"))
            process.start()
            return process

        for _ in range(KILLS):
            killed_once(start, url, moments, most=9)
            assert not (tmp_path / "killed/images.parquet").exists()
            lost.append(came(url) - len(kept(tmp_path)) - sum(lost))
        before = len(kept(tmp_path))
        process = start()
        process.join(300)
        assert process.exitcode == 0
        asked = came(url)
        for shard in ("killed", "another"):  # one after the other, from the same store
            other = FORK.Process(target=_run, args=(url, str(tmp_path), shard))
            other.start()
            other.join(300)
        assert came(url) == asked
    assert KILLS < before < PICTURES == len(kept(tmp_path))
    # What the server has drawn beyond the pictures was in flight at a kill.
    assert asked == PICTURES + sum(lost)
    assert all(0 <= n <= CONCURRENCY for n in lost)
    (ledger,) = (tmp_path / "cache/spent").glob("*.json")
    spent = json.loads(ledger.read_text())["spent_usd"]
    # A kill between a picture's row and the ledger leaves one picture uncounted.
    assert (PICTURES - KILLS) * PRICE <= spent + 1e-9 <= PICTURES * PRICE + 2e-9
    one, other = (tmp_path / name / "images.parquet" for name in ("killed", "another"))
    assert one.read_bytes() == other.read_bytes()


def test_processes_at_once_share_the_store_and_the_limit(tmp_path: Path) -> None:
    few = 20
    with serving() as url:
        runs = [FORK.Process(target=_run, args=(url, str(tmp_path), f"{n}", few)) for n in range(3)]
        for run in runs:
            run.start()
        for run in runs:
            run.join(300)
        assert [run.exitcode for run in runs] == [0, 0, 0]
        assert stats(url)["in_flight"]["most"] <= CONCURRENCY
    assert len(kept(tmp_path)) == few
