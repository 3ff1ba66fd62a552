"""Which thing is nearest to another one, or farthest from it."""

from __future__ import annotations

from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import related
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask, exchanged

#: Corners across from each other.
_ACROSS = (("top left", "bottom right"), ("top right", "bottom left"))


class About(Section):
    """Which way."""

    which: Literal["nearest", "farthest"]


@FAMILIES.register("near", settings=About)
class Near(Family):
    """Things at clearly different distances from one."""

    def __init__(self, about: About) -> None:
        self._head = about.which
        self._said = "nearest to" if about.which == "nearest" else "farthest from"

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a thing next to another, or one far from it in the corner across."""
        setting = kit.setting("shape", bare=kit.level.hops > 1)
        relations = [Relation("o1", "next_to", "o2")]
        if self._head == "farthest":
            cells = zip(("o1", "o2"), kit.draws.shuffled(kit.draws.pick(_ACROSS)), strict=True)
            relations = [Relation(*each) for each in cells]
        spans, least = [kit.level.span[0]] * 2, min(3 + kit.level.hops, 5)
        return picture(kit, kit.kinds(2, setting), setting, relations, spans=spans, least=least)

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Have the first thing and one of the others each other's places."""
        return exchanged(graph, 0, kit.draws.within(2, len(graph.objects) - 1), "list", "label")

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing is nearest to each other, or farthest, where that is clear."""

        def statement(of: Program) -> Program:
            # A thing is no option where it is asked about itself.
            apart: Program = ["not", ["is", "label", of, "?"]]
            return ["and", [self._head, labelled("?"), of, ["all"]], apart]

        return related(
            kit,
            world,
            statement,
            lambda named: (
                f"Which thing is {self._said} {named}?",
                f"In the picture, what is {self._said} {named}?",
            ),
            family=self._head,
        )
