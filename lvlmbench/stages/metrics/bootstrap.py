"""Cluster bootstrap: intervals of the composite figures by drawing scenes with replacement.

A resample draws as many scenes as there are. What it does to a figure is the sum over scenes of
(times drawn - 1) * influence, where the influence carries the correction for small cells: the
first-order ("score") bootstrap (Kline and Santos, Journal of Econometric Methods 1, 2012). Unlike
a bootstrap that computes every mean anew it leaves no cell empty, and is not too narrow where a
cell holds a handful of scenes. docs/metrics.md has the formulas and how often they hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.exact import fixed_point
from lvlmbench.stages.metrics.intervals import F64, NOTHING, Figure

#: Draws of scenes held in memory at a time.
_CHUNK = 4_000_000
#: Halvings of the range in which an end of an interval lies.
_STEPS = 40
_TAIL = 0.025
#: Scenes that a bootstrap-t takes. Of fewer some draws have next to no spread, and what is divided
#: by it has no end: of 6 to 24 scenes it holds the truth in 80 to 99 %, and reaches 0 or 100 from
#: scores far away. Wilson's with Student's quantile holds it in 94 to 99 %, and stays near.
ENOUGH = 30


class Bootstrap:
    """Draws scenes from one snapshot.

    Parameters
    ----------
    seed
        Of the snapshot.
    item
        What the draws are for, e.g. the name of the scenario.
    resamples
        How often the scenes are drawn.
    """

    def __init__(self, seed: int, item: str, resamples: int) -> None:
        self.seed, self.item, self.resamples = seed, item, resamples

    def deviations(self, columns: F64) -> F64:
        """Sum over scenes of (times drawn - 1) * ``columns``, shape (resamples, k), for columns
        of shape (scenes, k). The same draws for all columns and at every call."""
        scenes, k = columns.shape
        if scenes == 0:
            return np.zeros((self.resamples, k))
        numbers, scale = fixed_point(columns, 2 * scenes * np.abs(columns).max(axis=0))
        random = generator(self.seed, "bootstrap", self.item)
        found = np.empty((self.resamples, k))
        rows = max(1, _CHUNK // scenes)
        for start in range(0, self.resamples, rows):
            count = min(rows, self.resamples - start)
            drawn = random.integers(0, scenes, (count, scenes), dtype=np.int64)
            drawn += scenes * np.arange(count)[:, None]
            times = np.bincount(drawn.ravel(), minlength=count * scenes).reshape(count, scenes)
            found[start : start + count] = (times - 1.0) @ numbers
        return found / scale


def studentized(figure: Figure, moved: F64, squares: F64) -> tuple[float | None, float | None]:
    """95 % bootstrap-t interval of a figure, within 0 and 100.

    Parameters
    ----------
    moved
        Deviations of its influence, shape (resamples,).
    squares
        Deviations of its squared influence.

    Where no spread was seen the interval is the figure's own, and so it is for fewer than two
    scenes: none. Of fewer than :data:`ENOUGH` scenes it is Wilson's with Student's quantile.
    """
    stderr = figure.stderr
    if stderr is None or stderr == 0:
        return figure.interval()
    if np.count_nonzero(figure.load) < ENOUGH:
        return replace(figure, share=False).interval()
    spread = np.sqrt(np.maximum(squares + stderr * stderr, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(moved == 0, 0.0, moved / spread)
    below, above = np.quantile(t, [_TAIL, 1 - _TAIL], method="inverted_cdf")
    low = figure.value - stderr * max(float(above), 0.0)
    high = figure.value - stderr * min(float(below), 0.0)
    return max(low, 0.0), min(high, 100.0)


class Spread:
    """Variance (divided by N) over N figures: SC over styles, SQ over two question types.

    The observed variance is that of the true values plus sampling noise, and neither can be below
    0. So the interval holds those true variances under which the observed one is no surprise.

    Parameters
    ----------
    values
        Shape (N,), N at least 2.
    influence
        Of each scene on each value, shape (scenes, N).
    """

    def __init__(self, values: F64, influence: F64) -> None:
        self.offsets = values - values.mean()
        self.value = float((self.offsets * self.offsets).mean())
        self.influence = influence - influence.mean(axis=1, keepdims=True)
        #: What the value would be on average if all true values were equal.
        self.noise = float((self.influence * self.influence).sum()) / len(values)

    @property
    def corrected(self) -> float:
        """The value less the noise; not below 0."""
        return max(self.value - self.noise, 0.0)

    def error(self, moved: F64) -> tuple[float, float, float] | None:
        """(stderr, low, high), 95 %, None where no spread of answers was seen at all.

        For a true variance c² the true values are taken to be the observed ones, their offsets
        shrunk to the variance c²; each resample moves them by ``moved``, the deviations of
        ``influence``, shape (resamples, N). c² is in the interval if the observed variance lies
        between two quantiles of those found. The tails beyond them add up to 5 %. At c = 0 all
        of it is the upper one, as nothing can be below; the lower one grows to 2.5 % as the
        power to tell c from 0 grows to 1. So the interval is never empty, and reaches 0 where
        equal values would do. A value below the noise is luck, and rules out no more than the
        noise itself. ``stderr`` is the spread over resamples at the value less noise.
        """
        if self.noise <= NOTHING * NOTHING:
            return None
        size = math.sqrt(self.value)
        if size > 0:
            shape = self.offsets / size
        else:
            shape = np.where(np.arange(len(self.offsets)) % 2, -1.0, 1.0)
        cross, own = (moved * shape).mean(axis=1), (moved * moved).mean(axis=1)

        def found(c: float) -> F64:
            return np.asarray(c * c + 2 * c * cross + own)

        by_chance = np.quantile(own, 1 - 2 * _TAIL)

        def lower_tail(c: float) -> float:
            power = float((found(c) > by_chance).mean())
            return _TAIL * max(0.0, (power - 2 * _TAIL) / (1 - 2 * _TAIL))

        def too_low(c: float) -> bool:
            return self.value > float(np.quantile(found(c), 1 - 2 * _TAIL + lower_tail(c)))

        seen = max(self.value, self.noise)

        def too_high(c: float) -> bool:
            tail = lower_tail(c)
            return tail > 0 and seen < float(np.quantile(found(c), tail))

        top = size + math.sqrt(self.noise)
        while not too_high(top):
            top *= 2
        low = _last(too_low, top) if too_low(0.0) else 0.0
        high = _last(lambda c: not too_high(c), top)
        stderr = float(found(math.sqrt(self.corrected)).std())
        return stderr, low * low, high * high


def _last(holds: Callable[[float], bool], top: float) -> float:
    """Where between 0, at which it holds, and ``top``, at which it does not, that ends."""
    low, high = 0.0, top
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
