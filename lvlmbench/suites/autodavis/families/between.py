"""Which thing lies between two others."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import value, which
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask


@FAMILIES.register("between")
class Between(Family):
    """Three things in a line, the first in the middle."""

    def __init__(self, about: None) -> None:
        del about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a thing between two others, and more where the level wants them."""
        setting = kit.setting("shape")
        relations = [Relation("o1", "between", "o2", "o3")]
        least = {0: 3, 1: 4}.get(kit.level.hops, 5)
        spans = [kit.level.span[0]] * 3
        kinds = kit.kinds(3, setting)
        return picture(kit, kinds, setting, relations, spans=spans, least=least)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of three things is in the middle; or which one is between two."""
        if kit.level.hops:
            a, b = (thing.label for thing in world.graph.objects[1:3])
            program: Program = ["stands", "between", labelled("?"), labelled(a), labelled(b)]
            words = (
                f"Which of these is between the {a} and the {b}?",
                f"In the picture, what is between the {a} and the {b}?",
            )
            return which(kit, world, program, words, family="between", hops=kit.level.hops)
        labels = [thing.label for thing in world.graph.objects[:3]]
        words = (
            "Which of these is in the middle, between two of the others?",
            "Three of these are in the picture. Which one is between the other two?",
        )
        absent = kit.strangers(labels, world.graph.setting, 1)
        return value(
            kit, world, _middle(labels), words, [*labels, *absent],
            family="middle", show=lambda label: f"the {label}", first=kit.draws.shuffled(labels),
        )  # fmt: skip


def _middle(labels: list[str]) -> Program:
    """What says of an option that it is the one of three things between the others."""
    ways: list[Program] = []
    for at in range(3):
        one, *others = (labels[(at + step) % 3] for step in range(3))
        here: Program = ["is", "label", labelled("?"), one]
        ways.append(["and", here, ["stands", "between", *map(labelled, (one, *others))]])
    return ["or", *ways]
