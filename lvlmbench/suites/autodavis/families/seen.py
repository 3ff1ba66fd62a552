"""What is in a picture: one of four things of a sort can be seen."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.autodavis.sorts import Sort
from lvlmbench.suites.graphs.ask import Ask

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
        if kit.level.near:
            right, double = kit.alike(setting, of=pool)
            return picture(kit, [right], setting, beside=[double])
        return picture(kit, kit.kinds(1, setting, of=pool), setting)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four things of the sort is there."""
        setting = world.graph.setting
        right, *others = (kit.stock.by_label[one.label] for one in world.graph.objects)
        pool = self._sort.pool(kit, setting)
        if kit.level.near:
            wrong = kit.pairs(right, setting, others, pool)
        else:
            wrong = kit.kinds(3, setting, beside=[right, *others], of=pool)
        return [
            Ask(
                family="seen",
                program=["exists", labelled("?")],
                questions=_IN,
                show=lambda each: kit.words.a(str(each)),
                answer=right.label,
                wrong=[kind.label for kind in wrong],
                near=2 if kit.level.near else 0,
            )
        ]
