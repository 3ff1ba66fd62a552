"""Choices among labels that stay as they are when a label is added.

An index into a list shifts with the list. Here each label has a number of its own for each draw,
and the largest wins (rendezvous hashing; Thaler and Ravishankar, "Using name-based mappings to
increase hit rates", 1998). All labels are equally likely. One more takes the draws that it wins,
and leaves all others as they were. Numbers become waiting times where labels have weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import digest

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

#: Numbers of one batch; more draws are made batch by batch, so that memory stays small.
_BATCH = 1 << 18

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

#: -ln of 4,096 evenly spaced numbers from 0 to 1, between which lines run. Other processors may
#: have other last bits, so these are rounded off.
_CELLS = 1 << 12
_KNOTS = np.array([round(-log(max(i, 0.25) / _CELLS) * 2**32) for i in range(_CELLS + 1)]) / 2**32
_FALLS = np.diff(_KNOTS)


@lru_cache(maxsize=1 << 16)
def key_of(label: str) -> int:
    """Return a label's own 64-bit number."""
    return int.from_bytes(digest("race", label, size=8), "little")


def keys_of(labels: Sequence[str]) -> U64:
    """Return the labels' own numbers, shape (n,)."""
    return np.fromiter(map(key_of, labels), np.uint64, len(labels))


def numbers(draws: F64, keys: U64) -> U64:
    """Return each label's number in each draw, shape (n draws, n labels).

    Parameters
    ----------
    draws
        Uniform numbers in [0, 1), shape (n draws,).
    keys
        As :func:`keys_of` gives them, or another row for each draw.
    """
    seeds = (draws * 2.0**53).astype(np.uint64)
    mixed = (seeds * np.uint64(0x9E3779B97F4A7C15))[:, None] ^ keys
    # The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
    mixed ^= mixed >> np.uint64(30)
    mixed *= _FIRST
    mixed ^= mixed >> np.uint64(27)
    mixed *= _SECOND
    mixed ^= mixed >> np.uint64(31)
    return np.asarray(mixed)


def winners(draws: F64, keys: U64, weights: I64 | None = None) -> I64:
    """Return which label wins each draw, shape (n draws,).

    Parameters
    ----------
    draws, keys
        As :func:`numbers` takes them.
    weights
        How likely each label wins, shape (n draws, n labels); by default all are equally likely.
        Where all weights change by one factor, no draw does.
    """
    found = np.empty(len(draws), dtype=np.int64)
    step = max(1, _BATCH // max(len(keys), 1))
    for start in range(0, len(draws), step):
        part = slice(start, start + step)
        each = numbers(draws[part], keys)
        if weights is None:
            found[part] = each.argmax(axis=1)
        else:
            found[part] = _shares(each, weights[part]).argmax(axis=1)
    return found


def _shares(each: U64, weights: I64) -> F64:
    """Weights by waiting times: who waits the shortest for its weight has the largest."""
    whole = (each >> np.uint64(20)).astype(np.int64)
    cells = whole >> 32
    waits = _KNOTS[cells] + _FALLS[cells] * ((whole & 0xFFFFFFFF) * 2.0**-32)
    return np.asarray(weights / waits)
