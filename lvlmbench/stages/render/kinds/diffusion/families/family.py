"""What all families share: encoded prompts, one generator an image, checks of size and noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.decoding import Decoder, checked
from lvlmbench.stages.render.kinds.diffusion.encoders import Kept

if TYPE_CHECKING:
    from PIL import Image
    from torch import Generator, Tensor

    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Texts encoded at once, unless one at a time.
_TEXTS_AT_ONCE = 16

#: Embeddings kept for texts that come again (negative prompts, further attempts), in bytes.
_KEPT = 1 << 30


@dataclass(frozen=True)
class Encoded:
    """A prompt and its negative prompt, as the denoiser takes them.

    Attributes
    ----------
    tensors
        Embeddings by name, each (1, ...), in the machine's memory. Prompts with the same negative
        prompt may share its tensors: not to be written to.
    group
        Prompts of the same group have embeddings of the same shapes, so that they can be denoised
        as a batch.
    tokens
        Length of the prompt in the text encoder whose sequence the denoiser reads, or the first
        of them, without begin and end.
    chunks
        Pieces that it was encoded in.
    cut
        Tokens of prompt and negative prompt beyond what the pipeline's encoders can read.
    texts
        Prompt and negative prompt, for families that hand the text itself to the pipeline.
    """

    tensors: dict[str, Tensor]
    group: Hashable
    tokens: int
    chunks: int
    cut: int
    texts: tuple[str, str] = field(repr=False, default=("", ""))


class Family(Protocol):
    """Drives pipelines of one kind.

    ``encode`` and ``denoise`` are for one thread, ``decode`` for the same or another one.

    Attributes
    ----------
    decodes_beside
        Whether one thread may decode while another denoises; not with offloading, which moves
        weights about.
    reads_negative
        Whether negative prompts have any influence.
    """

    decodes_beside: bool
    reads_negative: bool

    def encode(self, prompts: Sequence[tuple[str, str]]) -> list[Encoded]:
        """Encodes pairs of prompt and negative prompt; each distinct text once.

        With ``exact`` one text at a time, so that nothing of it depends on the others.
        """
        ...

    def release_encoders(self) -> None:
        """Moves the text encoders to the machine's memory; the next new text brings them back."""
        ...

    def denoise(self, batch: Sequence[Encoded], seeds: Sequence[int], size: int) -> Tensor:
        """Final latents (n, ...) of prompts of one group; they are computed when it returns.

        All noise of an image comes from a generator of its own, seeded with its seed.

        Raises
        ------
        UserError
            `size` does not suit the pipeline, or it gave NaN.
        """
        ...

    def decode(self, latents: Tensor) -> list[Image.Image]:
        """RGB images of latents, on the calling thread's current stream.

        Raises
        ------
        UserError
            The pipeline gave NaN.
        """
        ...


def generators_of(seeds: Sequence[int]) -> list[Generator]:
    """One generator an image. They are the CPU's, whose numbers are the same on every device."""
    import torch

    return [torch.Generator("cpu").manual_seed(seed) for seed in seeds]


def check_noise(scheduler: Any, hands_generators_on: bool) -> None:
    """Whether the noise of each step comes from the generators that the pipeline is given.

    Raises
    ------
    UserError
        It comes from the library's global state: an image could not be drawn again.
    """
    config = scheduler.config
    draws = (
        any(word in type(scheduler).__name__ for word in ("Ancestral", "LCM"))
        or str(config.get("algorithm_type", "")).startswith("sde")
        or bool(config.get("stochastic_sampling", False))
    )
    if hasattr(scheduler, "noise_sampler") or (draws and not hands_generators_on):
        raise UserError(
            "render.diffusion.scheduler",
            f"with {type(scheduler).__name__} this pipeline draws noise that no seed determines",
            "choose another one, e.g. euler",
        )


@contextmanager
def refusing() -> Iterator[None]:
    """For a block that runs a pipeline, which finds out by itself what it cannot be asked for.

    Raises
    ------
    UserError
        The pipeline or its scheduler cannot draw with these parameters.
    """
    from lvlmbench.core.checkpoints import reason

    try:
        yield
    except (IndexError, ValueError) as error:
        what = f"the pipeline cannot draw with these parameters ({reason(error)})"
        fix = "take another render.size, scheduler or number of steps"
        raise UserError("render.diffusion", what, fix) from error


def check_size(size: int, multiple: int) -> None:
    """Whether a pipeline can draw images of `size` pixels a side.

    Raises
    ------
    UserError
        It is not a multiple of what one unit of the latents stands for.
    """
    if size % multiple:
        down = size - size % multiple
        raise UserError(
            "render.size",
            f"{size} is not a multiple of {multiple}, which this pipeline needs",
            f"write {down or multiple} or {down + multiple}",
        )


class Text(NamedTuple):
    """A text to be encoded, and how long its embedding is to be.

    Attributes
    ----------
    chunks
        Pieces for CLIP encoders.
    length
        Tokens for a T5 encoder; 0 where there is none.
    """

    words: str
    negative: bool
    chunks: int
    length: int


class Measure(NamedTuple):
    """How long a text is: see :class:`Encoded` and :class:`Text`."""

    tokens: int
    chunks: int
    length: int = 0
    cut: int = 0


def _negative_name(name: str) -> str:
    """Argument of the pipeline for a negative prompt, from that for a prompt."""
    part, slash, argument = name.rpartition("/")
    return f"{part}{slash}negative_{argument}"


class OnEmbeddings(ABC):
    """A family whose pipeline takes embeddings and gives latents.

    A family says how long a text is (``_measure``), encodes texts of one length (``_embed``),
    names its text encoders, and runs the pipeline (``_latents``). Names of tensors are arguments
    of the pipeline; those of a negative prompt begin with ``negative_``.
    """

    #: Whether the pipeline hands the generators on to the scheduler.
    _hands_generators_on = True
    #: Whether the VAE is to decode in float32 if the pipeline computes in float16.
    _upcast = False

    def __init__(self, loaded: Loaded, settings: Diffusion) -> None:
        self._pipeline, self._settings = loaded.pipeline, settings
        self._device, self._dtype = loaded.place.device, loaded.place.dtype
        self._offloads = settings.offload != "none"
        self.decodes_beside = not self._offloads
        self.reads_negative = self._guides()
        self._kept = Kept(_KEPT)
        check_noise(self._pipeline.scheduler, self._hands_generators_on)
        self._pipeline.set_progress_bar_config(disable=True)
        self._decoder = Decoder(self._vae(), self._dtype, upcast=self._upcast)

    @abstractmethod
    def _encoders(self) -> list[Any]:
        """The modules of the text encoders."""

    @abstractmethod
    def _measure(self, text: str) -> Measure:
        """How long a text is."""

    @abstractmethod
    def _embed(self, texts: Sequence[str], chunks: int, length: int) -> dict[str, Tensor]:
        """Embeddings (n, ...) by argument of the pipeline."""

    def _emptied(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        """What stands for an empty negative prompt, from its embeddings."""
        return tensors

    def _guides(self) -> bool:
        """Whether the pipeline runs the negative prompt beside the prompt."""
        return self._settings.guidance > 1

    def _multiple(self) -> int:
        """Sizes must be a multiple of this, in pixels."""
        return int(self._pipeline.vae_scale_factor)

    def _vae(self) -> Any:
        return self._pipeline.vae

    def _latents(self, tensors: dict[str, Tensor], common: dict[str, Any]) -> Tensor:
        """Runs the pipeline; `common` are the arguments that all pipelines take."""
        latents: Tensor = self._pipeline(**tensors, **common)[0]
        return latents

    def encode(self, prompts: Sequence[tuple[str, str]]) -> list[Encoded]:
        """See :class:`Family`."""
        plans = [self._plan(*pair) for pair in prompts]
        known = self._embedded([text for texts, _ in plans for text in texts])
        encoded = []
        for pair, (texts, measure) in zip(prompts, plans, strict=True):
            tensors = {k: v for text in texts for k, v in known[text].items()}
            group = (texts[0].chunks, texts[0].length)
            tokens, chunks, _, cut = measure
            encoded.append(Encoded(tensors, group, tokens, chunks, cut, pair))
        return encoded

    def _plan(self, prompt: str, negative: str) -> tuple[list[Text], Measure]:
        """The texts of a pair, of one length, and the length of the prompt."""
        own = self._measure(prompt)
        if not self.reads_negative:
            return [Text(prompt, False, own.chunks, own.length)], own
        other = self._measure(negative)
        chunks, length = max(own.chunks, other.chunks), max(own.length, other.length)
        texts = [Text(prompt, False, chunks, length), Text(negative, True, chunks, length)]
        return texts, own._replace(cut=own.cut + other.cut)

    def _embedded(self, texts: Sequence[Text]) -> dict[Text, dict[str, Tensor]]:
        """Embeddings of texts, each (1, ...), from what is kept or from the encoders."""
        found, missing = {}, defaultdict(list)
        for text in dict.fromkeys(texts):
            tensors = self._kept.get(text)
            if tensors is None:
                missing[text.chunks, text.length].append(text)
            else:
                found[text] = tensors
        if missing:
            self._bring_encoders()
        at_once = 1 if self._settings.exact else _TEXTS_AT_ONCE
        for (chunks, length), wanted in missing.items():
            for start in range(0, len(wanted), at_once):
                part = wanted[start : start + at_once]
                rows = self._rows([text.words for text in part], chunks, length)
                for text, tensors in zip(part, rows, strict=True):
                    found[text] = self._named(text, tensors)
                    self._kept.put(text, found[text])
        return found

    def _rows(self, words: Sequence[str], chunks: int, length: int) -> list[dict[str, Tensor]]:
        import torch

        with torch.inference_mode():
            stacked = self._embed(words, chunks, length)
        # All at once to the machine's memory, and each its own there.
        moved = {name: tensor.cpu() for name, tensor in stacked.items()}
        return [{n: t[i : i + 1].clone() for n, t in moved.items()} for i in range(len(words))]

    def _named(self, text: Text, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        if not text.negative:
            return tensors
        if not text.words:
            tensors = self._emptied(tensors)
        return {_negative_name(name): tensor for name, tensor in tensors.items()}

    def _bring_encoders(self) -> None:
        if not self._offloads:
            for module in self._encoders():
                module.to(self._device)

    def release_encoders(self) -> None:
        """See :class:`Family`."""
        import torch

        # With offloading they are on the GPU only while they encode.
        if self._device == "cpu" or self._offloads:
            return
        for module in self._encoders():
            module.to("cpu")
        torch.cuda.empty_cache()

    def denoise(self, batch: Sequence[Encoded], seeds: Sequence[int], size: int) -> Tensor:
        """See :class:`Family`."""
        import torch

        check_size(size, self._multiple())
        with torch.inference_mode():
            tensors = {
                name: torch.cat([e.tensors[name] for e in batch]).to(self._device)
                for name in batch[0].tensors
            }
            common = {
                "generator": generators_of(seeds),
                "num_inference_steps": self._settings.steps,
                "guidance_scale": self._settings.guidance,
                "height": size,
                "width": size,
                "output_type": "latent",
                "return_dict": False,
            }
            with refusing():
                latents = self._latents(tensors, common)
            return checked(latents, self._dtype)

    def decode(self, latents: Tensor) -> list[Image.Image]:
        """See :class:`Family`."""
        images = self._decoder.images(latents)
        if self._offloads:
            self._pipeline.maybe_free_model_hooks()
        return images
