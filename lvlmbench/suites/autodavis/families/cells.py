"""In which part of the picture something is."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.relations import CELLS
from lvlmbench.scene.sets import Value, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import reference, value, which
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask


def said(cell: Value) -> str:
    """Return a part of the picture in words: "at the top left", "halfway up the left side"."""
    row, column = str(cell).split()
    if (row, column) == ("middle", "center"):
        return "in the center"
    if row == "middle":
        return f"halfway up the {column} side"
    return f"at the {row} {column}"


@FAMILIES.register("cells")
class Cells(Family):
    """One thing lies clearly in one of the nine parts of the picture."""

    def __init__(self, about: None) -> None:
        del about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a thing in a part of the picture, each part as likely."""
        setting, cell = kit.setting("shape"), kit.draws.pick(CELLS)
        relations = [Relation("o1", cell)]
        spans = [kit.level.span[0]]
        return picture(kit, kit.kinds(1, setting), setting, relations, spans=spans)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask in which part a thing is, or which thing is in a part; of many things one of both.

        The thing is named by its label. How it stands to others would tell where it is: what is to
        the left of something is at the left more often than not.
        """
        hops = kit.level.hops
        if hops == 1 or (hops > 1 and kit.draws.chance()):
            return self._which(kit, world)
        main = next((one for one in world.things if one.object.id == "o1"), None)
        named = None if main is None else reference(kit, world, main, 0)
        if named is None:
            return []
        return value(
            kit,
            world,
            ["stands", "?", named[1]],
            (
                f"In which part of the picture is {named[0]}?",
                f"Where in the picture is {named[0]}?",
            ),
            CELLS,
            family="part",
            show=said,
        )

    def _which(self, kit: ExamKit, world: World) -> list[Ask]:
        cell = world.graph.relations[0].predicate
        return which(
            kit,
            world,
            ["stands", cell, labelled("?")],
            (
                f"In the picture, which of these is {said(cell)}?",
                f"Which of these is {said(cell)} of the picture?",
            ),
            family="in_part",
        )
