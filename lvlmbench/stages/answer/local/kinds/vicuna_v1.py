"""LLaVA's own conversation ``vicuna_v1``: Vicuna's system text stands in front."""

from __future__ import annotations

from typing import Any

from lvlmbench.stages.answer.local.format import FORMATS

_SYSTEM = (
    "A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions."
)


def _vicuna(config: Any) -> bool:
    """LLaVA-NeXT on Vicuna: a LLaMA with the 32,000 words of the first two generations."""
    text = config.get_text_config()
    return bool(
        config.model_type == "llava_next"
        and text.model_type == "llama"
        and text.vocab_size < 33_000
    )


@FORMATS.register(
    "vicuna_v1",
    label="LLaVA on Vicuna, with system text",
    place=2,
    model_types=("llava", "llava_next"),
    trained=_vicuna,
    mark="<image>\n",
)
def vicuna_v1(prompt: str, image: str) -> str:
    """Source: LLaVA, ``llava/conversation.py``."""
    return f"{_SYSTEM} USER: {image}{prompt} ASSISTANT:"
