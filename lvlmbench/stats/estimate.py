"""A number with its 95 % interval, and the intervals themselves.

All intervals are of the score type, so that none of them collapses where no spread was seen: a
share has Wilson's, a difference of paired answers Wald's with half an answer added on each side
(after Bonett and Price, Journal of Educational and Behavioral Statistics 37, 2012).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

#: Share of intervals that hold the truth.
LEVEL = 0.95
#: Normal quantile of a two-sided 95 % interval.
Z = 1.959963984540054

#: Clusters below which a number whose range is not known has no interval: Student's quantile of two
#: is 12.7, so that its ends would lie wherever chance has put two values.
FEWEST = 3

#: How an interval was computed. ``wilson``: of a share; ``paired``: of a difference of paired
#: answers; ``student``: of a number without bounds; ``bootstrap``: by drawing clusters again;
#: ``ppi``: corrected by known truth; ``none``: nothing tells how sure the number is.
Method = Literal["wilson", "paired", "student", "bootstrap", "ppi", "none"]


@dataclass(frozen=True)
class Estimate:
    """A number, how sure it is, and what it rests on.

    Attributes
    ----------
    value
        In its own unit.
    low, high
        Ends of the 95 % interval; None where nothing tells how sure the number is.
    stderr
        Standard error; None where it is not known.
    n
        Answers, claims or pairs that it rests on.
    clusters
        Independent groups among these: scenes, or sets of scenes that share a layout.
    method
        How the interval was computed.
    p
        Two-sided p-value that the number is 0, by the same statistic as the interval, so that the
        interval excludes 0 exactly where ``p`` is below 0.05; None of numbers that are no
        differences.
    freedom
        Degrees of freedom of the interval's quantile; 0 for the normal one.
    """

    value: float
    low: float | None
    high: float | None
    stderr: float | None = None
    n: int = 0
    clusters: int = 0
    method: Method = "none"
    p: float | None = None
    freedom: int = 0

    @classmethod
    def from_influence(cls, value: float, influence: Sequence[float], n: int) -> Estimate:
        """Return a difference of shares from what each cluster adds to it.

        Half a cluster that adds all that one can is taken to have been seen on either side, so that
        the interval does not collapse where none adds anything. It may reach beyond -1 and 1.

        Parameters
        ----------
        influence
            Of each cluster; their squares add up to the variance.
        n
            Answers that it rests on.
        """
        clusters = len(influence)
        spread = math.fsum(float(each) ** 2 for each in influence) + 1 / (clusters + 1) ** 2
        stderr, freedom = math.sqrt(spread), max(clusters - 1, 1)
        half = student(freedom) * stderr
        p = two_sided(value / stderr, freedom)
        return cls(value, value - half, value + half, stderr, n, clusters, "paired", p, freedom)

    @property
    def width(self) -> float:
        """Return how wide the interval is; infinite where it is not known."""
        if self.low is None or self.high is None:
            return math.inf
        return self.high - self.low

    def scaled(self, by: float, shift: float = 0.0) -> Estimate:
        """Return ``by`` (positive) times the estimate plus ``shift``, with its interval."""
        low, high = (None if e is None else by * e + shift for e in (self.low, self.high))
        stderr = None if self.stderr is None else by * self.stderr
        return replace(self, value=by * self.value + shift, low=low, high=high, stderr=stderr)

    def corrected(self, times: float) -> Estimate:
        """Return the estimate with its interval at 1 - 0.05 / ``times``.

        It excludes 0 exactly where ``p``, multiplied by as much, is below 0.05 (Bonferroni; with
        the multipliers of Holm's correction, his).
        """
        if self.low is None or self.high is None or times <= 1:
            return self
        half, middle = (self.high - self.low) / 2, (self.high + self.low) / 2
        half *= quantile(1 - (1 - LEVEL) / times, self.freedom) / student(self.freedom)
        return replace(self, low=middle - half, high=middle + half)

    def no_wider(self, most: float) -> Estimate:
        """Return the estimate without its interval where that is wider: it would tell nothing."""
        return self if self.width <= most else replace(self, low=None, high=None)

    def within(self, least: float, most: float) -> Estimate:
        """Return the estimate with the ends of its interval between two numbers."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(self.low, least), high=min(self.high, most))


def wilson(p: float, n: float, z: float = Z) -> tuple[float, float]:
    """Return the interval of a share ``p`` seen in ``n`` trials (Wilson, JASA 22, 1927).

    It holds ``p`` and lies within 0 and 1. ``n`` is above 0 and may be an effective number; ``z``
    is the quantile, by default that of 95 %.
    """
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(p * (1 - p), 0.0) / n + z * z / (4 * n * n))
    return max(min(middle - half, p), 0.0), min(max(middle + half, p), 1.0)


def share(hits: float, n: int) -> Estimate | None:
    """Return the share of hits in independent trials; None without trials."""
    if not n:
        return None
    low, high = wilson(hits / n, n)
    return Estimate(hits / n, low, high, None, n, n, "wilson")


@cache
def student(freedom: int) -> float:
    """Return Student's quantile of a two-sided 95 % interval; the normal one without freedom."""
    return quantile(LEVEL, freedom) if freedom > 0 else Z


def quantile(level: float, freedom: int) -> float:
    """Return Student's quantile of a two-sided interval; the normal one without freedom."""
    # What scipy.stats takes, which takes a second to import.
    from scipy.special import ndtri, stdtrit

    middle = (1 + level) / 2
    return float(stdtrit(freedom, middle) if freedom > 0 else ndtri(middle))


def two_sided(statistic: float, freedom: int) -> float:
    """Return the p-value of Student's statistic; of the normal distribution without freedom."""
    if freedom <= 0:
        return math.erfc(abs(statistic) / math.sqrt(2))
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(statistic)))
