"""What the answers of one model in one scenario come to, as one judge sees them.

Each number is over all answers of a task, of an ability, or of all, as the paper's code has it:
each answer counts once, in whatever task it is (TouchStone, section 4). Intervals know that a
scene's answers hang together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from lvlmbench.analysis.dialogue.compared import Compared
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import CellSums, Pool, Row

#: Digits of numbers.
DECIMALS = 9
#: All answers, among the strata.
ALL = "all"
#: Names a question and its picture.
Item: TypeAlias = tuple[str, str | None]

#: What an answer adds to both sides of a ratio; None where it cannot.
Adds = Callable[[Compared], tuple[float, float] | None]


class Number(NamedTuple):
    """A row without the names of judge, model and scenario."""

    stratum: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    answers: int
    unjudged: int


class Measure(NamedTuple):
    """How a number is made of answers.

    Attributes
    ----------
    adds
        What an answer adds to both sides of it: its own number and 1, or claims and all claims.
    scale
        What the ratio is multiplied by.
    ends
        The least and the largest that an answer can have; None where no such bound is known, so
        that the interval is Student's.
    claims
        Whether it rests on claims rather than on answers.
    """

    adds: Adds
    scale: float = 100.0
    ends: tuple[float, float] | None = (0.0, 1.0)
    claims: bool = False


def _mean(value: Callable[[Compared], float | bool | None]) -> Adds:
    """Count an answer once, with its value."""

    def adds(answer: Compared) -> tuple[float, float] | None:
        found = value(answer)
        return None if found is None else (float(found), 1.0)

    return adds


def _stands(**points: float) -> Adds:
    """Count an answer with the points of how it stands to the reference."""
    return _mean(lambda a: None if a.standing is None else points.get(a.standing, 0.0))


def _beside(answer: Compared) -> tuple[float, float] | None:
    if answer.own is None or answer.reference is None:
        return None
    return answer.own, answer.reference


def _made_up(answer: Compared) -> tuple[float, float] | None:
    if answer.true is None or answer.wrong is None:
        return None
    return float(answer.wrong), float(answer.true + answer.wrong)


#: Scores that judges give.
_SCORES = (1.0, 10.0)
#: Measures of answers beside references, in the order of the table.
PAIRS: Mapping[str, Measure] = {
    "score": Measure(_mean(lambda a: a.own), ends=_SCORES),
    "reference": Measure(_mean(lambda a: a.reference), ends=_SCORES),
    "relative": Measure(_beside, ends=None),
    "win": Measure(_stands(better=1)),
    "tie": Measure(_stands(tie=1)),
    "loss": Measure(_stands(worse=1)),
    "win_rate": Measure(_stands(better=1, tie=0.5)),
    "bias": Measure(_mean(lambda a: a.bias), scale=1, ends=(-9.0, 9.0)),
    "flips": Measure(_mean(lambda a: a.flips)),
}
#: The score over the questions that every model has a score for: all have the same ones.
COMMON = "common_score"
#: Measures of answers whose tasks are rated: what of them is made up (TouchStone, section 4.3), by
#: the judge's impression and by the claims that it found.
RATED: Mapping[str, Measure] = {
    "hallucination": Measure(_mean(lambda a: a.invented), ends=(0.0, 10.0)),
    "exact_hallucination": Measure(_made_up, scale=1000, claims=True),
}


def numbers(
    answers: Sequence[Compared],
    abilities: Mapping[str, str],
    rated: AbstractSet[str],
    common: AbstractSet[Item],
    clusters: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Number]:
    """Yield all numbers of all answers, of each ability and of each task, in this order.

    Where nothing was scored, a number is there and has no value.

    Parameters
    ----------
    abilities
        Task -> the ability that it is of, in the order to tell them.
    rated
        Tasks whose answers are rated.
    common
        What every model has a score for, as :func:`common_items` gives it.
    clusters
        Scene -> what it hangs together with; one that is not in it is alone.
    """
    for stratum, some in strata(answers, abilities).items():
        for name, measure in PAIRS.items():
            yield _number(stratum, name, measure, some, clusters)
        yield _common(stratum, some, common, clusters)
        to_rate = [answer for answer in some if answer.task in rated]
        for name, measure in RATED.items() if to_rate else ():
            yield _number(stratum, name, measure, to_rate, clusters)


def common_items(models: Iterable[Sequence[Compared]]) -> frozenset[Item]:
    """Return the questions, with their pictures, that every model has a score for.

    A model with scores for less than half of its answers does not count, unless all are such: few
    questions would be left for the others. One without any score never does.
    """
    known = [([a.item for a in answers if a.scores], len(answers)) for answers in models]
    some = [frozenset(items) for items, _ in known if items]
    most = [frozenset(items) for items, asked in known if items and 2 * len(items) >= asked]
    return frozenset.intersection(*(most or some)) if some else frozenset()


def strata(
    answers: Sequence[Compared], abilities: Mapping[str, str]
) -> dict[str, Sequence[Compared]]:
    """Return the answers by stratum: all, each ability, each task; those that have some."""
    found: dict[str, list[Compared]] = {ALL: [], **{name: [] for name in abilities.values()}}
    found |= {task: [] for task in abilities}
    for answer in answers:
        for name in (ALL, abilities[answer.task], answer.task):
            found[name].append(answer)
    return {name: some for name, some in found.items() if some}


def _common(
    stratum: str,
    answers: Sequence[Compared],
    common: AbstractSet[Item],
    clusters: Mapping[str, str],
) -> Number:
    """The score over common questions; ``n`` says how many these are, the rest is of all.

    A model that lacks a score for one of them has none.
    """
    those = [answer for answer in answers if answer.item in common]
    if any(answer.scores is None for answer in those):
        those = []
    unjudged = sum(answer.scores is None for answer in answers)
    found = _number(stratum, COMMON, PAIRS["score"], those, clusters)
    return found._replace(answers=len(answers), unjudged=unjudged)


def _number(
    stratum: str,
    name: str,
    measure: Measure,
    answers: Sequence[Compared],
    clusters: Mapping[str, str],
) -> Number:
    rows = [(answer, parts) for answer in answers if (parts := measure.adds(answer)) is not None]
    under = math.fsum(parts[1] for _, parts in rows)
    n = int(under) if measure.claims else len(rows)
    found = None if under <= 0 else _estimate(measure, rows, clusters)
    value, low, high = (None,) * 3
    if found is not None:
        ends = (found.value, found.low, found.high)
        value, low, high = (
            None if end is None else round(measure.scale * end, DECIMALS) + 0.0 for end in ends
        )
    return Number(stratum, name, value, low, high, n, len(answers), len(answers) - len(rows))


def _estimate(
    measure: Measure,
    rows: Sequence[tuple[Compared, tuple[float, float]]],
    clusters: Mapping[str, str],
) -> Estimate | None:
    """A mean in which each answer counts once, of whatever task; tasks are cells that differ."""
    tasks = sorted({answer.task for answer, _ in rows})
    found = [
        Row(
            answer.scene, tasks.index(answer.task), clusters.get(answer.scene, answer.scene),
            under, over, over if measure.claims else over * over / (under or 1),
        )
        for answer, (over, under) in rows
    ]  # fmt: skip
    means = [row.total / row.n for row in found if row.n]
    pool = Pool(CellSums.named(found, [0] * len(tasks)), measure.ends or (min(means), max(means)))
    weights = pool.n / pool.n.sum()
    if measure.ends is not None:
        return pool.mean_of(weights)
    free = pool.unbounded(weights)
    return None if free is None else free.within(0.0, math.inf)
