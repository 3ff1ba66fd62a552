"""Things on a table or rug, inside a box or jar: what is there, and where something is."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.graphs import places
from lvlmbench.suites.graphs.ask import Ask

#: Plans that are tried for one with what is asked about.
_TRIES = 30
#: Things and props by hops; and the longest side of a thing that leaves room for props.
_SIZES = ((2, 1), (3, 2), (5, 3))
_LARGEST = 215


class About(Section):
    """What is asked: what is on something, what is inside something, or where a thing is."""

    how: Literal["surface", "inside", "where"]


@FAMILIES.register("props", settings=About)
class Props(Family):
    """Things at two or three props, and beside them."""

    def __init__(self, about: About) -> None:
        # YAML takes the word "on" for true.
        self._how = "on" if about.how == "surface" else about.how

    def _kit(self, kit: ExamKit) -> ExamKit:
        """The same with as many things as the level has, and room for props twice as large."""
        low, high = kit.level.span
        changed = {"hops": int(kit.level.hops > 1), "span": (min(low, _LARGEST), high)}
        return replace(kit, level=kit.level.model_copy(update=changed))

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a thing at each prop; the first is on something, or inside, as is asked."""
        for _ in range(_TRIES):
            found = places.plan(self._kit(kit), _SIZES[min(kit.level.hops, 2)])
            if found is None or self._how in ("where", found.relations[0].predicate):
                return found
        return None

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask what is on or inside one of the props, or where a thing is."""
        return [
            replace(one, hops=kit.level.hops)
            for one in places.ask(self._kit(kit), world)
            if (one.family == "place") == (self._how == "where")
            and (self._how == "where" or one.program[1] == self._how)
        ]
