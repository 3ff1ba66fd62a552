"""Poem: one about what is shown."""

from __future__ import annotations

from functools import partial

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import poems
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import cast, how_many, slots, things_of


def _ask(kit: TaskKit, world: World) -> Asked | None:
    beasts, things = things_of(world, "animal"), things_of(world, "object")
    if not beasts or len(things) < 2:
        return None
    roles = dict(zip("axy", (beasts[0], *things[:2]), strict=True))
    poem = "\n\n".join(kit.frame(poems()["firsts"], poems()["seconds"]))
    lines = poem.format(**slots(kit, world, roles)).splitlines()
    return Asked(
        question=kit.draws.pick(
            (
                "Write a short poem about this picture.",
                "Please turn what this picture shows into a poem that rhymes.",
                "Write two stanzas that capture the mood of this picture.",
            )
        ),
        answer="\n".join(map(capitalized, lines)),
        before=how_many(kit, world),
        behind="Please write a short poem about all of them.",
    )


@SUBTASKS.register("touchstone_poem")
def poem() -> DrawnTask:
    """Return the task: a poem."""
    return drawn(
        "touchstone_poem",
        things=(3, 3), span=(200, 235), background=True,
        plan=partial(cast, 1), ask=_ask,
    )  # fmt: skip
