"""Asking a loaded vision-language model: a batch of items in, a reply each out, greedily."""

from __future__ import annotations

import inspect
import io
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

from PIL import Image

from lvlmbench.core.decoding import picture_of
from lvlmbench.core.registry import GPU_THREADS
from lvlmbench.stages.answer import reasoning
from lvlmbench.stages.answer.engine import CUT_OFF, Item, Reply
from lvlmbench.stages.answer.local.letters import Letters, Watch
from lvlmbench.stages.answer.local.limits import OwnLimits
from lvlmbench.stages.answer.local.loading import Loaded, is_encoder_decoder

#: What is taken over from a model's own generation settings: which tokens mean what.
_TOKENS = (
    "bos_token_id",
    "eos_token_id",
    "decoder_start_token_id",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "suppress_tokens",
    "begin_suppress_tokens",
)


class Unreadable(Exception):
    """The image of an item cannot be decoded."""


def _size(image: bytes) -> tuple[int, int] | None:
    """Width and height by the file's header; None if it has none."""
    try:
        with Image.open(io.BytesIO(image)) as file:
            return file.size
    except Exception:  # decoders raise whatever their format's code runs into
        return None


def _decoded(image: bytes) -> Image.Image:
    found = picture_of(image)
    if found is None:
        raise Unreadable("the image cannot be read")
    return found


def _speakers(model: Any) -> list[Any]:
    """The model, and before it the language model in it where it leaves speaking to that."""
    from transformers import GenerationMixin

    if type(model).generate is GenerationMixin.generate:
        return [model]
    inner = (getattr(model, name, None) for name in ("language_model", "text_model"))
    return [*(part for part in inner if isinstance(part, GenerationMixin)), model]


class Asker:
    """What turns items into tokens and tokens into replies.

    Parameters
    ----------
    loaded
        Model and processor.
    max_tokens
        Most tokens of an answer.
    logprobs
        Whether the probabilities of the options' letters are kept.
    reasoning_tokens
        Most tokens of a thought in front of the answer; None: it counts as part of the answer.
    """

    def __init__(
        self, loaded: Loaded, max_tokens: int, logprobs: bool, reasoning_tokens: int | None = None
    ) -> None:
        self._limits = None if reasoning_tokens is None else (max_tokens, reasoning_tokens)
        self._model, self._processor, self._place = loaded.model, loaded.processor, loaded.place
        self._prompting = loaded.prompting
        self._tokenizer: Any = loaded.processor.tokenizer
        self._letters = Letters.of(self._tokenizer) if logprobs else None
        self._generation = self._greedy(max_tokens + (reasoning_tokens or 0))
        self._image_tokens: dict[tuple[int, int], int] = {}

    def _greedy(self, max_tokens: int) -> Any:
        """Settings that leave nothing to the model but which tokens mean what.

        What ``generate`` is not told it takes from the model's own, which they therefore replace:
        those of the whole, and those of the language model in it, which some leave the work to.
        """
        import transformers

        settings: Any = transformers.GenerationConfig
        speakers = _speakers(self._model)
        theirs = [part.generation_config for part in speakers]
        own: dict[str, Any] = {}
        for name in _TOKENS:
            said = (getattr(config, name, None) for config in theirs)
            own[name] = next((tokens for tokens in said if tokens is not None), None)
        ends = {self._tokenizer.eos_token_id} - {None}
        for config in theirs:
            found = config.eos_token_id
            ends |= {found} if isinstance(found, int) else set(found or ())
        greedy = settings(
            **(own | {"eos_token_id": sorted(ends)}),
            pad_token_id=self._tokenizer.pad_token_id,
            do_sample=False,
            num_beams=1,
            max_new_tokens=max_tokens,
        )
        for part in speakers:
            part.generation_config = greedy
        return greedy

    @property
    def context(self) -> int | None:
        """Return most tokens that the model reads; None where it does not say."""
        config = self._model.config
        readers = [config.get_text_config(decoder=True), getattr(config, "qformer_config", None)]
        if not hasattr(self._processor, "qformer_tokenizer"):
            del readers[1]  # it reads the image alone
        most = [getattr(reader, "max_position_embeddings", None) for reader in readers]
        return min((n for n in most if n is not None), default=None)

    @property
    def way(self) -> str:
        """Return what a prompt is put by, as a message calls it."""
        return self._prompting.name

    def lengths(self, items: Sequence[Item]) -> list[int]:
        """Return tokens of each item's prompt, its image's among them.

        An image's tokens depend on its size alone, so one of each size is decoded; of the others
        the header is read. An image that cannot be read counts nothing.
        """
        found = self._prompting.lengths([item.prompt for item in items])
        return [n + self._tokens_of(item.image) for n, item in zip(found, items, strict=True)]

    def _picture(self, image: bytes | None) -> Image.Image | None:
        return self._prompting.stand_in if image is None else _decoded(image)

    def _pictures(self, items: Sequence[Item]) -> list[Image.Image | None]:
        """The images of a batch, decoded beside each other: a GPU would wait for them longer than
        it takes to answer."""
        with ThreadPoolExecutor(GPU_THREADS) as pool:
            return list(pool.map(self._picture, [item.image for item in items]))

    def _tokens_of(self, image: bytes | None) -> int:
        stand_in = self._prompting.stand_in
        size = _size(image) if image is not None else stand_in.size if stand_in else None
        if size is None:
            return 0
        if size not in self._image_tokens:
            try:
                with_it = self._inputs([""], [self._picture(image)])["input_ids"].shape[1]
            except Exception:  # of this image; it is told when the item is asked
                return 0
            self._image_tokens[size] = with_it - self._prompting.lengths([""])[0]
        return self._image_tokens[size]

    def _inputs(self, prompts: Sequence[str], pictures: Sequence[Image.Image | None]) -> Any:
        made = self._prompting.inputs(prompts, pictures)
        if not self._takes_token_types:
            made.pop("token_type_ids", None)
        return made

    @cached_property
    def _takes_token_types(self) -> bool:
        return "token_type_ids" in inspect.signature(self._model.forward).parameters

    def ask(self, items: Sequence[Item]) -> list[Reply]:
        """Return a reply for each item, in their order; all have an image or none has.

        Raises
        ------
        Unreadable
            An image cannot be decoded.
        Exception
            Whatever the model's code raises, ``torch.OutOfMemoryError`` among others.
        """
        import torch

        pictures = self._pictures(items)
        made = self._inputs([item.prompt for item in items], pictures)
        dtype = getattr(torch, self._place.dtype)
        inputs = {
            name: tensor.to(self._place.device, dtype if tensor.is_floating_point() else None)
            for name, tensor in made.items()
        }
        watch = Watch(self._letters) if self._letters else None
        limits = OwnLimits(self._tokenizer, *self._limits) if self._limits else None
        with torch.inference_mode():
            output = self._model.generate(
                **inputs,
                generation_config=self._generation,
                logits_processor=[watch] if watch else None,
                stopping_criteria=[limits] if limits else None,
            )
        cut = limits.cut if limits else {}
        read = inputs["attention_mask"].sum(dim=1).tolist()
        replies = []
        for i, row in enumerate(self._generated(output, inputs["input_ids"], cut)):
            n = len(items[i].options)
            likely = watch.of(i, row, n) if watch and n else None
            replies.append(self._reply(row, read[i], likely))
        return replies

    def _generated(self, output: Any, prompts: Any, cut: Mapping[int, int]) -> list[list[int]]:
        """The tokens of each answer, up to the one that ends it, or to where it was ``cut``."""
        import torch

        n = prompts.shape[1]
        if is_encoder_decoder(self._model.config):
            output = output[:, 1:]  # what its decoder starts with
        elif output.shape[1] >= n and torch.equal(output[:, :n], prompts):
            output = output[:, n:]
        rows: list[list[int]] = output.tolist()
        rows = [row[: cut.get(i, len(row))] for i, row in enumerate(rows)]
        return [row[: self._end(row)] for row in rows]

    def _end(self, row: Sequence[int]) -> int:
        ends = self._generation.eos_token_id
        return next((i + 1 for i, token in enumerate(row) if token in ends), len(row))

    def _reply(self, row: list[int], read: int, likely: tuple[float | None, ...] | None) -> Reply:
        ended = bool(row) and row[-1] in self._generation.eos_token_id
        said = row[:-1] if ended else row
        thought, text = self._read(said)
        return Reply(
            text=text,
            status="answered",
            reasoning=thought,
            finish_reason="stop" if ended else CUT_OFF,
            prompt_tokens=read,
            completion_tokens=len(row),
            cost_usd=0.0,
            logprobs=likely,
        )

    def _read(self, said: list[int]) -> tuple[str | None, str]:
        """Thought and answer. Think tags may be special tokens, which the plain text lacks."""
        full: str = self._tokenizer.decode(said, skip_special_tokens=False)
        plain: str = self._tokenizer.decode(said, skip_special_tokens=True).strip()
        thought, text = reasoning.split(full)
        if thought is None:
            return None, plain
        for special in self._tokenizer.all_special_tokens:
            thought, text = thought.replace(special, ""), text.replace(special, "")
        return thought.strip(), text.strip()
