"""Text encoders of a pipeline: token ids in, embeddings out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lvlmbench.stages.render.kinds.diffusion.prompts import pieces, tokens_of

if TYPE_CHECKING:
    from torch import Tensor

#: Texts whose pieces are remembered; they are asked for several times in a row.
_REMEMBERED = 4096


class Clip:
    """A CLIP text encoder that reads texts of any length, piece by piece.

    Parameters
    ----------
    tokenizer, model
        As the pipeline has them.
    penultimate
        Take the hidden states of the last but one layer (SDXL, SD 3) and not of the last.
    """

    def __init__(self, tokenizer: Any, model: Any, *, penultimate: bool) -> None:
        self.tokenizer, self.model = tokenizer, model
        self._penultimate = penultimate
        self.length = min(tokenizer.model_max_length, model.config.max_position_embeddings)
        self._pieces = lru_cache(_REMEMBERED)(self._split)

    def _split(self, text: str) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(p) for p in pieces(text, self.tokenizer, self.length - 2))

    def chunks(self, text: str) -> int:
        """Return in how many pieces `text` is read, at least 1."""
        return len(self._pieces(text))

    def tokens(self, text: str) -> int:
        """Return how many tokens `text` has, without begin and end."""
        return sum(map(len, self._pieces(text)))

    def _row(self, piece: Sequence[int]) -> list[int]:
        known = self.tokenizer
        row = [known.bos_token_id, *piece, known.eos_token_id]
        return row + [known.pad_token_id] * (self.length - len(row))

    def ids(self, text: str, chunks: int) -> list[list[int]]:
        """Return rows of token ids for the first `chunks` pieces of `text`; empty ones fill up."""
        known = self._pieces(text)[:chunks]
        return [self._row(piece) for piece in (*known, *[()] * (chunks - len(known)))]

    def embed(self, texts: Sequence[str], chunks: int) -> tuple[Tensor, Tensor]:
        """Return hidden states (n, chunks * length, width) and pooled embedding (n, width).

        The pooled embedding is that of the first piece.
        """
        import torch

        rows = torch.tensor([row for text in texts for row in self.ids(text, chunks)])
        out = self.model(rows.to(_device_of(self.model)), output_hidden_states=True)
        # With projection the embedding comes first, without it is named.
        pooled = out.text_embeds if "text_embeds" in out else out.pooler_output
        hidden = out.hidden_states[-2] if self._penultimate else out.last_hidden_state
        return (
            hidden.reshape(len(texts), chunks * self.length, -1),
            pooled.reshape(len(texts), chunks, -1)[:, 0],
        )


class T5:
    """A T5 text encoder; reads up to a given number of tokens."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self.tokenizer, self.model = tokenizer, model
        self.tokens = lru_cache(_REMEMBERED)(self._count)

    def _count(self, text: str) -> int:
        """How many tokens `text` has, without the end."""
        return len(tokens_of(text, self.tokenizer)[0])

    def length(self, text: str, lengths: Sequence[int]) -> tuple[int, int]:
        """Return the first of rising `lengths` that holds `text`, and what the last cuts off."""
        read = self.tokens(text) + 1  # and the end
        length = next((n for n in lengths if read <= n), lengths[-1])
        return length, max(0, read - length)

    def embed(self, texts: Sequence[str], length: int) -> Tensor:
        """Return hidden states (n, length, width); what is beyond `length` is not read."""
        rows = self.tokenizer(
            list(texts),
            padding="max_length",
            max_length=length,
            truncation=True,
            return_tensors="pt",
        ).input_ids
        hidden: Tensor = self.model(rows.to(_device_of(self.model)))[0]
        return hidden.to(self.model.dtype)


def _device_of(model: Any) -> Any:
    """Where the inputs of `model` must be; not where its weights are if it is offloaded."""
    from diffusers.utils.torch_utils import get_module_execution_device

    return get_module_execution_device(model)


class Kept:
    """Embeddings by text, the most recent ones up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._bytes = limit, 0
        self._known: OrderedDict[Hashable, dict[str, Tensor]] = OrderedDict()

    def get(self, key: Hashable) -> dict[str, Tensor] | None:
        """Return what was put there, unless it had to make room."""
        found = self._known.get(key)
        if found is not None:
            self._known.move_to_end(key)
        return found

    def put(self, key: Hashable, tensors: dict[str, Tensor]) -> None:
        """Keep `tensors`; forget what was not asked for longest."""
        self._known[key] = tensors
        self._bytes += _size(tensors)
        while self._bytes > self._limit and len(self._known) > 1:
            self._bytes -= _size(self._known.popitem(last=False)[1])


def _size(tensors: dict[str, Tensor]) -> int:
    return sum(t.nbytes for t in tensors.values())
