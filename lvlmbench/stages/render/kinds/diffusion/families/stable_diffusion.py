"""Stable Diffusion 1.x and 2.x: one CLIP encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.encoders import Clip
from lvlmbench.stages.render.kinds.diffusion.families.family import Measure, OnEmbeddings

if TYPE_CHECKING:
    from torch import Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion


class StableDiffusion(OnEmbeddings):
    """Drives a ``StableDiffusionPipeline``; a safety checker that it has is not asked."""

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        super().__init__(loaded, settings)
        pipeline = loaded.pipeline
        self._clip = Clip(pipeline.tokenizer, pipeline.text_encoder, penultimate=False)

    def _encoders(self) -> list[Any]:
        return [self._clip.model]

    def _guides(self) -> bool:
        # Distilled models take the scale as an input and draw without guidance.
        return super()._guides() and self._pipeline.unet.config.time_cond_proj_dim is None

    def _measure(self, text: str) -> Measure:
        return Measure(self._clip.tokens(text), self._clip.chunks(text))

    def _embed(self, texts: Sequence[str], chunks: int, length: int) -> dict[str, Tensor]:
        return {"prompt_embeds": self._clip.embed(texts, chunks)[0]}
