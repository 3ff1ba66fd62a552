"""Means of judged scores, corrected by a sample of known truth (prediction-powered inference).

A judge errs, so the mean of what it says is biased, however many answers it reads. Where the truth
of a random sample of scenes is known, the mean of the judge's errors there corrects it
(Angelopoulos et al., "Prediction-powered inference", Science 382, 2023). How much the judge counts
is tuned, so that a bad one does no harm (Angelopoulos, Duchi, Zrnic, "PPI++", 2023):

    theta = lambda * mean_N(f) + mean_n(y - lambda * f)
    variance = lambda^2 * var(f) / N + var(y - lambda * f) / n

with f what the judge says, y the truth, n the scenes whose truth is known and N the others. The
sample must be drawn before anything is judged, from the same scenes that the mean is of, and no
threshold of the judge may be tuned on it.

Scenes are what varies, not answers: a scene's answers add up first. A mean of answers, and the
share of claims that are true over all answers, are ratios of two such sums; they are linearized
(Taylor series; Särndal, Swensson, Wretman, "Model assisted survey sampling", 1992, section 5.6).
Where few scenes are known, their residuals are smaller than errors are, those of scenes that weigh
much above all: each is divided by one less its leverage (HC3; MacKinnon, White, J. Econometrics
29, 1985), and quantiles are Student's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

#: Share of intervals that hold the truth.
LEVEL = 0.95

#: Scenes of known truth below which nothing is said of how far off the judge is.
FEWEST = 3

#: Leverage above which a scene's residual grows no more.
_MOST = 0.9


class Sums(NamedTuple):
    """What a scene adds to both sides of a ratio: e.g. claims that are true, and all claims; or
    the sum of the scores of its answers, and how many there are."""

    over: float
    under: float


@dataclass(frozen=True)
class Judged:
    """A scene.

    Attributes
    ----------
    said
        What its answers add up to, as the judge has it.
    gold
        The same in truth; None where that is not known.
    """

    said: Sums
    gold: Sums | None = None


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
class Corrected:
    """A mean, three ways.

    Attributes
    ----------
    raw
        As the judge has it, over all scenes; None where it scored nothing.
    corrected
        Corrected by the scenes whose truth is known; None where they are fewer than
        :data:`FEWEST`.
    gold
        Of the scenes whose truth is known alone; None where there are none.
    scenes, known
        All scenes, and those of them whose truth is known.
    tuned
        How much the judge counts, 0 to 1 (lambda).
    """

    raw: Interval | None
    corrected: Interval | None
    gold: Interval | None
    scenes: int
    known: int
    tuned: float | None


def correct(scenes: Sequence[Judged]) -> Corrected:
    """Return the mean of some scenes, raw, corrected and from the known truth alone.

    Scenes may come in any order.
    """
    known = [(scene.said, scene.gold) for scene in scenes if scene.gold is not None]
    rest = [scene.said for scene in scenes if scene.gold is None]
    raw = _ratio([scene.said for scene in scenes])
    gold = _ratio([truth for _, truth in known])
    corrected, tuned = None, None
    if gold is not None and len(known) >= FEWEST:
        corrected, tuned = _corrected(known, rest, gold)
    return Corrected(raw, corrected, gold, len(scenes), len(known), tuned)


def _corrected(
    known: Sequence[tuple[Sums, Sums]], rest: Sequence[Sums], gold: Interval
) -> tuple[Interval, float]:
    """Return the corrected estimate and lambda; that of gold alone where nothing is narrower."""
    if len(rest) < 2:
        return gold, 0.0
    under = _mean([truth.under for _, truth in known])
    linear = _linear(gold.value, under)
    said = [linear(each) for each, _ in known]
    true = [linear(truth) for _, truth in known]
    tuned = _tuned(said, true, [linear(each) for each in rest])
    over, below = (
        tuned * _mean([each[side] for each in rest])
        + _mean([truth[side] - tuned * each[side] for each, truth in known])
        for side in (0, 1)
    )
    if tuned == 0 or below <= 0:
        return gold, 0.0
    linear = _linear(over / below, below)
    variance = tuned * tuned * _variance([linear(each) for each in rest]) / len(rest)
    off = [linear(truth) - tuned * linear(each) for each, truth in known]
    mean = _mean(off)
    variance += _of_mean([each - mean for each in off], _levers(said))
    # One degree of freedom is spent on the mean, one on lambda.
    found = _interval(over / below, variance, len(known) - 2)
    return (found, tuned) if found.width < gold.width else (gold, 0.0)


def _linear(ratio: float, under: float) -> Callable[[Sums], float]:
    """Return what turns a scene's sums into what it adds to the error of the ratio."""
    return lambda sums: (sums.over - ratio * sums.under) / under


def _tuned(said: Sequence[float], true: Sequence[float], rest: Sequence[float]) -> float:
    """Return the lambda of least variance, 0 to 1."""
    n = len(said)
    spread = _variance(said) / n + _variance(rest) / len(rest)
    if spread <= 0:
        return 0.0
    f, y = _mean(said), _mean(true)
    shared = math.fsum((a - f) * (b - y) for a, b in zip(said, true, strict=True)) / (n - 1)
    return min(max(shared / n / spread, 0.0), 1.0)


def _ratio(sums: Sequence[Sums]) -> Interval | None:
    """Return the ratio of the sums over scenes; None where there is nothing to divide by."""
    n, below = len(sums), math.fsum(each.under for each in sums)
    if below <= 0:
        return None
    value = math.fsum(each.over for each in sums) / below
    if n < 2:
        return Interval(value, None, None)
    linear = _linear(value, below / n)
    variance = _of_mean([linear(each) for each in sums], [each.under / below for each in sums])
    return _interval(value, variance, n - 1)


def _levers(said: Sequence[float]) -> list[float]:
    """Return how much each scene decides on its own fitted value, where mean and lambda are."""
    mean = _mean(said)
    spread = math.fsum((each - mean) ** 2 for each in said)
    return [1 / len(said) + (each - mean) ** 2 / spread for each in said]


def _of_mean(residuals: Sequence[float], levers: Sequence[float]) -> float:
    """Return the variance of a mean, from residuals and their leverages."""
    grown = (
        residual / (1 - min(lever, _MOST))
        for residual, lever in zip(residuals, levers, strict=True)
    )
    return math.fsum(each * each for each in grown) / len(residuals) ** 2


def _interval(value: float, variance: float, freedom: int) -> Interval:
    from scipy.stats import t

    half = float(t.ppf((1 + LEVEL) / 2, freedom)) * math.sqrt(variance)
    return Interval(value, value - half, value + half)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
