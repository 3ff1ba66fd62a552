"""Phrases that all wordings use: things with what stands beside their noun, and how they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from lvlmbench.stages.judge.exam.outline import Fact, Link, Noun, Outline, Slot, Thing
from lvlmbench.stages.judge.exam.wording.words import Mark, Words, joined, listed, with_article

#: How things stand, behind a form of "to be".
STANDS: dict[str, tuple[str, ...]] = {
    "left_of": ("to the left of", "left of", "on the left of"),
    "right_of": ("to the right of", "right of", "on the right of"),
    "above": ("above", "over", "higher up than"),
    "below": ("below", "under", "beneath"),
    "in_front_of": ("in front of",),
    "behind": ("behind",),
    "next_to": ("next to", "beside", "close to"),
    "on": ("on", "on top of"),
    "inside": ("inside", "in"),
    "between": ("between",),
    "larger": ("larger than", "bigger than"),
    "smaller": ("smaller than",),
    "same_size": ("the same size as", "as large as"),
    "nearer": ("nearer to us than", "closer than"),
    "farther": ("farther away than",),
}

#: Where in the picture things are.
PLACES: dict[str, tuple[str, ...]] = {
    "left": ("on the left", "on the left side of the picture"),
    "right": ("on the right", "on the right side of the picture"),
    "top": ("at the top", "in the upper part of the picture"),
    "bottom": ("at the bottom", "in the lower part of the picture"),
    "center": ("in the center", "in the middle of the picture"),
    "foreground": ("in the foreground",),
    "background": ("in the background",),
}

_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def pick(rng: np.random.Generator, choices: Sequence[str]) -> str:
    """Return one of some phrases."""
    return choices[int(rng.integers(len(choices)))]


def number_word(number: int) -> str:
    """Return "three", and digits above twelve."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def place(rng: np.random.Generator, value: str) -> str:
    """Return where a place is: "at the top left", "in the center"."""
    if value in PLACES:
        return pick(rng, PLACES[value])
    return pick(rng, (f"at the {value}", f"in the {value} corner", f"in the {value}"))


def fact(thing: Thing | None, said: Fact) -> Words:
    """Return the words of a fact."""
    return Words(said.words).said((thing, said))


def behind(thing: Thing, *slots: Slot) -> Words:
    """Return a thing's facts of some slots as an enumeration."""
    return listed(list(_grouped(thing, thing.by(*slots))))


def _grouped(thing: Thing, facts: Sequence[Fact]) -> Iterator[Words]:
    """The words of facts; style and color of hair go together: "long black hair"."""
    hair = [each for each in facts if each.relation == "hair"]
    for each in facts:
        if len(hair) != 2 or each not in hair:
            yield fact(thing, each)
        elif each is hair[0]:
            yield _hair(thing, *hair)


def _hair(thing: Thing, style: Fact, color: Fact) -> Words:
    if style.words.endswith(" hair"):
        short = Words(style.words.removesuffix(" hair")).said((thing, style))
        return short + " " + fact(thing, color)
    return fact(thing, color) + " in " + fact(thing, style)


def noun(thing: Thing) -> Words:
    """Return the bare noun; it says the thing and what is in the word itself."""
    text = thing.noun.plural if thing.number > 1 else thing.noun.word
    return Words(text).said(thing, *((thing, each) for each in thing.by("noun")))


def introduced(thing: Thing, again: bool = False) -> Words:
    """Return a thing that is named for the first time: "a happy boy", "two red cars".

    Parameters
    ----------
    again
        Whether one of the same noun was named before, so that this is another.
    """
    before = [fact(thing, each) for each in sorted(thing.by("before"), key=_nearness)]
    words = joined([*before, noun(thing)])
    numbers = thing.by("number")
    if numbers:
        number = number_word(thing.number)
        counted = Words(f"{number} other" if again and thing.number > 1 else number)
        return counted.said((thing, numbers[0])) + " " + words
    if not thing.noun.article or thing.noun.many:
        return "other " + words if again and thing.noun.many else words
    if thing.noun.article == "the":
        return "the " + words
    return "another " + words if again else with_article(words)


def _nearness(said: Fact) -> int:
    """Where an adjective stands before its noun: "an angry elderly man"."""
    return {"expression": 0, "age": 1}.get(said.relation, 2)


def this(words: Words) -> Words:
    """Return "this oil painting" for "an oil painting"."""
    article, _, bare = words.text.partition(" ")
    text = f"this {bare}" if article in ("a", "an") else f"this {words.text}"
    return Words(text, tuple(Mark(mark.said, 0, len(text)) for mark in words.marks))


class Names:
    """How an answer speaks of things that it has named before, so that each is told apart."""

    def __init__(self, outline: Outline) -> None:
        self._things = {thing.key: thing for thing in outline.things}
        self._nouns = Counter(_called(thing) for thing in outline.things)
        seen: Counter[str] = Counter()
        self._ordinal: dict[str, str] = {}
        self._again: set[str] = set()
        for thing in outline.things:
            called, looks = _called(thing), introduced(thing).text
            self._ordinal[thing.key] = _ORDINALS[min(seen[called], len(_ORDINALS) - 1)]
            if seen[looks]:
                self._again.add(thing.key)
            seen.update({called, looks})

    def first(self, thing: Thing) -> Words:
        """Return a thing that is named for the first time."""
        return introduced(thing, thing.key in self._again)

    def known(self, key: str) -> str:
        """Return "the car", "the red car", "the second car", "Isaac Newton"."""
        thing = self._things[key]
        called = _called(thing)
        if self._nouns[called] == 1:
            return _definite(thing.noun, called)
        color = _color(thing)
        alike = [each for each in self._things.values() if _called(each) == called]
        if color and [_color(each) for each in alike].count(color) == 1:
            return f"the {color} {called}"
        return f"the {self._ordinal[key]} {called}"

    def pronoun(self, key: str) -> str:
        """Return "it", "she", "he", "they"."""
        thing = self._things[key]
        return "they" if thing.many else thing.noun.pronoun

    def verb(self, key: str) -> str:
        """Return "is" or "are"."""
        return "are" if self._things[key].many else "is"

    def stands(self, link: Link, rng: np.random.Generator) -> Words:
        """Return how a thing stands to another, without the thing: "to the left of the tree"."""
        other = self.known(link.other)
        if link.third is not None:
            other = f"{other} and {self.known(link.third)}"
        return Words(f"{pick(rng, STANDS[link.relation])} {other}").said(link)


def _called(thing: Thing) -> str:
    return thing.noun.plural if thing.number > 1 else thing.noun.word


def _definite(noun: Noun, called: str) -> str:
    proper = not noun.article and not noun.many and called[:1].isupper()
    return called if proper else f"the {called}"


def _color(thing: Thing) -> str | None:
    return next((f.words for f in thing.facts if f.relation == "color"), None)


def setting(outline: Outline, relation: str) -> Words | None:
    """Return the words of a fact of the picture as a whole; None where none is said."""
    found = [each for each in outline.setting if each.relation == relation]
    return fact(None, found[0]) if found else None
