"""What a judge makes of planted answers, answer by answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lvlmbench.scene.claims import KINDS, Claim, Match, Scope, Tally, tally
from lvlmbench.stages.judge.exam.planted import QUESTION, Planted
from lvlmbench.stages.judge.judge import Answer, Judge

#: Answers that are given at a time.
_BATCH = 200


@dataclass(frozen=True)
class Judged:
    """A planted answer, what was read in it, and what became of that."""

    answer: Planted
    claims: Sequence[Claim]
    matches: Sequence[Match]

    def tally(self, *kinds: str) -> Tally:
        """How the claims count as the judge has them, of some kinds or of all."""
        return tally(self.claims, self.matches, self.answer.truth, Scope(kinds or KINDS))

    def true(self, *kinds: str) -> Tally:
        """The same in truth."""
        answer = self.answer
        return tally(answer.claims, answer.matches, answer.truth, Scope(kinds or KINDS))


def read(judge: Judge, answers: Iterable[Planted]) -> Iterator[Judged]:
    """Have a judge read and judge answers; all must be judged."""
    rest = iter(answers)
    while batch := {each.key: each for each in islice(rest, _BATCH)}:
        given = [Answer(key, QUESTION, each.text, each.truth) for key, each in batch.items()]
        claims = [(answer, reading.claims) for answer, reading in judge.read(given)]
        yield from _held(judge, claims, batch)


def hold(judge: Judge, answers: Iterable[Planted]) -> Iterator[Judged]:
    """Have a judge judge planted claims; all must be judged."""
    rest = iter(answers)
    while batch := {each.key: each for each in islice(rest, _BATCH)}:
        claims = [
            (Answer(key, QUESTION, each.text, each.truth), each.claims)
            for key, each in batch.items()
        ]
        yield from _held(judge, claims, batch)


def _held(
    judge: Judge, claims: Sequence[tuple[Answer, Sequence[Claim]]], batch: dict[str, Planted]
) -> Iterator[Judged]:
    said = {answer.key: found for answer, found in claims}
    for answer, holding in judge.hold(claims):
        if holding.status != "judged":
            raise AssertionError(f"{answer.key} is {holding.status}")
        yield Judged(batch[answer.key], said[answer.key], holding.matches)


def of_many(tallies: Iterable[Tally]) -> Tally:
    """The sums."""
    return sum(tallies, Tally())


def percent(share: float | None) -> float:
    """A share in percent; 100 where it is a share of nothing."""
    return 100.0 if share is None else 100.0 * share
