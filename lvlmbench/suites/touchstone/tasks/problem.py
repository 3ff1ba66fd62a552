"""Problem solving: which of the things that are there help in a situation, and how."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.describing import the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import Need, needs
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    how_many,
    labelled,
    listed,
    of_lists,
    recalled,
    shown,
    some,
    things_of,
)

_TRIES = 20


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan two or three things that help in a situation, among others that do not."""
    setting, n = kit.setting("shape", plain=True), kit.size()
    helping = []
    for _ in range(_TRIES):
        need = kit.draws.pick(needs())
        helping = some(kit, labelled(kit, setting, need.helps), 2 + kit.draws.below(2))
        if len(helping) > 1:
            break
    pool = of_lists(kit, setting, "object", "animal", "food")
    others = some(kit, [k for k in pool if k.label not in need.helps], n - len(helping), helping)
    return shown(kit, [*helping, *others], setting)


def _need(world: World) -> tuple[Need, list[Instance]] | None:
    """The situation that most things help with, and these things."""
    things = things_of(world)
    found = [(need, [o for o in things if o.object.label in need.helps]) for need in needs()]
    need, helping = max(found, key=lambda each: len(each[1]))
    return (need, helping) if len(helping) > 1 else None


def _ask(kit: TaskKit, world: World) -> Asked | None:
    found = _need(world)
    if found is None:
        return None
    need, helping = found
    others = [one for one in things_of(world) if one not in helping]
    number = capitalized(NUMBERS[len(helping)])
    first, *rest = ((the(kit, o.object), need.helps[o.object.label]) for o in helping)
    ways = [f"Take {first[0]} first: you can {first[1]}."]
    ways += [f"As to {name}, you can {use}." for name, use in rest]
    useless = f" {capitalized(recalled(kit, others))} will not help here." if others else ""
    return Asked(
        question=f"{need.said} "
        + kit.draws.pick(
            (
                "Which of the things in this picture could help me, and how would I use them?",
                "What would you do with what this picture shows?",
                "Can anything in this picture be of use? Tell me what to do, step by step.",
            )
        ),
        answer=f"{number} of these things can help you: {listed(kit, helping)}. "
        f"{' '.join(ways)}{useless}",
        before=how_many(kit, world),
        behind=f"{need.said} Which of these things would help me, and how?",
    )


@SUBTASKS.register("touchstone_problem")
def problem() -> DrawnTask:
    """Return the task: what helps in a situation."""
    return drawn(
        "touchstone_problem",
        things=(5, 6), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
