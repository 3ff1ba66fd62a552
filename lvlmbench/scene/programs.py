"""Questions as programs over what a picture shows, evaluated in three values.

A program is JSON. Sets of things: ``["all"]``, ``["with", attribute, value, set]``,
``["standing", relation, set, set]`` (those of the second that stand so to the one thing of the
first), ``["either", set, set]``. Statements: ``["exists", set]``, ``["count", set, number]``,
``["more", set, set]`` (``fewer``, ``as_many``), ``["is", attribute, set, value]`` (of the one
thing in the set), ``["stands", relation, set, ...]``, ``["largest", set, set]``,
``["smallest", ...]``, ``["foremost", set, set]``, ``["hindmost", ...]`` (standing nearest to who
looks, or farthest away), ``["nearest", set, set, set]``, ``["farthest", ...]`` (the one thing among
the third set to that of the second), ``["direction", set, set, relations]`` (all of those joined by
``+``), ``["are", attribute, set, set, values]`` (one each, joined by ``+``), ``["compared", set,
set, how]`` (``more``, ``fewer`` or ``as_many``), ``["place", set, where+label]``
(``on+table``), ``["change", how+label]`` (``missing``, ``new`` or
one of :data:`CHANGES`: the second panel against the first), ``["differ", number]`` (so many things
do, in the second panel against the first), ``["odd", panel]`` (unlike the others, which are alike),
``["panels", s, number]`` (in how many panels a statement about the things of one holds),
``["chart", what, ..., value]``, ``["exactly", what, ..., value]`` (what the chart says is one
number or color, and this is it), ``["not", s]``, ``["and", s, s]``, ``["or", s, s]``. Where an
option goes stands ``"?"``.

None is what a person cannot be sure of. Nobody is asked about it, neither as the answer nor as a
wrong option.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from lvlmbench.scene.figures import telling
from lvlmbench.scene.world import Instance, World

Program: TypeAlias = list[Any]
Value: TypeAlias = str | int
Truth: TypeAlias = bool | None
#: Whether each instance is in a set.
Members: TypeAlias = dict[int, Truth]

#: What stands for an option.
HOLE = "?"

#: Share of a thing that must be seen for words on it to be read, garments and facing to be told.
_LEGIBLE = 0.9

#: No thing, and no telling which.
_NOTHING, _UNCLEAR = -1, -2


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


def filled(program: Program, value: Value) -> Program:
    """Return a program with an option in its hole, which may be a whole program by itself."""
    return [
        filled(part, value) if isinstance(part, list) else value if part == HOLE else part
        for part in program
    ]


def holds(program: Program, world: World, value: Value | None = None) -> Truth:
    """Return whether a statement holds of a picture, with an option in its hole.

    Raises
    ------
    KeyError
        The program has a head that is not known.
    """
    return _statement(program if value is None else filled(program, value), world)


def text_of(program: Program) -> str:
    """Return a program as it stands in the table of questions."""
    return json.dumps(program, separators=(",", ":"))


def has(one: Instance, attribute: str, value: Value, world: World) -> Truth:
    """Return whether an instance has a value of an attribute."""
    if attribute == "label":
        if one.object.label == value:
            return True
        return None if world.clash(one.object.label, str(value)) else False
    hidden = one.seen is not None and one.seen.visible < _LEGIBLE
    if attribute == "facing" and hidden:
        return None
    if one.object.person is not None:
        return None if hidden else telling.has(one.object.person, attribute, str(value))
    held = getattr(one.object, attribute, None)
    if attribute == "text" and hidden:
        return None
    return None if held is None else bool(held == value)


def _members(program: Program, world: World) -> Members:
    head, *rest = program
    if head == "all":
        return {one.number: one.there for one in world.instances}
    if head == "with":
        attribute, value, of = rest
        if of == ["all"]:
            return _having(attribute, value, world)
        own = _having(attribute, value, world)
        return {n: all_of((member, own[n])) for n, member in _members(of, world).items()}
    if head == "standing":
        relation, to, of = rest
        other = _one(to, world)
        if other == _NOTHING:
            return dict.fromkeys(_members(of, world), False)
        return {
            number: all_of((there, None if other < 0 else world.stands(relation, number, other)))
            for number, there in _members(of, world).items()
        }
    if head == "either":
        first, second = (_members(of, world) for of in rest)
        return {number: any_of((first[number], second[number])) for number in first}
    raise KeyError(head)


def _having(attribute: str, value: Value, world: World) -> Members:
    """Which of all instances have a value, found out once a picture."""
    if (attribute, value) not in world.having:
        world.having[attribute, value] = {
            one.number: all_of((one.there, has(one, attribute, value, world)))
            for one in world.instances
        }
    return world.having[attribute, value]


def _one(program: Program, world: World) -> int:
    """The one thing of a set, or that there is none or no telling which."""
    found = _members(program, world)
    if None in found.values():
        return _UNCLEAR
    there = [number for number, member in found.items() if member]
    return there[0] if len(there) == 1 else _UNCLEAR if there else _NOTHING


def _size(program: Program, world: World) -> int | None:
    found = list(_members(program, world).values())
    return None if None in found else found.count(True)


def _count(world: World, of: Program, number: int) -> Truth:
    size = _size(of, world)
    return None if size is None else size == int(number)


def _compared(test: Callable[[int, int], bool]) -> Callable[..., Truth]:
    def judge(world: World, first: Program, second: Program) -> Truth:
        one, other = _size(first, world), _size(second, world)
        return None if one is None or other is None else test(one, other)

    return judge


def _is(world: World, attribute: str, of: Program, value: Value) -> Truth:
    one = _one(of, world)
    if one < 0:
        return False if one == _NOTHING else None
    return has(world.instances[one], attribute, value, world)


def _stands(world: World, relation: str, *of: Program) -> Truth:
    numbers = [_one(each, world) for each in of]
    if _NOTHING in numbers:
        return False
    return None if min(numbers) < 0 else world.stands(relation, *numbers)


def _most(relation: str) -> Callable[..., Truth]:
    def judge(world: World, of: Program, among: Program) -> Truth:
        one, rest = _one(of, world), _members(among, world)
        if one < 0:
            return False if one == _NOTHING else None
        others = [(n, member) for n, member in rest.items() if n != one and member is not False]
        return all_of(world.stands(relation, one, n) if member else None for n, member in others)

    return judge


def _by_distance(nearest: bool) -> Callable[..., Truth]:
    def judge(world: World, of: Program, to: Program, among: Program) -> Truth:
        one, other, rest = _one(of, world), _one(to, world), _members(among, world)
        if _NOTHING in (one, other):
            return False
        if min(one, other) < 0 or None in rest.values():
            return None
        return world.extreme(nearest, one, other, [n for n, member in rest.items() if member])

    return judge


def _direction(world: World, of: Program, to: Program, joined: str) -> Truth:
    return all_of(_stands(world, relation, of, to) for relation in joined.split("+"))


def _place(world: World, of: Program, joined: str) -> Truth:
    """Whether something is on or inside the one thing of a label: ``on+table``."""
    relation, label = joined.split("+")
    return _stands(world, relation, of, labelled(label))


def _are(world: World, attribute: str, first: Program, second: Program, joined: str) -> Truth:
    values = joined.split("+")
    return all_of(
        _is(world, attribute, of, value) for of, value in zip((first, second), values, strict=True)
    )


def _how_many(world: World, first: Program, second: Program, how: str) -> Truth:
    return _COMPARED[how](world, first, second)


def _charted(world: World, *what: str) -> Truth:
    """What the chart says; only where its parts were drawn so that they show its values."""
    *asked, value = what
    return world.charted.get(("/".join(asked), str(value))) if world.reads_back else None


def _exactly(world: World, *what: str) -> Truth:
    """Whether a chart says this number or color, and so no other."""
    *asked, value = what
    found = world.exact.get("/".join(asked)) if world.reads_back else None
    return None if found is None else found == value


def _panel(world: World, label: str, panel: int) -> Program:
    return labelled(label, ["with", "panel", panel, ["all"]])


def _change(world: World, joined: str) -> Truth:
    """Whether the second panel shows a change against the first: ``missing+car``."""
    how, label = joined.split("+")
    sets = [_panel(world, label, panel) for panel in (0, 1)]
    found = [_one(each, world) for each in sets]
    if _UNCLEAR in found:
        return None
    gone = found[0] != _NOTHING and found[1] == _NOTHING
    if how == "missing":
        return gone
    if how == "new":
        return found[0] == _NOTHING and found[1] != _NOTHING
    if _NOTHING in found:
        return False
    return CHANGES[how](world, *(world.instances[number] for number in found))


def _unlike(one: Value | None, other: Value | None) -> Truth:
    return False if one == other else None if None in (one, other) else True


def _mirrored(world: World, one: Instance, other: Instance) -> Truth:
    """Whether a thing faces the other way; only of what is seen nearly whole."""
    seen = [part.visible for part in (one.seen, other.seen) if part is not None]
    if len(seen) < 2 or min(seen) < _LEGIBLE:
        return None
    return _unlike(one.object.facing, other.object.facing)


#: How a thing of one panel can differ from the same thing in another.
CHANGES: dict[str, Callable[[World, Instance, Instance], Truth]] = {
    "moved": lambda world, one, other: world.shift(one.number, other.number),
    "color": lambda world, one, other: _unlike(one.object.color, other.object.color),
    "mirrored": _mirrored,
    "larger": lambda world, one, other: world.outgrows(other.number, one.number),
    "smaller": lambda world, one, other: world.outgrows(one.number, other.number),
}


def _odd(world: World, panel: int) -> Truth:
    """Whether a panel is unlike all others, which are alike."""
    n = world.graph.panels
    alike = {(a, b): _count_changed(world, a, b, 0) for a in range(n) for b in range(a + 1, n)}
    own = [negated(same) for pair, same in alike.items() if int(panel) in pair]
    rest = [same for pair, same in alike.items() if int(panel) not in pair]
    return all_of([*own, *rest])


def _count_changed(world: World, a: int, b: int, number: int) -> Truth:
    """Whether so many things differ between two panels, or are in one of them only."""
    if (a, b) not in world.differing:
        world.differing[a, b] = _differing(world, a, b)
    found = world.differing[a, b]
    if found is None:
        return None
    least, unclear = found
    if not least <= number <= least + unclear:
        return False
    return None if unclear else True


def _differing(world: World, a: int, b: int) -> tuple[int, int] | None:
    """How many things differ between two panels, and of how many that is not clear."""
    first, second = ([o for o in world.instances if o.object.panel == p] for p in (a, b))
    if any(one.there is None for one in (*first, *second)):
        return None
    sides = [{one.object.label: one for one in each if one.there} for each in (first, second)]
    found: list[Truth] = [True] * len(sides[0].keys() ^ sides[1].keys())
    for label in sides[0].keys() & sides[1].keys():
        pair = sides[0][label], sides[1][label]
        found.append(any_of(differs(world, *pair) for differs in CHANGES.values()))
    return found.count(True), found.count(None)


def within(program: Program, panel: int) -> Program:
    """Return a program about the things of one panel."""
    if program == ["all"]:
        return ["with", "panel", panel, ["all"]]
    return [within(part, panel) if isinstance(part, list) else part for part in program]


def _in_panels(world: World, of: Program, number: int) -> Truth:
    """Whether a statement holds in so many panels."""
    key = text_of(of)
    if key not in world.by_panel:
        panels = range(world.graph.panels)
        world.by_panel[key] = [_statement(within(of, panel), world) for panel in panels]
    found = world.by_panel[key]
    least, most = found.count(True), len(found) - found.count(False)
    if not least <= int(number) <= most:
        return False
    return True if least == most else None


_COMPARED: dict[str, Callable[..., Truth]] = {
    "more": _compared(lambda one, other: one > other),
    "fewer": _compared(lambda one, other: one < other),
    "as_many": _compared(lambda one, other: one == other),
}

_STATEMENTS: dict[str, Callable[..., Truth]] = {
    "exists": lambda world, of: any_of(_members(of, world).values()),
    "count": _count,
    **_COMPARED,
    "compared": _how_many,
    "chart": _charted,
    "exactly": _exactly,
    "change": _change,
    "differ": lambda world, number: _count_changed(world, 0, 1, int(number)),
    "odd": _odd,
    "panels": _in_panels,
    "direction": _direction,
    "place": _place,
    "are": _are,
    "is": _is,
    "stands": _stands,
    "largest": _most("larger"),
    "smallest": _most("smaller"),
    "foremost": _most("nearer"),
    "hindmost": _most("farther"),
    "nearest": _by_distance(True),
    "farthest": _by_distance(False),
    "not": lambda world, one: negated(_statement(one, world)),
    "and": lambda world, *parts: all_of(_statement(part, world) for part in parts),
    "or": lambda world, *parts: any_of(_statement(part, world) for part in parts),
}


def _statement(program: Program, world: World) -> Truth:
    head, *rest = program
    return _STATEMENTS[head](world, *rest)


def labelled(label: Value, of: Program | None = None) -> Program:
    """Return the set of things of a kind."""
    return ["with", "label", label, of or ["all"]]
