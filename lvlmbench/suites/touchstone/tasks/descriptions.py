"""Describing a picture, briefly or in detail."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.claims import ANYTHING, Scope
from lvlmbench.scene.grammar import enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs import places
from lvlmbench.suites.graphs.spots import scattered
from lvlmbench.suites.touchstone.describing import account, background, called, describe, in_order
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import people
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn

#: What a short description is to say; what a detailed one is.
_BRIEF = Scope(("object",))
_FULL = Scope(("object", "attribute", "garment", "action", "scene"))
#: What a detailed one owes: of people not the color of their skin.
_DETAILS = Scope(
    _FULL.kinds,
    (
        *("age", "gender", "expression", "hair", "wears", "does", "holds"),
        *("color", "text", "background", "style", "weather"),
    ),
)

_SIMPLE = (
    "Describe this picture in a sentence or two.",
    "What does this picture show? Please keep it short.",
    "Give a brief description of this picture.",
    "Summarize in one or two sentences what you can see here.",
)

_DETAILED = (
    "Describe this picture in as much detail as you can.",
    "Write a detailed description of this picture for somebody who cannot see it: what is there, "
    "where it is, and what it looks like.",
    "What can you see in this picture? Go through everything, with its color and its place.",
    "Describe the whole picture: what is in it, what everything looks like, where it is, and in "
    "what style the picture is made.",
)
#: Height of the view box of a person, in thousandths of the side.
_TALL = 480


def _plan(kit: TaskKit) -> Graph:
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


def _simple(kit: TaskKit, world: World) -> Asked | None:
    if not world.things:
        return None
    things = [called(kit, one.object) for one in in_order(world, world.things)]
    return Asked(
        question=kit.in_turn(_SIMPLE),
        answer=f"The picture shows {enumeration(things)}{background(kit, world)}.",
    )


def _rich(kit: TaskKit) -> Graph:
    """Plan many things, some on or before others; in one of three scenes people and two things."""
    kind = kit.in_turn(("people", "places", "things"))
    if kind == "people":
        setting = kit.setting("shape", "color", plain=True)
        crowd = people(kit, 2 + kit.ordinal // 3 % 2, _TALL)
        found = kit.objects(kit.kinds(2, setting), [kit.level.span[0]] * 2)
        beside = (replace(one, id=f"x{at}", role="secondary") for at, one in enumerate(found))
        return Graph((*crowd, *beside), (), setting)
    if kind == "places":
        graph = places.plan(kit, (4, 2), without=("picture frame",))
        if graph is not None:
            return graph
    return _plan(kit)


def _detailed(kit: TaskKit, world: World) -> Asked | None:
    if not world.things:
        return None
    return Asked(question=kit.in_turn(_DETAILED), answer=" ".join(account(kit, world)))


@SUBTASKS.register("touchstone_simple")
def simple() -> DrawnTask:
    """Return the task: a short description."""
    return drawn(
        "touchstone_simple",
        things=(3, 5), span=(190, 250), background=True, style=True,
        plan=_plan, ask=_simple, describe=describe, scope=_FULL, owes=_BRIEF,
    )  # fmt: skip


@SUBTASKS.register("touchstone_detailed")
def detailed() -> DrawnTask:
    """Return the task: a description of all that there is."""
    return drawn(
        "touchstone_detailed",
        things=(5, 7), span=(170, 235), background=True, style=True, placed=True,
        plan=_rich, ask=_detailed, describe=describe, scope=ANYTHING, owes=_DETAILS,
    )  # fmt: skip
