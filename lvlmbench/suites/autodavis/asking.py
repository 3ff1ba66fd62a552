"""Questions that families share: which thing is so, and which value something has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.props import PROP
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind


def which(
    kit: ExamKit,
    world: World,
    program: Program,
    questions: tuple[str, ...],
    *,
    family: str,
    hops: int = 1,
    of: Sequence[Kind] | None = None,
) -> list[Ask]:
    """Return the question which thing is so: one is, three others are not, or are not there.

    Parameters
    ----------
    program
        A statement with a hole where the label goes. What it names is no option.
    of
        Where options come from that are not there; by default all kinds of the level.
    """
    labels = [one.object.label for one in world.things if one.object.list != PROP]
    named = text_of(program)
    judged = {
        label: holds(program, world, label)
        for label in labels
        if labels.count(label) == 1 and f'"{label}"' not in named
    }
    right = [label for label, found in judged.items() if found]
    wrong = kit.draws.shuffled([label for label, found in judged.items() if found is False])[:3]
    if not right:
        return []
    # Which of the right ones is asked about follows from places, not from names.
    if len(wrong) < 3:
        wrong += kit.strangers(labels, world.graph.setting, 3 - len(wrong), of)
    return [
        Ask(
            family=family,
            program=program,
            questions=questions,
            show=lambda label: f"the {label}",
            answer=kit.draws.pick(right),
            wrong=wrong,
            near=3,
            hops=hops,
        )
    ]


def value(
    kit: ExamKit,
    world: World,
    program: Program,
    questions: tuple[str, ...],
    options: Sequence[Value],
    *,
    family: str,
    show: Callable[[Value], str] = str,
    first: Sequence[Value] = (),
    hops: int = 0,
    near: int = 0,
) -> list[Ask]:
    """Return the question which value something has: one of the options holds, others do not.

    Parameters
    ----------
    options
        All values that may be offered; where none of them clearly holds, nothing is asked.
    first
        Those of the wrong ones that are offered before others: what else the picture shows.
    """
    right = [each for each in options if holds(program, world, each)]
    if len(right) != 1:
        return []
    wrong = [each for each in dict.fromkeys(first) if each not in right]
    rest = [each for each in options if each not in (*right, *wrong)]
    return [
        Ask(
            family=family,
            program=program,
            questions=questions,
            show=show,
            answer=right[0],
            wrong=[*wrong, *kit.draws.shuffled(rest)],
            near=near,
            hops=hops,
        )
    ]
