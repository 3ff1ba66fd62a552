"""Drawing clusters of answers again: the bootstrap, and variances with their intervals.

A resample draws as many clusters as there are. What it does to a figure is the sum over clusters of
(times drawn - 1) * influence: the first-order ("score") bootstrap (Kline and Santos, Journal of
Econometric Methods 1, 2012). Unlike a bootstrap that computes every mean anew it leaves no cell
empty, and is not too narrow where a cell holds a handful of scenes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import generator

F64 = npt.NDArray[np.float64]

#: Draws of clusters held in memory at a time.
_CHUNK = 4_000_000
#: Halvings of the range in which an end of an interval lies.
_STEPS = 40
_TAIL = 0.025
#: Standard error in points below which no spread was seen: what rounding leaves of scenes that are
#: alike, such as two of three answers right in each.
NOTHING = 1e-9
#: Whole numbers up to 2**53 are exact in float64.
_BITS = 51
#: Power of two below which nothing counts.
_FINEST = 500


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


def fixed_point(columns: F64, bound: F64) -> tuple[F64, F64]:
    """Whole numbers in place of the columns, and what to divide by.

    Sums of them with whole weights are exact in float64, in whatever order a matrix product adds
    them up.

    Parameters
    ----------
    columns
        Shape (n, k).
    bound
        What the absolute values of a sum's terms add up to at most, shape (k,).

    Returns
    -------
    tuple
        The columns, rounded, shape (n, k), and the power of two of each column, shape (k,).
    """
    power = np.where(bound > 0, np.minimum(_BITS - np.frexp(bound)[1], _FINEST), 0)
    scale = np.ldexp(np.ones(columns.shape[1]), power)
    return np.rint(columns * scale), scale
