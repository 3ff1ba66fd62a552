"""kill -9 while pictures are asked for and looked at: no picture and no look is paid twice."""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from pathlib import Path

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.stages.render.shard import make_renderer
from support.answer_tables import SERVER, running_server, stats
from support.killing import answered, killed_once
from support.render_scenes import vocabulary
from support.text_exam import TEXT_SERVER, drawn, text_params

IMAGES_SERVER = SERVER.with_name("images_server.py")
KILLS, CONCURRENCY = 20, 4

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(["support.text_exam", "lvlmbench.stages.render.shard", "openai"])


def _run(given: dict[str, object], folder: str) -> None:
    os.environ["LVLMBENCH_CACHE_DIR"] = folder
    sys.stderr = Path(folder, "log").open("a")  # noqa: SIM115
    params = validate(given)
    drawn(params, make_renderer(params, vocabulary()), Path(folder))


def started(params: Params, folder: Path) -> multiprocessing.process.BaseProcess:
    """A run of its own."""
    given = params.model_dump(mode="json", exclude_unset=True)
    process = FORK.Process(target=_run, args=(given, str(folder)))
    process.start()
    return process


def drawing(chat: str, images: str) -> Params:
    """An exam whose first pictures are not as described, drawn by a server."""
    given = text_params(chat, rounds=20, at=["easy"]).model_dump(mode="json", exclude_unset=True)
    section = {"base_url": images, "model": "spoilt", "api_key_env": None, "send_seed": True}
    section |= {"concurrency": CONCURRENCY}
    given["render"] = {"size": 64, "renderer": "openai_images", "openai_images": section}
    return validate(given)


@pytest.mark.long
def test_kills_pay_nothing_twice(tmp_path: Path) -> None:
    moments = random.Random(20261129)
    with (
        running_server("--latency", "0.03", script=TEXT_SERVER) as chat,
        running_server(script=IMAGES_SERVER) as images,
    ):
        params = drawing(chat, images)
        for _ in range(KILLS // 2):
            killed_once(lambda: started(params, tmp_path), images, moments, 5)
        for _ in range(KILLS // 2):
            killed_once(lambda: started(params, tmp_path), chat, moments, 12)
        last = started(params, tmp_path)
        last.join(300)
        assert last.exitcode == 0
        twice = {
            url: sum(times - 1 for times in stats(url)["answered"].values())
            for url in (images, chat)
        }
        before = answered(images), answered(chat)
        again = started(params, tmp_path)
        again.join(300)
        assert again.exitcode == 0 and (answered(images), answered(chat)) == before
    print(f"  answered again, as they were in flight at a kill: {twice}")
    # Of a kill, at most what was in flight.
    assert twice[images] <= KILLS * CONCURRENCY / 2
    assert twice[chat] <= KILLS * 8
