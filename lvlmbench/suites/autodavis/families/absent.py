"""What is not in a picture: three of four things of a sort are there."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import apart
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.autodavis.sorts import Sort, neighbor, tried
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

_OUT = (
    "Which of these cannot be seen in the picture?",
    "Which of these does the picture not show?",
    "One of these is not in the picture. Which one?",
)


def _two_pairs(kit: ExamKit, setting: Setting, pool: Sequence[Kind]) -> list[Kind]:
    first = kit.alike(setting, of=pool)
    return [*first, *kit.alike(setting, first, pool)]


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
            three = tried(lambda: kit.kinds(3, setting, of=pool))
            return picture(kit, three, setting) if three else None
        pairs = tried(lambda: _two_pairs(kit, setting, pool))
        if pairs is None:
            return None
        one, double, *two = pairs
        return picture(kit, [one, *two], setting, beside=[double])

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four is not there."""
        setting = world.graph.setting
        there = [kit.stock.by_label[one.label] for one in world.graph.objects]
        pool = self._sort.pool(kit, setting)
        if kit.level.near:
            missing = neighbor(kit, there[0], setting, there, pool)
        else:
            missing = next(iter(apart(kit, pool, 1, there)), None)
        if missing is None:
            return []
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
