"""People for questions: what may be asked of one, drawn so that each answer is as likely.

A person is drawn for a value, and the value is never drawn again, whatever else of the person is:
so no value is right more often than another. Only of what goes with few other garments is all drawn
again together, so that whoever could wear it is no likelier to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

from lvlmbench.core.errors import UserError
from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.people import figure_of, person_of
from lvlmbench.scene.figures.rules import refuses, unclear
from lvlmbench.scene.figures.sampling import sample
from lvlmbench.scene.graph import Garment, Graph, Object, Person
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.sets import Program
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.autodavis.planning import plain

#: What can be asked of a person.
Trait = Literal["action", "held", "wears", "garment_color", "expression", "hair", "hair_color"]

#: Height of a person's view box in thousandths of the side, by how many people there are.
SPANS = {1: 760, 2: 580, 3: 535, 4: 515, 5: 470, 6: 415}

_TRIES = 500
#: Places at one of which a person could wear what is asked about, at least.
_ENOUGH = 6
_STANDING = "standing"
#: What is worn besides tops, trousers and skirts, by where it is worn.
PLACES: Mapping[str, tuple[str, ...]] = labels.ACCESSORIES
_WORN = tuple(kind for kinds in PLACES.values() for kind in kinds)

#: How hair is called so that no two of these can be said of one person.
_HAIR = {
    "bald": "no hair at all",
    "short": "hair cropped short",
    "long": "long loose hair",
    "bob": "a chin-length bob",
    "curly": "a head of curls",
    "bun": "a bun on top",
    "ponytail": "a ponytail",
    "pigtails": "two pigtails",
    "mohawk": "a mohawk",
}

#: Who stands is waving or running as well as not: nobody is asked about those who only stand.
VALUES: Mapping[Trait, tuple[str, ...]] = {
    "action": tuple(action for action in labels.ACTIONS if action != _STANDING),
    "held": labels.THINGS,
    "wears": _WORN,
    "garment_color": tuple(labels.COLORS),
    "expression": labels.EXPRESSIONS,
    "hair": tuple(_HAIR),
    "hair_color": tuple(labels.HAIR_COLORS),
}

#: How a value is written as an option.
SHOWS: Mapping[Trait, Callable[[object], str]] = {
    "action": lambda value: phrases.ACTIONS[str(value)],
    "held": lambda value: phrases.an(str(value)),
    "wears": lambda value: phrases.garment(str(value)),
    "garment_color": str,
    "expression": str,
    "hair": lambda value: _HAIR[str(value)],
    "hair_color": str,
}


class Fact(NamedTuple):
    """What is so of somebody, and how it is said behind "somebody who is"."""

    attribute: str
    value: str
    said: str

    def of(self, person: Person) -> bool | None:
        """Return whether it holds of a person; None where that cannot be told."""
        return told.has(person, self.attribute, self.value)

    def among(self, people: Program) -> Program:
        """Return the set of those people of whom it holds."""
        return ["with", self.attribute, self.value, people]


@dataclass(frozen=True)
class Asked:
    """What is asked of a person: a trait; of a garment's color, the garment as well."""

    trait: Trait
    garment: str = ""

    @property
    def attribute(self) -> str:
        """What programs call it."""
        return f"{told.COLOR_OF}{self.garment}" if self.garment else self.trait

    def _says(self, fact: Fact) -> bool:
        """Whether a fact, by being used as a name, would say something of what is asked."""
        if fact.attribute in ("wears", "wears colored"):
            kind = fact.value if fact.attribute == "wears" else told.split(fact.value)[1]
            return kind == self.garment or (self.trait == "wears" and kind in _WORN)
        return fact.attribute == self.attribute

    def changed(self, person: Person, value: str) -> Person | None:
        """Return the person with another value; None where that cannot be drawn."""
        found = _changed(person, self, value)
        figure = figure_of(found)
        return None if figure is None or refuses(figure) else found

    def shows(self, person: Person, value: str) -> Person | None:
        """Return the person with another value; None where that is not drawn clearly."""
        found = self.changed(person, value)
        return found if found and told.has(found, self.attribute, value) else None

    def could(self, person: Person, value: str, other: str) -> bool:
        """Return whether somebody could as well have the other value, and not this one.

        That is so where the same person with the other value can be drawn and shows it as clearly:
        then neither of the two values is likelier than the other.
        """
        shown = self.shows(person, other)
        return (
            shown is not None
            and told.has(person, self.attribute, other) is False
            and told.has(shown, self.attribute, value) is False
        )

    def names(self, person: Person, facts: Sequence[Fact]) -> list[Fact]:
        """Return those facts that hold of a person, and would whatever is right of what is asked.

        A name that fits some values better than others would tell which is right.
        """
        ways = [self.changed(person, value) for value in VALUES[self.trait]]
        return [
            fact
            for fact in facts
            if not self._says(fact) and all(fact.of(way) for way in (person, *ways) if way)
        ]


#: Kinds of garments -> another that people may call the same.
ALSO_CALLED = {"glasses": "sunglasses", "tie": "bow tie"}


def value_of(person: Person, asked: Asked) -> str | None:
    """Return what is right of a person; None where that cannot be asked."""
    worn = {each.label: each.color for each in person.garments}
    value = {
        "wears": person.garments[0].label,
        "garment_color": worn.get(asked.garment),
    }.get(asked.trait) or getattr(person, asked.trait, None)
    if value not in VALUES[asked.trait]:
        return None
    return str(value) if told.has(person, asked.attribute, str(value)) else None


def _changed(person: Person, asked: Asked, value: str) -> Person:
    if asked.trait == "wears":
        garments = (replace(person.garments[0], label=value), *person.garments[1:])
        return replace(person, garments=garments)
    if asked.trait == "garment_color":
        garments = tuple(
            Garment(each.label, value) if each.label == asked.garment else each
            for each in person.garments
        )
        return replace(person, garments=garments)
    changed: dict[str, Any] = {asked.trait: value}
    if asked.trait == "hair_color":  # gray is the hair of old people, and they have no other
        old = "adult" if person.age == "elderly" else person.age
        changed["age"] = "elderly" if value == "gray" else old
    return replace(person, **changed)


def values(kit: ExamKit, trait: Trait, n: int) -> list[str]:
    """Return n values of a trait in random order, each as likely; none twice before all are used.

    Of garments no two are worn at one place: a bow tie is a tie, too.
    """
    if trait == "wears":
        return [kit.draws.pick(PLACES[place]) for place in _cycle(kit, list(PLACES), n)]
    return _cycle(kit, VALUES[trait], n)


def _cycle(kit: ExamKit, known: Sequence[str], n: int) -> list[str]:
    found = kit.draws.shuffled(known)
    while len(found) < n:
        found += kit.draws.shuffled(known)
    return found[:n]


def people(kit: ExamKit, trait: Trait, n: int) -> list[Person]:
    """Return up to eight people of whom a trait can be asked, as different in it as may be.

    Whoever could have several values, all else being as it is, is as likely to have any of them.
    """
    if trait != "wears":
        return [person(kit, trait, value) for value in values(kit, trait, n)]
    found: list[Person] = []
    for _ in range(n):
        taken = {one.garments[0].label for one in found}
        found.append(_wearing(kit, [p for p, kinds in PLACES.items() if not taken & {*kinds}]))
    return found


def _wearing(kit: ExamKit, places: Sequence[str]) -> Person:
    """Somebody who wears something at one of these places, first of all garments."""
    for _ in range(_TRIES):
        worn = kit.draws.pick(PLACES[kit.draws.pick(places)]), kit.draws.pick(tuple(labels.COLORS))
        figure = sample(kit.draws.generator)
        figure = replace(figure, garments=(worn, *figure.garments))
        if refuses(figure) or worn[0] in unclear(figure):
            continue
        found = person_of(figure)
        shows = partial(Asked("wears").shows, found)
        if sum(any(map(shows, kinds)) for kinds in PLACES.values()) >= _ENOUGH:
            return found
    raise UserError("people", "nobody is drawn who wears anything", "ask about another trait")


def person(
    kit: ExamKit,
    trait: Trait,
    value: str,
    *,
    clear: bool = False,
    without: Collection[str] = (),
) -> Person:
    """Return somebody who clearly has a value of a trait.

    The first garment is what is asked about, where garments are.

    Parameters
    ----------
    clear
        Whether it must be clear of all that may be worn besides whether it is.
    without
        What is not worn besides the value.

    Raises
    ------
    UserError
        Nobody can be drawn so.
    """
    for _ in range(_TRIES):
        try:
            figure = _drawn(kit, trait, value)
        except ValueError:
            continue  # these are not worn together
        besides = {kind for kind, _ in figure.garments} - {value}
        if refuses(figure) or besides & {*without} or (clear and unclear(figure) & {*_WORN}):
            continue
        found = person_of(figure)
        if trait == "garment_color" or (told.has(found, trait, value) and _free(found, trait)):
            return found
    raise UserError("people", f"nobody is drawn with {trait} '{value}'", "ask about another trait")


def _free(one: Person, trait: Trait) -> bool:
    """Whether somebody could have any other value, too; of garments that is for the plan to say."""
    asked = Asked(trait)
    return trait == "wears" or all(asked.changed(one, value) for value in VALUES[trait])


def _drawn(kit: ExamKit, trait: Trait, value: str) -> Figure:
    rng, color = kit.draws.generator, kit.draws.pick(VALUES["garment_color"])
    if trait == "garment_color":
        return sample(rng)
    if trait == "held":
        return sample(rng, held=(value, color))
    if trait == "wears":
        figure = sample(rng, garments=((value, color),))
        rest = [each for each in figure.garments if each[0] != value]
        return replace(figure, garments=((value, color), *rest))
    if trait == "action":  # what takes both hands is no likelier of those who hold nothing
        return sample(rng, action=value, holding=False)
    fixed: dict[str, Any] = {trait: value}
    return sample(rng, **fixed)


def crowd(kit: ExamKit, people: Sequence[Person]) -> Graph:
    """Return a graph that shows these people and nobody else, before no other people."""
    things = tuple(
        Object(
            f"o{at + 1}", PERSON, PERSON, "main" if at == 0 else "secondary",
            span=SPANS[len(people)], person=one,
        )
        for at, one in enumerate(people)
    )  # fmt: skip
    setting = kit.setting("shape", "color", plain=True, without=(PERSON,))
    return Graph(things, setting=plain(setting))
