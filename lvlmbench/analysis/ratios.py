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
from dataclasses import dataclass
from typing import NamedTuple

from lvlmbench.core.wilson import Z, wilson

#: Share of intervals that hold the truth.
LEVEL = 0.95

#: Leverage above which a scene's residual grows no more.
_MOST = 0.9


class Sums(NamedTuple):
    """What a scene adds to both sides of a ratio: e.g. claims that are true, and all claims; or
    the sum of the scores of its answers, and how many there are."""

    over: float
    under: float


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval, clustered by scene; the ends are None for one scene."""

    value: float
    low: float | None
    high: float | None

    @property
    def width(self) -> float:
        """Return how wide the interval is; infinite where it is not known."""
        if self.low is None or self.high is None:
            return math.inf
        return self.high - self.low


@dataclass(frozen=True)
class Share:
    """A share with its 95 % interval, clustered by scene; ``n`` is what it is a share of."""

    value: float
    low: float
    high: float
    n: int


def share(scenes: Iterable[tuple[int, int]]) -> Share | None:
    """Return a share from hits and trials by scene, in any order; None where there are no trials.

    The interval is Wilson's at the effective sample size, p(1-p)/variance, at most all trials,
    with Student's quantile (Korn, Graubard, Survey Methodology 24, 1998); where no spread was seen
    (all hit, none hit, one scene), it is the number of equally weighted scenes.
    """
    counts = [(hits, trials) for hits, trials in scenes if trials]
    n = sum(trials for _, trials in counts)
    if not n:
        return None
    p = sum(hits for hits, _ in counts) / n
    c = len(counts)
    residuals = [c * (hits - p * trials) / n for hits, trials in counts]
    variance = of_mean(residuals, [trials / n for _, trials in counts]) if c > 1 else 0.0
    if variance > 0 and 0 < p < 1:
        effective = min(p * (1 - p) / variance, n)
    else:
        effective = n * n / math.fsum(trials * trials for _, trials in counts)
    quantile = _student(c - 1) if c > 1 else Z
    return Share(p, *wilson(p, effective, quantile), n)


def ratio(sums: Sequence[Sums]) -> Interval | None:
    """Return the ratio of the sums over scenes; None where there is nothing to divide by."""
    sums = [each for each in sums if each.under]  # a scene without any says nothing
    n, below = len(sums), math.fsum(each.under for each in sums)
    if below <= 0:
        return None
    value = math.fsum(each.over for each in sums) / below
    if n < 2:
        return Interval(value, None, None)
    line = linear(value, below / n)
    spread = of_mean([line(each) for each in sums], [each.under / below for each in sums])
    return interval(value, spread, n - 1)


def relative(sums: Sequence[Sums]) -> Interval | None:
    """Return the ratio of the sums over scenes, where scenes with nothing below count as well.

    E.g. what changes in answers over those that were right before: a scene of which none was right
    says how much may change. None where there is nothing to divide by.
    """
    n, below = len(sums), math.fsum(each.under for each in sums)
    if below <= 0:
        return None
    value = math.fsum(each.over for each in sums) / below
    if n < 2:
        return Interval(value, None, None)
    line = linear(value, below / n)
    spread = of_mean([line(each) for each in sums], [1 / n] * n)
    return interval(value, spread, n - 1)


def linear(ratio: float, under: float) -> Callable[[Sums], float]:
    """Return what turns a scene's sums into what it adds to the error of the ratio."""
    return lambda sums: (sums.over - ratio * sums.under) / under


def of_mean(residuals: Sequence[float], levers: Sequence[float]) -> float:
    """Return the variance of a mean, from residuals and their leverages."""
    grown = (
        residual / (1 - min(lever, _MOST))
        for residual, lever in zip(residuals, levers, strict=True)
    )
    return math.fsum(each * each for each in grown) / len(residuals) ** 2


def interval(value: float, variance: float, freedom: int) -> Interval:
    """Return a value with Student's interval at these degrees of freedom."""
    half = _student(freedom) * math.sqrt(variance)
    return Interval(value, value - half, value + half)


def _student(freedom: int) -> float:
    """Student's quantile of a two-sided interval."""
    from scipy.special import stdtrit  # what scipy.stats takes, which takes a second to import

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def mean(values: Sequence[float]) -> float:
    """Return the mean, the same in any order."""
    return math.fsum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """Return the variance of a sample, the same in any order."""
    middle = mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
