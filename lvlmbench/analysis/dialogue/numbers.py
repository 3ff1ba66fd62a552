"""What the answers of one model in one scenario come to, as one judge sees them.

Each number is over all answers of a task, of an ability, or of all, as the paper's code has it:
each answer counts once, in whatever task it is (TouchStone, section 4). Intervals know that a
scene's answers hang together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from lvlmbench.analysis.dialogue.compared import Compared
from lvlmbench.analysis.linearized import Estimate, ratio
from lvlmbench.analysis.ratios import Interval, Sums

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
        What an answer adds to it.
    scale
        What the ratio is multiplied by.
    least, most
        Between which it lies; a share has neither less than 0 nor more than all.
    share
        Whether it is a share, so that its interval is Wilson's.
    halves
        Whether answers add nothing, a half or one, so that they spread less than those of a share.
    claims
        Whether it rests on claims rather than on answers.
    """

    adds: Adds
    scale: float = 100.0
    least: float = -math.inf
    most: float = math.inf
    share: bool = False
    halves: bool = False
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


#: Measures of answers beside references, in the order of the table.
PAIRS: Mapping[str, Measure] = {
    "score": Measure(_mean(lambda a: a.own), least=100, most=1000),
    "reference": Measure(_mean(lambda a: a.reference), least=100, most=1000),
    "relative": Measure(_beside, least=0),
    "win": Measure(_stands(better=1), share=True),
    "tie": Measure(_stands(tie=1), share=True),
    "loss": Measure(_stands(worse=1), share=True),
    "win_rate": Measure(_stands(better=1, tie=0.5), least=0, most=100, halves=True),
    "bias": Measure(_mean(lambda a: a.bias), scale=1),
    "flips": Measure(_mean(lambda a: a.flips), share=True),
}
#: The score over the questions that every model has a score for: all have the same ones.
COMMON = "common_score"
#: Measures of answers whose tasks are rated: what of them is made up (TouchStone, section 4.3), by
#: the judge's impression and by the claims that it found.
RATED: Mapping[str, Measure] = {
    "hallucination": Measure(_mean(lambda a: a.invented), least=0, most=1000),
    "exact_hallucination": Measure(_made_up, scale=1000, share=True, claims=True),
}


def numbers(
    answers: Sequence[Compared],
    abilities: Mapping[str, str],
    rated: AbstractSet[str],
    common: AbstractSet[Item],
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
    """
    for stratum, some in strata(answers, abilities).items():
        for name, measure in PAIRS.items():
            yield _number(stratum, name, measure, some)
        yield _common(stratum, some, common)
        to_rate = [answer for answer in some if answer.task in rated]
        for name, measure in RATED.items() if to_rate else ():
            yield _number(stratum, name, measure, to_rate)


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


def _common(stratum: str, answers: Sequence[Compared], common: AbstractSet[Item]) -> Number:
    """The score over common questions; ``n`` says how many these are, the rest is of all.

    A model that lacks a score for one of them has none.
    """
    those = [answer for answer in answers if answer.item in common]
    if any(answer.scores is None for answer in those):
        those = []
    unjudged = sum(answer.scores is None for answer in answers)
    found = _number(stratum, COMMON, PAIRS["score"], those)
    return found._replace(answers=len(answers), unjudged=unjudged)


def _number(stratum: str, name: str, measure: Measure, answers: Sequence[Compared]) -> Number:
    scenes: dict[str, list[float]] = {}
    judged, under = 0, 0.0
    for answer in answers:
        parts = measure.adds(answer)
        if parts is None:
            continue
        sums = scenes.setdefault(answer.scene, [0.0, 0.0])
        sums[0] += parts[0]
        sums[1] += parts[1]
        judged, under = judged + 1, under + parts[1]
    n = int(under) if measure.claims else judged
    found = ratio({name: Sums(*sums) for name, sums in scenes.items()}, float(n))
    value, low, high = (None,) * 3
    if found is not None:
        value, low, high = _scaled(measure, _ends(measure, found))
    return Number(stratum, name, value, low, high, n, len(answers), len(answers) - judged)


def _ends(measure: Measure, found: Estimate) -> Interval:
    """A number with its interval, before it is scaled."""
    if measure.share:
        return found.bounded()
    ends = found.unbounded()
    return _alike(found) if measure.halves and ends.low is None else ends


def _alike(found: Estimate) -> Interval:
    """The interval of a mean of 0, 1/2 and 1 where no spread was seen.

    As many as the Wilson interval of none in these scenes allows may be unlike the others, and all
    of them at one end. Where all are 1 this is Wilson's interval itself.
    """
    unlike = replace(found, value=0.0).bounded().high or 0.0
    value = found.value
    return Interval(value, value - unlike * value, value + unlike * (1 - value))


def _scaled(measure: Measure, found: Interval) -> tuple[float | None, ...]:
    """A number with its interval, within its limits."""
    ends = (found.value, found.low, found.high)
    return tuple(
        None
        if end is None
        else round(min(max(measure.scale * end, measure.least), measure.most), DECIMALS) + 0.0
        for end in ends
    )
