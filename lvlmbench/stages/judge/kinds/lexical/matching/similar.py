"""Words that no list has, by the packaged sentence encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

#: Words -> how much each is like the first, as cosines.
Similar = Callable[[str, Sequence[str]], list[float]]

#: Words that are so alike stand for one thing: *smartphone* and *phone* have 0.75.
ALIKE = 0.7
_DIGITS = 4
_BATCH = 32


@cache
def encoder() -> Similar:
    """Return similarities by all-MiniLM-L6-v2, which is loaded when first asked."""
    import numpy as np

    from lvlmbench.stages.score.encoder import PACKAGED, SentenceEncoder

    model = SentenceEncoder(PACKAGED)

    def similar(word: str, others: Sequence[str]) -> list[float]:
        vectors = model.reference([word, *others], _BATCH)
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return [round(float(one), _DIGITS) for one in vectors[1:] @ vectors[0]]

    return similar
