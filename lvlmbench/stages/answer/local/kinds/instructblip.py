"""InstructBLIP, on Vicuna or Flan-T5: the prompt is the instruction, for the Q-Former too."""

from __future__ import annotations

from lvlmbench.stages.answer.local.format import FORMATS


@FORMATS.register(
    "instructblip", label="InstructBLIP", place=6, model_types=("instructblip",), needs_image=True
)
def instructblip(prompt: str, image: str) -> str:
    """Source: transformers, ``InstructBlipForConditionalGeneration``."""
    return prompt
