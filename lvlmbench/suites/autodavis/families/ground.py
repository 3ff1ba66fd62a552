"""Which of several things on the ground is nearest to who looks, or farthest away."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.graphs import ground
from lvlmbench.suites.graphs.ask import Ask

_SAID = {
    "foremost": ("nearer", "nearest to you"),
    "hindmost": ("farther", "farthest from you"),
}


class About(Section):
    """Which of them."""

    which: Literal["foremost", "hindmost"]


@FAMILIES.register("ground", settings=About)
class Ground(Family):
    """Four things of one kind, one behind the other, in four colors."""

    def __init__(self, about: About) -> None:
        self._head = about.which
        self._way, self._said = _SAID[about.which]

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan four things on ground that reaches into the distance, which all levels show."""
        level = kit.level.model_copy(update={"background": True, "weather": False})
        return ground.plan(replace(kit, level=level))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which one is nearest; at harder levels which one would be, were one away."""
        label = world.graph.main.label
        colors = [str(one.object.color) for one in world.things]
        things = kit.words.plural(label)
        among, words = labelled(label), f"Which of the {things} is {self._said}?"
        program: Program = [self._head, _one("?", label), among]
        found: list[Ask] = []
        if kit.level.hops == 0:
            return self._asked(kit, world, program, words, colors)
        for color in kit.draws.shuffled(colors):
            rest: Program = ["without", among, _one(color, label)]
            gone: Program = ["most", self._way, _one("?", label), rest]
            program = ["and", gone, ["not", ["is", "color", _one("?", label), color]]]
            words = f"Apart from the {color} one, which of the {things} is {self._said}?"
            left = [each for each in colors if each != color]
            found += self._asked(kit, world, program, words, left, color)
        return found

    def _asked(
        self,
        kit: ExamKit,
        world: World,
        program: Program,
        words: str,
        colors: list[str],
        named: str | None = None,
    ) -> list[Ask]:
        options = [color for color in kit.stock.colors if color != named]
        return value(
            kit, world, program, (words,), options,
            family=self._head, show=_show, first=kit.draws.shuffled(colors),
            hops=kit.level.hops, near=3,
        )  # fmt: skip


def _one(color: Value, label: str) -> Program:
    return ["with", "color", color, labelled(label)]


def _show(color: Value) -> str:
    return f"the {color} one"
