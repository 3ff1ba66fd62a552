"""A served model is evaluated by the unchanged pipeline, is never asked twice, and its key is
nowhere in what that leaves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from e2e.clone import Clone, jobs
from lvlmbench import tables
from support.answer_tables import ECHO_SERVER, KEY, endpoint, running_server, stats

pytestmark = pytest.mark.e2e

#: As long as real keys are: what is cut short may still hold a part of one.
LONG_KEY = f"{KEY}-{'0123456789abcdefghijklmnopqrstuvwxyz' * 4}"
PART = LONG_KEY[:20]


def asked(url: str) -> int:
    return sum(stats(url)["asked"].values())


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("TEST_KEY", LONG_KEY)
    (tmp_path / "home").mkdir()
    return Clone.origin(tmp_path / "project", tmp_path / "home")


def files_with(secret: str, folder: Path) -> list[str]:
    """Files below a folder, in whatever place, that hold a text."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert {"log", "cache", "build"} <= {part for path in files for part in path.parts}
    return [str(path) for path in files if secret.encode() in path.read_bytes()]


@pytest.mark.long
def test_served_model_is_asked_once(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server("--key", LONG_KEY) as url, running_server(script=ECHO_SERVER) as echo:
        served = {"name": "served", "engine": "openai_chat", "endpoint": endpoint(url, "letter-B")}
        # It repeats the key in answers, refusals, errors and its own name.
        paid = endpoint(echo, "x", price_per_million=[1, 1], budget_usd=1, logprobs=True)
        echoing = {"name": "echo", "engine": "openai_chat", "endpoint": paid}
        clone.set("answer", models=[served, echoing])
        clone.set("scenarios", names=["clean"], noisy=[])
        said = clone.run("snakemake")
        assert PART not in said
        assert files_with(PART, clone.path) == []
        replies = tables.read(clone.path / "data/dysca/answers/echo/clean", tables.ANSWERS)
        assert "With [key] you get (B) for [key]." in replies["text"].to_pylist()
        assert {"answered", "refused", "error"} == set(replies["status"].to_pylist())
        answers = tables.read(clone.path / "data/dysca/answers/served/clean", tables.ANSWERS)
        questions = tables.read(clone.path / "data/dysca/questions", tables.QUESTIONS)
        assert set(answers["status"].to_pylist()) == {"answered"}
        assert 0 < answers.num_rows <= questions.num_rows
        assert asked(url) == answers.num_rows
        models = pq.read_table(clone.path / "results/dysca/metrics.parquet")["model"].to_pylist()
        assert {"served", "echo"} <= set(models)
        assert "served" in (clone.path / "results/report.html").read_text()

    # The server and all that was published are gone; what was answered is not.
    before = clone.artifacts()
    clone.set("answer", models=[served])
    shutil.rmtree(clone.path / "results")
    for name in ("dysca/answers", "dysca/scores", "seals"):
        shutil.rmtree(clone.path / "data" / name)
    shutil.rmtree(clone.path / ".lvlmbench" / "build")
    # Nor is a key needed for that; that it is missing is said once.
    monkeypatch.delenv("TEST_KEY")
    said = clone.run("snakemake")
    assert said.count("model 'served': the environment variable TEST_KEY is not set") == 1
    print("  snakemake without the server:", ran := jobs(said))
    assert ran["answer"] == 2
    assert {n: h for n, h in clone.artifacts().items() if "/served/" in n} == {
        n: h for n, h in before.items() if "/served/" in n
    }
