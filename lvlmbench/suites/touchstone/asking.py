"""Finding what can surely be asked: the one value that holds where all others do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lvlmbench.scene.graph import Object
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked

#: Relation of what is outermost to all others -> how that is said.
OUTERMOST = {
    "farther_left": "farthest to the left",
    "farther_right": "farthest to the right",
    "higher": "highest up",
    "lower": "lowest down",
}


def answered(program: Program, world: World, values: Iterable[Value]) -> Value | None:
    """Return the one value with which a statement holds; None unless all others make it false."""
    judged = {value: holds(program, world, value) for value in values}
    right = [value for value, holding in judged.items() if holding]
    return right[0] if len(right) == 1 and None not in judged.values() else None


def outermost(world: World, side: str, among: Sequence[Instance] | None = None) -> Instance | None:
    """Return the one thing that clearly stands so to all others, by default of all that are
    drawn; None where none does, or where there is only one."""
    pool = world.instances if among is None else among
    found = [
        one
        for one in pool
        if all(other is one or world.stands(side, one.number, other.number) for other in pool)
    ]
    return found[0] if len(found) == 1 and len(pool) > 1 and found[0].there else None


def ranked_by(world: World, side: str, things: Sequence[Instance]) -> list[Instance] | None:
    """Return things so that each stands so to all behind it; None where that is not clear."""
    found, rest = list[Instance](), [*things]
    while len(rest) > 1:
        first = outermost(world, side, rest)
        if first is None:
            return None
        found.append(first)
        rest = [one for one in rest if one is not first]
    return [*found, *rest]


def alone(world: World, side: str, other: Instance) -> Instance | None:
    """Return the one thing that stands so to another; None where it is not clear which does."""
    judged = [(one, world.stands(side, one.number, other.number)) for one in world.instances]
    found = [one for one, so in judged if so]
    unclear = any(so is None and one is not other for one, so in judged)
    return found[0] if len(found) == 1 and not unclear and found[0].there else None


def one_of(kit: TaskKit, *families: Sequence[Asked]) -> Asked | None:
    """Return one of what several families can ask, each family as likely as any other.

    Where a scene is to be asked about in several turns, one that has earlier turns is taken, if
    there is one.
    """
    turned = [[one for one in family if one.before] for family in families if kit.turned]
    there: list[Sequence[Asked]] = [family for family in turned if family]
    there = there or [family for family in families if family]
    return kit.draws.pick(kit.draws.pick(there)) if there else None


def forms(kit: TaskKit, one: Object) -> tuple[str, ...]:
    """Return words that name an object and no other, its label first."""
    return kit.forms(one.list, one.label)
