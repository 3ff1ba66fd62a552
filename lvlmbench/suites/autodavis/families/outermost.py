"""Which thing is farthest to a side of the picture."""

from __future__ import annotations

from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import which
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask, exchanged

#: Side -> how the outermost thing stands to all others, and how that is said.
_SIDES = {
    "left": ("farther_left", "farthest to the left"),
    "right": ("farther_right", "farthest to the right"),
    "top": ("higher", "highest up"),
    "bottom": ("lower", "lowest down"),
}


class About(Section):
    """To which side."""

    side: Literal["left", "right", "top", "bottom"]


@FAMILIES.register("outermost", settings=About)
class Outermost(Family):
    """One thing lies clearly farther to a side than all others; at a hard level two in order."""

    def __init__(self, about: About) -> None:
        self._way, self._said = _SIDES[about.side]

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things, the first one farthest out; where steps are wanted, the second next."""
        setting = kit.setting("shape")
        n = 3 + kit.level.hops
        found = picture(kit, (), setting, least=n, most=n)
        others = [thing.id for thing in found.objects[1:]]
        relations = [Relation("o1", self._way, each) for each in others]
        if kit.level.hops > 1:
            relations += [Relation("o2", self._way, each) for each in others[1:]]
        return Graph(found.objects, (*relations, *found.relations), setting)

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Have what is asked for and another thing each other's places."""
        first = 1 if kit.level.hops > 1 else 0
        other = kit.draws.within(first + 1, len(graph.objects) - 1)
        return exchanged(graph, first, other, "list", "label")

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing is farthest out; or farthest but for that one."""
        program: Program = ["most", self._way, labelled("?"), ["all"]]
        words = (
            f"Which thing is {self._said} in the picture?",
            f"Of the things in the picture, which is {self._said}?",
        )
        if kit.level.hops > 1:
            first = world.graph.main.label
            rest: Program = ["without", ["all"], labelled(first)]
            program = ["and", ["most", self._way, labelled("?"), rest], _other(first)]
            words = (
                f"Apart from the {first}, which thing is {self._said} in the picture?",
                f"If the {first} were not there, which thing would be {self._said}?",
            )
        return which(kit, world, program, words, family="outermost", hops=kit.level.hops)


def _other(label: str) -> Program:
    return ["not", ["is", "label", labelled("?"), label]]
