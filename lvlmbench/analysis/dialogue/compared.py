"""An answer beside its reference, as a judge has scored both (TouchStone, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

#: Points by which two answers differ at least, on average over both orders, where one is better.
#: Judges give whole points, so less than this is one point in one of the two orders, or nothing.
TIE = 0.5

#: How an answer stands to another.
Standing = Literal["better", "tie", "worse"]
STANDINGS: tuple[Standing, ...] = ("better", "tie", "worse")


class Scores(NamedTuple):
    """What a judge gave: the answer shown first with the reference second, then the other way."""

    as_first: float
    reference_second: float
    as_second: float
    reference_first: float


@dataclass(frozen=True)
class Compared:
    """An answer that was to be compared with its reference.

    Attributes
    ----------
    item
        Names its question and its picture: answers of two models with the same one are to the same.
    scene, task
        What it is about and what was asked for.
    scores
        In both orders; None where one of them has failed or there is no answer.
    invented
        How much of it the judge calls made up, 0 to 10; None where it did not say.
    true, wrong
        Claims that are true and that are not; None where they were not judged.
    """

    item: tuple[str, str | None]
    scene: str
    task: str
    scores: Scores | None = None
    invented: float | None = None
    true: int | None = None
    wrong: int | None = None

    @property
    def own(self) -> float | None:
        """Return its score, the mean of both orders."""
        return None if self.scores is None else (self.scores.as_first + self.scores.as_second) / 2

    @property
    def reference(self) -> float | None:
        """Return the score of the reference beside it, the mean of both orders."""
        if self.scores is None:
            return None
        return (self.scores.reference_first + self.scores.reference_second) / 2

    @property
    def standing(self) -> Standing | None:
        """Return how it stands to the reference."""
        if self.own is None or self.reference is None:
            return None
        return standing(self.own, self.reference)

    @property
    def bias(self) -> float | None:
        """Return how many points whoever is shown first has more."""
        if self.scores is None:
            return None
        return (self._leads[0] - self._leads[1]) / 2

    @property
    def flips(self) -> bool | None:
        """Return whether one is better in one order, and the other in the other."""
        if self.scores is None:
            return None
        return self._leads[0] * self._leads[1] < 0

    @property
    def _leads(self) -> tuple[float, float]:
        """By how much the answer is ahead where it is shown first, and where it is second."""
        assert self.scores is not None
        given = self.scores
        return given.as_first - given.reference_second, given.as_second - given.reference_first


def standing(one: float, other: float) -> Standing:
    """Return how an answer stands to another by their mean scores over both orders."""
    if abs(one - other) < TIE:
        return "tie"
    return "better" if one > other else "worse"
