"""The color of a thing, named by itself or by where it stands."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import reference, value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture, plain
from lvlmbench.suites.graphs.ask import Ask, exchanged


@FAMILIES.register("color")
class Color(Family):
    """Things of as many colors as there are things."""

    def __init__(self, about: None) -> None:
        del about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things that can have any color, each in another, before nothing colored."""
        bare = kit.level.hops > 0
        setting, n = plain(kit.setting("shape", "color", bare=bare)), kit.size()
        kinds = kit.kinds(n, setting, recolorable=True)
        return picture(kit, kinds, setting, colors=kit.colors(n), most=n)

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Have two things exchange colors; what is alone has another one."""
        n = len(graph.objects)
        if n > 1:
            return exchanged(graph, 0, kit.draws.within(1, n - 1), "color")
        colors = [color for color in kit.stock.colors if color != graph.main.color]
        return replace(graph, objects=(replace(graph.main, color=kit.draws.pick(colors)),))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask for the color of one thing; what the others have is offered first."""
        found: list[Ask] = []
        here = [str(one.object.color) for one in world.things]
        for one in kit.draws.shuffled(world.things):
            named = reference(kit, world, one, kit.steps)
            if named is None:
                continue
            said, of = named
            found += value(
                kit,
                world,
                ["is", "color", of, "?"],
                (f"What color is {said}?", f"Which color does {said} have in the picture?"),
                kit.stock.colors,
                family="color",
                first=kit.draws.shuffled(here),
                hops=kit.steps,
                near=min(len(here) - 1, 3),
            )
        return found
