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
from lvlmbench.stages.answer.dialogue import Cut, boxes_of, cut
from lvlmbench.stages.answer.engine import CUT_OFF, Item, Reply
from lvlmbench.stages.answer.local.letters import Letters, Watch
from lvlmbench.stages.answer.local.limits import OwnLimits
from lvlmbench.stages.answer.local.loading import Loaded, is_encoder_decoder
from lvlmbench.stages.answer.local.prompting import Said
from lvlmbench.stages.replies.answer_text import split

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


def _said(item: Item) -> Said:
    return Said(item.prompt, item.turns)


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
    apart
        Whether the panels of an image are shown as images of their own.
    """

    def __init__(
        self,
        loaded: Loaded,
        max_tokens: int,
        logprobs: bool,
        reasoning_tokens: int | None = None,
        apart: bool = False,
    ) -> None:
        self._apart = apart
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
        found = self._prompting.lengths([_said(item) for item in items])
        return [n + self._tokens_of(item) for n, item in zip(found, items, strict=True)]

    def n_images(self, item: Item) -> int:
        """Return how many images an item shows."""
        first = len(item.panels) or 1 if self._apart else 1
        return (first if item.image is not None else 0) + len(item.further)

    def _shown(self, item: Item) -> list[Image.Image]:
        """An item's images, or what is shown where it has none."""
        if not self.n_images(item):
            stand_in = self._prompting.stand_in
            return [] if stand_in is None else [stand_in]
        shown = []
        if item.image is not None:
            picture = _decoded(item.image)
            shown = cut(picture, item.panels) if self._apart and item.panels else [picture]
        return shown + [_decoded(more.file) for more in item.further]

    def _pictures(self, items: Sequence[Item]) -> list[list[Image.Image]]:
        """The images of a batch, decoded beside each other: a GPU would wait for them longer than
        it takes to answer."""
        with ThreadPoolExecutor(GPU_THREADS) as pool:
            return list(pool.map(self._shown, items))

    def _sizes(self, item: Item) -> list[tuple[int, int]]:
        """Width and height of each image, by the headers of their files."""
        if not self.n_images(item):
            return [picture.size for picture in self._shown(item)]
        found = [_size(more.file) for more in item.further]
        sizes = [size for size in found if size is not None]
        whole = None if item.image is None else _size(item.image)
        if whole is not None and self._apart and item.panels:
            boxes = boxes_of(whole, item.panels)
            return [(right - left, bottom - top) for left, top, right, bottom in boxes] + sizes
        return sizes if whole is None else [whole, *sizes]

    def _tokens_of(self, item: Item) -> int:
        try:
            sizes = self._sizes(item)
            if any(size not in self._image_tokens for size in sizes):
                self._learn(item)
        except Exception:  # of these images; it is told when the item is asked
            return 0
        return sum(self._image_tokens.get(size, 0) for size in sizes)

    def _learn(self, item: Item) -> None:
        """See how many tokens images of an item's sizes have."""
        for picture in self._shown(item):
            if picture.size not in self._image_tokens:
                with_it = self._inputs([Said("")], [[picture]])["input_ids"].shape[1]
                without = self._prompting.lengths([Said("")])[0]
                self._image_tokens[picture.size] = with_it - without

    def _inputs(self, prompts: Sequence[Said], pictures: Sequence[Sequence[Image.Image]]) -> Any:
        made = self._prompting.inputs(prompts, pictures)
        if not self._takes_token_types:
            made.pop("token_type_ids", None)
        return made

    @cached_property
    def _takes_token_types(self) -> bool:
        return "token_type_ids" in inspect.signature(self._model.forward).parameters

    def ask(self, items: Sequence[Item]) -> list[Reply]:
        """Return a reply for each item, in their order; all show as many images.

        Raises
        ------
        Unreadable
            An image cannot be decoded, or not be cut into its panels.
        Exception
            Whatever the model's code raises, ``torch.OutOfMemoryError`` among others.
        """
        import torch

        try:
            pictures = self._pictures(items)
        except Cut as error:
            raise Unreadable(str(error)) from None
        made = self._inputs([_said(item) for item in items], pictures)
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
        thought, text = split(full)
        if thought is None:
            return None, plain
        for special in self._tokenizer.all_special_tokens:
            thought, text = thought.replace(special, ""), text.replace(special, "")
        return thought.strip(), text.strip()
