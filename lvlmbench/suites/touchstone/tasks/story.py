"""Story: a short one about animals and things that are shown."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.describing import background, called, the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import (
    how_many,
    of_lists,
    shown,
    some,
    things_of,
)

#: Stories; ``a`` and ``b`` are animals, ``x`` and ``y`` things, ``place`` is where, or "at home";
#: what begins with ``the_`` was spoken of before.
_STORIES = (
    "One morning, {place}, {a} found {x} that had not been there the day before. \"It must belong "
    "to somebody,\" thought {the_a}, and set out to ask. The first one to come along was {b}. "
    "\"I have never seen it,\" said {the_b}, \"but I have lost something myself: {y}.\" So they "
    "searched together, all day long. Towards evening they found {the_y} lying on the ground, "
    "just where they had started. {The_b} was so happy that the two of them sat down and laughed. "
    "Nobody ever came to ask for {the_x}. But from that day on, {the_a} was not alone any more, "
    "and that was worth more than any find.",
    "Nobody, {place}, believed that {a} and {b} could be friends. They were too different, people "
    "said. {The_a} loved nothing so much as {x}, and {the_b} would not go anywhere without {y}. "
    "Then came the great storm. It carried {the_x} away, and {the_a} sat there and wept. Without a "
    "word, {the_b} put {the_y} down and said: \"Take this until we find yours. I know how it is to "
    "miss something.\" The next day they did find {the_x}, far away and a little bent. Since then "
    "they have shared everything, and whoever passes by sees them sitting side by side.",
    "{A} wanted to hold a feast {place}, the first one ever, and wrote to everybody. When the day "
    "came, there was {x} to play with and {y} to look at, but no guest. Hours went by. {The_a} was "
    "about to put everything away again when {b} came running, out of breath. \"They all went to "
    "the wrong place!\" cried {the_b}. \"You forgot to write where it is!\" They looked at each "
    "other, and then they laughed until it hurt. In the end they held the feast for two, with "
    "{the_x} and {the_y}, and both of them say today that it was the best one of all.",
)  # fmt: skip


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan two animals and two things."""
    setting = kit.setting("shape", plain=True)
    two = some(kit, of_lists(kit, setting, "animal"), 2)
    rest = of_lists(kit, setting, "object")
    return shown(kit, [*two, *some(kit, rest, kit.size() - len(two), two)], setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    animals, things = things_of(world, "animal"), things_of(world, "object")
    if min(len(animals), len(things)) < 2:
        return None
    a, b, x, y = (one.object for one in (*animals[:2], *things[:2]))
    slots = {name: called(kit, o) for name, o in zip("abxy", (a, b, x, y), strict=True)}
    known = {f"the_{name}": the(kit, o) for name, o in zip("abxy", (a, b, x, y), strict=True)}
    large = {name[0].upper() + name[1:]: capitalized(said) for name, said in known.items()}
    place = background(kit, world).strip() or "far away from here"
    story = kit.draws.pick(_STORIES)
    return Asked(
        question=kit.draws.pick(
            (
                "Write a short story in which all that this picture shows plays a part.",
                "Tell me a bedtime story about the animals in this picture and the things around "
                "them.",
                "Make up a short tale for this picture. It should have a beginning, a turn, and "
                "an end.",
            )
        ),
        answer=story.format(**slots, **known, **large, A=capitalized(slots["a"]), place=place),
        before=how_many(kit, world),
        behind="Write a short story in which all of these play a part.",
    )


@SUBTASKS.register("touchstone_story")
def story() -> DrawnTask:
    """Return the task: a short story."""
    return drawn(
        "touchstone_story",
        things=(4, 4), span=(190, 230), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
