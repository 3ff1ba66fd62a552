"""Where things face: to the left or to the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Facing, Graph
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.graphs.which import who

_WAYS: tuple[Facing, Facing] = ("left", "right")
#: Least number of things by hops: four are offered from the second on.
_LEAST = (2, 4, 6)
#: So many kinds have to face somewhere.
_ENOUGH = 24


def _pool(kit: Kit, barred: Sequence[str]) -> list[Kind]:
    """Return the kinds that face somewhere."""
    found = kit.stock.pool(span=kit.level.span[0], barred=barred)
    return [kind for kind in found if kind.entry.extra.get("faces") in _WAYS]


def shown(graph: Graph) -> bool:
    """Return whether a scene is about where things face."""
    return graph.main.facing is not None


def plan(kit: Kit) -> Graph | None:
    """Plan things the first of which faces one way; the next ones face the other way.

    There is no plan where the vocabulary says of too few things where they face.
    """
    setting, n = kit.setting("shape"), max(kit.size(), _LEAST[min(kit.level.hops, 2)])
    pool = _pool(kit, kit.barred(setting))
    if len(pool) < _ENOUGH:
        return None
    kinds = kit.kinds(n, setting, of=pool)
    way, other = kit.draws.shuffled(_WAYS)
    faces = [way, other, other, other, *(kit.draws.pick(_WAYS) for _ in range(n))]
    things = kit.objects(kinds, kit.draws.shuffled(kit.spans(n)))
    turned = (replace(t, facing=f) for t, f in zip(things, faces, strict=False))
    return Graph(tuple(turned), (), setting)


def ask(kit: Kit, world: World) -> list[Ask]:
    """Return what can be asked of a scene and of its twin: one thing has turned, and another."""
    moved = [thing.label for thing in world.graph.objects[:2]]
    alone = next((t.facing for t in world.graph.objects[2:]), None)
    # Of three that are left the one way, one faces the other way, whichever of the two it is.
    way = kit.draws.pick(_WAYS) if alone is None else _WAYS[alone == "left"]
    program: Program = ["is", "facing", labelled("?"), way]
    found = who(
        kit, world, program, f"is facing {way}", 1, of=_pool(kit, kit.barred(world.graph.setting))
    )
    return [*found, *_way(kit, world, kit.draws.pick(moved))]


def _way(kit: Kit, world: World, label: str) -> list[Ask]:
    facing = next(thing.facing for thing in world.graph.objects if thing.label == label)
    return [
        Ask(
            family="facing",
            program=["is", "facing", labelled(label), "?"],
            questions=(
                f"Which way is the {label} facing, left or right?",
                f"In the picture, is the {label} facing left or right?",
            ),
            statements=lambda way: (
                f"The {label} is facing {way}.",
                f"In the picture, the {label} is facing {way}.",
            ),
            show=str,
            answer=str(facing),
            wrong=[way for way in _WAYS if way != facing],
            options=2,
            hops=1,
        )
    ]
