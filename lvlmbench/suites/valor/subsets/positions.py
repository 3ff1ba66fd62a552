"""Where things are (VALOR-Eval: positional relations)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lvlmbench.scene.claims import Scope
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.claimed import PLACES
from lvlmbench.suites.graphs import places
from lvlmbench.suites.graphs import wording as words
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.valor.subset import Site, Subset, subset

_QUESTIONS = (
    "Where is everything in this picture? Say where each object, animal, or plant is relative to "
    "the others.",
    "Describe how this image is arranged: what is to the left of, to the right of, above, below, "
    "on, inside, in front of, or behind what.",
    "For everything that this picture shows, say where it is in relation to the rest.",
    "How are the objects, animals, and plants in this image positioned relative to each other?",
    "What is where in this picture? Go through the objects, animals, and plants, and say where "
    "each one is relative to the others.",
)
_OVERLAPS = ("in_front_of", "behind")
#: What stands to the left of it may be taken to stand in the left of the picture.
_PICTURES = ("picture frame",)
#: Shares of scenes in which things are on or inside others, and in which one hides a part of one.
_SEATED, _HIDING = 0.35, 0.35
#: Side -> the way to the cell beside, across and down; room for things in thousandths.
_WAYS = {"left_of": (-1, 0), "right_of": (1, 0), "above": (0, -1), "below": (0, 1)}
_ROOM = 900


def _plan(site: Site) -> Graph:
    """Plan things each of which stands so to one before it."""
    kit = site.kit
    n, which = kit.size(), kit.draws.uniform()
    if which < _SEATED:
        props = min(n // 2, 1 + kit.draws.below(2))
        found = places.plan(kit, (n - props, props), without=_PICTURES)
        if found is not None:
            return _with_sides(kit, found)
    setting = kit.setting("shape")
    graph = Graph(kit.objects(kit.kinds(n, setting), kit.spans(n)), (), setting)
    if which < _SEATED + _HIDING:
        over = Relation("o2", kit.draws.pick(_OVERLAPS), "o1")
        graph = Graph(graph.objects, (over,), setting)
    return _with_sides(kit, graph)


def _with_sides(kit: Kit, graph: Graph) -> Graph:
    """Have all that stands to nothing yet stand aside of something that does.

    What is on, in or behind a thing lies in one cell of a grid with it; each further thing comes
    into a free cell beside one that is taken, where there is room for all rows and columns.
    """
    together = {each.subject: str(each.object) for each in graph.relations}
    spans = {t.id: t.span or 0 for t in graph.objects if t.id not in together}
    for subject, to in together.items():
        spans[to] = max(spans[to], *(t.span or 0 for t in graph.objects if t.id == subject))
        over = any(each.predicate in _OVERLAPS for each in graph.relations)
        spans[to] = spans[to] * 7 // 5 if over else spans[to]
    first, *rest = sorted(spans, key=lambda each: each not in together.values())
    cells, found = {first: (0, 0)}, [*graph.relations]
    for name in rest:
        to, side = kit.draws.pick([*_free(cells, name, spans)])
        found.append(Relation(name, side, to))
        cells[name] = _beside(cells[to], side)
    return Graph(graph.objects, tuple(found), graph.setting)


def _beside(cell: tuple[int, int], side: str) -> tuple[int, int]:
    across, down = _WAYS[side]
    return cell[0] + across, cell[1] + down


def _free(
    cells: Mapping[str, tuple[int, int]], name: str, spans: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield things, and sides of them at which there is room for one more."""
    for to, cell in cells.items():
        for side in words.SIDES:
            new = _beside(cell, side)
            if new not in cells.values() and _fits({**cells, name: new}, spans):
                yield to, side


def _fits(cells: Mapping[str, tuple[int, int]], spans: Mapping[str, int]) -> bool:
    """Whether columns and rows, each as large as the largest thing in it, fit into a picture."""
    for axis in (0, 1):
        lines: dict[int, int] = {}
        for name, cell in cells.items():
            lines[cell[axis]] = max(lines.get(cell[axis], 0), spans[name])
        if sum(lines.values()) > _ROOM:
            return False
    return True


def said(kit: Kit, world: World) -> str:
    """Return how things stand to each other, of the relations that were planned and hold."""
    at = {one.object.id: one for one in world.things}
    found = []
    for each in world.graph.relations:
        one, other = at.get(each.subject), at.get(each.object or "")
        if one and other and world.stands(each.predicate, one.number, other.number):
            how = words.RELATIONS[each.predicate]
            found.append(f"The {one.object.label} is {how} the {other.object.label}.")
    return " ".join(found)


@SUBTASKS.register("valor_positions")
def positions() -> Subset:
    """Return the subset: where things are."""
    return subset(
        "valor_positions", 4,
        things=(3, 5), span=(190, 290), placed=True,
        owes=Scope(("relation",), PLACES),
        form=Form(things=("id", "name", "place"), relations=True),
        questions=_QUESTIONS, plan=_plan, said=said,
    )  # fmt: skip
