"""p-values of paired comparisons by flipping the signs of scenes, and Holm's correction.

If two models, or two scenarios, do equally well, a scene's contribution to their difference might
as well have the other sign. p is the share of all ways to flip the scenes' signs after which the
difference is at least as far from 0 as it is. A scene's questions and images flip together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.exact import fixed_point
from lvlmbench.stages.metrics.intervals import F64

#: Signs held in memory at a time.
_CHUNK = 8_000_000
_WORD = 64


def sign_flips(contributions: F64, flips: int, seed: int, item: str) -> F64:
    """Two-sided p-value of each column's sum, shape (k,).

    Where all ways to flip the signs of the scenes that contribute are at most ``flips`` + 1, each
    is tried and p is exact. Otherwise p = (1 + b) / (1 + flips), with b of ``flips`` random ways
    at least as far from 0 (Phipson and Smyth, Statistical Applications in Genetics and Molecular
    Biology 9, 2010). Sums that differ by rounding alone count as equal.

    Parameters
    ----------
    contributions
        Of each scene to each difference, shape (scenes, k).
    seed, item
        Seed of the snapshot, and what the flips are for. The same flips serve all columns.
    """
    numbers, _ = fixed_point(contributions, np.abs(contributions).sum(axis=0))
    counts = np.count_nonzero(numbers, axis=0)
    few = np.ldexp(1.0, np.minimum(counts, 1000)) <= flips + 1
    p = np.empty(numbers.shape[1])
    for j in np.flatnonzero(few):
        p[j] = _enumerated(numbers[numbers[:, j] != 0, j])
    many = np.flatnonzero(~few)
    if len(many):
        p[many] = _sampled(numbers[:, many], counts[many], flips, seed, item)
    return p


def _enumerated(numbers: F64) -> float:
    """Over all signs of all ``numbers``, few and none of them 0."""
    sums = np.zeros(1)
    for number in numbers:
        sums = np.concatenate([sums + number, sums - number])
    return float(np.mean(np.abs(sums) + len(numbers) >= abs(numbers.sum())))


def _sampled(numbers: F64, counts: npt.NDArray[np.int64], flips: int, seed: int, item: str) -> F64:
    scenes, k = numbers.shape
    random = generator(seed, "permutation", item)
    total = numbers.sum(axis=0)
    least = np.abs(total) - counts  # a scene's rounding is at most half a unit, in either sum
    reached = np.zeros(k, dtype=np.int64)
    rows = max(1, _CHUNK // scenes)
    for start in range(0, flips, rows):
        shape = (min(rows, flips - start), -(-scenes // _WORD))
        words = random.integers(0, 1 << _WORD, shape, dtype=np.uint64).astype("<u8")
        signs = np.unpackbits(words.view(np.uint8), axis=1, count=scenes, bitorder="little")
        sums = 2 * (signs.astype(np.float64) @ numbers) - total
        reached += np.count_nonzero(np.abs(sums) >= least, axis=0)
    return (1 + reached) / (1 + flips)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number (Holm, Scandinavian Journal of Statistics 6, 1979):
    rejecting those below a level errs anywhere in the family at most that often. None stays
    None and does not count."""
    known = sorted((value, i) for i, value in enumerate(p) if value is not None)
    found: list[float | None] = [None] * len(p)
    most = 0.0
    for rank, (value, i) in enumerate(known):
        most = max(most, min(1.0, (len(known) - rank) * value))
        found[i] = most
    return found
