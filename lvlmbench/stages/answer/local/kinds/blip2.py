"""BLIP-2, on OPT or Flan-T5: a question and its answer."""

from __future__ import annotations

from lvlmbench.stages.answer.local.format import FORMATS


@FORMATS.register("blip2", label="BLIP-2", place=5, model_types=("blip-2",), needs_image=True)
def blip2(prompt: str, image: str) -> str:
    """Source: transformers, ``Blip2ForConditionalGeneration``; the BLIP-2 paper, 4.1."""
    return f"Question: {prompt} Answer:"
