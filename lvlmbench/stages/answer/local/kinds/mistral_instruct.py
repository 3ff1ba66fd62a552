"""LLaVA-NeXT on Mistral-7B-Instruct."""

from __future__ import annotations

from typing import Any

from lvlmbench.stages.answer.local.format import FORMATS


def _mistral(config: Any) -> bool:
    return bool(config.get_text_config().model_type == "mistral")


@FORMATS.register(
    "mistral_instruct",
    label="LLaVA-NeXT on Mistral",
    place=3,
    model_types=("llava_next",),
    trained=_mistral,
    mark="<image>\n",
)
def mistral_instruct(prompt: str, image: str) -> str:
    """Source: transformers, ``LlavaNextForConditionalGeneration``."""
    return f"[INST] {image}{prompt} [/INST]"
