"""Poem: one about what is shown."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.describing import called, the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, drawn
from lvlmbench.suites.touchstone.telling import how_many, of_lists, shown, some, things_of

#: Poems of two stanzas; lines end in words of ours, so that they rhyme whatever is shown.
_POEMS = (
    "There was {a}, awake before the day,\n"
    "that looked for somebody with whom to play.\n"
    "It saw {x}, which glittered in the light,\n"
    "and would not let it out of sight.\n\n"
    "Then came {y}, so silent and so small,\n"
    "and made the morning brighter for them all.\n"
    "{The_a} lay down, content, beside the two,\n"
    "and dreamed of things that none of us once knew.",
    "Who put {x} and {y} in one place?\n"
    "{A} came by with wonder on its face.\n"
    "\"What are they for?\" it asked the empty air.\n"
    "But no one answered, no one else was there.\n\n"
    "So {the_a} sat with {the_x} till late,\n"
    "as one who has all time to watch and wait.\n"
    "And {the_y}, as evening turned to gray,\n"
    "kept both of them good company that way.",
    "A quiet world, a little out of rhyme:\n"
    "{a} that takes its own sweet time,\n"
    "{x} that nobody has missed,\n"
    "{y} still waiting on the list.\n\n"
    "What joins them? Nothing but the painter's hand,\n"
    "and you and I, who try to understand.\n"
    "Look once again: {the_a} seems to say\n"
    "that strange companions make the finest day.",
)  # fmt: skip


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan an animal and two other things."""
    setting = kit.setting("shape", plain=True)
    one = some(kit, of_lists(kit, setting, "animal"), 1)
    rest = of_lists(kit, setting, "object", "plant", "food")
    return shown(kit, [*one, *some(kit, rest, kit.size() - len(one), one)], setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    animals = things_of(world, "animal")
    rest = [one for one in things_of(world) if one not in animals[:1]]
    if not animals or len(rest) < 2:
        return None
    three = [one.object for one in (animals[0], *rest[:2])]
    slots = {name: called(kit, o) for name, o in zip("axy", three, strict=True)}
    slots |= {f"the_{name}": the(kit, o) for name, o in zip("axy", three, strict=True)}
    slots |= {name[0].upper() + name[1:]: capitalized(said) for name, said in slots.items()}
    poem = kit.draws.pick(_POEMS).format(**slots)
    return Asked(
        question=kit.draws.pick(
            (
                "Write a short poem about this picture.",
                "Please turn what this image shows into a poem that rhymes.",
                "Compose two stanzas that catch the mood of this picture.",
            )
        ),
        answer="\n".join(capitalized(line) for line in poem.splitlines()),
        before=how_many(kit, world),
        behind="Write a short poem about all of them, please.",
    )


@SUBTASKS.register("touchstone_poem")
def poem() -> DrawnTask:
    """Return the task: a poem."""
    return drawn(
        "touchstone_poem",
        things=(3, 3), span=(200, 235), background=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
