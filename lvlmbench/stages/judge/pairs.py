"""Pairs in both orders: both or none (TouchStone, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lvlmbench.stages.judge.judge import Comparison, Judge, Pair, Status


@dataclass(frozen=True)
class Rounds:
    """What a judge says of two answers in both orders.

    Attributes
    ----------
    status
        ``judged``, or what came of the first order that failed: then there is no score.
    why
        Why there is none, in one line.
    given, swapped
        Scores of the two, as (first of the pair, second of the pair), where the first of the pair
        was shown first, and where it was shown second.
    reasons
        What the judge says of them in both orders, if anything, in the same order.
    """

    status: Status
    why: str | None = None
    given: tuple[float, float] | None = None
    swapped: tuple[float, float] | None = None
    reasons: tuple[str | None, str | None] = (None, None)

    @property
    def margin(self) -> float | None:
        """By how much the first of the pair is better, the mean of both orders; None unscored."""
        if self.given is None or self.swapped is None:
            return None
        return (self.given[0] - self.given[1] + self.swapped[0] - self.swapped[1]) / 2

    @property
    def bias(self) -> float | None:
        """By how much whoever is shown first scores more, the mean of both answers."""
        if self.given is None or self.swapped is None:
            return None
        return (self.given[0] - self.swapped[0] + self.swapped[1] - self.given[1]) / 2


def both_orders(judge: Judge, pairs: Sequence[Pair]) -> dict[str, Rounds]:
    """Have a judge compare each pair in both orders; returns what it says by the pairs' keys.

    The judge is shown all pairs in both orders, one after the other, and is told neither whose
    answers they are nor that a pair comes again. The keys of the pairs differ.
    """
    shown = [each for pair in pairs for each in (pair, _turned(pair))]
    said = {pair.key: found for pair, found in judge.compare(shown)}
    return {pair.key: _joined(said[pair.key], said[_turned(pair).key]) for pair in pairs}


def _turned(pair: Pair) -> Pair:
    return replace(pair, key=f"{pair.key}/2", first=pair.second, second=pair.first)


def _joined(one: Comparison, other: Comparison) -> Rounds:
    for each in (one, other):
        if each.status != "judged" or each.first is None or each.second is None:
            return Rounds(each.status, each.why)
    assert one.first is not None and one.second is not None
    assert other.first is not None and other.second is not None
    given, swapped = (one.first, one.second), (other.second, other.first)
    return Rounds("judged", None, given, swapped, (one.reasons, other.reasons))
