"""What all answers of one model in one scenario add up to: rows of the table ``hallucination``."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lvlmbench.analysis.hallucination.association import effect
from lvlmbench.analysis.hallucination.told import ALL, Part
from lvlmbench.analysis.linearized import Estimate, harmonic, mean, ratio
from lvlmbench.analysis.ratios import Interval, Sums

#: Measures of which every subtask has a row, be it empty.
HEADLINE = (
    "faithfulness", "coverage", "faithfulness_macro", "coverage_macro", "all_true", "all_covered",
    "claims",
)  # fmt: skip
#: Measures that are no shares, so that their intervals are Student's -> their least, their largest.
_LIMITS: Mapping[str, tuple[float, float]] = {
    "claims": (0, math.inf),
    "order_tau": (-1, 1),
    "released_coverage": (-1, 2),
    "acc_f": (-math.inf, 1),
}
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
        Measure and stratum -> scene -> both sides of the ratio, and what is counted.
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
            sums = scenes.setdefault(scene, [0.0, 0.0, 0])
            sums[0] += part.over
            sums[1] += part.under
            sums[2] += int(part.under) if part.n is None else part.n

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

    def estimate(self, measure: str, stratum: str) -> Estimate | None:
        """Return a measure in its own unit, a share as a share; None where it rests on nothing."""
        scenes = {
            name: Sums(over, under)
            for name, (over, under, _) in self.parts.get((measure, stratum), {}).items()
        }
        most = math.inf if measure in (*_MEANS, *_LIMITS) else float(self.n(measure, stratum))
        return ratio(scenes, most)

    def n(self, measure: str, stratum: str) -> int:
        """Return on how many claims, features or answers a measure rests."""
        if measure == "f1":
            return self.answers - self.unjudged
        return int(sum(n for _, _, n in self.parts.get((measure, stratum), {}).values()))


def numbers(subtasks: Mapping[str, Totals], headline: bool = True) -> Iterator[Number]:
    """Yield all numbers of some subtasks, in a fixed order, and of all of them together.

    Over all subtasks each number is the unweighted mean of those of the subtasks (VALOR-Eval,
    section 4.2). Where one of them lacks a measure of :data:`HEADLINE`, there is no mean: over the
    others it would be of other questions than that of another model. Other measures are of the
    subtasks that have them.

    Parameters
    ----------
    headline
        Whether the measures of :data:`HEADLINE` have rows where there is nothing, too.
    """
    names = sorted(subtasks)
    fixed = [(measure, ALL) for measure in HEADLINE] if headline else []
    for key in fixed:
        yield from _lines(key, subtasks, {n: subtasks[n].estimate(*key) for n in names}, True)
    if headline:
        f1 = {name: _f1(subtasks[name]) for name in names}
        yield from _lines(("f1", ALL), subtasks, f1, True)
    rest = {key for totals in subtasks.values() for key in totals.parts} - {*fixed}
    for key in sorted(rest, key=lambda key: (key[0], len(key[1]) * key[1].isdecimal(), key[1])):
        having = [name for name in names if key in subtasks[name].parts]
        yield from _lines(key, subtasks, {n: subtasks[n].estimate(*key) for n in having}, False)
    yield from _effects(subtasks)


def _f1(totals: Totals) -> Estimate | None:
    """The harmonic mean of faithfulness and coverage; 0 where nothing is claimed."""
    coverage = totals.estimate("coverage", ALL)
    faithfulness = totals.estimate("faithfulness", ALL) or coverage
    if coverage is None or faithfulness is None:
        return None
    return harmonic(faithfulness, coverage)


def _lines(
    key: tuple[str, str],
    subtasks: Mapping[str, Totals],
    each: Mapping[str, Estimate | None],
    must: bool,
) -> Iterator[Number]:
    """A number of each of some subtasks, and of all of them; ``must``: each is to have one."""
    for name, found in each.items():
        yield _line(name, key, found, [subtasks[name]])
    having = [found for found in each.values() if found is not None]
    together = None if must and len(having) < len(each) else mean(having)
    yield _line(ALL, key, together, [*subtasks.values()])


def _line(
    subtask: str, key: tuple[str, str], found: Estimate | None, of: Sequence[Totals]
) -> Number:
    ends = None if found is None else _ends(key[0], found)
    return _number(subtask, key, ends, sum(totals.n(*key) for totals in of), of)


def _ends(measure: str, found: Estimate) -> Interval:
    if measure not in _LIMITS:
        return found.bounded()
    interval, (least, most) = found.unbounded(), _LIMITS[measure]
    if interval.low is None or interval.high is None:
        return interval
    return Interval(interval.value, max(interval.low, least), min(interval.high, most))


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
    subtask: str, key: tuple[str, str], found: Interval | None, n: int, of: Sequence[Totals]
) -> Number:
    measure, stratum = key
    scale = 1 if measure in _PLAIN else 100
    ends = (None, None, None) if found is None else (found.value, found.low, found.high)
    value, low, high = (None if end is None else round(scale * end, DECIMALS) + 0.0 for end in ends)
    answers, unjudged = sum(totals.answers for totals in of), sum(totals.unjudged for totals in of)
    return Number(subtask, stratum, measure, value, low, high, n, answers, unjudged)
