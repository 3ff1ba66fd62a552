"""Brainstorming: ideas for an occasion, from what is shown."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.describing import called, the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import ideas as occasions
from lvlmbench.suites.touchstone.knowledge import things as known
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import how_many, shown, some, things_of, useful


def _plan(kit: TaskKit) -> Graph:
    """Plan different things, no two of one sort."""
    setting = kit.setting("shape", plain=True)
    sorts = {known().sort(kind.label): kind for kind in kit.draws.shuffled(useful(kit, setting))}
    return shown(kit, some(kit, [*sorts.values()], kit.size()), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    things = [one.object for one in things_of(world)]
    if len(things) < 2:
        return None
    (occasion,) = kit.frame(occasions())
    lines = []
    for at, one in enumerate(things, 1):
        idea = occasion.ideas[known().sort(one.label)].format(
            a=called(kit, one), the=the(kit, one), name=one.label, use=known().use(one.label)
        )
        lines.append(f"{at}. {capitalized(one.label)}: {idea}")
    number, wanted = NUMBERS[len(lines)], occasion.wanted
    return Asked(
        question=kit.draws.pick(
            (
                f"Look at the objects in this picture and come up with {number} {wanted}, one for "
                "each of them.",
                f"I need {number} {wanted}. Base each of them on one of the objects shown here.",
                f"Think of {number} {wanted}, each inspired by a different object in this picture.",
            )
        ),
        answer="\n".join(lines),
        before=how_many(kit, world),
        behind=f"I need {number} {wanted}. Let each of these objects inspire one.",
    )


@SUBTASKS.register("touchstone_ideas")
def ideas() -> DrawnTask:
    """Return the task: brainstorming."""
    return drawn(
        "touchstone_ideas",
        things=(3, 5), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
