"""Problem solving: which of the things that are there help in a situation, and how."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.stock import Kind
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


def _plan(kit: TaskKit) -> Graph:
    """Plan two or three things that help in a situation, among others that do not."""
    setting, n = kit.setting("shape", plain=True), kit.size()
    known = needs().needs
    for need in (kit.in_turn(known), *kit.draws.shuffled(known)):
        helping = some(kit, labelled(kit, setting, need.helps), 2 + kit.draws.below(2))
        if len(helping) > 1:
            break
    # What is nearly the same as something that helps might help, too.
    groups = {_group(kit.stock.by_label[label]) for label in need.helps}
    pool = of_lists(kit, setting, "object", "animal", "food")
    rest = [k for k in pool if k.label not in need.helps and _group(k) not in groups]
    return shown(kit, [*helping, *some(kit, rest, n - len(helping), helping)], setting)


def _group(kind: Kind) -> str:
    return (kind.entry.group or kind.label).split("/")[0]


def _need(world: World) -> tuple[Need, list[Instance]] | None:
    """The situation that most things help with, and these things in the order of the steps."""
    things = {one.object.label: one for one in things_of(world)}
    found = [
        (need, [things[label] for label in need.helps if label in things]) for need in needs().needs
    ]
    need, helping = max(found, key=lambda each: len(each[1]))
    return (need, helping) if len(helping) > 1 else None


def _ask(kit: TaskKit, world: World) -> Asked | None:
    found = _need(world)
    if found is None:
        return None
    need, helping = found
    others = recalled(kit, [one for one in things_of(world) if one not in helping])
    opening, closing = kit.frame(needs().openings, needs().closings)
    steps = [
        f"{at}. {need.helps[one.object.label].format(the(kit, one.object))}"
        for at, one in enumerate(helping, 1)
    ]
    lines = (opening, *steps, *([closing] if others else []))
    return Asked(
        question=f"{need.said} "
        + kit.draws.pick(
            (
                "Which of the things in this picture could help me, and how would I use them?",
                "What could I do with the things in this picture?",
                "Is anything in this picture of any use? Tell me step by step what to do.",
            )
        ),
        answer="\n".join(lines).format(
            N=capitalized(NUMBERS[len(helping)]),
            things=listed(kit, helping),
            others=others,
            Others=capitalized(others),
        ),
        before=how_many(kit, world),
        behind=f"{need.said} Which of these would help me, and how?",
    )


@SUBTASKS.register("touchstone_problem")
def problem() -> DrawnTask:
    """Return the task: what helps in a situation."""
    return drawn(
        "touchstone_problem",
        things=(5, 6), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
