"""Means and shares over scenes, with intervals that know that a scene's answers hang together.

Scenes are what varies, not answers: a scene's answers add up first. A mean of answers, and the
share of claims that are true over all answers, are ratios of two such sums; they are linearized
(Taylor series; Särndal, Swensson, Wretman, "Model assisted survey sampling", 1992, section 5.6).
Where scenes are few, their residuals are smaller than errors are, those of scenes that weigh much
above all: each is divided by one less its leverage (HC3; MacKinnon, White, J. Econometrics 29,
1985), and quantiles are Student's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lvlmbench.stats.estimate import FEWEST, Estimate, student
from lvlmbench.stats.pool import CellSums, Pool

#: Leverage above which a scene's residual grows no more.
MOST = 0.9


class Sums(NamedTuple):
    """What a scene adds to both sides of a ratio: e.g. claims that are true, and all claims; or
    the sum of the scores of its answers, and how many there are."""

    over: float
    under: float


def share(scenes: Iterable[tuple[int, int]]) -> Estimate | None:
    """Return a share from hits and trials by scene, in any order; None where there are no trials.

    Its interval is that of a pool of one cell (:mod:`lvlmbench.stats.pool`).
    """
    counts = sorted((hits, trials) for hits, trials in scenes if trials)
    if not counts:
        return None
    hits, trials = (np.array(each, dtype=np.float64) for each in zip(*counts, strict=True))
    at = np.arange(len(counts), dtype=np.int64)
    one = np.zeros(len(counts), dtype=np.int64)
    sums = CellSums(at, at, one, trials, hits, hits, np.zeros(1, dtype=np.int64))
    return Pool(sums).mean_of(np.ones(1))


def ratio(sums: Sequence[Sums]) -> Estimate | None:
    """Return the ratio of the sums over scenes; None where there is nothing to divide by.

    A scene with nothing below says nothing. The ends are None for one scene, and where all are
    alike, so that nothing tells how sure the ratio is.
    """
    sums = [each for each in sums if each.under]
    below = math.fsum(each.under for each in sums)
    return _estimated(sums, [each.under / below for each in sums] if below > 0 else [])


def relative(sums: Sequence[Sums]) -> Estimate | None:
    """Return the ratio of the sums over scenes, where scenes with nothing below count as well.

    E.g. what changes in answers over those that were right before: a scene of which none was right
    says how much may change. None where there is nothing to divide by.
    """
    return _estimated(sums, [1 / len(sums)] * len(sums))


def _estimated(sums: Sequence[Sums], levers: Sequence[float]) -> Estimate | None:
    n, below = len(sums), math.fsum(each.under for each in sums)
    if below <= 0:
        return None
    value = math.fsum(each.over for each in sums) / below
    if n < 2:
        return Estimate(value, None, None, n=round(below), clusters=n)
    line = linear(value, below / n)
    spread = of_mean([line(each) for each in sums], levers)
    return interval(value, spread, n - 1, round(below))


def linear(ratio: float, under: float) -> Callable[[Sums], float]:
    """Return what turns a scene's sums into what it adds to the error of the ratio."""
    return lambda sums: (sums.over - ratio * sums.under) / under


def of_mean(residuals: Sequence[float], levers: Sequence[float]) -> float:
    """Return the variance of a mean, from residuals and their leverages."""
    grown = (
        residual / (1 - min(lever, MOST)) for residual, lever in zip(residuals, levers, strict=True)
    )
    return math.fsum(each * each for each in grown) / len(residuals) ** 2


def interval(value: float, variance: float, freedom: int, n: int = 0) -> Estimate:
    """Return a value with Student's interval at these degrees of freedom.

    Without any variance nothing tells how sure it is, and it has no interval; nor has it with fewer
    clusters than :data:`.estimate.FEWEST`.
    """
    if variance <= 0 or freedom < FEWEST - 1:
        return Estimate(value, None, None, n=n, clusters=freedom + 1)
    stderr = math.sqrt(variance)
    half = student(freedom) * stderr
    return Estimate(value, value - half, value + half, stderr, n, freedom + 1, "student")


def mean(values: Sequence[float]) -> float:
    """Return the mean, the same in any order."""
    return math.fsum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """Return the variance of a sample, the same in any order."""
    middle = mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
