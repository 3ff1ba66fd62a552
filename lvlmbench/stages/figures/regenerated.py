"""Whether models are better at pictures and questions that may have leaked than at fresh ones.

Two suites of a run may be drawings of one plan, which differ in their number alone. Each item of
the plan is then asked twice: about a picture of the older drawing, which may have leaked, and about
one of the newer (AutoDavis, section 3.6). Who has seen neither is as good at both. The aspects of a
plan are what varies: intervals are Student's over them, as those of other paired comparisons are
over scenes. (With 24 aspects a bootstrap-t calls 7 to 9 of 100 models different that are not.)
Whether both are as good as equal is for two one-sided tests to say (TOST; Schuirmann, J.
Pharmacokinetics and Biopharmaceutics 15, 1987): they are where the 90 % interval lies within the
margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.ratios import interval, of_mean
from lvlmbench.suites.suite import suite_of

F64: TypeAlias = npt.NDArray[np.float64]
#: Request, aspect, level and number of an item of the plan.
Key: TypeAlias = tuple[str, str, str, int]
#: Both ends of an interval, in points.
Ends: TypeAlias = tuple[float, float]
Verdict: TypeAlias = Literal["equivalent", "differs", "undecided"]

#: Points within which two accuracies are as good as equal.
MARGIN = 5.0
#: Aspects below which nothing is decided.
FEWEST = 10


@dataclass(frozen=True)
class Pairs:
    """What a model reaches on items that were asked and scored in both drawings, in percent.

    Attributes
    ----------
    model, n, planned
        Its name; its pairs, and how many the plan has.
    older, newer
        Its accuracy in each drawing, over the pairs.
    low, high
        95 % interval of the first less the second.
    within
        The 90 % interval.
    """

    model: str
    n: int
    planned: int
    older: float
    newer: float
    low: float | None
    high: float | None
    within: Ends | None

    @property
    def difference(self) -> float:
        """How much better it is at the older drawing, in points."""
        return self.older - self.newer

    @property
    def verdict(self) -> Verdict:
        """``equivalent``: the 90 % interval lies within the margin; ``differs``: it does not, and
        the 95 % interval leaves 0 out; ``undecided``: neither."""
        if self.within is not None and self.within[0] > -MARGIN and self.within[1] < MARGIN:
            return "equivalent"
        if self.low is not None and self.high is not None and (self.low > 0 or self.high < 0):
            return "differs"
        return "undecided"


@dataclass(frozen=True)
class Regenerated:
    """A drawing of the plan that is older than this one, and how models compare."""

    suite: str
    scenario: str
    number: int
    newer: int
    aspects: int
    pairs: list[Pairs]
    margin: float = MARGIN


def compared(model: str, older: F64, newer: F64, aspect: Sequence[Any]) -> Pairs | None:
    """Return how a model compares; None where it has no pair.

    Parameters
    ----------
    older, newer
        1 and 0 of each item of the plan; nan where it was not asked or not scored.
    aspect
        Of each item.
    """
    both = np.isfinite(older) & np.isfinite(newer)
    n = int(both.sum())
    if not n:
        return None
    names, place = np.unique([str(a) for a, b in zip(aspect, both, strict=True) if b],
                             return_inverse=True)  # fmt: skip
    gain = 100 * (older - newer)[both]
    whole, within = _ends(gain, place) if len(names) >= FEWEST else (None, None)
    low, high = whole or (None, None)
    return Pairs(
        model, n, len(older), float(100 * older[both].mean()), float(100 * newer[both].mean()),
        low, high, within,
    )  # fmt: skip


def _ends(gain: F64, place: npt.NDArray[np.int64]) -> tuple[Ends, Ends]:
    """The 95 % and the 90 % interval of a mean.

    Where no spread was seen over aspects, pairs are what varies; where none was seen at all, the
    interval holds all that one misses so in 2.5 (5) of 100 times, at either side.

    Parameters
    ----------
    gain, place
        Of each pair; ``place`` is the number of its aspect.
    """
    from scipy.special import stdtrit

    value, n = float(gain.mean()), np.bincount(place)
    residuals = np.bincount(place, gain - value) * len(n) / len(gain)
    variance = of_mean(residuals.tolist(), (n / len(gain)).tolist())
    if variance == 0:
        alike = bool((gain == gain[0]).all())
        return _alike(value, len(gain)) if alike else _ends(gain, np.arange(len(gain)))
    freedom = len(n) - 1
    whole, half = interval(value, variance, freedom), float(stdtrit(freedom, 0.95) * variance**0.5)
    assert whole.low is not None and whole.high is not None
    return (whole.low, whole.high), (value - half, value + half)


def _alike(gain: float, n: int) -> tuple[Ends, Ends]:
    """The intervals where n pairs all have one gain, -100, 0 or 100.

    The share of pairs with another gain is at most ``1 - alpha ** (1 / n)`` (Clopper, Pearson,
    Biometrika 26, 1934); were they all at the other end, the mean would be that much farther off.
    """
    ends = []
    for alpha in (0.025, 0.05):
        reach = (1 - alpha ** (1 / n)) * (100 + abs(gain))
        ends.append((max(-100.0, gain - reach), min(100.0, gain + reach)))
    return ends[0], ends[1]


def build(
    snapshot: Snapshot, others: Sequence[Snapshot], models: Sequence[str]
) -> list[Regenerated]:
    """Return how models compare with each older drawing of the same plan among ``others``."""
    mine = _drawing(snapshot)
    found = []
    for other in others if mine is not None else ():
        theirs, scenario = _drawing(other), snapshot.first_scenario
        if theirs is None or mine is None or theirs.plan != mine.plan:
            continue
        if theirs.number >= mine.number or scenario not in other.params.scenarios.names:
            continue
        pairs, aspects = _pairs(other, snapshot, scenario, models)
        found.append(
            Regenerated(other.params.suite, scenario, theirs.number, mine.number, aspects, pairs)
        )
    return sorted(found, key=lambda each: each.number)


def _drawing(snapshot: Snapshot) -> Any:
    return suite_of(snapshot.params).drawing(snapshot.params)


def _items(snapshot: Snapshot) -> dict[Key, str]:
    """Scene of each item of the plan."""
    names = ["subtask", "aspect", "level", "number", "scene_id"]
    table = tables.read(snapshot.folder(tables.DESCRIPTIONS), tables.DESCRIPTIONS, names)
    rows = zip(*(table[name].to_pylist() for name in names), strict=True)
    return {(subtask, aspect, level, n): scene for subtask, aspect, level, n, scene in rows}


def _right(snapshot: Snapshot, scenario: str, model: str) -> dict[str, float]:
    """1 and 0 by scene, of scored answers."""
    found: dict[str, float] = {}
    names = ["scene_id", "correct"]
    for shard in snapshot.shards(tables.SCORES, names, model=model, scenario=scenario):
        rows = zip(*(shard[name].to_pylist() for name in names), strict=True)
        found |= {scene: float(correct) for scene, correct in rows if correct is not None}
    return found


def _pairs(
    older: Snapshot, newer: Snapshot, scenario: str, models: Sequence[str]
) -> tuple[list[Pairs], int]:
    scenes = [_items(older), _items(newer)]
    keys = sorted(scenes[0].keys() & scenes[1].keys())
    aspects = [key[:2] for key in keys]
    found = []
    for model in models:
        right = [_right(each, scenario, model) for each in (older, newer)]
        before, now = (
            np.array([scored.get(of[key], np.nan) for key in keys])
            for scored, of in zip(right, scenes, strict=True)
        )
        if (pairs := compared(model, before, now, aspects)) is not None:
            found.append(pairs)
    return found, len({*aspects})
