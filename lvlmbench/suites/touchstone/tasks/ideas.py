"""Brainstorming: ideas for an occasion, from what is shown."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.describing import called, the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    how_many,
    of_lists,
    recalled,
    shown,
    some,
    things_of,
)

#: What is wanted -> ideas, one a thing; ``a`` is the thing, ``the`` the thing that was spoken of.
_WANTED: Mapping[str, tuple[str, ...]] = {
    "games for a children's birthday party": (
        "Treasure hunt: hide five pictures of {a} in the garden. Whoever finds most of them wins.",
        "Charades: one child acts {a} without a word, and the others guess.",
        "Blind drawing: everybody draws {a} with closed eyes, and all guess whose drawing it is.",
        "Story chain: one child begins a story about {a}, and each adds a sentence.",
        "Memory: show {the} among twenty things for a minute, cover all, and ask what was there.",
    ),
    "ways to teach ten-year-olds new English words": (
        "Riddles: describe {a} in three sentences, and let them guess the word.",
        "Word web: write the name of {the} in the middle of the board and collect all that belongs "
        "to it.",
        "Interview: one pupil plays {a}, and the others ask it questions.",
        "Labels: let them draw {a} and name as many of its parts as they can.",
        "Odd one out: put {the} beside three words of one kind and let them say what differs.",
    ),
    "posts with which a small second-hand shop can make itself known": (
        "Guess the price: show a photograph of {a}; whoever comes closest gets a discount.",
        "The story behind it: tell who may have owned {the} before, and ask for other endings.",
        "Before and after: show how {a} looked when it came in, and how it looks now.",
        "Find of the week: put {the} in the window and say where it was found.",
        "Poll: ask whether {a} belongs in a kitchen, a study, or a museum.",
    ),
    "exhibits for a tiny museum of everyday life": (
        "A room of its own: hang {a} from the ceiling, lit from below, and nothing else.",
        "Touch me: let visitors feel {a} in a dark box before they see it.",
        "Voices: play recordings of people who tell what {a} reminds them of.",
        "Then and now: show {the} beside a drawing of how it may look in a hundred years.",
        "Upside down: turn {the} on its head, and ask what else it could be.",
    ),
}


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan different things."""
    setting = kit.setting("shape", plain=True)
    return shown(kit, some(kit, of_lists(kit, setting, "object"), kit.size()), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    things = things_of(world)
    if len(things) < 2:
        return None
    wanted = kit.draws.pick([*_WANTED])
    forms = kit.draws.some(_WANTED[wanted], len(things))
    lines = [
        f"{at}. {form.format(a=called(kit, one.object), the=the(kit, one.object))}"
        for at, (form, one) in enumerate(zip(forms, things, strict=False), 1)
    ]
    number = NUMBERS[len(lines)]
    closing = f"All of them can be mixed, as {recalled(kit, things)} go well together."
    return Asked(
        question=kit.draws.pick(
            (
                f"Look at the things in this picture, and think of {number} {wanted}: one for each "
                "of them.",
                f"I need {number} {wanted}. Let each idea start from one of the things shown here.",
                f"Brainstorm: how could what this picture shows inspire {number} {wanted}?",
            )
        ),
        answer="\n".join((*lines, closing)),
        before=how_many(kit, world),
        behind=f"Let each of these inspire an idea: I need {number} {wanted}.",
    )


@SUBTASKS.register("touchstone_ideas")
def ideas() -> DrawnTask:
    """Return the task: brainstorming."""
    return drawn(
        "touchstone_ideas",
        things=(3, 5), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
