"""Tiny models of open_clip for tests: random weights, in a folder or as a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench.core import torchvision_hook

#: Words that the word-level tokenizer knows.
WORDS = (
    "a",
    "an",
    "the",
    "of",
    "in",
    "with",
    "red",
    "blue",
    "owl",
    "apple",
    "car",
    "forest",
    "two",
)


def pictures(n: int, side: int = 48, seed: int = 0) -> list[Image.Image]:
    """Pictures of noise, each its own."""
    draw = np.random.default_rng(seed)
    return [
        Image.fromarray(draw.integers(0, 256, (side, side, 3), dtype=np.uint8)) for _ in range(n)
    ]


def config(vocabulary: int, context: int, hf: bool, width: int = 32) -> dict[str, Any]:
    """What open_clip_config.json says of a model with one layer a tower."""
    text: dict[str, Any] = {
        "context_length": context,
        "vocab_size": vocabulary,
        "width": 32,
        "heads": 2,
        "layers": 1,
    }
    if hf:
        text |= {"hf_tokenizer_name": "words"}
    return {
        "model_cfg": {
            "embed_dim": 16,
            "vision_cfg": {
                "image_size": 32,
                "layers": 1,
                "width": width,
                "head_width": 16,
                "patch_size": 8,
            },
            "text_cfg": text,
        },
        "preprocess_cfg": {
            "mean": [0.5, 0.5, 0.5],
            "std": [0.25, 0.25, 0.25],
            "interpolation": "bicubic",
            "resize_mode": "squash",
        },
    }


def save_words(folder: Path, words: Sequence[str]) -> int:
    """A word-level tokenizer; the mark of the end has the highest id, where open_clip looks."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    ids = {word: i for i, word in enumerate(["<pad>", "<unk>", *words, "<start>", "<end>"])}
    inner = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(
        single="<start> $A <end>",
        special_tokens=[("<start>", ids["<start>"]), ("<end>", ids["<end>"])],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token="<start>",
        eos_token="<end>",
    ).save_pretrained(folder)
    return len(ids)


def save_folder(
    folder: Path,
    *,
    words: Sequence[str] | None = WORDS,
    context: int = 8,
    seed: int = 0,
    threshold: float | None = None,
) -> Path:
    """A folder that open_clip loads as ``local-dir:``; ``words`` None takes its own tokenizer."""
    torchvision_hook.install()
    import open_clip
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = 49408 if words is None else save_words(folder, words)
    declared = config(vocabulary, context, words is not None)
    (folder / "open_clip_config.json").write_text(json.dumps(declared))
    torch.manual_seed(seed)
    model = open_clip.CLIP(**declared["model_cfg"])
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    if threshold is not None:
        known = {"false_rejections": 0.02, "clip_threshold": threshold}
        (folder / "calibration.json").write_text(json.dumps(known))
    return folder


def know(name: str, declared: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make open_clip know a model during a test; ``declared`` as in open_clip_config.json."""
    torchvision_hook.install()
    from open_clip import factory

    monkeypatch.setitem(factory._MODEL_CONFIGS, name, declared["model_cfg"])


def add_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make open_clip know the model ``Tiny-8`` during a test; a checkpoint of it."""
    saved = save_folder(folder / "tiny", words=None, context=16)
    know("Tiny-8", json.loads((saved / "open_clip_config.json").read_text()), monkeypatch)
    return saved / "open_clip_model.safetensors"


def as_pickle(checkpoint: Path) -> Path:
    """The same weights as training in torch saves them."""
    import torch
    from safetensors.torch import load_file

    path = checkpoint.with_suffix(".pt")
    torch.save({"state_dict": load_file(checkpoint), "epoch": 1}, path)
    return path
