"""Nearer and farther: things of one kind on ground that reaches into the distance."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import RELATIONS

#: How many stand there, and their longest sides, far to near: each is clearly larger than the one
#: behind it. All are of one kind, so that only their distance makes them so.
_SPANS = (115, 156, 210, 284)
_EXTREMES = {"foremost": "closest to the viewer", "hindmost": "farthest from the viewer"}


def plan(kit: Kit) -> Graph | None:
    """Plan things of one kind in other colors, each nearer than the one before; or None."""
    if not (kit.level.background and kit.stock.grounds):
        return None
    setting, n = kit.setting("shape", "color", ground=True), len(_SPANS)
    kinds = kit.kinds(1, setting, recolorable=True) * n
    relations = (Relation(f"o{at}", "farther", f"o{at + 1}") for at in range(1, n))
    return Graph(kit.objects(kinds, _SPANS, kit.colors(n)), tuple(relations), setting)


def planned(graph: Graph) -> bool:
    """Return whether a scene was planned so."""
    return any(one.predicate == "farther" for one in graph.relations)


def ends_exchanged(kit: Kit, graph: Graph) -> Graph:
    """Return a graph in which two things have each other's color: the first, the last, or both
    ends have another."""
    last = len(graph.objects) - 1
    between = kit.draws.within(1, last - 1)
    first, second = kit.draws.pick(((0, last), (0, between), (between, last)))
    return exchanged(graph, first, second, "color")


def ask(kit: Kit, world: World) -> list[Ask]:
    """Ask which of them is nearest, which is farthest away, and how two of them stand."""
    label = world.graph.main.label
    colors = [str(one.object.color) for one in world.things]
    if len(colors) < len(_SPANS):
        return []
    found = [_extreme(kit, world, head, how, label) for head, how in _EXTREMES.items()]
    found.append(_pair(world, label, *kit.draws.some(colors, 2)))
    return [one for one in found if one is not None]


def _one(color: Value, label: str) -> Program:
    return ["with", "color", color, labelled(label)]


def _extreme(kit: Kit, world: World, head: str, how: str, label: str) -> Ask | None:
    program: Program = [head, _one("?", label), labelled(label)]
    colors = [str(one.object.color) for one in world.things]
    answer = next((color for color in colors if holds(program, world, color)), None)
    if answer is None:
        return None
    things = kit.words.plural(label)
    return Ask(
        family=head,
        program=program,
        questions=(
            f"Which of the {things} is {how}?",
            f"Look at how far away the {things} are. Which one is {how}?",
        ),
        statements=lambda color: (
            f"Of the {things} in the picture, the {color} one is {how}.",
            f"The {color} {label} is the one {how}.",
        ),
        show=lambda color: f"the {color} one",
        answer=answer,
        wrong=kit.draws.shuffled([color for color in colors if color != answer]),
        near=len(_SPANS) - 1,
        hops=1,
    )


def _pair(world: World, label: str, first: str, second: str) -> Ask | None:
    program: Program = ["direction", _one(first, label), _one(second, label), "?"]
    ways = ("nearer", "farther")
    answer = next((way for way in ways if holds(program, world, way)), None)
    if answer is None:
        return None
    return Ask(
        family="distance",
        program=program,
        questions=(
            f"Is the {first} {label} closer to the viewer or farther away than the {second} one?",
            f"Look at how far away the {first} {label} and the {second} one are. Is the {first} "
            "one closer or farther away?",
        ),
        statements=lambda way: (
            f"The {first} {label} is {RELATIONS[str(way)]} the {second} one.",
            f"In the picture, the {first} {label} is {RELATIONS[str(way)]} the {second} one.",
        ),
        show=lambda way: f"{RELATIONS[str(way)]} the {second} one",
        answer=answer,
        wrong=[way for way in ways if way != answer],
        options=2,
        near=1,
        hops=1,
    )
