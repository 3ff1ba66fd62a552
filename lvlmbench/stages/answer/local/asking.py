"""Asking a loaded vision-language model: a batch of items in, a reply each out, greedily."""

from __future__ import annotations

import inspect
import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from PIL import Image

from lvlmbench.core.decoding import picture_of
from lvlmbench.stages.answer import reasoning
from lvlmbench.stages.answer.engine import CUT_OFF, Item, Reply
from lvlmbench.stages.answer.local.letters import Letters, Watch
from lvlmbench.stages.answer.local.limits import OwnLimits
from lvlmbench.stages.answer.local.loading import Loaded

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


def _conversation(prompt: str, picture: Image.Image | None) -> list[dict[str, Any]]:
    """One user turn: the image, if there is one, then the prompt."""
    content: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
    if picture is not None:
        content.insert(0, {"type": "image", "image": picture})
    return [{"role": "user", "content": content}]


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
        self._tokenizer: Any = loaded.processor.tokenizer
        self._letters = Letters.of(self._tokenizer) if logprobs else None
        self._generation = self._greedy(max_tokens + (reasoning_tokens or 0))
        self._image_tokens: dict[tuple[int, int], int] = {}

    def _greedy(self, max_tokens: int) -> Any:
        """Settings that leave nothing to the model but which tokens mean what.

        What ``generate`` is not told it takes from the model's own, which they therefore replace.
        """
        import transformers

        settings: Any = transformers.GenerationConfig
        own = {name: getattr(self._model.generation_config, name, None) for name in _TOKENS}
        ends = own["eos_token_id"]
        ids = {ends} if isinstance(ends, int) else set(ends or ())
        if self._tokenizer.eos_token_id is not None:
            ids.add(self._tokenizer.eos_token_id)
        config = settings(
            **(own | {"eos_token_id": sorted(ids)}),
            pad_token_id=self._tokenizer.pad_token_id,
            do_sample=False,
            num_beams=1,
            max_new_tokens=max_tokens,
        )
        self._model.generation_config = config
        return config

    @property
    def context(self) -> int | None:
        """Return most tokens that the model reads; None where it does not say."""
        text = self._model.config.get_text_config(decoder=True)
        return getattr(text, "max_position_embeddings", None)

    def lengths(self, items: Sequence[Item]) -> list[int]:
        """Return tokens of each item's prompt, its image's among them.

        An image's tokens depend on its size alone, so one of each size is decoded; of the others
        the header is read. An image that cannot be read counts nothing.
        """
        texts: list[str] = self._processor.apply_chat_template(
            [_conversation(item.prompt, None) for item in items],
            add_generation_prompt=True,
            tokenize=False,
        )
        ids = self._tokenizer(texts, add_special_tokens=False)["input_ids"]
        return [len(row) + self._tokens_of(i.image) for row, i in zip(ids, items, strict=True)]

    def _tokens_of(self, image: bytes | None) -> int:
        size = None if image is None else _size(image)
        if image is None or size is None:
            return 0
        if size not in self._image_tokens:
            try:
                with_it, without = (
                    self._inputs([_conversation("", picture)])["input_ids"].shape[1]
                    for picture in (_decoded(image), None)
                )
            except Exception:  # of this image; it is told when the item is asked
                return 0
            self._image_tokens[size] = with_it - without
        return self._image_tokens[size]

    def _inputs(self, conversations: Sequence[Any]) -> Any:
        made: Any = self._processor.apply_chat_template(
            conversations,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )
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

        pictures = [None if item.image is None else _decoded(item.image) for item in items]
        conversations = [
            _conversation(item.prompt, picture)
            for item, picture in zip(items, pictures, strict=True)
        ]
        dtype = getattr(torch, self._place.dtype)
        inputs = self._inputs(conversations).to(self._place.device, dtype)
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
        if output.shape[1] >= n and torch.equal(output[:, :n], prompts):
            output = output[:, n:]
        elif self._model.config.is_encoder_decoder:
            output = output[:, 1:]  # what its decoder starts with
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
