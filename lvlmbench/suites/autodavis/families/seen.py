"""What is in a picture: one of four things of a sort can be seen."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

_IN = (
    "Which of these can be seen in the picture?",
    "Which of these does the picture show?",
    "One of these is in the picture. Which one?",
)


class Sort(Section):
    """Which things are asked about."""

    lists: tuple[str, ...] = Field((), description="Lists of the vocabulary; by default all.")
    labels: tuple[str, ...] = Field((), description="Labels; by default all of the lists.")

    def pool(self, kit: ExamKit, setting: Setting) -> Sequence[Kind]:
        """Return the kinds of this sort that can be told at the level, before a setting."""
        found = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
        return [
            kind
            for kind in found
            if (not self.lists or kind.list in self.lists)
            and (not self.labels or kind.label in self.labels)
        ]


@FAMILIES.register("seen", settings=Sort)
class Seen(Family):
    """One thing of a sort is there, three others of it are not."""

    def __init__(self, about: Sort) -> None:
        self._sort = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan one thing of the sort, and things that are of none, or stand beside all four."""
        setting = kit.setting("shape")
        four = kit.kinds(4, setting, of=self._sort.pool(kit, setting))
        return picture(kit, four[:1], setting, beside=four)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four things of the sort is there."""
        label = world.graph.main.label
        there = [kit.stock.by_label[one.label] for one in world.graph.objects]
        pool = self._sort.pool(kit, world.graph.setting)
        wrong = kit.kinds(3, world.graph.setting, beside=there, of=pool)
        return [
            Ask(
                family="seen",
                program=["exists", labelled("?")],
                questions=_IN,
                show=lambda each: kit.words.a(str(each)),
                answer=label,
                wrong=[kind.label for kind in wrong],
            )
        ]
