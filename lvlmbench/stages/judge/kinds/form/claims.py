"""From a structured description to claims, each with the characters of the answer that say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lvlmbench.scene.claims import Claim
from lvlmbench.scene.described import Described, Person, Thing
from lvlmbench.scene.lists import PERSON

#: An entry with a count stands for so many claims at most: one for each thing.
MOST = 20
#: What somebody who only stands does: no action.
_STANDING = frozenset(("standing", "stand", "standing still", "posing"))


class _Spans:
    """Finds where values stand in an answer, in the order in which they are asked for."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text.lower(), 0

    def of(self, word: str) -> tuple[int, int]:
        """Return the characters of a word at or after the last one that was found."""
        start = self._text.find(word, self._at)
        if start < 0:
            start = self._text.find(word)
        if start < 0:
            return self._at, self._at
        self._at = start + len(word)
        return start, self._at


def claims_of(text: str, described: Described) -> list[Claim]:
    """Return the claims of a structured description, numbered from 0.

    An entry with a count of n makes n claims of each of its fields, one for each thing, and at most
    :data:`MOST`. Counts are added up by name.
    """
    return [*_Claims(text).all(described)]


class _Claims:
    """Makes the claims of one answer."""

    def __init__(self, text: str) -> None:
        self._spans = _Spans(text)
        self._next = 0
        self._ids: dict[str, tuple[int, str]] = {}

    def all(self, described: Described) -> Iterator[Claim]:
        totals: Counter[str] = Counter()
        first: dict[str, Claim] = {}
        for thing in described.things:
            for claim in self._thing(thing):
                if claim.kind == "object":
                    first.setdefault(thing.name, claim)
                yield claim
            if thing.count is not None:
                totals[thing.name] += thing.count
        for person in described.people:
            yield from self._person(person)
        for name, total in totals.items():
            one = first.get(name)
            about = None if one is None else one.number
            yield self._claim("count", name, about=about, value=str(total), relation="count",
                              span=(0, 0) if one is None else (one.start, one.end))  # fmt: skip
        for each in described.relations:
            (about, subject), (other, object) = (
                self._ids.get(name, (None, name)) for name in (each.subject, each.object)
            )
            span = self._spans.of(each.relation.replace("_", " "))
            yield self._claim(
                "relation", subject, about=about, other=other, relation=each.relation,
                object=object, span=span,
            )  # fmt: skip

    def _claim(self, kind: str, subject: str, *, span: tuple[int, int], **parts: object) -> Claim:
        claim = Claim(self._next, kind, subject, start=span[0], end=span[1], **parts)  # type: ignore[arg-type]
        self._next += 1
        return claim

    def _thing(self, thing: Thing) -> Iterator[Claim]:
        span = self._spans.of(thing.name)
        told = [
            (kind, relation, value, self._spans.of(value))
            for kind, relation, value in (
                ("attribute", "color", thing.color),
                ("place", "at", thing.place),
                ("rank", "rank", None if thing.size_rank is None else str(thing.size_rank)),
            )
            if value is not None
        ]
        for _ in range(1 if thing.count is None else min(max(thing.count, 0), MOST)):
            one = self._claim("object", thing.name, span=span)
            if thing.id is not None:
                self._ids.setdefault(thing.id, (one.number, thing.name))
            yield one
            for kind, relation, value, place in told:
                yield self._claim(
                    kind, thing.name, relation=relation, value=value, about=one.number, span=place
                )

    def _person(self, person: Person) -> Iterator[Claim]:
        of = self._spans.of
        known = [each for each in (person.age, person.gender) if each is not None]
        one = self._claim(
            "object", PERSON, span=of(known[0]) if known else (self._spans.of("{")[0],) * 2
        )
        if person.id is not None:
            self._ids.setdefault(person.id, (one.number, PERSON))
        yield one
        for relation, value in (("age", person.age), ("gender", person.gender)):
            if value is not None:
                yield self._claim("attribute", PERSON, relation=relation, value=value,
                                  about=one.number, span=of(value))  # fmt: skip
        for name, color in person.garments:
            yield self._claim("garment", PERSON, relation="wears", object=name, value=color,
                              about=one.number, span=of(name))  # fmt: skip
        if person.action is not None and person.action not in _STANDING:
            yield self._claim("action", PERSON, relation="does", value=person.action,
                              about=one.number, span=of(person.action))  # fmt: skip
        if person.holding is not None:
            span = of(person.holding)
            held = self._claim("object", person.holding, span=span)
            yield held
            yield self._claim("relation", PERSON, relation="holds", object=person.holding,
                              about=one.number, other=held.number, span=span)  # fmt: skip
