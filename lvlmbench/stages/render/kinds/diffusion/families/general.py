"""Any other pipeline from text to images: it is given the text and gives images."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.decoding import images_of, not_a_number
from lvlmbench.stages.render.kinds.diffusion.families.family import (
    Encoded,
    check_noise,
    generators_of,
    refusing,
)

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Tokenizers without a limit say a huge number.
_NO_LIMIT = 1 << 20


class General:
    """Drives a pipeline that is only known to take a prompt.

    Arguments that it does not take are left out. It encodes and decodes by itself: nothing is
    done in advance, and what its text encoders cut off is counted. "Latents" are its finished
    images, 8-bit values (n, size, size, 3).
    """

    decodes_beside = True

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        self._pipeline, self._settings = loaded.pipeline, settings
        self._dtype = loaded.place.dtype
        self._pipeline.set_progress_bar_config(disable=True)
        self._takes = inspect.signature(self._pipeline.__call__).parameters
        self.reads_negative = "negative_prompt" in self._takes and settings.guidance > 1
        scheduler = getattr(self._pipeline, "scheduler", None)
        if scheduler is not None:
            check_noise(scheduler, hasattr(self._pipeline, "prepare_extra_step_kwargs"))

    def _tokenizers(self) -> list[Any]:
        parts = self._pipeline.components
        found = [parts[name] for name in sorted(parts) if name.startswith("tokenizer")]
        return [t for t in found if callable(t) and hasattr(t, "model_max_length")]

    def _limit(self, tokenizer: Any) -> int:
        """Tokens that are read, special ones among them."""
        own = getattr(self._takes.get("max_sequence_length"), "default", None)
        return min(int(tokenizer.model_max_length), own if isinstance(own, int) else _NO_LIMIT)

    def _measure(self, text: str) -> tuple[int, int]:
        """Tokens in the first tokenizer, and how many of the text no tokenizer lets through."""
        tokens, cuts = 0, list[int]()
        for tokenizer in self._tokenizers():
            ids = tokenizer(text, truncation=False, verbose=False)["input_ids"]
            special = len(tokenizer("", truncation=False)["input_ids"])
            tokens = tokens if cuts else len(ids) - special
            cuts.append(max(0, len(ids) - self._limit(tokenizer)))
        return tokens, min(cuts, default=0)

    def encode(self, prompts: Sequence[tuple[str, str]]) -> list[Encoded]:
        """Only counts tokens."""
        encoded = []
        for prompt, negative in prompts:
            used = negative if self.reads_negative else ""
            tokens, cut = self._measure(prompt)
            cut += self._measure(used)[1]
            encoded.append(Encoded({}, bool(used), tokens, 1, cut, (prompt, used)))
        return encoded

    def release_encoders(self) -> None:
        """Nothing: the pipeline needs them for each batch."""

    def denoise(self, batch: Sequence[Encoded], seeds: Sequence[int], size: int) -> Tensor:
        """Finished images (n, size, size, 3), 8 bits; see :class:`Family`."""
        import numpy as np
        import torch

        wanted = {
            "prompt": [encoded.texts[0] for encoded in batch],
            "generator": generators_of(seeds),
            "num_inference_steps": self._settings.steps,
            "guidance_scale": self._settings.guidance,
            "height": size,
            "width": size,
            "output_type": "pil",
        }
        if batch[0].texts[1]:
            wanted["negative_prompt"] = [encoded.texts[1] for encoded in batch]
        with torch.inference_mode(), refusing():
            arguments = {name: v for name, v in wanted.items() if name in self._takes}
            images = self._pipeline(**arguments).images
        arrays = [np.asarray(_fitted(image, size)) for image in images]
        # The pipeline itself turns NaN into black; no picture is black in every pixel.
        if not all(array.any() for array in arrays):
            raise not_a_number(self._dtype)
        return torch.from_numpy(np.stack(arrays))

    def decode(self, latents: Tensor) -> list[Image.Image]:
        """The images as they are."""
        return images_of(latents)


def _fitted(image: Image.Image, size: int) -> Image.Image:
    """The image in RGB and `size`: some pipelines know only sizes of their own."""
    from PIL import Image

    colored = image.convert("RGB")
    if colored.size == (size, size):
        return colored
    return colored.resize((size, size), Image.Resampling.LANCZOS)
