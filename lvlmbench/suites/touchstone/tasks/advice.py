"""Recommendation: what to cook, what to wear, by what is there."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.touchstone import situations
from lvlmbench.suites.touchstone.describing import background
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    labelled,
    listed,
    of_lists,
    recalled,
    shown,
    some,
    things_of,
    what_is_there,
)

#: Sort of food -> what to make of it; ``{}`` is where the foods are named.
_DISHES = (
    (situations.FILLING, "For the main course, take {}: prepared hot, it is what fills you."),
    (
        situations.VEGETABLES,
        "Wash and slice {} for a fresh side dish, or roast all of that with some oil.",
    ),
    (situations.BREADS, "Put {} on the table as well, warmed for a few minutes in the oven."),
    (situations.FRUIT, "Peel and cut {} for a small fruit salad, with a little lemon juice."),
    (situations.SWEETS, "And keep {} for the end: everybody likes something sweet with coffee."),
)


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan foods; in every second scene clothes, before a place where it is hot or cold."""
    n = kit.size()
    places = [e.label for e in kit.stock.backgrounds if e.label in situations.CLIMATES]
    setting = kit.setting("shape", "color", plain=True)
    if ordinal % 2 and places:
        setting = Setting(kit.draws.pick(places), setting.style)
        right, wrong = _sorts(setting.background)
        kinds = some(kit, labelled(kit, setting, right), n // 2)
        kinds += some(kit, labelled(kit, setting, wrong), n - len(kinds), kinds)
        if len(kinds) > 1:
            return shown(kit, kinds, setting)
    every = frozenset[str]().union(*(sort for sort, _ in _DISHES))
    kinds = some(kit, [k for k in of_lists(kit, setting, "food") if k.label in every], n)
    return shown(kit, kinds, setting)


def _sorts(place: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """Clothes that fit a place, and that do not."""
    cold = situations.CLIMATES[str(place)] == "cold"
    both = (situations.WARM, situations.LIGHT)
    return both if cold else both[::-1]


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if clothes := things_of(world, "clothes"):
        return _wear(kit, world, clothes)
    foods = things_of(world, "food")
    return _cook(kit, world, foods) if len(foods) > 1 else None


def _cook(kit: TaskKit, world: World, foods: Sequence[Instance]) -> Asked:
    courses = []
    for sort, said in _DISHES:
        found = [one for one in foods if one.object.label in sort]
        if found:
            courses.append(said.format(recalled(kit, found)))
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
        before=what_is_there(kit, world),
        behind="A friend comes for dinner. What would you make of that?",
    )


def _wear(kit: TaskKit, world: World, clothes: Sequence[Instance]) -> Asked | None:
    place = world.graph.setting.background
    if place not in situations.CLIMATES:
        return None
    sorts = _sorts(place)
    take, leave = ([one for one in clothes if one.object.label in sort] for sort in sorts)
    cold = situations.CLIMATES[str(place)] == "cold"
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
        before=what_is_there(kit, world),
        behind="I spend a day in the place in the background. Which of these should I wear there, "
        "and why?",
    )


@SUBTASKS.register("touchstone_advice")
def advice() -> DrawnTask:
    """Return the task: a recommendation."""
    return drawn(
        "touchstone_advice",
        things=(4, 6), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
