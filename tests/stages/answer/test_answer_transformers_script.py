"""scripts/answer.py with local weights: rows as of any other model, and nothing asked twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.engine import MODELS, Model
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.requests.cache import AnswerCache
from support import tiny_vlm
from support.answer_tables import params, write_shard
from support.one_line import Command, assert_one_line


def described(folder: Path) -> dict[str, object]:
    """A model under answer.models that runs these weights."""
    weights = {"model": str(folder), "device": "cpu", "max_tokens": 6, "logprobs": True}
    return {"name": "tiny", "engine": "transformers_vlm", "transformers": weights}


@pytest.mark.long
def test_from_tables_to_answers(tmp_path: Path, run_python: Command, root: Path) -> None:
    weights = tiny_vlm.save(tmp_path / "weights", "idefics3")
    arguments = write_shard(tmp_path, 6, params([described(weights)]))
    script = root / "scripts/answer.py"
    result = run_python(script, "--model", "tiny", *arguments)
    assert result.returncode == 0, result.stderr
    assert "tiny/clean: 12/12" in result.stderr
    rows = tables.read([tmp_path / "answers.parquet"], tables.ANSWERS).to_pylist()
    assert len(rows) == 12
    assert {row["status"] for row in rows} <= {"answered", "truncated"}
    for row in rows:
        assert (row["logprobs"] is not None) == ("Describe" not in row["prompt"])
        assert row["latency_s"] is None, "of a batch, not of an answer"
        told = json.loads(row["parameters"])
        assert (told["dtype"], told["max_tokens"]) == ("float32", 6)
        assert str(tmp_path) not in row["parameters"]

    weights.rename(tmp_path / "elsewhere")
    result = run_python(script, "--model", "tiny", *arguments)
    assert_one_line(result, "transformers: model", f"there is no folder '{weights}'")


def test_what_is_answered_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    config = params([described(tiny_vlm.save(tmp_path / "weights", "llava"))])
    items = tiny_vlm.items(10)

    def model() -> Model:
        return MODELS.get("transformers_vlm", "test")(config, config.answer.models[0], {})

    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        coming = model().answer(items[:6])
        first = model()
        for item, reply in coming:
            cache.put(first.request_sha256(item), reply)
        rows = answer_rows(first, items, cache, "tiny", "clean")
        monkeypatch.setattr(TransformersVLM, "_load", lambda self: pytest.fail("loaded again"))
        assert answer_rows(model(), items, cache, "tiny", "clean") == rows
