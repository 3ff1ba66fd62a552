"""Things on a table, inside a box, and beside them: what is where, and where something is."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.graph import Graph, Object, Relation, Setting
from lvlmbench.scene.programs import holds
from lvlmbench.scene.props import PROP, WAYS
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.graphs.which import who

#: Things and props by hops: at most eight stand in a picture.
_SIZES = ((3, 2), (5, 3), (5, 3))
#: How large a thing is, of the least span of the level, and a prop, of a thing.
_SMALLER, _LARGER = 0.9, 2.2


def _pool(kit: Kit, setting: Setting) -> Sequence[Kind]:
    """Return the kinds that nobody takes for a prop, nor for something in one of its own."""
    found = kit.stock.pool(span=_span(kit), barred=(*kit.barred(setting), *WAYS))
    return [k for k in found if not {*WAYS} & {*k.entry.extra.get("parts", ())}]


def _free(kit: Kit, setting: Setting) -> list[str]:
    """Return the props that background and style do not show by themselves."""
    words = {word for noun in kit.barred(setting) for word in noun.split()}
    return [label for label in WAYS if not words & {*label.split()}]


def _span(kit: Kit) -> int:
    return max(int(kit.level.span[0] * _SMALLER), 112)


def shown(graph: Graph) -> bool:
    """Return whether a scene has things that others are on or inside of."""
    return any(thing.list == PROP for thing in graph.objects)


def plan(
    kit: Kit, sizes: tuple[int, int] | None = None, without: Sequence[str] = ()
) -> Graph | None:
    """Plan a thing on or inside each prop, and others beside them.

    ``sizes`` are the numbers of things and of props, by default those of the level; no prop is one
    of ``without``.

    What has the place of the first one in a twin is at another prop, or beside all. There is no
    plan where the background shows nearly all props by itself.
    """
    setting = kit.setting("shape")
    n, n_props = sizes or _SIZES[min(kit.level.hops, 2)]
    free = [label for label in _free(kit, setting) if label not in without]
    if len(free) < n_props:
        return None
    labels = kit.draws.some(free, n_props)
    things = kit.objects(kit.kinds(n, setting, of=_pool(kit, setting)), [_span(kit)] * n)
    props = [
        Object(f"p{at + 1}", PROP, label, "secondary", span=int(_span(kit) * _LARGER))
        for at, label in enumerate(labels)
    ]
    at = range(n) if kit.draws.chance() else (0, *range(2, n))  # or o2 is beside
    relations = tuple(
        Relation(things[thing].id, WAYS[prop.label], prop.id)
        for thing, prop in zip(at, props, strict=False)
    )
    return Graph((*things, *props), relations, setting)


def ask(kit: Kit, world: World) -> list[Ask]:
    """Return what can be asked of a scene and of its twin."""
    labels = {thing.id: thing.label for thing in world.graph.objects}
    found: list[Ask] = []
    for each in world.graph.relations:
        if each.subject in ("o1", "o2"):
            prop = labels[str(each.object)]
            program: Program = ["stands", each.predicate, labelled("?"), labelled(prop)]
            said = f"is {each.predicate} the {prop}"
            found += who(kit, world, program, said, 1, of=_pool(kit, world.graph.setting))
    moved = (thing.label for thing in world.graph.objects[:2])
    return [*found, *(each for label in moved for each in _where(kit, world, label))]


def _where(kit: Kit, world: World, label: str) -> list[Ask]:
    """Where a thing is: at one of four props, of which some may not be there."""
    there = [thing.label for thing in world.graph.objects if thing.list == PROP]
    rest = [each for each in _free(kit, world.graph.setting) if each not in there]
    offered = [*kit.draws.shuffled(there), *kit.draws.shuffled(rest)]
    places = [f"{WAYS[each]}+{each}" for each in offered]
    program: Program = ["place", labelled(label), "?"]
    right = [place for place in places if holds(program, world, place)]
    if len(right) != 1:
        return []
    return [
        Ask(
            family="place",
            program=program,
            questions=(
                f"Where is the {label}?",
                f"Where in the picture is the {label}?",
                f"Which of these describes where the {label} is?",
            ),
            statements=lambda place: (
                f"The {label} is {_said(place)}.",
                f"In the picture, the {label} is {_said(place)}.",
            ),
            show=_said,
            answer=right[0],
            wrong=[place for place in places if place != right[0]],
            claims=[f"{WAYS[each]}+{each}" for each in there if f"{WAYS[each]}+{each}" != right[0]],
            near=len(there) - 1,
            hops=1,
        )
    ]


def _said(place: object) -> str:
    return str(place).replace("+", " the ")
