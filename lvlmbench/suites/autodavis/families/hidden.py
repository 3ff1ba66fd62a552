"""What hides a part of what."""

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


class About(Section):
    """Which of the two is asked for."""

    which: Literal["hides", "hidden"]


@FAMILIES.register("hidden", settings=About)
class Hidden(Family):
    """One thing before another, among others."""

    def __init__(self, about: About) -> None:
        self._asks_front = about.which == "hides"

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a thing that hides a part of another; either may be the larger one."""
        setting = kit.setting("shape", bare=kit.level.hops > 1)
        way = kit.draws.pick(("in_front_of", "behind"))
        relations = [Relation("o1", way, "o2")]
        least = {0: 3, 1: 4}.get(kit.level.hops, 6)
        return picture(kit, kit.kinds(2, setting), setting, relations, least=least)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask what is in front of one thing, or behind it."""
        if self._asks_front:
            return related(
                kit,
                world,
                lambda of: ["stands", "hides", labelled("?"), of],
                lambda named: (
                    f"Which thing covers a part of {named}?",
                    f"What is in front of {named} and covers a part of it?",
                ),
                family="hides",
            )
        return related(
            kit,
            world,
            lambda of: ["stands", "hides", of, labelled("?")],
            lambda named: (
                f"Which thing is partly covered by {named}?",
                f"Of which thing is a part behind {named}?",
            ),
            family="hidden",
        )
