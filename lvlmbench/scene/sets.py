"""Sets of things in programs, and truth in three values: yes, no, not clear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from lvlmbench.scene.figures import telling
from lvlmbench.scene.world import Instance, World

Program: TypeAlias = list[Any]
Value: TypeAlias = str | int
Truth: TypeAlias = bool | None
#: Whether each instance is in a set.
Members: TypeAlias = dict[int, Truth]

#: Share of a thing that must be seen for words on it to be read, garments and facing to be told.
LEGIBLE = 0.9

#: No thing, and no telling which.
NOTHING, UNCLEAR = -1, -2


def all_of(values: Iterable[Truth]) -> Truth:
    """Return whether all hold."""
    found = set(values)
    return False if False in found else None if None in found else True


def any_of(values: Iterable[Truth]) -> Truth:
    """Return whether one holds."""
    found = set(values)
    return True if True in found else None if None in found else False


def negated(value: Truth) -> Truth:
    """Return the opposite."""
    return None if value is None else not value


def has(one: Instance, attribute: str, value: Value, world: World) -> Truth:
    """Return whether an instance has a value of an attribute."""
    if attribute == "label":
        if one.object.label == value:
            return True
        return None if world.clash(one.object.label, str(value)) else False
    hidden = one.seen is not None and one.seen.visible < LEGIBLE
    if attribute == "facing" and hidden:
        return None
    if one.object.person is not None:
        return None if hidden else telling.has(one.object.person, attribute, str(value))
    held = getattr(one.object, attribute, None)
    if attribute == "text" and hidden:
        return None
    return None if held is None else bool(held == value)


def members(program: Program, world: World) -> Members:
    """Return whether each instance is in a set.

    Raises
    ------
    KeyError
        The set has a head that is not known.
    """
    head, *rest = program
    if head == "all":
        return {one.number: one.there for one in world.instances}
    if head == "with":
        attribute, value, of = rest
        if of == ["all"]:
            return _having(attribute, value, world)
        own = _having(attribute, value, world)
        return {n: all_of((member, own[n])) for n, member in members(of, world).items()}
    if head == "standing":
        relation, to, of = rest
        other = the_one(to, world)
        if other == NOTHING:
            return dict.fromkeys(members(of, world), False)
        return {
            number: all_of((there, None if other < 0 else world.stands(relation, number, other)))
            for number, there in members(of, world).items()
        }
    if head in ("either", "without"):
        first, second = (members(of, world) for of in rest)
        if head == "either":
            return {number: any_of((first[number], second[number])) for number in first}
        return {number: all_of((first[number], negated(second[number]))) for number in first}
    raise KeyError(head)


def _having(attribute: str, value: Value, world: World) -> Members:
    """Which of all instances have a value, found out once a picture."""
    if (attribute, value) not in world.having:
        world.having[attribute, value] = {
            one.number: all_of((one.there, has(one, attribute, value, world)))
            for one in world.instances
        }
    return world.having[attribute, value]


def the_one(program: Program, world: World) -> int:
    """Return the one thing of a set, or that there is none or no telling which."""
    found = members(program, world)
    if None in found.values():
        return UNCLEAR
    there = [number for number, member in found.items() if member]
    return there[0] if len(there) == 1 else UNCLEAR if there else NOTHING


def size(program: Program, world: World) -> int | None:
    """Return how many things a set has; None where that is not clear."""
    found = list(members(program, world).values())
    return None if None in found else found.count(True)


def labelled(label: Value, of: Program | None = None) -> Program:
    """Return the set of things of a kind."""
    return ["with", "label", label, of or ["all"]]
