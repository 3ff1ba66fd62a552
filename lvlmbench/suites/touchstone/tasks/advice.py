"""Recommendation: what to cook, what to wear, by what is there."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.touchstone.describing import the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import climates, meals
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    how_many,
    joined,
    labelled,
    recalled,
    shown,
    some,
    things_of,
)


def _plan(kit: TaskKit) -> Graph:
    """Plan foods; in every second scene clothes, before a place where it is hot or cold."""
    n = kit.size()
    places = [e.label for e in kit.stock.backgrounds if e.label in climates().places]
    setting = kit.setting("shape", "color", plain=True)
    if kit.in_turn((False, True)) and places:
        setting = Setting(kit.draws.pick(places), setting.style)
        climate = climates().places[str(setting.background)]
        kinds = some(kit, labelled(kit, setting, climate.wear), n // 2)
        kinds += some(kit, labelled(kit, setting, climate.leave), n - len(kinds), kinds)
        if len(kinds) > 1:
            return shown(kit, kinds, setting)
    every = frozenset[str]().union(*(course.foods for course in meals().courses))
    kinds = some(kit, labelled(kit, setting, every), n)
    return shown(kit, kinds, setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if clothes := things_of(world, "clothes"):
        return _wear(kit, world, clothes)
    foods = things_of(world, "food")
    return _cook(kit, world, foods) if len(foods) > 1 else None


def _cook(kit: TaskKit, world: World, foods: Sequence[Instance]) -> Asked:
    (occasion,) = kit.frame(meals().occasions, every=2)
    lines = []
    for course in meals().courses:
        mine = [one.object for one in foods if one.object.label in course.foods]
        steps = [course.foods[one.label].format(the(kit, one)) for one in mine]
        lines += [f"{course.start} {joined(steps)}."] if steps else []
    wanted = kit.draws.pick(occasion.wanted)
    return Asked(
        question=wanted,
        answer=" ".join((occasion.opening, *lines, occasion.closing)),
        before=how_many(kit, world),
        behind=wanted,
    )


def _wear(kit: TaskKit, world: World, clothes: Sequence[Instance]) -> Asked | None:
    known = climates()
    climate = known.places.get(str(world.graph.setting.background))
    if climate is None:
        return None
    wanted, opening, closing = kit.frame(known.wanted, known.openings, known.closings, every=2)
    take = [one.object for one in clothes if one.object.label in climate.wear]
    leave = [one for one in clothes if one.object.label in climate.leave]
    whys = [f"{the(kit, one)}, which {climate.wear[one.label]}" for one in take]
    parts = [opening.format(there=climate.there)]
    if whys:
        parts.append(f"I would wear {joined(whys)}.")
    else:
        parts.append("None of the clothes in the picture is right for that.")
    if leave:
        them = "it" if len(leave) == 1 else "them"
        said = capitalized(recalled(kit, leave))
        parts.append(f"{said} {climate.because}, so leave {them} at home.")
    return Asked(
        question=wanted,
        answer=" ".join((*parts, closing)),
        before=how_many(kit, world),
        behind=wanted,
    )


@SUBTASKS.register("touchstone_advice")
def advice() -> DrawnTask:
    """Return the task: a recommendation."""
    return drawn(
        "touchstone_advice",
        things=(4, 6), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
