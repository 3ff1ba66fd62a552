"""The single facts that a right answer rests on, read off the program of its question.

Who sees each of them and still answers wrongly reasons wrongly; who misses one does not see what
the question needs (AutoDavis, appendix R). Each fact is a closed question of its own,
:mod:`.atom_questions`; here stands which facts there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from lvlmbench.scene.relations import CELLS, CORNERS, STATED
from lvlmbench.scene.sets import Program, Value, labelled, members, the_one
from lvlmbench.scene.world import Instance, World

#: Others that something is compared with, at most.
_OTHERS = 3
_ALL: Program = ["all"]


@dataclass(frozen=True)
class Present:
    """Something of a kind is there; with a color, something of that kind and color."""

    label: str
    color: str | None = None


@dataclass(frozen=True)
class Among:
    """Which thing stands so to another one; both are numbers of instances."""

    relation: str
    one: int
    to: int


@dataclass(frozen=True)
class Stands:
    """How a thing stands to another one: so, or the other way."""

    relation: str
    one: int
    to: int


@dataclass(frozen=True)
class In:
    """In which part of the picture a thing is."""

    one: int


@dataclass(frozen=True)
class Nearer:
    """Which of two things is nearer to a third one, or farther from it."""

    head: str
    one: int
    other: int
    to: int


@dataclass(frozen=True)
class Has:
    """Which value a thing has of an attribute."""

    attribute: str
    one: int
    value: Value


@dataclass(frozen=True)
class Trait:
    """Which value of a trait somebody in the picture has."""

    attribute: str
    value: str


@dataclass(frozen=True)
class Number:
    """How many things, or people, a set has: a program, as text may be compared."""

    of: Any


@dataclass(frozen=True)
class Scenery:
    """What the setting is as one of its keys tells: background, style, weather."""

    key: str
    value: str


Fact: TypeAlias = (
    Present | Among | Stands | In | Nearer | Has | Trait | Number | Scenery
)  # fmt: skip
_Facts: TypeAlias = Iterator[Fact]


def facts_of(program: Program, world: World) -> list[Fact]:
    """Return the facts that a statement about a picture rests on, each once, in their order.

    Parameters
    ----------
    program
        A statement without a hole: with the right option in it.
    """
    found: list[Fact] = []
    for fact in _statement(program, world):
        if fact not in found:
            found.append(fact)
    return found


def _statement(program: Program, world: World) -> _Facts:
    head, *rest = program
    if head in ("and", "or", "not"):
        for part in rest:
            yield from _statement(part, world)
    elif head in _FACTS:
        yield from _FACTS[head](world, *rest)


def _set(world: World, of: Program) -> _Facts:
    """What must be seen to find the things of a set."""
    head, *rest = of
    if head == "all" and len(world.things) == 1:
        yield from _there(world.things[0])
    elif head == "with":
        yield from _having(world, *rest)
    elif head == "standing":
        yield from _placed(world, of)
    elif head in ("either", "without"):
        for part in rest:
            yield from _set(world, part)


def _having(world: World, attribute: str, value: Value, of: Program) -> _Facts:
    if attribute == "label":
        yield from _labelled(world, str(value))
    elif attribute == "color" and of[:2] == ["with", "label"]:
        yield Present(of[2], str(value))
    elif attribute != "color" and _people(world):
        yield Number(["with", attribute, value, _ALL])
    if of != _ALL and attribute != "label":
        yield from _set(world, of)


def _placed(world: World, of: Program) -> _Facts:
    _, relation, to, among = of
    yield from _set(world, to)
    yield from _set(world, among)
    one, other = the_one(of, world), the_one(to, world)
    if min(one, other) >= 0 and world.instances[one].object.person is None:
        yield Among(relation, one, other)
        yield from _there(world.instances[one])


def _labelled(world: World, label: str) -> _Facts:
    yield from _there(next((t for t in world.things if t.object.label == label), None))


def _there(one: Instance | None) -> _Facts:
    if one is not None and one.object.person is None:
        yield Present(one.object.label)


def _people(world: World) -> bool:
    return any(one.object.person is not None for one in world.things)


def _is(world: World, attribute: str, of: Program, value: Value) -> _Facts:
    yield from _set(world, of)
    one = the_one(of, world)
    if one < 0 or attribute == "label":
        return
    if world.instances[one].object.person is not None:
        yield Trait(attribute, str(value))
    else:
        yield Has(attribute, one, value)


def _stands(world: World, relation: str, *of: Program) -> _Facts:
    for each in of:
        yield from _set(world, each)
    numbers = [the_one(each, world) for each in of]
    if min(numbers) < 0:
        return
    if relation in CELLS:
        yield In(numbers[0])
    ways = [STATED[side] for side in relation.split("+")] if relation in CORNERS else [relation]
    for other in numbers[1:]:
        for way in ways:
            yield Stands(way, numbers[0], other)


def _direction(world: World, of: Program, to: Program, joined: str) -> _Facts:
    for relation in [joined] if joined in CORNERS else joined.split("+"):
        yield from _stands(world, relation, of, to)


def _place(world: World, of: Program, joined: str) -> _Facts:
    relation, label = joined.split("+")
    yield from _stands(world, relation, of, labelled(label))


def _most(world: World, relation: str, of: Program, among: Program) -> _Facts:
    """How a thing stands to others, first to those of which that is least plain: all alike."""
    yield from _set(world, of)
    one = the_one(of, world)
    others = [n for n, member in members(among, world).items() if member and n != one]
    for other in others[:_OTHERS] if one >= 0 else ():
        yield Stands(relation, one, other)


def _by_distance(head: str) -> Callable[..., _Facts]:
    def facts(world: World, of: Program, to: Program, among: Program) -> _Facts:
        yield from _set(world, of)
        yield from _set(world, to)
        one, other = the_one(of, world), the_one(to, world)
        if min(one, other) < 0:
            return
        rest = [n for n, member in members(among, world).items() if member]
        for each in [n for n in rest if n not in (one, other)][:_OTHERS]:
            yield Nearer(head, one, each, other)

    return facts


def _counted(world: World, of: Program) -> _Facts:
    """How many a set has, and of which sets it is made."""
    head, *rest = of
    if head == "standing":
        relation, one, among = rest
        yield from _most(world, relation, one, among)
    elif head in ("either", "without"):
        for part in rest:
            yield from _counted(world, part)
    else:
        if head == "with" and rest[2] != _ALL:
            attribute, value, inner = rest
            yield from _counted(world, inner)
            yield from _counted(world, ["with", attribute, value, _ALL])
        yield Number(of)


def _both(world: World, *of: Program) -> _Facts:
    for each in of[:2]:
        yield from _counted(world, each)


def _commonest(world: World, label: str) -> _Facts:
    labels = [one.object.label for one in world.things]
    others = sorted({*labels} - {label}, key=lambda each: (-labels.count(each), each))
    for each in (label, *others[:_OTHERS]):
        yield Number(labelled(each))


def _are(world: World, attribute: str, first: Program, second: Program, joined: str) -> _Facts:
    for of, value in zip((first, second), joined.split("+"), strict=True):
        yield from _is(world, attribute, of, value)


def _setting(world: World, keys: str, values: str) -> _Facts:
    for key, value in zip(keys.split("+"), values.split("+"), strict=True):
        yield Scenery(key, value)


def _extreme(relation: str) -> Callable[..., _Facts]:
    return lambda world, of, among: _most(world, relation, of, among)


#: Head of a statement -> the facts that it rests on, given the world and what stands behind it.
_FACTS: dict[str, Callable[..., _Facts]] = {
    "exists": _set,
    "count": lambda world, of, number: _counted(world, of),
    **dict.fromkeys(("more", "fewer", "as_many", "compared"), _both),
    "commonest": _commonest,
    "is": _is,
    "are": _are,
    "stands": _stands,
    "direction": _direction,
    "place": _place,
    "most": _most,
    "largest": _extreme("larger"),
    "smallest": _extreme("smaller"),
    "foremost": _extreme("nearer"),
    "hindmost": _extreme("farther"),
    "nearest": _by_distance("nearest"),
    "farthest": _by_distance("farthest"),
    "setting": _setting,
    "fact": lambda world, what, of, value: _set(world, of),
}
