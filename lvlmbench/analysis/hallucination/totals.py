"""What all answers of one model in one scenario add up to: rows of the table ``hallucination``."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from lvlmbench.analysis.hallucination.association import effect
from lvlmbench.analysis.hallucination.told import ALL, Part
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import F64, CellSums, Pool, Row

#: Measures of which every subtask has a row, be it empty.
HEADLINE = (
    "faithfulness", "coverage", "faithfulness_macro", "coverage_macro", "all_true", "all_covered",
    "claims",
)  # fmt: skip
#: Measures that are no shares -> their least, their largest; where one is infinite or no mean of
#: answers reaches it, the interval is Student's.
_LIMITS: Mapping[str, tuple[float, float]] = {
    "claims": (0, math.inf),
    "order_tau": (-1, 1),
    "released_coverage": (-1, 2),
    "acc_f": (-math.inf, 1),
}
_STUDENT = ("claims", "released_coverage", "acc_f")
#: What an interval of a number without a least value may span: from -100 to 100 percent.
_WIDEST = 2.0
#: Measures that are no percentages.
_PLAIN = ("claims", "order_tau")
#: Measures that are means of an answer's own number, so that no number of trials bounds them.
_MEANS = ("faithfulness_macro", "coverage_macro", "amber_chair", "amber_cover", "amber_cog")

#: Digits of numbers.
DECIMALS = 9


class Number(NamedTuple):
    """A row without the names of judge, model and scenario."""

    subtask: str
    stratum: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    answers: int
    unjudged: int


@dataclass
class Totals:
    """The answers of one subtask.

    Attributes
    ----------
    answers, unjudged
        How many were asked for; how many of these could not be judged, or are none.
    parts
        Measure and stratum -> scene -> both sides of the ratio, what is counted, and the
        sum of squares.
    triplets
        Triplet of designed scenes -> arm -> whether each answer claims the associated thing.
    chosen
        Triplet -> the statistic that chose it.
    """

    answers: int = 0
    unjudged: int = 0
    parts: dict[tuple[str, str], dict[str, list[float]]] = field(default_factory=dict)
    triplets: dict[str, dict[str, list[bool]]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)

    def count(self, judged: bool) -> None:
        """Count an answer that was asked for."""
        self.answers += 1
        self.unjudged += not judged

    def add(self, scene: str, parts: Iterable[Part]) -> None:
        """Add what an answer about a scene adds."""
        for part in parts:
            scenes = self.parts.setdefault((part.measure, part.stratum), {})
            sums = scenes.setdefault(scene, [0.0, 0.0, 0, 0.0])
            sums[0] += part.over
            sums[1] += part.under
            sums[2] += int(part.under) if part.n is None else part.n
            # A share is of trials of their own; all else is an answer's own number.
            own = part.measure in _MEANS or part.measure in _LIMITS
            sums[3] += part.over * part.over / (part.under or 1) if own else part.over

    def add_pair(self, triplet: str, arm: str, claims: bool, statistic: str = ALL) -> None:
        """Add an answer about a scene of a triplet, which a statistic has chosen."""
        self.triplets.setdefault(triplet, defaultdict(list))[arm].append(claims)
        self.chosen[triplet] = statistic

    def chosen_by(self, statistic: str) -> Mapping[str, Mapping[str, Sequence[bool]]]:
        """Return the triplets that a statistic has chosen, or all."""
        return {
            name: arms
            for name, arms in self.triplets.items()
            if statistic in (ALL, self.chosen[name])
        }

    def n(self, measure: str, stratum: str) -> int:
        """Return on how many claims, features or answers a measure rests."""
        if measure == "f1":
            return self.answers - self.unjudged
        return int(sum(n for _, _, n, _ in self.parts.get((measure, stratum), {}).values()))


@dataclass
class Numbers:
    """All numbers of some subtasks, in a fixed order, and of all of them together.

    Over all subtasks each number is the unweighted mean of those of the subtasks (VALOR-Eval,
    section 4.2). Where one of them lacks a measure of :data:`HEADLINE`, there is no mean: over the
    others it would be of other questions than that of another model. Other measures are of the
    subtasks that have them.

    Attributes
    ----------
    subtasks
        What their answers add up to.
    clusters
        Scene -> what it hangs together with (:func:`lvlmbench.tables.clusters_of`); a scene that is
        not in it is alone.
    """

    subtasks: Mapping[str, Totals]
    clusters: Mapping[str, str] = field(default_factory=dict)

    def rows(self, headline: bool = True) -> Iterator[Number]:
        """Yield the numbers.

        Parameters
        ----------
        headline
            Whether the measures of :data:`HEADLINE` have rows where there is nothing, too.
        """
        subtasks, names = self.subtasks, sorted(self.subtasks)
        fixed = [(measure, ALL) for measure in HEADLINE] if headline else []
        for key in fixed:
            yield from self._lines(key, names)
        if headline:
            yield from self._f1(names)
        rest = {key for totals in subtasks.values() for key in totals.parts} - {*fixed}
        for key in sorted(rest, key=lambda key: (key[0], len(key[1]) * key[1].isdecimal(), key[1])):
            yield from self._lines(key, [n for n in names if key in subtasks[n].parts])
        yield from _effects(subtasks)

    def _pool(self, cells: Sequence[tuple[str, tuple[str, str]]]) -> Pool:
        """A pool with a cell for each (subtask, measure and stratum); measures are its groups."""
        rows = [
            Row(scene, cell, self.clusters.get(scene, scene), under, over, squares)
            for cell, (name, key) in enumerate(cells)
            for scene, (over, under, _, squares) in self.subtasks[name].parts.get(key, {}).items()
        ]
        measures = list(dict.fromkeys(key for _, key in cells))
        sums = CellSums.named(rows, [measures.index(key) for _, key in cells])
        least, most = _LIMITS.get(measures[0][0] if measures else "", (0.0, 1.0))
        if measures and measures[0][0] in _STUDENT:
            means = [row.total / row.n for row in rows if row.n] or [0.0]
            least, most = min(means), max(means)
        return Pool(sums, (least, most))

    def _lines(self, key: tuple[str, str], names: Sequence[str]) -> Iterator[Number]:
        """A number of each of some subtasks, and the mean over those that have one."""
        pool = self._pool([(name, key) for name in names])
        there = pool.n > 0
        for name, weights in zip(names, np.eye(len(names)), strict=True):
            yield _line(name, key, _ends(key[0], pool, weights), [self.subtasks[name]])
        found = _ends(key[0], pool, there / there.sum()) if there.any() else None
        yield _line(ALL, key, found, [*self.subtasks.values()])

    def _f1(self, names: Sequence[str]) -> Iterator[Number]:
        """The harmonic mean of faithfulness and coverage; 0 where nothing is claimed."""
        key = "f1", ALL
        cells = [(name, (side, ALL)) for name in names for side in ("faithfulness", "coverage")]
        pool = self._pool(cells)
        parts = [harmonic(pool, 2 * at, 2 * at + 1) for at in range(len(names))]
        for name, part in zip(names, parts, strict=True):
            found = None if part is None else part.estimate(pool)
            yield _line(name, key, found, [self.subtasks[name]])
        known = [part for part in parts if part is not None]
        together = Harmonic.mean(known).estimate(pool) if known else None
        yield _line(ALL, key, together, [*self.subtasks.values()])


class Harmonic(NamedTuple):
    """A harmonic mean of two shares, or a mean of several.

    Attributes
    ----------
    value, smoothed
        The number itself, and with the help of the other subtasks.
    weights
        How much it changes with the mean of each cell.
    """

    value: float
    smoothed: float
    weights: F64

    @classmethod
    def mean(cls, parts: Sequence[Harmonic]) -> Harmonic:
        """Return the unweighted mean."""
        k = len(parts)
        value, smoothed = (math.fsum(float(each[i]) for each in parts) / k for i in (0, 1))
        return cls(value, smoothed, np.sum([each.weights for each in parts], axis=0) / k)

    def estimate(self, pool: Pool) -> Estimate:
        """Return it with Wilson's interval."""
        return pool.bounded(self.value, self.smoothed, pool.spread(self.weights), self.weights)


def harmonic(pool: Pool, one: int, other: int) -> Harmonic | None:
    """Return the harmonic mean of two cells' shares (F1); None where the second is unknown.

    It is 0 where one of them is 0, or where the first is unknown: nothing was claimed.
    """
    if not pool.n[other]:
        return None
    a, b = float(pool.mean[one]), float(pool.mean[other])
    value = 2 * a * b / (a + b) if a > 0 and b > 0 else 0.0
    c, d = float(pool.first[one]), float(pool.first[other])
    weights = np.zeros(len(pool.n))
    weights[other] = 2 * c * c / (c + d) ** 2
    if pool.n[one]:
        weights[one] = 2 * d * d / (c + d) ** 2
    return Harmonic(value, 2 * c * d / (c + d), weights)


def _ends(measure: str, pool: Pool, weights: F64) -> Estimate | None:
    """A number with its interval, within its limits."""
    if measure not in _STUDENT:
        return pool.mean_of(weights)
    found = pool.unbounded(weights)
    if found is None:
        return None
    least, most = _LIMITS[measure]
    found = found.within(least, most)
    return found.no_wider(_WIDEST) if most == 1 else found


def _line(
    subtask: str, key: tuple[str, str], found: Estimate | None, of: Sequence[Totals]
) -> Number:
    return _number(subtask, key, found, sum(totals.n(*key) for totals in of), of)


def _effects(subtasks: Mapping[str, Totals]) -> Iterator[Number]:
    """The associative effect of the subtasks that have designed scenes, and of all triplets; of
    each statistic, too, by those that it has chosen."""
    designed = {name: totals for name, totals in sorted(subtasks.items()) if totals.triplets}
    statistics = sorted({one for totals in designed.values() for one in totals.chosen.values()})
    for stratum in dict.fromkeys((ALL, *statistics)):
        key = "associative_effect", stratum
        every: dict[str, Mapping[str, Sequence[bool]]] = {}
        for name, totals in designed.items():
            own = totals.chosen_by(stratum)
            every |= {f"{name}/{triplet}": arms for triplet, arms in own.items()}
            interval, n = effect(own) or (None, 0)
            yield _number(name, key, interval, n, [totals])
        if designed:
            interval, n = effect(every) or (None, 0)
            yield _number(ALL, key, interval, n, [*subtasks.values()])


def _number(
    subtask: str, key: tuple[str, str], found: Estimate | None, n: int, of: Sequence[Totals]
) -> Number:
    measure, stratum = key
    scale = 1 if measure in _PLAIN else 100
    ends = (None, None, None) if found is None else (found.value, found.low, found.high)
    value, low, high = (None if end is None else round(scale * end, DECIMALS) + 0.0 for end in ends)
    answers, unjudged = sum(totals.answers for totals in of), sum(totals.unjudged for totals in of)
    return Number(subtask, stratum, measure, value, low, high, n, answers, unjudged)
