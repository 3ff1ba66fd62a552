"""Engine ``textdiffuser2``: weights of TextDiffuser-2 draw the images of text items.

A folder in the layout of a ``StableDiffusionPipeline`` of diffusers, whose text encoder knows the
tokens of layouts and letters (``layout_tokens.py``). It is loaded, sampled and decoded as the
main pipeline is. Its native size is 512 pixels; larger images are scaled up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, model_validator

from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.core.weights import check_folder
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES, DrawingEngine
from lvlmbench.stages.render.kinds.diffusion.text.layout_tokens import (
    Composed,
    compose,
    extend,
    negated,
)
from lvlmbench.stages.render.renderer import Attempt, Drawn, Making

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.stages.render.kinds.diffusion.families import Encoded
    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded

_WHERE = "render.diffusion.text"

#: Side, in pixels, that the weights were trained for.
NATIVE = 512

_KIND = "StableDiffusionPipeline"


def _own(params: Params) -> Params:
    """The parameters of the main pipeline, with these weights in its place.

    Raises
    ------
    UserError
        There is no such folder.
    """
    text = params.render.own(Diffusion).text
    model = str(text.of(text.made_by(_WHERE)).model)
    if not Path(model).expanduser().is_dir():
        fix = "give the folder of the weights of TextDiffuser-2, or write 'engine: composite'"
        raise UserError(f"{_WHERE}: model", f"there is no folder '{model}'", fix)
    settings = params.render.own(Diffusion).model_copy(
        update={
            "model": str(Path(model).expanduser()),
            "revision": None,
            "variant": None,
            "refiner": None,
            "compile": False,
        }
    )
    size = min(params.render.size, NATIVE)
    render = params.render.model_copy(update={"diffusion": settings, "size": size})
    return params.model_copy(update={"render": render})


def _loaded(params: Params) -> Loaded:
    """The pipeline, its tokenizer with the added tokens.

    Raises
    ------
    UserError
        It cannot be read or run here, or is not one of TextDiffuser-2.
    """
    from lvlmbench.stages.render.kinds.diffusion.loading import WHERE, load

    key = f"{_WHERE}: model"
    try:
        loaded = load(params)
    except UserError as error:
        where = error.where
        if where.startswith(f"{WHERE}: model"):
            where = key
        raise UserError(where, error.what, error.fix) from None
    pipeline, model = loaded.pipeline, params.render.own(Diffusion).model
    kind = type(pipeline).__name__
    if kind != _KIND:
        what = f"'{model}' is a {kind}, where TextDiffuser-2 is a {_KIND}"
        raise UserError(key, what, "give a folder with its weights")
    extend(pipeline.tokenizer, pipeline.text_encoder.config.vocab_size, key, model)
    return loaded


class TextDiffuser2:
    """Draws text items from their prompt and a layout of their word.

    Raises
    ------
    UserError
        The weights cannot be used.
    """

    name = "textdiffuser2"

    def __init__(self, params: Params) -> None:
        from lvlmbench.stages.render.kinds.diffusion.families import family_of

        own = _own(params)
        self._size, self._native = params.render.size, own.render.size
        self._exact = params.render.own(Diffusion).exact
        loaded = _loaded(own)
        self._pipeline, self._device = loaded.pipeline, loaded.place.device
        self._offloads = own.render.own(Diffusion).offload != "none"
        self._family = family_of(loaded, own.render.own(Diffusion))
        self.provenance: Mapping[str, Any] = loaded.provenance
        self.version = f"1 {loaded.version} size={self._native}"

    def draw(self, attempts: Sequence[Attempt]) -> Iterator[Drawn]:
        """Yield the images of these attempts; one by one with ``exact``, else together."""
        at_once = 1 if self._exact else max(len(attempts), 1)
        for start in range(0, len(attempts), at_once):
            part = attempts[start : start + at_once]
            encoded = [self._encoded(attempt) for attempt in part]
            seeds = [attempt.seed for attempt in part]
            latents = self._family.denoise(encoded, seeds, self._native)
            images = self._family.decode(latents)
            for attempt, each, image in zip(part, encoded, images, strict=True):
                yield Drawn(attempt, self._sized(image), self._making(each, len(part)))

    def _making(self, encoded: Encoded, batch: int) -> Making:
        return Making(
            method=self.name,
            prompt_tokens=encoded.tokens,
            prompt_chunks=1,
            prompt_tokens_cut=encoded.cut,
            exact=self._exact,
            batch=batch,
        )

    def _encoded(self, attempt: Attempt) -> Encoded:
        from lvlmbench.stages.render.kinds.diffusion.families import Encoded

        scene, tokenizer = attempt.scene, self._pipeline.tokenizer
        length = int(self._pipeline.text_encoder.config.max_position_embeddings)
        prompt = compose(tokenizer, str(scene["prompt"]), str(scene["text"]), length)
        tensors, cut = {"prompt_embeds": self._embedded(prompt)}, prompt.cut
        if self._family.reads_negative:
            negative = negated(tokenizer, str(scene["negative_prompt"] or ""), length)
            tensors["negative_prompt_embeds"] = self._embedded(negative)
            cut += negative.cut
        return Encoded(tensors, (1, length), prompt.tokens, 1, cut)

    def _embedded(self, prompt: Composed) -> Tensor:
        import torch

        # With offloading, the encoder's own hook brings it and what it reads to the GPU.
        device = "cpu" if self._offloads else self._device
        with torch.inference_mode():
            ids = torch.tensor([prompt.ids], device=device)
            found: Tensor = self._pipeline.text_encoder(ids)[0].cpu()
        return found

    def _sized(self, image: Image.Image) -> Image.Image:
        from PIL import Image

        if image.size == (self._size, self._size):
            return image
        return image.resize((self._size, self._size), Image.Resampling.LANCZOS)


class Settings(Section):
    """Where the weights lie."""

    model: str | None = Field(
        None, min_length=1, description="For textdiffuser2: the local folder of its weights."
    )

    @model_validator(mode="after")
    def _weights(self) -> Settings:
        if self.model is None:
            raise ValueError("textdiffuser2 needs 'model', the folder of its weights")
        return self


def check(settings: Settings, where: str) -> None:
    """Check that the folder is there."""
    check_folder(str(Path(str(settings.model)).expanduser()), f"{where}: model")


@TEXT_ENGINES.register(
    "textdiffuser2",
    place=3,
    label="TextDiffuser-2",
    settings=Settings,
    check=check,
    vocabulary=False,
)
def make(params: Params, vocabulary: Vocabulary) -> DrawingEngine:
    """Return the engine; load its weights, take a GPU where the parameters want one."""
    return TextDiffuser2(params)
