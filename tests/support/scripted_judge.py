"""A judge that says what a test has it say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lvlmbench.scene.claims import Claim, Feature, Match, Truth
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Pair, Rating, Reading

#: A dog and a red ball; nothing else is there.
TRUTH = Truth(
    (
        Feature("o1", "object", "dog", forms=("dog",)),
        Feature("o2", "object", "ball", forms=("ball",)),
        Feature("o2.color", "attribute", "ball", "color", value="red", about="o2"),
        Feature("o3", "object", "grass", forms=("grass",), optional=True),
    )
)


def words(text: str) -> Reading:
    """Read each word as an object, those after ``no`` as denied."""
    claims: list[Claim] = []
    denied, start = False, 0
    for word in text.split():
        start = text.index(word, start)
        if word == "no":
            denied = True
            continue
        end = start + len(word)
        claims.append(Claim(len(claims), "object", word, start=start, end=end, negated=denied))
        denied = False
    return Reading("judged", tuple(claims))


def by_word(claims: Sequence[Claim], truth: Truth) -> Holding:
    """Match objects by their words."""
    known = {f.subject: f.feature for f in truth.of_kind("object")}
    found = []
    for claim in claims:
        there = known.get(claim.subject)
        if claim.negated:
            verdict = "false_denial" if there else "true_denial"
        else:
            verdict = "matched" if there else "hallucinated"
        found.append(Match(claim.number, there, verdict, "word"))
    return Holding("judged", tuple(found))


def by_length(pair: Pair) -> Comparison:
    """Prefer the longer answer, and add one to whoever is shown first."""
    first, second = (min(1.0 + len(text.split()), 9.0) for text in (pair.first, pair.second))
    return Comparison("judged", first + 1, second)


def by_words_not_there(answer: Answer) -> Rating:
    """Two points for each word that the truth does not have."""
    known = {feature.subject for feature in answer.truth.features}
    strange = [word for word in answer.text.split() if word not in known]
    return Rating("judged", min(2.0 * len(strange), 10.0))


@dataclass
class Scripted:
    """Says what its functions say, last first, and counts what it is asked."""

    reads: Callable[[str], Reading] = words
    holds: Callable[[Sequence[Claim], Truth], Holding] = by_word
    compares: Callable[[Pair], Comparison] = by_length
    rates: Callable[[Answer], Rating] = by_words_not_there
    asked: list[str] = field(default_factory=list)
    requests: Sequence[Mapping[str, Any]] = ()

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        """Read the claims out of answers."""
        for answer in reversed(list(answers)):
            self.asked.append(answer.text)
            yield answer, self.reads(answer.text)

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        """Hold claims against the truth."""
        for answer, claims in reversed(list(answers)):
            yield answer, self.holds(claims, answer.truth)

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        """Compare the answers of pairs."""
        for pair in reversed(list(pairs)):
            yield pair, self.compares(pair)

    def rate(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Rating]]:
        """Say how much of each answer is made up."""
        for answer in reversed(list(answers)):
            yield answer, self.rates(answer)
