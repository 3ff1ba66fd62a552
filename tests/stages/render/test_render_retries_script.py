"""scripts/render.py: who draws, how far it is, and a diffusion pipeline that is killed."""

from __future__ import annotations

import json
import multiprocessing
import random
import runpy
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.records import Record, Rejection
from lvlmbench.stages.render.shard import make_renderer
from support import tiny_diffusion
from support.retries_sampler import outputs, scenes, words

SCRIPT = str(PROJECT_ROOT / "scripts/render.py")
COUNT = 12

#: A process of its own for each run, without the seconds that the imports take.
FORK = multiprocessing.get_context("fork")


def arguments(folder: Path, render: dict[str, Any], count: int = COUNT) -> list[str]:
    """Arguments of the script for one shard of scenes, all in a folder."""
    folder.mkdir(exist_ok=True)
    subtasks = ["animal", "object"]
    corpus = {"scenes_per_subtask": count // 2, "subtasks": subtasks}
    (folder / "config.json").write_text(
        json.dumps({"suites": {"dysca": {"corpus": corpus}}, "render": render})
    )
    part = folder / tables.part_name(0)
    tables.write(scenes(count), part, tables.SCENES, "test")
    out = outputs(folder)
    return [
        "--config", str(folder / "config.json"), "--shard", "0", "--scenes", str(part),
        "--checkpoints", str(folder / "kept"), "--images-out", str(out.images),
        "--verdicts-out", str(out.verdicts), "--attempts-out", str(out.attempts),
        "--layouts-out", str(out.layouts), "--requests-out", str(out.requests),
        "--checks-out", str(out.checks), "--check-requests-out", str(out.check_requests),
    ]  # fmt: skip


def _run(script: str, given: list[str], log: str) -> None:
    sys.argv = [script, *given]
    sys.stdout = sys.stderr = open(log, "a")  # noqa: PTH123, SIM115
    runpy.run_path(script, run_name="__main__")


def start(
    folder: Path, render: dict[str, Any], *more: str, count: int = COUNT
) -> multiprocessing.process.BaseProcess:
    """The script at work on a shard; what it says goes to ``log`` in the folder."""
    given = [*arguments(folder, render, count), *more]
    process = FORK.Process(target=_run, args=(SCRIPT, given, str(folder / "log")))
    process.start()
    return process


@pytest.fixture(scope="module")
def render(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A tiny SDXL whose images a filter looks at."""
    pytest.importorskip("diffusers")
    models = tmp_path_factory.mktemp("models")
    about = {
        "renderer": "diffusion",
        "size": 64,
        "shard_images": COUNT,
        "diffusion": {"model": str(tiny_diffusion.sdxl(models / "sdxl")), "steps": 2},
        "retries": {"attempts": 2, "filters": [{"name": "integrity"}]},
    }
    # Loaded here once, all that it imports is there in each process that starts from this one.
    make_renderer(validate({"render": about}), words())
    return about


@pytest.mark.long
def test_a_killed_pipeline_goes_on_to_the_same_bytes(
    tmp_path: Path, render: dict[str, Any]
) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = start(killed, render)
    goal = random.Random(20261121).randint(2, COUNT - 2)
    deadline = time.monotonic() + 300
    while len(kept := [*killed.glob("kept/*-?.json")]) < goal:
        assert process.is_alive() and time.monotonic() < deadline
        time.sleep(0.001)
    process.kill()
    process.join()
    assert not [*killed.glob("*s.parquet")]
    for folder in (killed, whole):
        process = start(folder, render)
        process.join(300)
        log = (folder / "log").read_text()
        assert process.exitcode == 0, log
        lines = log.splitlines()
        assert lines[-2] == "diffusion draws"
        assert lines[-1].startswith(f"render: {COUNT}/{COUNT} images")
        assert not (folder / "kept").exists()
    for name in vars(outputs(whole)):
        files = (getattr(outputs(folder), name) for folder in (killed, whole))
        assert len({file.read_bytes() for file in files}) == 1
    assert "kept from before" in (killed / "log").read_text() and len(kept) >= goal
    assert "kept from before" not in (whole / "log").read_text()
    attempts = tables.read([outputs(whole).attempts], tables.ATTEMPTS)
    assert attempts["outcome"].to_pylist() == ["kept"] * COUNT
    assert json.loads(attempts["provenance"][0].as_py())["exact"] is True
    images = tables.read([outputs(whole).images], tables.IMAGES)
    assert len(set(images["sha256"].to_pylist())) == COUNT


@pytest.mark.parametrize(
    ("about", "more", "said"),
    [
        ({}, [], "pictograph draws"),
        (
            {"renderer": "auto", "diffusion": {"device": "cpu"}},
            [],
            "pictograph draws: render.diffusion.device is cpu",
        ),
        (
            {"renderer": "diffusion"},
            ["--renderer", "pictograph"],
            "pictograph draws: --renderer names it",
        ),
    ],
)
def test_the_log_says_who_draws_and_why(
    tmp_path: Path, about: dict[str, Any], more: list[str], said: str
) -> None:
    process = start(tmp_path, {"size": 64} | about, *more, count=2)
    process.join(300)
    log = (tmp_path / "log").read_text()
    assert process.exitcode == 0, log
    assert log.splitlines() == [said, "render: 2/2 images; attempts 2"]
    made = tables.read([outputs(tmp_path).images], tables.IMAGES)
    assert made["renderer"].to_pylist() == ["pictograph"] * 2


def test_bad_checkpoints_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    process = start(
        tmp_path, {"size": 64, "retries": {"filters": [{"name": "integrity"}]}}, count=2
    )
    process.join(300)
    log = (tmp_path / "log").read_text()
    assert process.exitcode == 2
    line = f"--checkpoints: {tmp_path}/kept: is not a folder; give the path of one"
    assert log.splitlines() == ["pictograph draws", line]
    assert not [*tmp_path.glob("*s.parquet")]


def test_progress_is_told_now_and_then_and_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    progress = Progress(sys.stderr, clock=lambda: now[0], every_s=10)
    progress.total = 40
    for i in range(12):
        now[0] += 2
        progress.add(again=i % 4 == 3)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["render: 4/40 images, 1 drawn again", "render: 8/40 images, 2 drawn again"]

    bad = Rejection("ocr", "other text", 0.5, 0.0)
    first = Record(0, 1, "diffusion", "v", rejection=bad)
    last = Record(1, 2, "pictograph", "v", rejection=bad)
    refused = Record(0, 1, "pictograph", "v", refusal="no")
    for records in ([first, last], [refused], [first]):
        progress.settle(records, "diffusion")
    progress.known = 3
    assert progress.summary() == (
        "render: 9/40 images, 3 drawn again, 3 kept from before; attempts 3, rejected 3, "
        "given up 2, not drawn 1, by pictograph instead 1"
    )
