"""Where one thing is seen from another: beside it, above or below, or at a corner."""

from __future__ import annotations

from functools import partial
from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.relations import CONVERSE, CORNERS
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import related, value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.wording import RELATIONS

_CORNERS = tuple(CORNERS)
_WAYS = {
    "horizontal": ("left_of", "right_of"),
    "vertical": ("above", "below"),
    "diagonal": _CORNERS,
}
#: Ways along a line, which leave no doubt that it is none of the others.
_STRAIGHT = {
    "left_of": "left_of+in_row",
    "right_of": "right_of+in_row",
    "above": "above+in_column",
    "below": "below+in_column",
}
#: Things from which on four can be offered.
_SEVERAL = 4


class About(Section):
    """Along which axis."""

    axis: Literal["horizontal", "vertical", "diagonal"]


def said(ways: Value) -> str:
    """Return relations joined by ``+`` in words."""
    first, *more = str(ways).split("+")
    if str(ways) in _STRAIGHT.values():
        return f"straight {RELATIONS[first]}"
    return " and ".join(RELATIONS[each] for each in (first, *more))


@FAMILIES.register("sides", settings=About)
class Sides(Family):
    """Two things that stand so to each other, among others."""

    def __init__(self, about: About) -> None:
        self._ways = _WAYS[about.axis]

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan two things that clearly stand in one of the ways, each as likely."""
        setting, way = kit.setting("shape", bare=kit.level.hops > 1), kit.draws.pick(self._ways)
        if kit.level.hops == 0:
            way = _STRAIGHT.get(way, way)
        ways = [way] if way in CORNERS else way.split("+")
        relations = [Relation("o1", each, "o2") for each in ways]
        n = 2
        if kit.level.hops:  # and something across from it, which is offered as well
            n = 3
            relations += [Relation("o3", CONVERSE[each], "o2") for each in ways]
        least = _SEVERAL if kit.level.hops else 2
        return picture(kit, kit.kinds(n, setting), setting, relations, least=least)

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Have the two things each other's places; or the first and that across from it."""
        return exchanged(graph, 0, 2 if kit.level.hops else 1, "list", "label")

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask where the first is; or which thing stands so to another one."""
        if kit.level.hops == 0:
            return self._where(kit, world)
        found: list[Ask] = []
        for way in kit.draws.shuffled(self._ways):
            found += related(
                kit,
                world,
                partial(_statement, way),
                partial(_questions, said(way)),
                family="beside",
            )
        return found

    def _where(self, kit: ExamKit, world: World) -> list[Ask]:
        a, b = (thing.label for thing in world.graph.objects[:2])
        return value(
            kit,
            world,
            ["direction", labelled(a), labelled(b), "?"],
            (
                f"Where is the {a}, seen from the {b}?",
                f"Where in the picture is the {a} in relation to the {b}?",
                f"Which of these tells where the {a} is in the picture?",
            ),
            _CORNERS if self._ways == _CORNERS else tuple(_STRAIGHT.values()),
            family="where",
            show=lambda way: f"{said(way)} the {b}",
            hops=1,
        )


def _statement(way: str, of: Program) -> Program:
    return ["stands", way, labelled("?"), of]


def _questions(where: str, named: str) -> tuple[str, ...]:
    return (
        f"Which of these is {where} {named}?",
        f"In the picture, what is {where} {named}?",
    )
