"""Kernel maximum mean discrepancy of two sets of vectors (Dysca, section 4.4 and figure 6).

The squared discrepancy is the unbiased estimator of Gretton et al., "A kernel two-sample test"
(JMLR 13, 2012, lemma 6): it is 0 on average where both sets are drawn alike, and so may be
negative. The kernel is exp(-d^2 / (2 s^2)) with the median distance s of points that differ, over
both sets together.

All arithmetic is in float64. The order in which threads add up changes a result by less than
1e-13, four digits behind what is kept: numbers are rounded to :data:`DECIMALS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

#: Digits behind the point that are kept.
DECIMALS = 9
#: Two values of the statistic that are closer than this are equal.
TIE = 1e-12
#: Squared distances below this share of the largest squared length are rounding, not distances.
_NOTHING = 1e-13
#: Permutations that are computed at once; bounds memory.
_AT_ONCE = 256


@dataclass(frozen=True)
class Discrepancy:
    """How far two sets are apart.

    Attributes
    ----------
    mmd2
        The squared discrepancy, without a unit.
    null_low, null_high
        Where 95 % of its values lie when the sets are exchanged at random.
    p
        Share of these values that are as large or larger, the observed one counted among them.
    bandwidth
        Median distance of points that differ; 0 where all points are the same.
    """

    mmd2: float
    null_low: float
    null_high: float
    p: float
    bandwidth: float


def squared_distances(points: F64) -> F64:
    """Return squared distances of ``points`` (n, d): (n, n), exactly 0 on the diagonal."""
    points = points - points.mean(axis=0)  # nothing is lost in differences of large numbers
    lengths = np.einsum("ij,ij->i", points, points)
    found: F64 = points @ points.T
    found *= -2
    found += lengths[:, None]
    found += lengths
    found[found < _NOTHING * lengths.max()] = 0
    np.fill_diagonal(found, 0)
    return found


def median_distance(squared: F64) -> float:
    """Return the median of :func:`squared_distances` over pairs that differ; 0 without any."""
    n = len(squared)
    pairs = np.empty(n * (n - 1) // 2)
    start = 0
    for row in range(n - 1):
        pairs[start : start + n - 1 - row] = squared[row, row + 1 :]
        start += n - 1 - row
    same = len(pairs) - int(np.count_nonzero(pairs))
    if same == len(pairs):
        return 0.0
    middle = [same + (len(pairs) - same - 1) // 2, same + (len(pairs) - same) // 2]
    pairs.partition(middle)
    return float(np.sqrt(pairs[middle]).mean())


def _kernel(points: F64, paired: bool) -> tuple[F64, float]:
    """Kernel of all points, 0 where a pair of points does not count, and its bandwidth."""
    kernel = squared_distances(points)
    bandwidth = median_distance(kernel)
    if bandwidth:
        kernel /= -2 * bandwidth**2
    np.exp(kernel, out=kernel)
    np.fill_diagonal(kernel, 0)
    if paired:
        half = np.arange(len(points) // 2)
        kernel[half, half + len(half)] = kernel[half + len(half), half] = 0
    return kernel, bandwidth


def _exchanges(
    n_a: int, n_b: int, paired: bool, random: np.random.Generator, count: int
) -> Iterator[F64]:
    """Who is in the first set: the sets as they are, then ``count`` random ones; (n, columns)."""
    done = 0
    while done <= count:
        columns = min(_AT_ONCE, count + 1 - done)
        members = np.zeros((n_a + n_b, columns))
        for column in range(columns):
            if done + column == 0:
                members[:n_a, column] = 1
            elif paired:
                members[:n_a, column] = random.integers(0, 2, n_a)
                members[n_a:, column] = 1 - members[:n_a, column]
            else:
                members[random.permutation(n_a + n_b)[:n_a], column] = 1
        done += columns
        yield members


def kmmd(
    a: F64, b: F64, random: np.random.Generator, permutations: int, *, paired: bool = False
) -> Discrepancy:
    """Return the squared discrepancy of two sets, and what it would be were they alike.

    Parameters
    ----------
    a, b
        Vectors, (n_a, d) and (n_b, d), two or more each.
    random
        Draws the permutations.
    permutations
        How many.
    paired
        Row i of both sets shows the same thing. Such a pair of rows is left out of the sum between
        the sets, since it would be close whatever the sets are, and only its two rows are
        exchanged with one another.

    Raises
    ------
    ValueError
        A set has fewer than 2 vectors, sets of pairs differ in length, or there are numbers that
        are not finite.
    """
    n_a, n_b = len(a), len(b)
    if min(n_a, n_b) < 2 or (paired and n_a != n_b):
        raise ValueError(f"sets of {n_a} and {n_b} vectors, paired: {paired}")
    points = np.concatenate([a, b]).astype(np.float64, copy=False)
    if not np.isfinite(points).all():
        raise ValueError("a vector has a component that is no finite number")
    kernel, bandwidth = _kernel(points, paired)
    rows = kernel.sum(axis=0)
    total = float(rows.sum())
    between = n_a * (n_a - 1) if paired else n_a * n_b
    parts = []
    for members in _exchanges(n_a, n_b, paired, random, permutations):
        within_a = np.einsum("ij,ij->j", members, kernel @ members)
        of_a = rows @ members
        across = of_a - within_a
        within_b = total - 2 * of_a + within_a
        parts.append(
            within_a / (n_a * (n_a - 1)) + within_b / (n_b * (n_b - 1)) - 2 * across / between
        )
    values = np.concatenate(parts)
    observed, null = float(values[0]), values[1:]
    low, high = np.quantile(null, [0.025, 0.975])
    p = (1 + int(np.count_nonzero(null >= observed - TIE))) / (permutations + 1)
    numbers = (observed, float(low), float(high), p, bandwidth)
    return Discrepancy(*(round(number, DECIMALS) + 0.0 for number in numbers))
