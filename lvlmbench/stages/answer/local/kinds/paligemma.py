"""PaliGemma: the task ``answer`` in English; its processor adds ``<bos>`` and the last new line."""

from __future__ import annotations

from lvlmbench.stages.answer.local.format import FORMATS


@FORMATS.register(
    "paligemma",
    label="PaliGemma",
    place=7,
    model_types=("paligemma",),
    mark="<image>",
    needs_image=True,
)
def paligemma(prompt: str, image: str) -> str:
    """Source: big_vision, README of PaliGemma; transformers, ``PaliGemmaProcessor``."""
    return f"{image}answer en {prompt}"
