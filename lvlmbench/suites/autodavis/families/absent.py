"""What is not in a picture: three of four things of a sort are there."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.autodavis.sorts import Sort
from lvlmbench.suites.graphs.ask import Ask

_OUT = (
    "Which of these cannot be seen in the picture?",
    "Which of these does the picture not show?",
    "One of these is not in the picture. Which one?",
)


@FAMILIES.register("absent", settings=Sort)
class Absent(Family):
    """Three things of a sort are there, and one is not."""

    def __init__(self, about: Sort) -> None:
        self._sort = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan three things of the sort; where options look alike, two that do, and one of two."""
        setting = kit.setting("shape")
        pool = self._sort.pool(kit, setting)
        if not kit.level.near:
            return picture(kit, kit.kinds(3, setting, of=pool), setting)
        one, double = kit.alike(setting, of=pool)
        two = kit.alike(setting, [one, double], pool)
        return picture(kit, [one, *two], setting, beside=[double])

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four is not there."""
        setting = world.graph.setting
        there = [kit.stock.by_label[one.label] for one in world.graph.objects]
        pool = self._sort.pool(kit, setting)
        if kit.level.near:
            missing = kit.pairs(there[0], setting, there[1:], pool)[0]
        else:
            missing = kit.kinds(1, setting, beside=there, of=pool)[0]
        return [
            Ask(
                family="absent",
                program=["not", ["exists", labelled("?")]],
                questions=_OUT,
                show=lambda each: kit.words.a(str(each)),
                answer=missing.label,
                wrong=[kind.label for kind in there[:3]],
                near=2 if kit.level.near else 0,
            )
        ]
