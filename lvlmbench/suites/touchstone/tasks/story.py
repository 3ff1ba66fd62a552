"""Story: a short one about animals and things that are shown."""

from __future__ import annotations

from functools import partial

from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import stories
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import cast, how_many, slots, things_of


def _ask(kit: TaskKit, world: World) -> Asked | None:
    beasts, things = things_of(world, "animal"), things_of(world, "object")
    if min(len(beasts), len(things)) < 2:
        return None
    roles = dict(zip("abxy", (*beasts[:2], *things[:2]), strict=True))
    plot, opening, closing = kit.frame(*(stories()[part] for part in _PARTS))
    return Asked(
        question=kit.draws.pick(
            (
                "Write a short story in which everything in this picture plays a part.",
                "Tell me a bedtime story about the animals in this picture and the things around "
                "them.",
                "Make up a short tale about this picture. It should have a beginning, a twist, and "
                "an ending.",
            )
        ),
        answer=" ".join((opening, plot, closing)).format(**slots(kit, world, roles)),
        before=how_many(kit, world),
        behind="Write a short story in which all of them play a part.",
    )


#: Parts of a story, that which sets it apart first.
_PARTS = ("plots", "openings", "closings")


@SUBTASKS.register("touchstone_story")
def story() -> DrawnTask:
    """Return the task: a short story."""
    return drawn(
        "touchstone_story",
        things=(4, 4), span=(190, 230), background=True,
        plan=partial(cast, 2), ask=_ask,
    )  # fmt: skip
