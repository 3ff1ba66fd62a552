"""A planted answer: its text, what it claims, and what is so of each claim."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.scene.claims import Claim, Match, Truth, Verdict
from lvlmbench.stages.judge.exam.outline import Fact, Link, Outline, Thing
from lvlmbench.stages.judge.exam.wording.words import Mark, Words

#: What planted answers answer.
QUESTION = "Describe this picture."


@dataclass(frozen=True)
class Expected:
    """A claim that an answer makes.

    Attributes
    ----------
    claim
        As the text says it, span included.
    verdict, feature
        What is so; a verdict of None is not known, and nobody is examined by the claim.
    subjects, objects, values
        Words that name its parts as well.
    """

    claim: Claim
    verdict: Verdict | None
    feature: str | None
    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Planted:
    """An answer with planted truth.

    Attributes
    ----------
    scene
        Whose picture it is said of.
    treatment, kind, number
        How it was made, of what kind its plants are, which one of these in its scene.
    wording
        How it was put into words.
    plants, omitted
        How many of its claims are plants, and how many features it leaves out.
    base
        The answer that it should be judged like, where its treatment should move nothing.
    is_base
        Whether it is such an answer.
    """

    scene: str
    treatment: str
    kind: str
    number: int
    wording: str
    text: str
    expected: tuple[Expected, ...]
    truth: Truth
    plants: int = 0
    omitted: int = 0
    base: Planted | None = None
    is_base: bool = False

    @property
    def key(self) -> str:
        """Return what names it among all planted answers."""
        end = "/base" if self.is_base else ""
        return f"{self.scene}/{self.treatment}/{self.kind}/{self.number}{end}"

    @property
    def claims(self) -> list[Claim]:
        """Return its claims."""
        return [each.claim for each in self.expected]

    @property
    def matches(self) -> list[Match]:
        """Return the true match of each claim; a verdict that is not known counts neither way."""
        return [
            Match(each.claim.number, each.feature, each.verdict or "unverifiable", "planted")
            for each in self.expected
        ]


def expected_of(words: Words, outline: Outline) -> tuple[Expected, ...]:
    """Return the claims of a text, in the order of their first characters."""
    marks = sorted(
        words.marks, key=lambda mark: (mark.start, mark.end, not isinstance(mark.said, Thing))
    )
    numbers: dict[str, int] = {}
    for number, mark in enumerate(marks):
        if isinstance(mark.said, Thing):
            numbers.setdefault(mark.said.key, number)
    return tuple(_expected(n, mark, outline, numbers) for n, mark in enumerate(marks))


def _expected(number: int, mark: Mark, outline: Outline, numbers: dict[str, int]) -> Expected:
    said = mark.said
    if isinstance(said, Thing):
        claim = Claim(
            *(number, "object", said.noun.lemma), start=mark.start, end=mark.end,
            negated=said.negated,
        )  # fmt: skip
        return Expected(claim, said.verdict, said.feature, _words(said))
    if isinstance(said, Link):
        return _linked(number, said, mark, outline, numbers)
    return _told(number, *said, mark, numbers)


def _linked(
    number: int, link: Link, mark: Mark, outline: Outline, numbers: dict[str, int]
) -> Expected:
    one, other = outline.thing(link.one), outline.thing(link.other)
    third = None if link.third is None else outline.thing(link.third)
    claim = Claim(
        *(number, "relation", one.noun.lemma, link.relation, other.noun.lemma),
        None if third is None else third.noun.lemma,
        about=numbers.get(link.one),
        other=numbers.get(link.other),
        start=mark.start,
        end=mark.end,
    )
    values = frozenset[str]() if third is None else _words(third)
    return Expected(claim, link.verdict, link.feature, _words(one), _words(other), values)


def _told(
    number: int, thing: Thing | None, fact: Fact, mark: Mark, numbers: dict[str, int]
) -> Expected:
    same = frozenset(word.lower() for word in fact.same)
    value = None if fact.value is None else fact.value.lower()
    subject = (value or "") if thing is None else thing.noun.lemma
    claim = Claim(
        *(number, fact.kind, subject, fact.relation, fact.object, value),
        about=None if thing is None else numbers.get(thing.key),
        start=mark.start,
        end=mark.end,
        negated=fact.negated,
    )
    named = same if thing is None else _words(thing)
    if fact.object is not None:  # a garment, whose color has one name
        return Expected(claim, fact.verdict, fact.feature, named, same)
    return Expected(claim, fact.verdict, fact.feature, named, values=same)


def _words(thing: Thing) -> frozenset[str]:
    own = (thing.noun.lemma, thing.noun.word, thing.noun.plural, *thing.same)
    return frozenset(word.lower() for word in own)
