"""Pairs of answers of which one is better, shown in both orders: does the order decide?

Position bias is how much more a judge gives to whoever stands first, beyond what the answers
differ by. Both orders are asked; where one of them is not judged, the pair is not scored at all,
since a half of it would keep the bias that the other half takes away.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.exam.planted import QUESTION
from lvlmbench.stages.judge.judge import Comparison, Judge, Pair
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, ratio, share

#: Rounds of a contest: the better answer first, the worse one first.
_ROUNDS = ("forward", "back")


@dataclass(frozen=True)
class Contest:
    """Two answers about one picture.

    Attributes
    ----------
    worse
        How the second is worse.
    texts
        The better answer, then the worse one.
    better
        Whether the first is better; else both are as good.
    """

    scene: str
    worse: str
    number: int
    texts: tuple[str, str]
    truth: Truth
    better: bool = True

    @property
    def key(self) -> str:
        """Return what names it among all contests."""
        return f"{self.scene}/{self.worse}/{self.number}"

    def pair(self, round: str) -> Pair:
        """Return the pair as a round shows it."""
        first, second = reversed(self.texts) if round == "back" else self.texts
        return Pair(f"{self.key}/{round}", QUESTION, first, second, self.truth)


@dataclass(frozen=True)
class Judgement:
    """What came of a contest: a comparison each round."""

    contest: Contest
    rounds: dict[str, Comparison]

    @property
    def kept(self) -> bool:
        """Return whether both orders were judged."""
        return all(scored(self.rounds[name]) for name in ("forward", "back"))

    def lead(self, round: str) -> float:
        """Return by how much whoever stood first was ahead; the round must be scored."""
        found = self.rounds[round]
        if found.first is None or found.second is None:
            raise ValueError(f"round '{round}' of {self.contest.key} has no scores")
        return found.first - found.second

    @property
    def bias(self) -> float:
        """Return how much the first place was worth, on average over both orders."""
        return (self.lead("forward") + self.lead("back")) / 2

    @property
    def ahead(self) -> float:
        """Return by how much the better answer was ahead, on average over both orders."""
        return (self.lead("forward") - self.lead("back")) / 2


def scored(comparison: Comparison) -> bool:
    """Return whether a round may count."""
    both = comparison.first is not None and comparison.second is not None
    return comparison.status == "judged" and both


def judge_pairs(judge: Judge, contests: Iterable[Contest]) -> Iterator[Judgement]:
    """Show each pair in both orders; yield each as it is done."""
    waiting: dict[str, tuple[Contest, str]] = {}
    found: dict[str, dict[str, Comparison]] = defaultdict(dict)

    def shown() -> Iterator[Pair]:
        for contest in contests:
            for name in _ROUNDS:
                pair = contest.pair(name)
                waiting[pair.key] = (contest, name)
                yield pair

    for pair, comparison in judge.compare(shown()):
        contest, name = waiting.pop(pair.key)
        rounds = found[contest.key]
        rounds[name] = comparison
        if len(rounds) == len(_ROUNDS):
            yield Judgement(contest, found.pop(contest.key))


@dataclass(frozen=True)
class Position:
    """What the order of answers does to a judge.

    Attributes
    ----------
    bias
        What the first place is worth, in points.
    ahead
        By how much the better answer is ahead after both orders are averaged, in points.
    first
        Mean score of the better answer over both orders.
    consistent
        Share of the pairs that have the same winner, or none, in both orders.
    flipped
        Share of the pairs that whoever stands in one place wins, in both orders.
    preferred
        Share of the pairs in which the better answer is ahead, of those that have one.
    moved
        Share of the pairs of answers that are as good in which one is ahead.
    pairs, dropped
        Pairs that were scored, and those that were not, as a round failed.
    statuses
        Rounds by status.
    """

    bias: Estimate | None
    ahead: Estimate | None
    first: Estimate | None
    consistent: Estimate | None
    flipped: Estimate | None
    preferred: Estimate | None
    moved: Estimate | None
    pairs: int
    dropped: int
    statuses: Counter[str]


def position(judgements: Sequence[Judgement]) -> Position:
    """Return what the order of answers does, over judgements in any order."""
    kept = [each for each in judgements if each.kept]
    better = [each for each in kept if each.contest.better]
    alike = [each for each in kept if not each.contest.better]
    return Position(
        _mean(kept, lambda each: each.bias),
        _mean(kept, lambda each: each.ahead),
        _mean(kept, _score_of_better),
        _share(kept, lambda each: _sign(each.lead("forward")) == -_sign(each.lead("back"))),
        _share(kept, lambda each: _sign(each.lead("forward")) * _sign(each.lead("back")) > 0),
        _share(better, lambda each: each.ahead > 0),
        _share(alike, lambda each: each.ahead != 0),
        len(kept),
        len(judgements) - len(kept),
        Counter(round.status for each in judgements for round in each.rounds.values()),
    )


def _score_of_better(judgement: Judgement) -> float:
    forward, back = judgement.rounds["forward"].first, judgement.rounds["back"].second
    return ((forward or 0.0) + (back or 0.0)) / 2


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _by_scene(judgements: Iterable[Judgement]) -> Iterable[list[Judgement]]:
    found: dict[str, list[Judgement]] = defaultdict(list)
    for each in judgements:
        found[each.contest.scene].append(each)
    return found.values()


def _mean(judgements: Iterable[Judgement], value: Callable[[Judgement], float]) -> Estimate | None:
    return ratio(
        [Sums(math.fsum(map(value, each)), float(len(each))) for each in _by_scene(judgements)]
    )


def _share(judgements: Iterable[Judgement], holds: Callable[[Judgement], bool]) -> Estimate | None:
    return share((sum(map(holds, each)), len(each)) for each in _by_scene(judgements))
