"""Describing a picture, briefly or in detail."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.claims import Scope
from lvlmbench.scene.grammar import enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.spots import scattered
from lvlmbench.suites.touchstone.describing import background, called, describe, in_order
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn

#: What a short description is to say; what a detailed one is.
_BRIEF = Scope(("object",))
_FULL = Scope(("object", "attribute", "scene"))

_SIMPLE = (
    "Describe this picture in a sentence or two.",
    "What does this image show, in short?",
    "Give a brief description of the picture.",
    "Summarize in one or two sentences what can be seen here.",
)


def _plan(kit: Kit, ordinal: int) -> Graph:
    """Plan different things before a background, half of them in colors of their own."""
    setting, n = kit.setting("shape", "color"), kit.size()
    things = kit.objects(kit.kinds(n, setting), [kit.draws.within(*kit.level.span)] * n)
    things = tuple(
        replace(one, color=kit.draws.pick(kit.stock.colors))
        if kit.stock.by_label[one.label].recolorable and kit.draws.chance()
        else one
        for one in things
    )
    return Graph(things, scattered(kit, things), setting)


def _simple(kit: Kit, world: World) -> Asked | None:
    if not world.things:
        return None
    things = [called(kit, one.object) for one in in_order(world, world.things)]
    return Asked(
        question=kit.draws.pick(_SIMPLE),
        answer=f"The picture shows {enumeration(things)}{background(kit, world)}.",
    )


@SUBTASKS.register("touchstone_simple")
def simple() -> DrawnTask:
    """Return the task: a short description."""
    return drawn(
        "touchstone_simple",
        things=(3, 5), span=(190, 250), background=True, style=True,
        plan=_plan, ask=_simple, describe=describe, scope=_FULL, owes=_BRIEF,
    )  # fmt: skip
