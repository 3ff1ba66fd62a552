"""Engine ``transformers_vlm``: dialogues, and pictures of several as several images."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.stages.answer.dialogue import Panel, Turn
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_vlm
from support.tiny_vlm import Family

LIMIT = 6
TURNS = (Turn("What is left?", "A fox."),)
PANELS = (Panel(0, 0, 0.5, 1), Panel(0.5, 0, 1, 1))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Family, Path]:
    top = tmp_path_factory.mktemp("weights")
    families: tuple[Family, ...] = ("qwen2_vl", "idefics3")
    return {family: tiny_vlm.save(top / family, family) for family in families}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def engine(folder: Path, **settings: Any) -> TransformersVLM:
    values: dict[str, Any] = {"model": str(folder), "max_tokens": LIMIT, "device": "cpu"}
    return TransformersVLM("tiny", LocalWeights(**(values | settings)))


def expected(folder: Path, messages: list[dict[str, Any]]) -> tuple[int, list[int]]:
    """How many tokens the processor makes of messages, and what the model says, by hand."""
    import transformers

    auto: Any = transformers.AutoProcessor
    model: Any = transformers.AutoModelForImageTextToText.from_pretrained(folder)
    inputs = auto.from_pretrained(folder).apply_chat_template(
        messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    greedy = {"do_sample": False, "repetition_penalty": 1.0, "temperature": None, "top_k": None}
    output = model.generate(**inputs, **greedy, max_new_tokens=LIMIT)
    read = inputs["input_ids"].shape[1]
    return read, output[0, read:].tolist()


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@pytest.mark.parametrize("family", ["qwen2_vl", "idefics3"])
@pytest.mark.parametrize("apart", [False, True])
def test_it_says_what_transformers_says(
    folders: dict[Family, Path], family: Family, apart: bool
) -> None:
    plain, other, *_ = tiny_vlm.items(4)
    asked = dataclasses.replace(plain, turns=TURNS, panels=PANELS)
    assert asked.image is not None
    whole = Image.open(io.BytesIO(asked.image)).convert("RGB")
    width, height = whole.size
    half = round(width / 2)
    parts = [whole.crop((0, 0, half, height)), whole.crop((half, 0, width, height))]
    images = [{"type": "image", "image": part} for part in (parts if apart else [whole])]
    read, new = expected(
        folders[family],
        [
            {"role": "user", "content": [*images, text("What is left?")]},
            {"role": "assistant", "content": [text("A fox.")]},
            {"role": "user", "content": [text(asked.prompt)]},
        ],
    )
    model = engine(folders[family], several_images=apart)
    replies: dict[tuple[str, str | None], Reply] = {
        item.key: reply for item, reply in model.answer([asked, other])
    }
    reply = replies[asked.key]
    assert (reply.status in ("answered", "truncated"), reply.error) == (True, None)
    assert (reply.prompt_tokens, reply.completion_tokens) == (read, len(new))
    assert replies[other.key].error is None
    assert model._asker.lengths([asked]) == [read]


def test_what_decides_the_reply_decides_the_hash(folders: dict[Family, Path]) -> None:
    one, apart = (engine(folders["qwen2_vl"], several_images=each) for each in (False, True))
    plain = tiny_vlm.items(1)[0]
    said = dataclasses.replace(plain, turns=TURNS)
    cut = dataclasses.replace(plain, panels=PANELS)
    assert one.request_sha256(plain) == apart.request_sha256(plain) == one.request_sha256(cut)
    hashes = {one.request_sha256(plain), one.request_sha256(said), apart.request_sha256(cut)}
    assert len(hashes) == 3
    assert (one.several, apart.several) == (False, True)
    assert "several_images" not in one.parameters and apart.parameters["several_images"] is True


def test_an_image_that_cannot_be_cut_is_an_error_row(folders: dict[Family, Path]) -> None:
    model = engine(folders["qwen2_vl"], several_images=True)
    whole, *_ = tiny_vlm.items(1)
    bad: Item = dataclasses.replace(whole, question_id="x", panels=(Panel(0.5, 0, 0.5, 1),))
    replies = {item.question_id: reply for item, reply in model.answer([whole, bad])}
    assert replies["x"].status == "error" and "no such panels" in (replies["x"].error or "")
    assert replies[whole.question_id].error is None
