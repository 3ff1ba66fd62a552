"""What a job that asks a model asks of its machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench import gpus
from lvlmbench.config import Params, validate
from lvlmbench.dag.resources import answer_gpus, answer_memory_mb, answer_threads, gpus_here


def params(**settings: Any) -> Params:
    weights = {"name": "weights", "engine": "transformers_vlm", "transformers": settings}
    models = [{"name": "chance", "engine": "chance"}, *([weights] if settings else [])]
    return validate({"answer": {"models": models}}, "params.yaml")


def test_others_ask_for_little() -> None:
    found = params(model="owner/name")
    assert answer_gpus(found, "chance") is None, "not even for no GPU: schedulers take that ill"
    assert (answer_threads(found, "chance"), answer_memory_mb(found, "chance")) == (1, 2000)


@pytest.mark.parametrize(("device", "wanted"), [("auto", 1), ("cuda", 1), ("cpu", None)])
def test_weights_ask_for_a_gpu_unless_they_run_on_the_cpu(device: str, wanted: int | None) -> None:
    found = params(model="owner/name", device=device)
    assert answer_gpus(found, "weights") == wanted
    assert answer_threads(found, "weights") > 1


def test_memory_follows_the_weights(tmp_path: Path) -> None:
    for part in (1, 2):
        with (tmp_path / f"model-{part}.safetensors").open("wb") as file:
            file.truncate(3 * 10**9)

    def memory(**settings: Any) -> int:
        return answer_memory_mb(params(model=str(tmp_path), **settings), "weights")

    on_gpu, wide, narrow = memory(), memory(device="cpu"), memory(device="cpu", dtype="bfloat16")
    assert (on_gpu - 6000, wide - on_gpu, narrow) == (6000, 6000, on_gpu)
    assert answer_memory_mb(params(model="owner/name"), "weights") > on_gpu


def test_gpus_are_counted_where_one_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[bool] = []

    def visible(*, ask_torch: bool) -> tuple[gpus.Gpu, ...]:
        counted.append(ask_torch)
        return (gpus.Gpu("0", "0"), gpus.Gpu("1", "1"))

    monkeypatch.setattr(gpus, "visible", visible)
    assert gpus_here(params()) == 0
    assert gpus_here(params(model="owner/name", device="cpu")) == 0
    assert not counted
    assert gpus_here(params(model="owner/name")) == 2
    assert counted == [False], "torch takes seconds"
