"""Spearman's rho and Kendall's tau-b with intervals and p-values that hold for few models.

Of few models a bootstrap says too much: where the order of five is the same in both rankings, it is
the same in every resample, and the interval has no width. Here the interval is a test turned
around: it holds each strength of association under which what was seen is not unlikely (2.5 % in
either direction, as Clopper and Pearson do it for shares). How likely it is comes from samples of a
bivariate normal distribution. Since only ranks are looked at, any distribution with the same
dependence behind whatever scales gives the same. ``benchmarks/correlations.py`` measures how often
such intervals hold the truth, also where the dependence is of another form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

F64: TypeAlias = NDArray[np.float64]

#: With fewer models in common there is nothing to say.
FEWEST = 3
#: Up to so many models all orders are tried for a p-value.
ALL_ORDERS = 8
LEVEL = 0.95
DECIMALS = 9
_TIE = 1e-9
_STEPS = 17
#: Signs of pairs that are held at once; bounds memory where there are many models.
_SIGNS = 1 << 22


def average_ranks(values: F64) -> F64:
    """Return ranks along the last axis, 1 for the smallest; equal values share their mean."""
    from scipy.stats import rankdata

    ranks: F64 = np.asarray(rankdata(values, axis=-1))
    return ranks


def _centered(rows: F64) -> F64:
    centered: F64 = rows - rows.mean(axis=-1, keepdims=True)
    return centered


def spearman(x: F64, y: F64) -> F64:
    """Return Spearman's rho of ``x`` (n) with rows of ``y`` (..., n); NaN if one is constant."""
    one, two = _centered(average_ranks(x)), _centered(average_ranks(y))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            (two * one).sum(axis=-1) / np.sqrt((one**2).sum() * (two**2).sum(axis=-1))
        )


def _signs(values: F64) -> F64:
    """Signs of the differences of all pairs."""
    first, second = np.triu_indices(values.shape[-1], 1)
    return np.sign(values[..., second] - values[..., first])


def kendall(x: F64, y: F64) -> F64:
    """Return Kendall's tau-b of ``x`` (n) with rows of ``y`` (..., n); NaN if one is constant."""
    one = _signs(x)
    rows = y.reshape(-1, y.shape[-1])
    found = np.empty(len(rows))
    step = max(1, _SIGNS // max(len(one), 1))
    for start in range(0, len(rows), step):
        two = _signs(rows[start : start + step])
        untied = np.count_nonzero(one) * np.count_nonzero(two, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[start : start + step] = two @ one / np.sqrt(untied)
    return found.reshape(y.shape[:-1])


@dataclass(frozen=True)
class Statistic:
    """How it is computed, and its value for a bivariate normal distribution of correlation r."""

    of: Callable[[F64, F64], F64]
    expected: Callable[[float], float]


RHO = Statistic(spearman, lambda r: 6 / math.pi * math.asin(r / 2))
TAU = Statistic(kendall, lambda r: 2 / math.pi * math.asin(r))


@dataclass(frozen=True)
class Association:
    """A coefficient in [-1, 1], its 95 % interval, and a two-sided p-value."""

    value: float
    low: float
    high: float
    p: float


class Normal:
    """Samples of n pairs from bivariate normal distributions of any correlation.

    The same random numbers serve all correlations, so that a coefficient of a sample never falls
    where the correlation rises.
    """

    def __init__(self, n: int, samples: int, random: np.random.Generator) -> None:
        self._x = np.sort(random.standard_normal((samples, n)), axis=1)
        self._noise = random.standard_normal((samples, n))
        self._order = np.arange(n, dtype=np.float64)

    def _share(self, statistic: Statistic, angle: float, seen: float, above: bool) -> float:
        """Share of samples with a coefficient at least (or at most) as large as the one seen."""
        y = math.sin(angle) * self._x + math.cos(angle) * self._noise
        found = statistic.of(self._order, y)
        hits = found >= seen - _TIE if above else found <= seen + _TIE
        return float(hits.mean())

    def _limit(self, statistic: Statistic, seen: float, above: bool) -> float:
        """Correlation at which the coefficient seen becomes unlikely, by bisection."""
        tail = (1 - LEVEL) / 2
        low, high = -math.pi / 2, math.pi / 2
        for _ in range(_STEPS):
            middle = (low + high) / 2
            likely = self._share(statistic, middle, seen, above) > tail
            if likely == above:
                high = middle
            else:
                low = middle
        end = high if above else low
        return statistic.expected(math.sin(end))

    def interval(self, statistic: Statistic, seen: float) -> tuple[float, float]:
        """Return the population's coefficients under which ``seen`` is not unlikely."""
        low = -1.0 if seen <= -1 + _TIE else self._limit(statistic, seen, above=True)
        high = 1.0 if seen >= 1 - _TIE else self._limit(statistic, seen, above=False)
        return low, high


def _orders(n: int, count: int, random: np.random.Generator) -> tuple[NDArray[np.int64], bool]:
    """Orders of n things, and whether they are all there are."""
    if n <= ALL_ORDERS:
        return np.array(list(permutations(range(n)))), True
    return np.array([random.permutation(n) for _ in range(count)]), False


def associations(
    ours: F64, theirs: F64, random: np.random.Generator, samples: int
) -> tuple[Association, Association] | None:
    """Return Spearman's rho and Kendall's tau-b of two rankings of the same models.

    Parameters
    ----------
    ours, theirs
        Scores, (n).
    samples
        Samples behind an interval, and random orders behind a p-value of more than
        :data:`ALL_ORDERS` models; of fewer it is exact.

    Returns
    -------
    tuple or None
        None where there is no coefficient: fewer than :data:`FEWEST` models, or all scores of one
        side are equal.
    """
    n = len(ours)
    if n < FEWEST or np.ptp(ours) == 0 or np.ptp(theirs) == 0:
        return None
    normal = Normal(n, samples, random)
    orders, exact = _orders(n, samples, random)
    out = []
    for statistic in (RHO, TAU):
        seen = float(statistic.of(ours, theirs))
        low, high = normal.interval(statistic, seen)
        null = np.abs(statistic.of(ours, theirs[orders]))
        hits = int(np.count_nonzero(null >= abs(seen) - _TIE))
        p = hits / len(orders) if exact else (1 + hits) / (1 + len(orders))
        numbers = (seen, min(low, seen), max(high, seen), p)
        out.append(Association(*(round(number, DECIMALS) + 0.0 for number in numbers)))
    return out[0], out[1]
