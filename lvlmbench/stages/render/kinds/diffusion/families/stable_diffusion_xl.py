"""Stable Diffusion XL: two CLIP encoders, and a refiner that may end the denoising."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.encoders import Clip
from lvlmbench.stages.render.kinds.diffusion.families.family import (
    Measure,
    OnEmbeddings,
    check_noise,
)

if TYPE_CHECKING:
    from torch import Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Begins the names of tensors that are for the refiner.
_REFINER = "refiner/"


def _clips(pipeline: Any) -> list[Clip]:
    """The encoders of a pipeline, in order; a refiner has the second one alone."""
    pairs = [
        (pipeline.tokenizer, pipeline.text_encoder),
        (pipeline.tokenizer_2, pipeline.text_encoder_2),
    ]
    return [Clip(t, m, penultimate=True) for t, m in pairs if m is not None]


def _joined(parts: Sequence[tuple[Tensor, Tensor]]) -> dict[str, Tensor]:
    """Arguments of a pipeline, from hidden states and pooled embedding of each encoder."""
    import torch

    return {
        "prompt_embeds": torch.cat([hidden for hidden, _ in parts], dim=-1),
        # The last encoder has the projection that the denoiser was trained with.
        "pooled_prompt_embeds": parts[-1][1],
    }


class StableDiffusionXL(OnEmbeddings):
    """Drives a ``StableDiffusionXLPipeline``, with a refiner or without.

    The base ends at the share ``refiner.start`` of the denoising and hands its latents, and the
    generators as it left them, to the refiner, which has embeddings of its own.
    """

    _upcast = True

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        self._refiner = loaded.refiner
        super().__init__(loaded, settings)
        self._clips = _clips(loaded.pipeline)
        self._refiner_clips: list[Clip] = []
        if self._refiner is not None:
            check_noise(self._refiner.scheduler, hands_generators_on=True)
            self._refiner.set_progress_bar_config(disable=True)
            self._refiner_clips = _clips(self._refiner)

    def _vae(self) -> Any:
        own = None if self._refiner is None else self._refiner.vae
        return self._pipeline.vae if own is None else own

    def _encoders(self) -> list[Any]:
        return [clip.model for clip in (*self._clips, *self._refiner_clips)]

    def _guides(self) -> bool:
        # Distilled models take the scale as an input and draw without guidance.
        return super()._guides() and self._pipeline.unet.config.time_cond_proj_dim is None

    def _measure(self, text: str) -> Measure:
        chunks = max(clip.chunks(text) for clip in (*self._clips, *self._refiner_clips))
        return Measure(self._clips[0].tokens(text), chunks)

    def _embed(self, texts: Sequence[str], chunks: int, length: int) -> dict[str, Tensor]:
        # The refiner mostly has the base's second encoder: one run does for both.
        parts: dict[int, tuple[Tensor, Tensor]] = {}
        for clip in (*self._clips, *self._refiner_clips):
            if id(clip.model) not in parts:
                parts[id(clip.model)] = clip.embed(texts, chunks)
        tensors = _joined([parts[id(clip.model)] for clip in self._clips])
        if self._refiner_clips:
            own = _joined([parts[id(clip.model)] for clip in self._refiner_clips])
            tensors |= {f"{_REFINER}{name}": tensor for name, tensor in own.items()}
        return tensors

    def _emptied(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        def zero(name: str) -> bool:
            pipeline: Any = self._refiner if name.startswith(_REFINER) else self._pipeline
            return bool(pipeline.config.force_zeros_for_empty_prompt)

        return {n: t.new_zeros(t.shape) if zero(n) else t for n, t in tensors.items()}

    def _latents(self, tensors: dict[str, Tensor], common: dict[str, Any]) -> Tensor:
        own = {n: t for n, t in tensors.items() if not n.startswith(_REFINER)}
        if self._refiner is None:
            return super()._latents(own, common)
        assert self._settings.refiner is not None
        start = self._settings.refiner.start
        latents = super()._latents(own, common | {"denoising_end": start})
        rest = {n: v for n, v in common.items() if n not in ("height", "width")}
        theirs = {n.removeprefix(_REFINER): t for n, t in tensors.items() if n not in own}
        refined: Tensor = self._refiner(image=latents, **theirs, **rest, denoising_start=start)[0]
        return refined
