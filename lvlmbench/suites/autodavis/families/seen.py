"""What is in a picture: one of four things of a sort can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.autodavis.sorts import Sort, tried
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

_IN = (
    "Which of these can be seen in the picture?",
    "Which of these does the picture show?",
    "One of these is in the picture. Which one?",
)


@FAMILIES.register("seen", settings=Sort)
class Seen(Family):
    """One thing of a sort is there, three others of it are not."""

    def __init__(self, about: Sort) -> None:
        self._sort = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan one thing of the sort, and others that nobody takes for any that is offered.

        Where wrong options look alike it is one of two that do, so that they say nothing.
        """
        setting = kit.setting("shape")
        pool = self._sort.pool(kit, setting)
        if not kit.level.near:
            return picture(kit, kit.kinds(1, setting, of=pool), setting)
        pair = tried(lambda: kit.alike(setting, of=pool))
        if pair is None:
            return None
        right, double = pair
        found = picture(kit, [right], setting, beside=[double])
        return found if self._wrong(kit, found, pool) else None

    def _wrong(self, kit: ExamKit, graph: Graph, pool: Sequence[Kind]) -> list[Kind]:
        """Three kinds of the sort that are not there; none where that cannot be."""
        right, *others = (kit.stock.by_label[one.label] for one in graph.objects)
        if kit.level.near:
            return tried(lambda: kit.pairs(right, graph.setting, others, pool)) or []
        there = [right, *others]
        return tried(lambda: kit.kinds(3, graph.setting, beside=there, of=pool)) or []

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Show another thing of the sort in the place of the first: its look-alike where wanted."""
        wrong = self._wrong(kit, graph, self._sort.pool(kit, graph.setting))
        if not wrong:
            return None
        first, *rest = graph.objects
        other = replace(first, list=wrong[0].list, label=wrong[0].label)
        return replace(graph, objects=(other, *rest))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four things of the sort is there."""
        wrong = self._wrong(kit, world.graph, self._sort.pool(kit, world.graph.setting))
        if not wrong:
            return []
        return [
            Ask(
                family="seen",
                program=["exists", labelled("?")],
                questions=_IN,
                show=lambda each: kit.words.a(str(each)),
                answer=world.graph.main.label,
                wrong=[kind.label for kind in wrong],
                near=2 if kit.level.near else 0,
            )
        ]
