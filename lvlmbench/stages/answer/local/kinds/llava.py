"""LLaVA-1.5, as its model card in the package transformers writes it: no system text."""

from __future__ import annotations

from lvlmbench.stages.answer.local.format import FORMATS


@FORMATS.register("llava", label="LLaVA-1.5", place=1, model_types=("llava",), mark="<image>\n")
def llava(prompt: str, image: str) -> str:
    """Source: transformers, ``LlavaForConditionalGeneration``."""
    return f"USER: {image}{prompt} ASSISTANT:"
