"""Which thing faces to the left, or to the right."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.graphs import facing
from lvlmbench.suites.graphs.ask import Ask, exchanged


@FAMILIES.register("facing")
class Facing(Family):
    """Things one of which faces the other way."""

    def __init__(self, about: None) -> None:
        del about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things that face somewhere; one of those asked about faces the other way."""
        return facing.plan(kit)

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Have two things face each other's way."""
        return exchanged(graph, 0, 1, "facing")

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing faces to one side."""
        return facing.ask(kit, world)
