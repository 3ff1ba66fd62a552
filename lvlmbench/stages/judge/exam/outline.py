"""What a planted answer says, before it is put into words: things, facts of them, how they stand.

Each part knows its true verdict. Words and claims are made from the same parts, so that what an
answer says is known without reading it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from lvlmbench.scene.claims import Verdict

#: Where a fact stands in a sentence: in the noun itself ("boy" says that somebody is a child),
#: before it, behind it after "with" or "wearing", as what somebody does, as what is written on a
#: thing; a number before it; in a sentence of its own.
Slot = Literal["noun", "before", "with", "wearing", "doing", "written", "number", "apart"]


@dataclass(frozen=True)
class Noun:
    """A word for a thing.

    Attributes
    ----------
    lemma
        As claims have it.
    article
        ``a``, ``an``, ``the`` or none.
    word, plural
        As text has it.
    many
        Whether the word is a plural itself, as *jeans* are.
    pronoun
        ``it``, ``he``, ``she`` or ``they``.
    """

    lemma: str
    article: str
    word: str
    plural: str
    many: bool = False
    pronoun: str = "it"

    @property
    def countable(self) -> bool:
        """Return whether a number may stand before its plural."""
        return bool(self.article) or self.plural != self.word


@dataclass(frozen=True)
class Fact:
    """Something that is said of a thing, or of the picture as a whole.

    Attributes
    ----------
    kind, relation, object, value
        As of a claim.
    words
        As text has them: "red", "curly hair", "a black hat".
    slot
        Where they stand.
    verdict, feature
        What is so; a verdict of None is not known, and nobody is examined by it.
    same
        Words that say the same as the value does, or as the garment does.
    """

    kind: str
    relation: str
    value: str | None
    words: str
    slot: Slot
    verdict: Verdict | None = "matched"
    feature: str | None = None
    object: str | None = None
    same: tuple[str, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Thing:
    """A thing that is said to be there; ``same`` are words that name it as well."""

    key: str
    noun: Noun
    facts: tuple[Fact, ...] = ()
    verdict: Verdict | None = "matched"
    feature: str | None = None
    same: tuple[str, ...] = ()
    negated: bool = False

    @property
    def number(self) -> int:
        """Return how many of it there are said to be; 1 where nothing is said."""
        return next((int(f.value) for f in self.facts if f.slot == "number" and f.value), 1)

    @property
    def many(self) -> bool:
        """Return whether a plural stands for it."""
        return self.number > 1 or self.noun.many

    def by(self, *slots: Slot) -> list[Fact]:
        """Return its facts of some slots, in order."""
        return [fact for fact in self.facts if fact.slot in slots]


@dataclass(frozen=True)
class Link:
    """How a thing stands to another; things are named by their keys."""

    relation: str
    one: str
    other: str
    third: str | None = None
    verdict: Verdict | None = "matched"
    feature: str | None = None

    @property
    def ends(self) -> tuple[str, ...]:
        """Return the keys of its things."""
        return tuple(key for key in (self.one, self.other, self.third) if key is not None)


@dataclass(frozen=True)
class Outline:
    """All that an answer says.

    Attributes
    ----------
    setting
        Facts of the picture as a whole.
    denied
        Things that are said not to be there.
    padding
        Sentences that claim nothing.
    """

    things: tuple[Thing, ...] = ()
    links: tuple[Link, ...] = ()
    setting: tuple[Fact, ...] = ()
    denied: tuple[Thing, ...] = ()
    padding: tuple[str, ...] = field(default=())

    def thing(self, key: str) -> Thing:
        """Return the thing of this key."""
        return next(thing for thing in self.things if thing.key == key)

    def has(self, key: str) -> bool:
        """Return whether a thing of this key is said to be there."""
        return any(thing.key == key for thing in self.things)

    def facts(self) -> Iterator[tuple[Thing | None, Fact]]:
        """Yield each fact and what it is said of."""
        for thing in self.things:
            yield from ((thing, fact) for fact in thing.facts)
        yield from ((None, fact) for fact in self.setting)

    def with_thing(self, thing: Thing) -> Outline:
        """Return the outline with a thing in place of that of the same key, or at the end."""
        if not self.has(thing.key):
            return replace(self, things=(*self.things, thing))
        return replace(
            self, things=tuple(thing if each.key == thing.key else each for each in self.things)
        )

    def with_fact(self, key: str, fact: Fact) -> Outline:
        """Return the outline with a fact in place of what was said of that attribute or number."""
        thing = self.thing(key)
        kept = tuple(
            each
            for each in thing.facts
            if fact.kind == "garment" or (each.kind, each.relation) != (fact.kind, fact.relation)
        )
        return self.with_thing(replace(thing, facts=(*kept, fact)))

    def without(self, features: Iterable[str]) -> Outline:
        """Return the outline without what states some features, and what hangs on that."""
        gone = {*features}
        things = tuple(
            replace(thing, facts=tuple(f for f in thing.facts if f.feature not in gone))
            for thing in self.things
            if thing.feature not in gone
        )
        left = {thing.key for thing in things}
        links = tuple(
            link for link in self.links if link.feature not in gone and left.issuperset(link.ends)
        )
        setting = tuple(fact for fact in self.setting if fact.feature not in gone)
        return replace(self, things=things, links=links, setting=setting)
