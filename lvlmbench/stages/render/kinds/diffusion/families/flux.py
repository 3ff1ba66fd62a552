"""FLUX: T5 for the sequence, CLIP for one vector; guidance is an input of the model."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.encoders import T5, Clip
from lvlmbench.stages.render.kinds.diffusion.families.family import Measure, OnEmbeddings

if TYPE_CHECKING:
    from torch import Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Tokens that T5 reads: as many as the weights were trained with. Those without embedded guidance
#: (schnell) were trained with fewer, and longer texts get more all the same.
_LENGTHS = (512,)
_LENGTHS_WITHOUT_GUIDANCE = (256, 512)


class Flux(OnEmbeddings):
    """Drives a ``FluxPipeline``. It knows no negative prompts: they have no influence."""

    _hands_generators_on = False

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        super().__init__(loaded, settings)
        own = loaded.pipeline
        self._clip = Clip(own.tokenizer, own.text_encoder, penultimate=False)
        self._t5 = T5(own.tokenizer_2, own.text_encoder_2)
        embedded = own.transformer.config.guidance_embeds
        self._lengths = _LENGTHS if embedded else _LENGTHS_WITHOUT_GUIDANCE

    def _encoders(self) -> list[Any]:
        return [self._clip.model, self._t5.model]

    def _guides(self) -> bool:
        return False

    def _multiple(self) -> int:
        return super()._multiple() * 2

    def _measure(self, text: str) -> Measure:
        return Measure(self._t5.tokens(text), 1, *self._t5.length(text, self._lengths))

    def _embed(self, texts: Sequence[str], chunks: int, length: int) -> dict[str, Tensor]:
        return {
            "prompt_embeds": self._t5.embed(texts, length),
            "pooled_prompt_embeds": self._clip.embed(texts, 1)[1],
        }

    def _latents(self, tensors: dict[str, Tensor], common: dict[str, Any]) -> Tensor:
        return _unpacked(super()._latents(tensors, common))


def _unpacked(latents: Tensor) -> Tensor:
    """Latents (n, channels, side, side) from patches (n, (side / 2)^2, 4 * channels)."""
    n, patches, channels = latents.shape
    side = isqrt(patches)
    unfolded = latents.view(n, side, side, channels // 4, 2, 2).permute(0, 3, 1, 4, 2, 5)
    return unfolded.reshape(n, channels // 4, 2 * side, 2 * side)
