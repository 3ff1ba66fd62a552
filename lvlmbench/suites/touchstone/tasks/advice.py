"""Recommendation: what to cook, what to wear, by what is there."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.touchstone.describing import background
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import climates, meals
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


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan foods; in every second scene clothes, before a place where it is hot or cold."""
    n = kit.size()
    places = [e.label for e in kit.stock.backgrounds if e.label in climates().places]
    setting = kit.setting("shape", "color", plain=True)
    if kit.in_turn((False, True), ordinal) and places:
        setting = Setting(kit.draws.pick(places), setting.style)
        right, wrong = _sorts(setting.background)
        kinds = some(kit, labelled(kit, setting, right), n // 2)
        kinds += some(kit, labelled(kit, setting, wrong), n - len(kinds), kinds)
        if len(kinds) > 1:
            return shown(kit, kinds, setting)
    every = frozenset[str]().union(*(course.foods for course in meals()))
    kinds = some(kit, [k for k in of_lists(kit, setting, "food") if k.label in every], n)
    return shown(kit, kinds, setting)


def _sorts(place: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """Clothes that fit a place, and that do not."""
    clothes = climates().clothes
    both = (clothes["cold"], clothes["hot"])
    return both if climates().places[str(place)] == "cold" else both[::-1]


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if clothes := things_of(world, "clothes"):
        return _wear(kit, world, clothes)
    foods = things_of(world, "food")
    return _cook(kit, world, foods) if len(foods) > 1 else None


def _cook(kit: TaskKit, world: World, foods: Sequence[Instance]) -> Asked:
    courses = []
    for course in meals():
        found = [one for one in foods if one.object.label in course.foods]
        if found:
            courses.append(course.said.format(recalled(kit, found)))
    return Asked(
        question=kit.draws.pick(
            (
                "I have just the foods in this picture at home, and a friend comes for dinner. "
                "What would you recommend?",
                "Look at what I bought. Which meal for two would you suggest, with all of it?",
                "Recommend me something good to eat that can be made of what you see here.",
            )
        ),
        answer=f"With {listed(kit, foods)} you can put together a nice meal. {' '.join(courses)} "
        "Set the table nicely, and it will look like more than it is.",
        before=how_many(kit, world),
        behind="A friend comes for dinner. What would you make of all that the picture shows?",
    )


def _wear(kit: TaskKit, world: World, clothes: Sequence[Instance]) -> Asked | None:
    place = world.graph.setting.background
    if place not in climates().places:
        return None
    sorts = _sorts(place)
    take, leave = ([one for one in clothes if one.object.label in sort] for sort in sorts)
    cold = climates().places[str(place)] == "cold"
    why = "it is freezing, so that you need to keep warm"
    if not cold:
        why = "it is hot, so that you want something light"
    parts = [f"The picture was taken{background(kit, world)}: there {why}."]
    if take:
        parts.append(f"I would take {recalled(kit, take)}.")
    else:
        parts.append("None of these clothes fits there; I would look for others.")
    if leave:
        reason = "would not keep you warm" if cold else "would be far too warm"
        them = "it" if len(leave) == 1 else "them"
        parts.append(f"{capitalized(recalled(kit, leave))} {reason}: leave {them} at home.")
    parts.append("Take enough to drink along, and something against the sun.")
    return Asked(
        question=kit.draws.pick(
            (
                "Tomorrow I travel to the place that is the background of this picture. Which of "
                "the clothes shown would you recommend me to take along, and why?",
                "Suppose that I spend a day in the place shown here. What of these clothes should "
                "I wear, and what should I leave at home?",
            )
        ),
        answer=" ".join(parts),
        before=how_many(kit, world),
        behind="I spend a day in the place in the background. Which of these things should I wear "
        "there, and why?",
    )


@SUBTASKS.register("touchstone_advice")
def advice() -> DrawnTask:
    """Return the task: a recommendation."""
    return drawn(
        "touchstone_advice",
        things=(4, 6), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
