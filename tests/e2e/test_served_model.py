"""A served model is evaluated by the unchanged pipeline, and is never asked twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from answer_tables import KEY, endpoint, running_server, stats

from e2e.clone import Clone
from lvlmbench import tables

pytestmark = pytest.mark.e2e


def asked(url: str) -> int:
    return sum(stats(url)["asked"].values())


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("TEST_KEY", KEY)
    (tmp_path / "home").mkdir()
    return Clone.origin(tmp_path / "project", tmp_path / "home")


def test_served_model_is_asked_once(clone: Clone) -> None:
    with running_server() as url:
        served = {"name": "served", "engine": "openai_chat", "endpoint": endpoint(url, "letter-B")}
        clone.set("answer", models=[served])
        clone.set("scenarios", names=["clean"], noisy=[])
        clone.snakemake()
        answers = tables.read(clone.path / "data/answers/served/clean", tables.ANSWERS)
        questions = tables.read(clone.path / "data/corpus/questions", tables.QUESTIONS)
        assert set(answers["status"].to_pylist()) == {"answered"}
        assert 0 < answers.num_rows <= questions.num_rows
        assert asked(url) == answers.num_rows
        models = pq.read_table(clone.path / "results/metrics.parquet")["model"].to_pylist()
        assert "served" in models
        assert "served" in (clone.path / "results/report.html").read_text()

    # The server and all that was published are gone; what was answered is not.
    before = clone.artifacts()
    shutil.rmtree(clone.path / "results")
    for name in ("answers", "scores", "seals"):
        shutil.rmtree(clone.path / "data" / name)
    shutil.rmtree(clone.path / ".lvlmbench" / "build")
    print("  snakemake without the server:", ran := clone.snakemake())
    assert ran["answer"] == 2
    assert {n: h for n, h in clone.artifacts().items() if "/served/" in n} == {
        n: h for n, h in before.items() if "/served/" in n
    }
