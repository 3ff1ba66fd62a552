"""What is not the same in two panels of a picture, in three values."""

from __future__ import annotations

from collections.abc import Callable

from lvlmbench.scene.sets import (
    LEGIBLE,
    NOTHING,
    UNCLEAR,
    Program,
    Truth,
    Value,
    all_of,
    any_of,
    labelled,
    negated,
    the_one,
)
from lvlmbench.scene.world import Instance, World


def _panel(world: World, label: str, panel: int) -> Program:
    return labelled(label, ["with", "panel", panel, ["all"]])


def change(world: World, joined: str) -> Truth:
    """Return whether the second panel shows a change against the first: ``missing+car``."""
    how, label = joined.split("+")
    sets = [_panel(world, label, panel) for panel in (0, 1)]
    found = [the_one(each, world) for each in sets]
    if UNCLEAR in found:
        return None
    gone = found[0] != NOTHING and found[1] == NOTHING
    if how == "missing":
        return gone
    if how == "new":
        return found[0] == NOTHING and found[1] != NOTHING
    if NOTHING in found:
        return False
    return CHANGES[how](world, *(world.instances[number] for number in found))


def _unlike(one: Value | None, other: Value | None) -> Truth:
    return False if one == other else None if None in (one, other) else True


def _mirrored(world: World, one: Instance, other: Instance) -> Truth:
    """Whether a thing faces the other way; only of what is seen nearly whole."""
    seen = [part.visible for part in (one.seen, other.seen) if part is not None]
    if len(seen) < 2 or min(seen) < LEGIBLE:
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


def odd(world: World, panel: int) -> Truth:
    """Return whether a panel is unlike all others, which are alike."""
    n = world.graph.panels
    alike = {(a, b): count_changed(world, a, b, 0) for a in range(n) for b in range(a + 1, n)}
    own = [negated(same) for pair, same in alike.items() if int(panel) in pair]
    rest = [same for pair, same in alike.items() if int(panel) not in pair]
    return all_of([*own, *rest])


def count_changed(world: World, a: int, b: int, number: int) -> Truth:
    """Return whether so many things differ between two panels, or are in one of them only."""
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
