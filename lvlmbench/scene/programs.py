"""Questions as programs over what a picture shows, evaluated in three values.

A program is JSON. Sets of things: ``["all"]``, ``["with", attribute, value, set]``, ``["standing",
relation, set, set]`` (those of the second that stand so to the one thing of the first),
``["either", set, set]``, ``["without", set, set]`` (of the first, not of the second). Statements:
``["exists", set]``, ``["count", set, number]``, ``["more", set, set]`` (``fewer``, ``as_many``),
``["is", attribute, set, value]`` (of the one thing in the set), ``["stands", relation, set, ...]``,
``["largest", set, set]``, ``["smallest", ...]``, ``["foremost", set, set]``, ``["hindmost", ...]``
(standing nearest to who looks, or farthest away), ``["nearest", set, set, set]``, ``["farthest",
...]`` (the one thing among the third set to that of the second), ``["most", relation, set, set]``
(the one thing of the first stands so to all others of the second), ``["commonest", label]`` (there
are more of it than of any other), ``["setting", keys, values]`` (background, style, weather, each
joined by ``+``), ``["fact", what, set, value]`` (what is known of the one thing in the set),
``["direction", set, set, relations]`` (all of those joined by ``+``), ``["are", attribute, set,
set, values]`` (one each, joined by ``+``), ``["compared", set, set, how]`` (``more``, ``fewer`` or
``as_many``), ``["place", set, where+label]`` (``on+table``), ``["change", how+label]``
(``missing``, ``new`` or one of :data:`CHANGES`: the second panel against the first), ``["differ",
number]`` (so many things do, in the second panel against the first), ``["odd", panel]`` (unlike the
others, which are alike), ``["panels", s, number]`` (in how many panels a statement about the things
of one holds), ``["chart", what, ..., value]``, ``["exactly", what, ..., value]`` (what the chart
says is one number or color, and this is it), ``["not", s]``, ``["and", s, s]``, ``["or", s, s]``.
Where an option goes stands ``"?"``.

None is what a person cannot be sure of. Nobody is asked about it, neither as the answer nor as a
wrong option.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from lvlmbench.scene.comparing import CHANGES as CHANGES
from lvlmbench.scene.comparing import change, count_changed, odd
from lvlmbench.scene.relations import CORNERS
from lvlmbench.scene.sets import (
    NOTHING,
    Program,
    Truth,
    Value,
    all_of,
    any_of,
    has,
    labelled,
    members,
    negated,
    size,
    the_one,
)
from lvlmbench.scene.world import World

#: What stands for an option.
HOLE = "?"


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


#: Attributes that name the kind of a thing instead of choosing among things of a kind.
_NAMES = ("label", "panel")
#: So many things, from which one is to be found, are not few.
_SEVERAL = 4


def idle(program: Program, world: World) -> bool:
    """Return whether a condition leaves out nothing: "all red cars" where all cars are red.

    Conditions are attributes and places of things, or several of which one is enough. Whether
    something exists is no condition, nor is what has a hole, nor what is counted of those for
    which another condition holds: that is what is asked.
    """
    head, *rest = program
    if head == "exists":
        return False
    ways = [*_united(rest[0] if head == "count" else program)]
    within = ways[0][-1]
    if head == "count" and isinstance(within, list) and any(map(_chooses, _united(within))):
        return idle(within, world)
    inner = [way[-1] for way in ways] if head == "either" else rest
    if any(idle(part, world) for part in inner if isinstance(part, list)):
        return True
    if head == "count" or _has_hole(program):
        return False
    if not all(_chooses(way) and way[-1] == within for way in ways):
        return False
    kept, among = members(program, world), members(within, world).items()
    return not any(there and kept[number] is False for number, there in among)


def _united(program: Program) -> Iterator[Program]:
    """The sets that a set consists of."""
    if program[0] != "either":
        yield program
        return
    for part in program[1:]:
        yield from _united(part)


def _chooses(program: Program) -> bool:
    """Whether a set holds those of another for which a condition holds."""
    return program[0] in ("with", "standing") and program[1] not in _NAMES


def _has_hole(program: Program) -> bool:
    return filled(program, "") != program


def redundant(program: Program, world: World) -> bool:
    """Return whether a thing is asked for by several statements, of which fewer would do.

    So it is where each thing for which all others hold is one for which the statement holds, too.
    Where a picture shows few things, they are not.
    """
    head, *parts = program
    if head != "and":
        return False
    asked = [part for part in parts if part[0] != "exists" and _has_hole(part)]
    labels = sorted({one.object.label for one in world.things} - {*_labels(asked)})
    if len(asked) < 2 or len(labels) < _SEVERAL:
        return False
    judged = {label: [_statement(filled(part, label), world) for part in asked] for label in labels}
    return not all(
        any(found[at] is False and found.count(True) == len(asked) - 1 for found in judged.values())
        for at in range(len(asked))
    )


def _labels(programs: list[Program]) -> Iterator[str]:
    """What is named in programs."""
    for part in programs:
        if part[:2] == ["with", "label"]:
            yield str(part[2])
        yield from _labels([each for each in part if isinstance(each, list)])


def _count(world: World, of: Program, number: int) -> Truth:
    found = size(of, world)
    return None if found is None else found == int(number)


def _compared(test: Callable[[int, int], bool]) -> Callable[..., Truth]:
    def judge(world: World, first: Program, second: Program) -> Truth:
        one, other = size(first, world), size(second, world)
        return None if one is None or other is None else test(one, other)

    return judge


def _is(world: World, attribute: str, of: Program, value: Value) -> Truth:
    one = the_one(of, world)
    if one < 0:
        return False if one == NOTHING else None
    return has(world.instances[one], attribute, value, world)


def _stands(world: World, relation: str, *of: Program) -> Truth:
    numbers = [the_one(each, world) for each in of]
    if NOTHING in numbers:
        return False
    return None if min(numbers) < 0 else world.stands(relation, *numbers)


def _most(relation: str) -> Callable[..., Truth]:
    def judge(world: World, of: Program, among: Program) -> Truth:
        one, rest = the_one(of, world), members(among, world)
        if one < 0:
            return False if one == NOTHING else None
        others = [(n, member) for n, member in rest.items() if n != one and member is not False]
        return all_of(world.stands(relation, one, n) if member else None for n, member in others)

    return judge


def _commonest(world: World, label: str) -> Truth:
    """Whether there are more things of a kind than of any other that is there."""
    if any(one.there is None for one in world.instances):
        return None
    labels = [one.object.label for one in world.things]
    own = labels.count(label)
    return own > max((labels.count(each) for each in {*labels} - {label}), default=0)


def _setting(world: World, keys: str, values: str) -> Truth:
    """Whether the scene as a whole is so; "none" is said of what it has not."""
    held = (getattr(world.graph.setting, key) or "none" for key in keys.split("+"))
    return [*held] == values.split("+")


def _fact(world: World, what: str, of: Program, value: str) -> Truth:
    """Whether something is known of the one thing of a set; None of what nothing is known of."""
    one = the_one(of, world)
    if one < 0:
        return False if one == NOTHING else None
    known = world.facts.get(what, {}).get(world.instances[one].object.label)
    return None if known is None else known == value


def _by_distance(nearest: bool) -> Callable[..., Truth]:
    def judge(world: World, of: Program, to: Program, among: Program) -> Truth:
        one, other, rest = the_one(of, world), the_one(to, world), members(among, world)
        if NOTHING in (one, other):
            return False
        if min(one, other) < 0 or None in rest.values():
            return None
        return world.extreme(nearest, one, other, [n for n, member in rest.items() if member])

    return judge


def _direction(world: World, of: Program, to: Program, joined: str) -> Truth:
    if joined in CORNERS:
        return _stands(world, joined, of, to)
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


def within(program: Program, panel: Value) -> Program:
    """Return a program about the things of one panel, which may be the hole."""
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
    "exists": lambda world, of: any_of(members(of, world).values()),
    "count": _count,
    **_COMPARED,
    "compared": _how_many,
    "chart": _charted,
    "exactly": _exactly,
    "change": change,
    "differ": lambda world, number: count_changed(world, 0, 1, int(number)),
    "odd": odd,
    "panels": _in_panels,
    "direction": _direction,
    "place": _place,
    "are": _are,
    "is": _is,
    "stands": _stands,
    "most": lambda world, relation, of, among: _most(relation)(world, of, among),
    "commonest": _commonest,
    "setting": _setting,
    "fact": _fact,
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
