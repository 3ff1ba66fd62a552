"""Means over cells of answers whose scenes hang together, with intervals that never collapse.

A pool holds the answers of one model in one scenario (or what two of them differ by), sorted into
cells, such as question type by subtask. A number is a weighted sum of the cells' means. Few
answers stand in a cell, often without any spread, so its variance is estimated with the help of
all others of its group:

* the first two moments of a cell are moved towards those of its group, as if :data:`PRIOR` more
  answers of it had been seen, and the group's towards half an answer at each end of the range;
* how much answers about one scene, or about scenes that share a layout, hang together is one
  correlation for the pool (a moment estimate), separate for answers of one group and of two.

The variance of a number is then the quadratic form of its weights, and its interval Wilson's (for
a share) or that of a paired difference, at the number of independent answers that has this
variance. docs/metrics.md has the formulas, benchmarks/intervals.py how often they hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lvlmbench.stats.estimate import FEWEST, Estimate, student, two_sided, wilson

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

#: Answers of the group that each cell's moments take in.
PRIOR = 2.0
#: What is added to the better and to the worse ones of a paired difference, in answers.
HALF = 0.5


class Row(NamedTuple):
    """What the answers about a scene add up to in a cell.

    Attributes
    ----------
    scene, cell, cluster
        Name of the scene, number of the cell, name of what the scene hangs together with.
    n, total, squares
        Answers, or trials; their sum; the sum of their squares.
    """

    scene: str
    cell: int
    cluster: str
    n: float
    total: float
    squares: float


@dataclass(frozen=True)
class CellSums:
    """What answers add up to, one row for each scene and cell.

    Attributes
    ----------
    scene, cluster, cell
        Numbers from 0, rows in the order of scenes; a scene is of one cluster. Shape (rows,).
    n, total, squares
        Answers, their sum and the sum of their squares. Shape (rows,).
    group
        Of each cell: cells of one group have moments alike. Shape (cells,).
    """

    scene: I64
    cluster: I64
    cell: I64
    n: F64
    total: F64
    squares: F64
    group: I64

    @classmethod
    def of(cls, value: F64, scene: I64, cluster: I64, cell: I64, group: Sequence[int]) -> CellSums:
        """Add up single answers, whose values all are finite."""
        group_of = np.asarray(group, dtype=np.int64)
        key = scene * max(len(group_of), 1) + cell
        rows, first, at = np.unique(key, return_index=True, return_inverse=True)
        size = len(rows)
        return cls(
            scene[first],
            cluster[first],
            cell[first],
            np.bincount(at, minlength=size).astype(np.float64),
            _added(at, value, size),
            _added(at, value * value, size),
            group_of,
        )

    @classmethod
    def named(cls, rows: Iterable[Row], group: Sequence[int]) -> CellSums:
        """Take sums by the names of scenes and clusters; the order of rows changes no bit."""
        found = sorted(row for row in rows if row.n)
        scene, cluster = (
            np.unique([row[at] for row in found], return_inverse=True)[1].astype(np.int64)
            for at in (0, 2)
        )
        cell = np.array([row.cell for row in found], dtype=np.int64)
        sums = np.array([row[3:] for row in found], dtype=np.float64).reshape(-1, 3).T
        n, total, squares = sums
        return cls(scene, cluster, cell, n, total, squares, np.asarray(group, dtype=np.int64))

    def where(self, wanted: npt.NDArray[np.bool_]) -> CellSums:
        """Return the rows of the wanted cells, with scenes numbered anew."""
        if wanted.all():
            return self
        rows = np.flatnonzero(wanted[self.cell])
        scene = np.cumsum(np.diff(self.scene[rows], prepend=-1) != 0) - 1  # they stand in order
        return CellSums(
            scene, self.cluster[rows], self.cell[rows],
            self.n[rows], self.total[rows], self.squares[rows], self.group,
        )  # fmt: skip

    def pairs(self, values: F64, own: F64) -> tuple[float, float, float]:
        """Return sums of products of pairs: within a scene and group, within a scene across groups,
        and within a cluster across scenes.

        Parameters
        ----------
        values
            Of each row: what its answers add up to.
        own
            Of each row: what the squares of its answers add up to.
        """
        groups = int(self.group.max(initial=0)) + 1
        by = (self.scene * groups + self.group[self.cell], self.scene, self.cluster)
        sums = [np.bincount(each, values) for each in by]
        squares = [float((each * each).sum()) for each in sums]
        return squares[0] - float(own.sum()), squares[1] - squares[0], squares[2] - squares[1]


class Pool:
    """Estimates of weighted sums of the means of cells.

    Parameters
    ----------
    sums
        What the answers add up to.
    ends
        The least and the largest value that an answer can have.
    """

    def __init__(self, sums: CellSums, ends: tuple[float, float] = (0.0, 1.0)) -> None:
        self.sums, self.ends = sums, ends
        cells = len(sums.group)
        self.n = _added(sums.cell, sums.n, cells)
        total, squares = (_added(sums.cell, each, cells) for each in (sums.total, sums.squares))
        self.mean, self._squares = (
            np.divide(each, self.n, out=np.zeros(cells), where=self.n > 0)
            for each in (total, squares)
        )
        first, second = self._of_groups(total, squares)
        #: Moments of each cell with the help of its group.
        self.first = (total + PRIOR * first) / (self.n + PRIOR)
        self.second = (squares + PRIOR * second) / (self.n + PRIOR)
        lost = 1 - self.n / (self.n + PRIOR) ** 2
        #: The variance of an answer of each cell, if all of them were independent.
        self._plugged = np.maximum(self.second - self.first * self.first, 0.0) / lost

    def _of_groups(self, total: F64, squares: F64) -> tuple[F64, F64]:
        """The first two moments of the group of each cell."""
        group, (least, most) = self.sums.group, self.ends
        n = np.bincount(group, self.n) + 2 * HALF
        first = np.bincount(group, total) + HALF * (least + most)
        second = np.bincount(group, squares) + HALF * (least * least + most * most)
        return (first / n)[group], (second / n)[group]

    @cached_property
    def clusters(self) -> int:
        """How many clusters there are."""
        return len(np.unique(self.sums.cluster))

    @cached_property
    def freedom(self) -> int:
        """Degrees of freedom of the quantile: clusters less the cells of a group, in which they
        have a mean of their own."""
        cells = int(np.bincount(self.sums.group[self.n > 0]).max(initial=0))
        return max(self.clusters - cells, self.clusters // 2, 1)

    @cached_property
    def _pairs(self) -> tuple[F64, F64]:
        """Pairs of a cell's answers: about one scene, and about two scenes of a cluster."""
        s, cells = self.sums, len(self.n)
        squares = s.n * s.n
        key, at = np.unique(s.cluster * cells + s.cell, return_inverse=True)
        together = _added(at, s.n, len(key))
        by_scene = _added(s.cell, squares, cells)
        by_cluster = _added(key % cells, together * together, cells)
        return by_scene - self.n, by_cluster - by_scene

    @cached_property
    def _correlations(self) -> tuple[float, float, float]:
        """Of answers about one scene within a group, across groups, and about two scenes of one
        cluster.

        Each follows from the sum of the products of residuals over such pairs, and what that would
        be at a correlation of 1. Residuals are taken from the mean of their cell, which takes the
        variance of that mean from each product.
        """
        s, plain = self.sums, self._plugged
        residual = s.total - self.mean[s.cell] * s.n
        own = s.squares - 2 * self.mean[s.cell] * s.total + self.mean[s.cell] ** 2 * s.n
        if own.sum() < 1e-9:  # where all are alike nothing tells that answers are apart
            return 1.0, 0.0, 1.0
        unit = np.sqrt(plain)[s.cell] * s.n
        products = s.pairs(residual, own)
        inner, outer = self._pairs
        n = np.maximum(self.n, 1)
        # Two cells' means vary together where their clusters are the same.
        kept = 1 - (n + inner + outer) / n**2
        kept_unit = unit * np.sqrt(kept)[s.cell]
        shared = s.pairs(kept_unit, kept_unit * kept_unit / s.n)
        same = [float((plain * (1 - kept) * each).sum()) for each in (inner, outer)]
        most = shared[0] + same[0], shared[1], shared[2] + same[1]
        moved = [float((plain * one * other / n**2).sum())
                 for one, other in ((inner, inner), (inner, outer), (outer, outer))]  # fmt: skip
        lost = [float((plain * each / n).sum()) for each in (inner, outer)]
        inside, between = _solved(
            (most[0] - moved[0], -moved[1], most[2] - moved[2]),
            (products[0] + lost[0], products[2] + lost[1]),
        )
        inside = min(max(inside, 0.0), 1.0)
        groups = len(np.unique(s.group[s.cell]))
        across = products[1] / most[1] if most[1] > 1e-12 else 0.0
        across = min(max(across, -inside / max(groups - 1, 1)), 1.0)
        return inside, across, min(max(between, 0.0), 1.0)

    @cached_property
    def variance(self) -> F64:
        """The variance of an answer of each cell.

        Moments of a sample give less than the variance, by what the sample's mean itself varies.
        """
        inside, _, between = self._correlations
        inner, outer = self._pairs
        n = np.maximum(self.n, 1)
        of_mean = (1 + (inside * inner + between * outer) / n) / n
        lost = of_mean * (self.n / (self.n + PRIOR)) ** 2
        return np.asarray(self._plugged * (1 - self.n / (self.n + PRIOR) ** 2) / (1 - lost))

    def spread(self, weights: F64) -> float:
        """Return the variance of the sum of the cells' means with these weights."""
        per_answer = np.divide(weights, self.n, out=np.zeros(len(self.n)), where=self.n > 0)
        inside, across, between = self._correlations
        unit = per_answer * np.sqrt(self.variance)
        used = self.sums.where(weights != 0)
        moved, own = unit[used.cell] * used.n, unit[used.cell] ** 2 * used.n
        pairs = used.pairs(moved, own)
        found = float(own.sum()) + inside * pairs[0] + across * pairs[1] + between * pairs[2]
        return max(found, 0.0)

    def _rests_on(self, weights: F64) -> tuple[int, int]:
        """How many answers and clusters a number rests on."""
        used = weights[self.sums.cell] != 0
        clusters = int(np.count_nonzero(np.bincount(self.sums.cluster[used])))
        return round(float(self.sums.n[used].sum())), clusters

    def mean_of(self, weights: F64) -> Estimate | None:
        """Return a weighted mean of cells' means, within the ends; None where a cell is empty.

        Its interval is Wilson's, on the scale from the least to the largest value.

        Parameters
        ----------
        weights
            Of each cell; they add up to 1.
        """
        if not weights.any() or (self.n[weights != 0] == 0).any():
            return None
        value, smoothed = _dot(weights, self.mean), _dot(weights, self.first)
        return self.bounded(value, smoothed, self.spread(weights), weights)

    def bounded(self, value: float, smoothed: float, spread: float, weights: F64) -> Estimate:
        """Return a number between the ends with Wilson's interval at its effective answers.

        Parameters
        ----------
        value, smoothed
            The number itself, and with the help of the groups.
        spread
            Its variance.
        weights
            Of each cell: on which it rests.
        """
        least, most = self.ends
        width = most - least
        p, q = (value - least) / width, (smoothed - least) / width
        n, clusters = self._rests_on(weights)
        answers = max(q * (1 - q), 1e-12) / max(spread / width**2, 1e-12)
        low, high = wilson(min(max(p, 0.0), 1.0), answers, student(self.freedom))
        ends = float(least + width * low), float(least + width * high)
        return Estimate(value, *ends, math.sqrt(spread), n, clusters, "wilson", None, self.freedom)

    def difference_of(self, weights: F64) -> Estimate | None:
        """Return a weighted mean of differences of paired answers; None where a cell is empty.

        The ends are -most and most; the interval may reach beyond them, so that it can be
        corrected (:meth:`.Estimate.corrected`). Where each difference in a cell is one of -most, 0
        and most, half an answer is added to the better and the worse; continuous ones are small.
        """
        if not weights.any() or (self.n[weights != 0] == 0).any():
            return None
        most = self.ends[1]
        value, spread = _dot(weights, self.mean), self.spread(weights)
        middle, sure = value / most, spread / most**2
        n, clusters = self._rests_on(weights)
        whole = np.where(self._whole, weights, 0.0)
        if whole.any():
            part = math.fsum(whole.tolist())
            moved, wider = self._halved(whole / part)
            middle, sure = middle + part * moved, sure + part * part * wider
        stderr = math.sqrt(max(sure, 1e-12))
        half = student(self.freedom) * stderr
        p = two_sided(middle / stderr, self.freedom)
        return Estimate(
            value, most * (middle - half), most * (middle + half), math.sqrt(spread), n, clusters,
            "paired", p, self.freedom,
        )  # fmt: skip

    def _halved(self, weights: F64) -> tuple[float, float]:
        """By how much half an answer at each end moves a difference, and its variance, in units of
        the largest value."""
        most = self.ends[1]
        value, spread = _dot(weights, self.mean) / most, self.spread(weights) / most**2
        first, second = _dot(weights, self.first) / most, _dot(weights, self.second) / most**2
        answers = max(second - first * first, 1e-12) / max(spread, 1e-12)
        square = _dot(weights, self._squares) / most**2
        more = answers + 2 * HALF
        middle = value * answers / more
        sure = max((square * answers + 2 * HALF) / more - middle * middle, 1e-12) / more
        return middle - value, sure - spread

    def unbounded(self, weights: F64) -> Estimate | None:
        """Return a weighted sum of cells' means with Student's interval; None where one is empty.

        It is for numbers whose range is not known, or that compare cells. Fewer clusters than
        :data:`.estimate.FEWEST` give no interval.
        """
        if not weights.any() or (self.n[weights != 0] == 0).any():
            return None
        value, stderr = _dot(weights, self.mean), math.sqrt(self.spread(weights))
        n, clusters = self._rests_on(weights)
        half = student(self.freedom) * stderr
        if not half or self.freedom < FEWEST - 1:
            return Estimate(value, None, None, None, n, clusters)
        p = two_sided(value / stderr, self.freedom)
        return Estimate(
            value, value - half, value + half, stderr, n, clusters, "student", p, self.freedom
        )

    @cached_property
    def _whole(self) -> npt.NDArray[np.bool_]:
        """Of each cell: whether each of its answers is 0 or at an end."""
        s, most = self.sums, self.ends[1]
        sides = s.total / most, s.squares / most**2
        off = np.maximum(*(np.abs(each - np.rint(each)) for each in sides))
        return np.asarray(_added(s.cell, off, len(self.n)) < 1e-9)

    def influence(self, weights: F64, clusters: int) -> F64:
        """Return how far each cluster moves the sum of the cells' means with these weights.

        Residuals are grown by the number of a cell's clusters, as of a mean of them. Shape
        (clusters,).
        """
        s = self.sums
        key = np.unique(np.column_stack([s.cell, s.cluster]), axis=0)
        met = np.bincount(key[:, 0], minlength=len(self.n))
        grown = np.sqrt(np.divide(met, met - 1, out=np.ones(len(self.n)), where=met > 1))
        per_answer = np.divide(weights * grown, self.n, out=np.zeros(len(self.n)), where=self.n > 0)
        moved = per_answer[s.cell] * (s.total - self.mean[s.cell] * s.n)
        return _added(s.cluster, moved, clusters)


def _added(at: I64, values: F64, size: int) -> F64:
    """Sums by number, in the order of the rows."""
    return np.bincount(at, values, minlength=size).astype(np.float64)


def _dot(one: F64, other: F64) -> float:
    """The sum of products, the same on every processor."""
    return math.fsum((one * other).tolist())


def _solved(matrix: tuple[float, float, float], right: tuple[float, float]) -> tuple[float, float]:
    """The solution of two equations with a symmetric matrix; 0 for what has no pairs."""
    a, b, c = matrix
    if a <= 1e-12 or c <= 1e-12:
        return (right[0] / a if a > 1e-12 else 0.0), (right[1] / c if c > 1e-12 else 0.0)
    determinant = a * c - b * b
    if determinant <= 1e-9 * a * c:
        return right[0] / a, 0.0
    return (right[0] * c - right[1] * b) / determinant, (right[1] * a - right[0] * b) / determinant
