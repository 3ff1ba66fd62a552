"""Estimates that are made of others, with intervals that are clustered by scene (delta method).

An estimate carries what each scene adds to its error, so that the error of whatever is computed
from several of them follows, be they of the same scenes or of others (Taylor series linearization;
:mod:`lvlmbench.analysis.ratios`, whose ratio and share it continues).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lvlmbench.analysis.ratios import MOST, Interval, Sums, interval, student
from lvlmbench.core.wilson import Z, wilson


@dataclass(frozen=True)
class Estimate:
    """A number and how sure it is.

    Attributes
    ----------
    errors
        What each scene adds to its error; their squares add up to its variance.
    weights
        How much of it each scene decides; together 1.
    freedom
        Degrees of freedom of the variance; 0 where it is not known.
    most
        Most independent trials that it can stand for.
    """

    value: float
    errors: Mapping[str, float]
    weights: Mapping[str, float]
    freedom: int
    most: float = field(default=math.inf)

    @property
    def variance(self) -> float:
        """Return the variance of the value."""
        return math.fsum(error * error for error in self.errors.values())

    def bounded(self) -> Interval:
        """Return it as a share, with Wilson's interval at its effective number of trials.

        As :func:`lvlmbench.analysis.ratios.share`: where no spread was seen, that is the number of
        equally weighted scenes.
        """
        p = min(max(self.value, 0.0), 1.0)
        if self.variance > 0 and 0 < p < 1:
            trials = min(p * (1 - p) / self.variance, self.most)
        else:
            trials = 1 / math.fsum(weight * weight for weight in self.weights.values())
        quantile = student(self.freedom) if self.freedom else Z
        return Interval(self.value, *wilson(p, trials, quantile))

    def unbounded(self) -> Interval:
        """Return it with Student's interval; its ends are None where nothing tells of its error:
        it rests on one scene, or all are alike."""
        if not self.freedom or not self.variance:
            return Interval(self.value, None, None)
        return interval(self.value, self.variance, self.freedom)


def ratio(scenes: Mapping[str, Sums], most: float = math.inf) -> Estimate | None:
    """Return the ratio of the sums over scenes, by their names; None where nothing is below.

    A scene without any says nothing.

    Parameters
    ----------
    most
        Most independent trials that it can stand for: of a share of claims, the claims.
    """
    scenes = {name: sums for name, sums in scenes.items() if sums.over or sums.under}
    below = math.fsum(sums.under for sums in scenes.values())
    if below <= 0:
        return None
    value = math.fsum(sums.over for sums in scenes.values()) / below
    weights = {name: sums.under / below for name, sums in scenes.items()}
    if len(scenes) < 2:
        return Estimate(value, {}, weights, 0, most)
    errors = {
        name: (sums.over - value * sums.under) / below / (1 - min(weights[name], MOST))
        for name, sums in scenes.items()
    }
    return Estimate(value, errors, weights, len(scenes) - 1, most)


def mean(estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the unweighted mean of estimates; None where there are none.

    Whatever rests on a single scene is as uncertain as it is far from the mean.
    """
    k = len(estimates)
    if k < 2:
        return estimates[0] if estimates else None
    value = math.fsum(each.value for each in estimates) / k
    alone = [each for each in estimates if not each.freedom]
    errors = [
        _scaled(dict.fromkeys(each.weights, each.value - value), math.sqrt(k / (k - 1)) / k)
        if not each.freedom
        else _scaled(each.errors, 1 / k)
        for each in estimates
    ]
    freedom = sum(each.freedom for each in estimates) + max(len(alone) - 1, 0)
    return Estimate(
        value, added(errors), added([_scaled(each.weights, 1 / k) for each in estimates]), freedom
    )


def harmonic(one: Estimate, other: Estimate) -> Estimate:
    """Return the harmonic mean of two shares (F1), 0 where one of them is 0."""
    a, b = one.value, other.value
    weights = added([_scaled(one.weights, 0.5), _scaled(other.weights, 0.5)])
    freedom = min(one.freedom, other.freedom)
    if a <= 0 or b <= 0:
        return Estimate(0.0, {}, weights, freedom)
    by_one, by_other = 2 * b * b / (a + b) ** 2, 2 * a * a / (a + b) ** 2
    errors = added([_scaled(one.errors, by_one), _scaled(other.errors, by_other)])
    return Estimate(2 * a * b / (a + b), errors, weights, freedom)


def added(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return sums by name; the order of the parts changes no bit."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: math.fsum(part[name] for part in parts if name in part) for name in names}


def _scaled(part: Mapping[str, float], by: float) -> dict[str, float]:
    return {name: value * by for name, value in part.items()}
