"""Which thing is level with another one, or right above or below it."""

from __future__ import annotations

from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import related
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask

_SAID = {
    "row": ("in_row", "at the same height as"),
    "column": ("in_column", "straight above or below"),
}


class About(Section):
    """In which direction."""

    axis: Literal["row", "column"]


@FAMILIES.register("aligned", settings=About)
class Aligned(Family):
    """Two things on a line, and others that are clearly off it."""

    def __init__(self, about: About) -> None:
        self._way, self._said = _SAID[about.axis]

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan two things on a line, among others."""
        setting = kit.setting("shape", bare=kit.level.hops > 1)
        relations = [Relation("o1", self._way, "o2")]
        least = {0: 3, 1: 4}.get(kit.level.hops, 5)
        return picture(kit, kit.kinds(2, setting), setting, relations, least=least)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing is on a line with one of the two."""
        return related(
            kit,
            world,
            lambda of: ["stands", self._way, labelled("?"), of],
            lambda named: (
                f"Which thing is {self._said} {named}?",
                f"What is {self._said} {named}?",
            ),
            family="aligned",
        )
