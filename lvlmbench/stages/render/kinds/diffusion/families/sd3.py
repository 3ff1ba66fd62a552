"""Stable Diffusion 3.x: two CLIP encoders and T5, which may be absent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.encoders import T5, Clip
from lvlmbench.stages.render.kinds.diffusion.families.family import Measure, OnEmbeddings

if TYPE_CHECKING:
    from torch import Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Tokens that T5 reads: what the pipeline takes by default, and for longer texts its maximum.
_LENGTHS = (256, 512)


class StableDiffusion3(OnEmbeddings):
    """Drives a ``StableDiffusion3Pipeline``.

    The CLIP encoders read all of a prompt, piece by piece; what T5 does not read counts as cut.
    """

    _hands_generators_on = False

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        super().__init__(loaded, settings)
        own = loaded.pipeline
        self._clips = [
            Clip(own.tokenizer, own.text_encoder, penultimate=True),
            Clip(own.tokenizer_2, own.text_encoder_2, penultimate=True),
        ]
        has_t5 = own.text_encoder_3 is not None
        self._t5 = T5(own.tokenizer_3, own.text_encoder_3) if has_t5 else None

    def _encoders(self) -> list[Any]:
        clips = [clip.model for clip in self._clips]
        return clips if self._t5 is None else [*clips, self._t5.model]

    def _multiple(self) -> int:
        return super()._multiple() * int(self._pipeline.patch_size)

    def _measure(self, text: str) -> Measure:
        tokens = self._clips[0].tokens(text)
        chunks = max(clip.chunks(text) for clip in self._clips)
        length, cut = (_LENGTHS[0], 0) if self._t5 is None else self._t5.length(text, _LENGTHS)
        return Measure(tokens, chunks, length, cut)

    def _embed(self, texts: Sequence[str], chunks: int, length: int) -> dict[str, Tensor]:
        import torch

        parts = [clip.embed(texts, chunks) for clip in self._clips]
        clip = torch.cat([hidden for hidden, _ in parts], dim=-1)
        if self._t5 is None:
            width = self._pipeline.transformer.config.joint_attention_dim
            t5 = clip.new_zeros((len(texts), length, width))
        else:
            t5 = self._t5.embed(texts, length)
        clip = torch.nn.functional.pad(clip, (0, t5.shape[-1] - clip.shape[-1]))
        return {
            "prompt_embeds": torch.cat([clip, t5], dim=-2),
            "pooled_prompt_embeds": torch.cat([pooled for _, pooled in parts], dim=-1),
        }
