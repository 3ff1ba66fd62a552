"""A served model is evaluated by the unchanged pipeline, and is never asked twice."""

from __future__ import annotations

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
        clone.set("answer", models=[{"name": "chance", "engine": "chance"}, served])
        clone.snakemake()
        answers = tables.read(clone.path / "data/answers/served/clean", tables.ANSWERS)
        questions = tables.read(clone.path / "data/corpus/questions", tables.QUESTIONS)
        assert set(answers["status"].to_pylist()) == {"answered"}
        assert 0 < answers.num_rows <= questions.num_rows
        assert asked(url) == answers.num_rows
        models = pq.read_table(clone.path / "results/metrics.parquet")["model"].to_pylist()
        assert {"chance", "served"} <= set(models)
        assert "served" in (clone.path / "results/report.html").read_text()

    # The server is gone. Nothing was committed, so DVC removes all outs and runs every command.
    before = clone.artifacts()
    print("  dvc repro without the server:", ran := clone.dvc_repro())
    assert "answer" not in ran
    assert clone.artifacts() == before
