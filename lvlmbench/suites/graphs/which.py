"""Asking which thing stands so, or faces so: one that does, beside others that do not."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.props import PROP
from lvlmbench.scene.sets import Program
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind


def _candidates(world: World, of: Program) -> tuple[list[str], list[str]]:
    """Labels of things for which a statement with a hole holds, and for which it does not.

    What the statement itself names is no candidate: anybody could rule it out. No prop is, either.
    """
    labels, named = [one.object.label for one in world.things], text_of(of)
    props = {one.object.label for one in world.things if one.object.list == PROP}
    judged = {
        label: holds(of, world, label)
        for label in labels
        if labels.count(label) == 1 and label not in props and f'"{label}"' not in named
    }
    return [k for k, v in judged.items() if v], [k for k, v in judged.items() if v is False]


def who(
    kit: Kit,
    world: World,
    program: Program,
    said: str,
    hops: int,
    *,
    of: Sequence[Kind] | None = None,
) -> list[Ask]:
    """Return the question which thing is so: one is, the others are not.

    ``said`` stands behind the thing, as "is above the car"; what is not there comes from ``of``.
    """
    right, wrong = _candidates(world, program)
    if kit.level.hops == 0 and right:  # few things: others are offered that are not there
        labels = [one.object.label for one in world.things if one.object.list != PROP]
        wrong += kit.strangers(labels, world.graph.setting, 3 - len(wrong), of)
    if not right or len(wrong) < 3:
        return []
    moved = [thing.label for thing in world.graph.objects[:2]]  # what a twin exchanges
    answer = kit.draws.pick([label for label in right if label in moved] or right)
    others = sorted(kit.draws.shuffled(wrong), key=lambda label: label not in moved)[:3]
    return [
        Ask(
            family=str(program[0]) if program[0] != "stands" else str(program[1]),
            program=program,
            questions=(
                f"Which of these {said}?",
                f"In the picture, which of these {said}?",
            ),
            statements=lambda label: (
                f"The {label} {said}.",
                f"In the picture, the {label} {said}.",
            ),
            show=lambda label: f"the {label}",
            answer=answer,
            wrong=others,
            near=3,
            hops=hops,
        )
    ]
