"""Marking: what a judge made of a planted answer, held against what was planted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from lvlmbench.scene.claims import TRUE, WRONG, Claim, Match
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.stages.judge.exam.planted import Expected, Planted
from lvlmbench.stages.judge.exam.planting.nouns import singular_of

#: Verdicts by which a judge says that something is not so.
_CAUGHT = frozenset((*WRONG, "false_denial"))
#: Verdicts of what is right to say.
_RIGHT = frozenset((*TRUE, "true_denial"))
_ARTICLES = ("a ", "an ", "the ")


class Counts(NamedTuple):
    """What a judge made of claims of one kind.

    Attributes
    ----------
    said, read
        Claims that the answers make, and those of them that the judge read.
    wrong, caught
        Those of known verdict that are not so, and those of them that it calls so.
    right, alarms
        Those that are so, and those of them that it calls wrong.
    extra, invented
        Claims that it read and nobody made, and those of them that it calls wrong.
    """

    said: int = 0
    read: int = 0
    wrong: int = 0
    caught: int = 0
    right: int = 0
    alarms: int = 0
    extra: int = 0
    invented: int = 0

    def plus(self, more: Counts) -> Counts:
        """Return the sums."""
        return Counts(*(a + b for a, b in zip(self, more, strict=True)))


#: Counts by kind of claim.
Marks = Mapping[str, Counts]


def mark_held(planted: Planted, matches: Iterable[Match]) -> Marks:
    """Mark a judge that was given the planted claims."""
    called = {match.claim: match.verdict for match in matches}
    return _marks(planted, {e.claim.number: e.claim.number for e in planted.expected}, called)


def mark_read(planted: Planted, claims: Sequence[Claim], matches: Iterable[Match]) -> Marks:
    """Mark a judge that read the text: its claims are paired with the planted ones first."""
    called = {match.claim: match.verdict for match in matches}
    pairs = paired(planted.expected, claims)
    marks = defaultdict(Counts, _marks(planted, pairs, called))
    found = set(pairs.values())
    for claim in claims:
        if claim.number not in found:
            invented = int(called.get(claim.number) in WRONG)
            marks[claim.kind] = marks[claim.kind].plus(Counts(extra=1, invented=invented))
    return marks


def _marks(planted: Planted, pairs: Mapping[int, int], called: Mapping[int, str]) -> Marks:
    marks: dict[str, Counts] = defaultdict(Counts)
    for each in planted.expected:
        number = pairs.get(each.claim.number)
        caught = int(number is not None and called.get(number) in _CAUGHT)
        more = Counts(said=1, read=int(number is not None))
        if each.verdict in _CAUGHT:
            more = more._replace(wrong=1, caught=caught)
        elif each.verdict in _RIGHT:
            more = more._replace(right=1, alarms=caught)
        marks[each.claim.kind] = marks[each.claim.kind].plus(more)
    return marks


def paired(expected: Sequence[Expected], claims: Sequence[Claim]) -> dict[int, int]:
    """Return planted claim -> claim that says the same, by their numbers, one to one.

    As many are paired as can be; of claims that say the same, those that share most characters.
    """
    from scipy.optimize import linear_sum_assignment

    if not expected or not claims:
        return {}
    gain = np.zeros((len(expected), len(claims)))
    most = 1 + max(each.claim.end for each in expected)
    for row, each in enumerate(expected):
        accepted = Accepted.of(each)
        for column, claim in enumerate(claims):
            if claim.kind == each.claim.kind and accepted.agrees(claim):
                gain[row, column] = len(expected) + _shared(claim, each.claim) / most
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return {
        expected[row].claim.number: claims[column].number
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if gain[row, column]
    }


def _shared(one: Claim, other: Claim) -> int:
    return max(min(one.end, other.end) - max(one.start, other.start), 0)


@dataclass(frozen=True)
class Accepted:
    """What is as good as a planted claim: its parts, in all words for them."""

    claim: Claim
    subjects: frozenset[str]
    objects: frozenset[str]
    values: frozenset[str]

    @classmethod
    def of(cls, planted: Expected) -> Self:
        """Return what is as good as a planted claim."""
        own = planted.claim
        return cls(
            own,
            _all(own.subject, planted.subjects),
            _all(own.object, planted.objects),
            _all(own.value, planted.values),
        )

    def agrees(self, claim: Claim) -> bool:
        """Return whether a claim says the same, also the other way round: what is left of a
        thing has that on its right."""
        own = self.claim
        if claim.kind != own.kind or claim.negated != own.negated:
            return False
        subject, object_, value = map(_bare, (claim.subject, claim.object, claim.value))
        if value not in self.values:
            return False
        if claim.relation == own.relation and subject in self.subjects and object_ in self.objects:
            return True
        turned = own.kind == "relation" and CONVERSE.get(own.relation or "") == claim.relation
        return turned and subject in self.objects and object_ in self.subjects


def _all(word: str | None, words: Iterable[str]) -> frozenset[str]:
    return frozenset((_bare(word), *map(_bare, words)))


@lru_cache(maxsize=1 << 16)
def _bare(words: str | None) -> str:
    """A phrase in lower case, without its article and the ending of a plural; empty for none."""
    words = words or ""
    words = words.lower().strip(" .,;:!?\"'").replace("-", " ")
    for article in _ARTICLES:
        words = words.removeprefix(article)
    start, _, last = words.rpartition(" ")
    return f"{start} {singular_of(last)}".strip()
