"""Engine ``transformers_vlm`` on a GPU, with tiny models of random weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.devices import Place
from lvlmbench.stages.answer.dialogue import Panel, Turn
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_vlm
from support.tiny_vlm import FAMILIES, Family

Key = tuple[str, str | None]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Family, Path]:
    """One folder for each family of models."""
    top = tmp_path_factory.mktemp("weights")
    return {family: tiny_vlm.save(top / family, family) for family in FAMILIES}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def engine(folder: Path, **settings: Any) -> TransformersVLM:
    values: dict[str, Any] = {"model": str(folder), "max_tokens": 12, "device": "cuda"}
    return TransformersVLM("tiny", LocalWeights(**(values | settings)))


def answers(model: TransformersVLM, n: int) -> dict[Key, Reply]:
    return replies(model, tiny_vlm.items(n))


def replies(model: TransformersVLM, items: Sequence[Item]) -> dict[Key, Reply]:
    found = {item.key: reply for item, reply in model.answer(items)}
    assert len(found) == len(items)
    assert {reply.status for reply in found.values()} <= {"answered", "truncated"}
    return found


def same(left: dict[Key, Reply], right: dict[Key, Reply]) -> int:
    """How many replies are of the same words."""
    return sum(left[key].text == right[key].text for key in left)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_gpu_says_what_the_cpu_says(folders: dict[Family, Path], family: Family) -> None:
    here = answers(engine(folders[family], device="cpu", batch_size=1), 24)
    for size in (1, 8):
        there = answers(engine(folders[family], dtype="float32", batch_size=size), 24)
        assert same(here, there) >= 23


@pytest.mark.parametrize("family", ("qwen2_vl", "idefics3"))
def test_dialogues_and_several_images_are_those_of_the_cpu(
    folders: dict[Family, Path], family: Family
) -> None:
    turns, panels = (Turn("What is left?", "A fox."),), (Panel(0, 0, 0.5, 1), Panel(0.5, 0, 1, 1))
    kinds: tuple[dict[str, Any], ...] = ({}, {"turns": turns}, {"panels": panels})
    items = [dataclasses.replace(item, **kinds[n % 3]) for n, item in enumerate(tiny_vlm.items(24))]
    about: dict[str, Any] = {"several_images": True, "dtype": "float32"}
    here = replies(engine(folders[family], device="cpu", batch_size=1, **about), items)
    for size in (1, 8):
        there = replies(engine(folders[family], batch_size=size, **about), items)
        assert same(here, there) >= 23
    read = {key: reply.prompt_tokens for key, reply in here.items()}
    assert read == {key: reply.prompt_tokens for key, reply in there.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_16_bits_are_the_default_and_repeat_themselves(
    folders: dict[Family, Path], family: Family
) -> None:
    model = engine(folders[family], logprobs=True)
    first = answers(model, 24)
    assert model._place == Place("cuda", "bfloat16") and len({r.text for r in first.values()}) > 15
    assert answers(engine(folders[family], logprobs=True), 24) == first
    assert any(reply.logprobs is not None for reply in first.values())


def test_a_batch_that_does_not_fit_is_made_smaller(
    folders: dict[Family, Path],
    room_for_half: Callable[[Callable[[], object]], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    model = engine(folders["llava"], batch_size=128, dtype="float32", max_tokens=4)
    room_for_half(lambda: answers(model, 256))
    assert "memory does not suffice" not in capfd.readouterr().err
    answers(model, 256)
    assert "memory does not suffice for more" in capfd.readouterr().err
