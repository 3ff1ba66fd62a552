"""How alike two captions are: cosine of their sentence embeddings (Dysca, section 3.4).

A similarity is what float64 gives, rounded to two decimals. There the results of machines, batch
sizes and paddings agree to some 1e-13 percent. Float32 takes half the time and errs by less than
:data:`MARGIN`; so answers are encoded in float32, and once more in float64 where that margin holds
a point at which rounding goes one way or the other. The result is float64's either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float64]

#: Distinct texts, and how many to encode at once at most -> vectors, shape (n, width).
Encode: TypeAlias = Callable[[Sequence[str], int], Vectors]

#: A reference caption and what a model said.
Pair: TypeAlias = tuple[str, str]

#: Similarities in percent of pairs, in their order.
Compare: TypeAlias = Callable[[Sequence[Pair]], list[float]]

DECIMALS = 2

#: Percent. The largest error of float32 over 7.3 million pairs of 2,702 texts (captions, answers,
#: prose, 1 to 256 tokens), computed in four ways (AVX-512, AVX2, SSE; batches of 1 to 64), was
#: 4.6e-5, and the largest that its vectors could cause beside any reference 1.7e-4.
MARGIN = 3e-4
#: What float32 may err by to be trusted; the pairs that are computed twice tell.
TRUSTED = MARGIN / 3
#: Pairs that are computed twice at least.
PROBE = 8


class Encoder(Protocol):
    """Three ways to encode texts; see :data:`Encode`."""

    def reference(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Return vectors of reference captions, computed in float64."""

    def fast(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Return vectors computed in float32."""

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Return vectors computed in float64."""


def similarities(pairs: Sequence[Pair], encoder: Encoder, batch_size: int) -> list[float]:
    """Return similarity in percent (0 to 100, two decimals) of each (reference, caption).

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
        """Return their vectors, shape (n, width)."""
        return np.asarray(self._units[[self._row[text] for text in texts]])


def _percent(
    references: _Units, pairs: Sequence[Pair], encode: Encode, batch_size: int
) -> npt.NDArray[np.float64]:
    """100 times the cosine of each pair, shape (n,), the captions being encoded by ``encode``."""
    said = _Units((b for _, b in pairs), encode, batch_size)
    cosine = (references.of(a for a, _ in pairs) * said.of(b for _, b in pairs)).sum(axis=1)
    return np.asarray(100.0 * cosine)
