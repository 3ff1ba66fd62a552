"""``kill -9`` while a server is asked, DVC pushes or pulls, a file of answers is scored."""

from __future__ import annotations

import json
import random
import shutil
import sys
import time
from pathlib import Path

import pytest

from e2e.clone import Clone
from faults.kills import Run, untrue_seals
from faults.places import linked_copy
from lvlmbench import tables
from support.answer_tables import KEY, endpoint, running_server, stats

pytestmark = [pytest.mark.e2e, pytest.mark.long]

CONCURRENCY = 2
#: Shards that may be asked about at once.
SHARDS = 2


def counts(url: str) -> tuple[int, int]:
    """Requests that have come to the server, and those that it has answered."""
    found = stats(url)
    return sum(found["asked"].values()), sum(found["answered"].values())


def test_no_answer_is_paid_for_twice(
    made: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of whom the kill is: of Snakemake, of all processes at once, of what writes the journal."""
    monkeypatch.setenv("TEST_KEY", KEY)
    moments = random.Random(20261122)
    clone = linked_copy(made, tmp_path / "clone")
    kills = 0
    with running_server("--key", KEY) as url:
        served = endpoint(url, "slow", concurrency=CONCURRENCY)
        model = {"name": "served", "engine": "openai_chat", "endpoint": served}
        clone.set("answer", models=[model, {"name": "chance", "engine": "chance"}])
        seals = (
            "data/seals/answer/dysca/served/clean.json",
            "data/seals/answer/dysca/served/other.json",
        )
        for victim in ("main", "group", "worker", "main"):
            run = Run(clone, ("snakemake", "--cores", "2", *seals))
            goal = counts(url)[1] + moments.randint(1, 4)
            while counts(url)[1] < goal and not run.ended():
                time.sleep(0.01)
            if run.ended():
                break
            running = run.kill(victim, moments)
            print(f"  killed {victim} while {running} ran, {counts(url)[1]} answered")
            kills += 1
            run.wait()
            assert not [s for s in untrue_seals(clone, {}) if "as sealed" in s], "half-made"
            time.sleep(0.5)  # the server works off what it was asked
        again = Run(clone, ("snakemake", "--cores", "2", *seals))
        assert again.wait() == 0, again.said
        asked = counts(url)[0]
    rows = sum(
        tables.read(clone.path / f"data/dysca/answers/served/{name}", tables.ANSWERS).num_rows
        for name in ("clean", "other")
    )
    print(f"  {kills} kills; {asked} requests for {rows} answers")
    assert kills >= 2
    assert rows <= asked <= rows + kills * CONCURRENCY * SHARDS


def test_killed_push_and_pull_are_typed_again(made: Clone, tmp_path: Path) -> None:
    moments = random.Random(20261123)
    source = linked_copy(made, tmp_path / "source")
    remote = tmp_path / "remote"
    source.run("dvc", "remote", "add", "-f", "-d", "local", str(remote))
    source.commit("another remote")
    hits = {"push": 0, "pull": 0}

    def killed(clone: Clone, command: str, folder: Path) -> None:
        """Killed once some more files are there, or once some more time has passed."""
        run = Run(clone, ("dvc", command))
        there = sum(1 for _ in folder.rglob("*"))
        more, deadline = moments.randint(0, 30), time.monotonic() + 60
        while not run.ended() and time.monotonic() < deadline:
            if sum(1 for _ in folder.rglob("*")) > there + more:
                run.kill(moments.choice(["main", "group"]), moments)
                hits[command] += 1
                break
            time.sleep(0.002)
        run.wait()

    for _ in range(4):
        killed(source, "push", remote)
    source.run("dvc", "push")
    clone = source.fresh(tmp_path / "clone")
    for _ in range(4):
        killed(clone, "pull", clone.path / "data")
        assert untrue_seals(clone, made.artifacts()) == [] or clone.snakemake("-n") != {}
    clone.run("dvc", "pull")
    print(f"  kills: {hits}")
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}
    assert min(hits.values()) >= 1


def test_killed_scoring_of_a_file_is_typed_again(made: Clone, tmp_path: Path) -> None:
    moments = random.Random(20261124)
    clone = linked_copy(made, tmp_path / "clone")
    before = clone.artifacts()
    command = (sys.executable, "-m", "lvlmbench.commands.main")
    clone.run(*command, "export-questions", "--snapshot", ".", "--out", str(tmp_path / "questions"))
    questions = (tmp_path / "questions/questions.jsonl").read_text().splitlines()
    ids = [json.loads(line) for line in questions]
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(json.dumps({"item_id": q["item_id"], "answer": "A"}) + "\n" for q in ids)
    )
    score = (*command, "score", "--snapshot", ".", "--answers", str(answers), "--model", "mine")
    whole = linked_copy(clone, tmp_path / "whole")
    began = time.monotonic()
    whole.run(*score)
    span, hits = time.monotonic() - began, 0
    for _ in range(5):
        run = Run(clone, score)
        deadline = time.monotonic() + moments.uniform(0.2, 1.0) * span
        while not run.ended() and time.monotonic() < deadline:
            time.sleep(0.005)
        hits += not run.ended()
        run.kill("group", moments)
        run.wait()
        # What was to be results/dysca/submissions goes with the next try.
        places = ("results/dysca/submissions/", "results/dysca/.submissions.")
        now = {n: h for n, h in clone.artifacts().items() if not n.startswith(places)}
        assert now == before
    clone.run(*score)
    shutil.rmtree(tmp_path / "questions")
    print(f"  {hits} kills of 'lvlmbench score'")
    assert clone.artifacts() == whole.artifacts()
    assert clone.snakemake("-n") == {}
