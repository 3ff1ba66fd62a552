"""Crowds: several people, and how many of them have in common what the first one shows.

What is asked about stands in the scene: the color of the first garment of the first person, and
what that person has besides (:func:`facts`). So a scene is asked about the number that was planned
for it, and each number is right equally often. All others are drawn to be such people as well, or
to miss it by a little: the right garment in another color, the right color in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.people import figure_of, person_of
from lvlmbench.scene.figures.rules import refuses
from lvlmbench.scene.figures.sampling import sample
from lvlmbench.scene.graph import Garment, Person
from lvlmbench.scene.sets import Program, Truth, any_of
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit

#: Numbers that are planned, and offered.
NUMBERS = (1, 2, 3, 4)

#: Colors that no garment has in its details, as buckles, soles, lenses and zips have.
_BRIGHT = ("red", "orange", "green", "blue", "purple", "pink")
#: Garments that are asked about together; of all others only the color is.
_TOGETHER = {
    "trousers": ("trousers", "skirt"), "skirt": ("trousers", "skirt"),
    "shorts": ("shorts", "skirt"),
    "boots": ("boots", "sneakers"), "sneakers": ("boots", "sneakers"),
    "jacket": ("jacket", "coat"), "coat": ("jacket", "coat"),
}  # fmt: skip
_HATS = ("top hat", "cap", "beanie")
_EYES = ("glasses", "sunglasses")
#: What is worn besides, by what the first person may have.
_SECOND = {"hat": _HATS, "eyes": _EYES}
#: What the first person may have besides.
_BESIDES = ("hat", "eyes", "held", "action", "hair", "nothing")
_TRIES = 500


@dataclass(frozen=True)
class Fact:
    """What some people have: one of several values. ``said`` follows "people"."""

    said: str
    values: tuple[tuple[str, str], ...]

    def among(self, people: Program) -> Program:
        """Return the set of those people who have it."""
        sets: list[Program] = [["with", name, value, people] for name, value in self.values]
        found = sets[0]
        for each in sets[1:]:
            found = ["either", found, each]
        return found

    def of(self, person: Person) -> Truth:
        """Return whether a person has it; None where that cannot be told."""
        return any_of(told.has(person, name, value) for name, value in self.values)


def facts(person: Person) -> tuple[Fact, Fact | None]:
    """Return what the first person of a crowd shows: of a garment, and besides."""
    kind, color = person.garments[0].label, str(person.garments[0].color)
    if kind not in _TOGETHER:
        return Fact(f"wearing something {color}", (("wears color", color),)), _besides(person)
    kinds = _TOGETHER[kind]
    said = " or ".join(phrases.garment(each, color) for each in kinds)
    values = tuple(("wears colored", f"{color} {each}") for each in kinds)
    return Fact(f"wearing {said}", values), _besides(person)


def _besides(person: Person) -> Fact | None:
    """By the second garment, else by what is held, done, or the color of the hair."""
    second = person.garments[1].label
    if second in _HATS:
        return Fact("wearing a top hat, a cap, or a beanie", tuple(("wears", k) for k in _HATS))
    if second in _EYES:
        return Fact("wearing glasses or sunglasses", tuple(("wears", k) for k in _EYES))
    if person.held is not None:
        return Fact("holding something", (("held", told.SOMETHING),))
    if person.action != "standing":
        action = str(person.action)
        return Fact(f"who are {phrases.ACTIONS[action]}", (("action", action),))
    if person.hair != "bald" and told.clear(person, "hair_color"):
        color = str(person.hair_color)
        return Fact(f"with {color} hair", (("hair_color", color),))
    return None


def crowd(kit: Kit, n: int) -> list[Person]:
    """Return n people, so many of whom have what the first one shows as was drawn first."""
    number, besides, together = (
        kit.draws.pick(NUMBERS),
        kit.draws.pick(_BESIDES),
        kit.draws.chance(),
    )
    while True:  # what is asked is not drawn again: some of it goes with some numbers more easily
        found = [_first(kit, besides, together)]
        _, second = facts(found[0])
        wanted = [(True, True)] * (number - 1) + _misses(kit, n - number, second is not None)
        for each in wanted:
            other = _other(kit, found[0], *each)
            if other is not None:
                found.append(other)
        if len(found) == n and recolored(kit, found, partner(number)):
            return [found[0], *kit.draws.shuffled(found[1:])]


def _misses(kit: Kit, n: int, besides: bool) -> list[tuple[bool, bool]]:
    """Who lacks the first fact, the second, or both: one lacks the second alone, so that it
    leaves out somebody who would else be counted; the next one lacks the first alone."""
    if not besides:
        return [(False, True)] * n
    rest = [(False, True), (False, False), (True, False)]
    if kit.draws.chance():
        rest = [(False, True)]
    return [(True, False), *(rest * n)[: n - 1]]


def _first(kit: Kit, besides: str, together: bool) -> Person:
    """A person of whom all that is to be asked is clear."""
    kinds = list(_TOGETHER) if together else [k for k in labels.GARMENTS if k not in _TOGETHER]
    while True:
        worn = [(kit.draws.pick(kinds), kit.draws.pick(_COLORS if together else _BRIGHT))]
        if besides in _SECOND:
            worn.append((kit.draws.pick(_SECOND[besides]), kit.draws.pick(_COLORS)))
        try:
            figure = sample(kit.draws.generator, garments=tuple(worn), holding=besides == "held")
        except ValueError:
            continue  # these are not worn together
        rest = kit.draws.shuffled([each for each in figure.garments if each not in worn])
        person = person_of(replace(figure, garments=(*worn, *rest)))
        if refuses(figure) or _sort(person) != besides:
            continue
        first, second = facts(person)
        if first.of(person) and (second is None or second.of(person)):
            return person


def _sort(person: Person) -> str:
    """Which of :data:`_BESIDES` a person shows."""
    fact = _besides(person)
    if fact is None:
        return "nothing"
    name, value = fact.values[0]
    places = {"held": "held", "action": "action", "hair_color": "hair"}
    return places.get(name) or ("hat" if value in _HATS else "eyes")


def _other(kit: Kit, main: Person, has_first: bool, has_second: bool) -> Person | None:
    """Somebody who has, or clearly lacks, what the first person shows; None where none is found."""
    first, second = facts(main)
    for _ in range(_TRIES):
        figure = _drawn(kit, main, has_first, has_second)
        if figure is None or refuses(figure):
            continue
        person = person_of(figure)
        if first.of(person) is not has_first:
            continue
        if second is None or second.of(person) is has_second:
            return person
    return None


def _drawn(kit: Kit, main: Person, has_first: bool, has_second: bool) -> Figure | None:
    """A figure that may be as wanted: garments and more are given to it, the rest is drawn."""
    worn, held = [_garment(kit, main, has_first)], None
    fixed: dict[str, str] = {}
    sort = _sort(main)
    if has_second and sort in ("hat", "eyes"):
        worn.append((kit.draws.pick(_HATS if sort == "hat" else _EYES), kit.draws.pick(_COLORS)))
    elif has_second and sort == "action":
        fixed["action"] = str(main.action)
    elif has_second and sort == "hair":
        fixed["hair_color"] = str(main.hair_color)
    if not has_first and (sort != "held" or has_second) and kit.draws.chance():
        held = kit.draws.pick(labels.THINGS), str(main.garments[0].color)
    if held and fixed.get("action", "standing") not in labels.ONE_HANDED:
        held = None
    holding = has_second if sort == "held" else None
    try:
        return sample(
            kit.draws.generator,
            action=fixed.get("action"), hair_color=fixed.get("hair_color"),
            garments=tuple(worn), held=held, holding=holding,
        )  # fmt: skip
    except ValueError:
        return None  # these are not worn together


def _garment(kit: Kit, main: Person, right: bool) -> tuple[str, str]:
    """A garment as it is asked about; or one of another color."""
    kind, color = main.garments[0].label, str(main.garments[0].color)
    kinds = _TOGETHER.get(kind) or [k for k in labels.GARMENTS if k != "backpack"]
    others = [each for each in _COLORS if each != color]
    return kit.draws.pick(kinds), color if right else kit.draws.pick(others)


_COLORS = tuple(labels.COLORS)


def number_of(people: Sequence[Person]) -> int | None:
    """Return how many have what the first one shows; None where that is not clear."""
    own = [fact for fact in facts(people[0]) if fact is not None]
    has = [[fact.of(person) for fact in own] for person in people]
    if any(None in each for each in has):
        return None
    return sum(all(each) for each in has)


def recolored(kit: Kit, people: Sequence[Person], number: int) -> list[Person] | None:
    """Return the crowd with one garment in another color, so that the number is this one."""
    asked = str(people[0].garments[0].color)
    places = [(at, g) for at, one in enumerate(people) for g in range(len(one.garments)) if at]
    for at, place in kit.draws.shuffled(places):
        old = people[at].garments[place]
        others = kit.draws.shuffled([c for c in _COLORS if c != asked])
        for color in [asked] if old.color != asked else others:
            changed = list(people)
            garments = list(people[at].garments)
            garments[place] = Garment(old.label, color)
            changed[at] = replace(people[at], garments=tuple(garments))
            figure = figure_of(changed[at])
            if figure and refuses(figure) is None and number_of(changed) == number:
                return changed
    return None
