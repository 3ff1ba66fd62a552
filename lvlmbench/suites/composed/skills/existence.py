"""Existence: what is in the picture, and what is not."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.kit import Kit
from lvlmbench.suites.composed.programs import labelled
from lvlmbench.suites.composed.skill import Ask, Skill, skill
from lvlmbench.suites.composed.world import World

_IN = (
    "Which of these can be seen in the picture?",
    "Which of these things does the picture show?",
    "One of these is in the picture. Which one?",
)
_OUT = (
    "Which of these cannot be seen in the picture?",
    "Which of these things does the picture not show?",
    "One of these is missing from the picture. Which one?",
)


def _plan(kit: Kit) -> Graph:
    setting, n = kit.setting("shape"), kit.size()
    spans = kit.draws.shuffled(kit.spans(n))
    return Graph(kit.objects(kit.kinds(n, setting), spans), setting=setting)


def _ask(kit: Kit, world: World) -> list[Ask]:
    there = [kit.stock.by_label[one.object.label] for one in world.things]
    if not there:
        return []
    # The last one, in which a twin differs.
    right, setting = there[-1], world.graph.setting
    wrong = kit.absent(right, setting, there)
    found = [
        Ask(
            family="present",
            program=["exists", labelled("?")],
            questions=_IN,
            statements=lambda label: (
                f"There is {kit.words.a(str(label))} in the picture.",
                f"The picture shows {kit.words.a(str(label))}.",
                f"You can see {kit.words.a(str(label))} in the picture.",
            ),
            show=lambda label: kit.words.a(str(label)),
            answer=right.label,
            wrong=[kind.label for kind in wrong],
            claims=[wrong[0].label],
            near=2 if kit.level.near else 0,
        )
    ]
    if len(there) >= 3:
        found.append(
            Ask(
                family="absent",
                program=["not", ["exists", labelled("?")]],
                questions=_OUT,
                show=lambda label: kit.words.a(str(label)),
                answer=wrong[0].label,
                wrong=[kind.label for kind in kit.draws.some(there, 3)],
                near=1 if kit.level.near else 0,
            )
        )
    return found


def _twin(kit: Kit, graph: Graph) -> Graph:
    """One thing is another: what looks like it, where the level wants that."""
    at = len(graph.objects) - 1
    kinds = [kit.stock.by_label[thing.label] for thing in graph.objects]
    other = kit.absent(kinds[at], graph.setting, kinds)[0]
    things = list(graph.objects)
    things[at] = replace(things[at], list=other.list, label=other.label)
    return replace(graph, objects=tuple(things))


@SUBTASKS.register("existence")
def existence() -> Skill:
    """Return the skill: what is there, and what is not."""
    return skill("existence", 1, "which things there are", _plan, _ask, _twin)
