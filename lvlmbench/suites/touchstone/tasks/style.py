"""Style: how a picture is made, by what that is told, and what it does to the picture."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.touchstone.describing import hidden, styled
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.telling import listed, of_lists, shown, some, things_of

#: What a style takes from a picture -> how that is said.
_TAKES = {
    "color": "Natural colors are given up, so that shapes and light and dark tell what is shown.",
    "background": "What lies behind the things is hardly to be seen, so that one looks at them.",
    "text": "Fine detail is given up, so that one takes in the whole rather than its parts.",
}
_ELSE = "Colors and outlines stay clear, so that everything can be told at a glance."


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan a few large things in any style but the plainest."""
    setting, n = kit.setting("shape"), kit.size()
    plainest = kit.stock.styles_that_keep(("shape", "color", "text"))[0]
    others = [each.label for each in kit.stock.styles if each.label != plainest]
    setting = replace(setting, style=kit.draws.pick(others))
    kinds = some(kit, of_lists(kit, setting, "animal", "object", "food", "plant"), n)
    return shown(kit, kinds, setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    entry = next(each for each in kit.stock.styles if each.label == world.graph.setting.style)
    away = hidden(kit, world)
    things = things_of(world)
    seen = f" Here it shows {listed(kit, things)}." if things and "shape" not in away else ""
    effect = next((said for what, said in _TAKES.items() if what in entry.hidden), _ELSE)
    turn = Turn("Is this a plain, unprocessed drawing?", "No, the whole picture has a style.")
    return Asked(
        question=kit.draws.pick(
            (
                "In which style is this picture made? Explain by what you can tell.",
                "What technique or medium does this picture imitate, and how does that change "
                "what one sees?",
                "Describe the artistic style of this image and the effect that it has.",
            )
        ),
        answer=f"{capitalized(styled(kit, entry.label))}. One can tell it by this: "
        f"{entry.sense}.{seen} {effect}",
        before=(turn,),
        behind="Which style is it, and by what do you tell?",
    )


def _describe(kit: TaskKit, world: World) -> str:
    entry = next(each for each in kit.stock.styles if each.label == world.graph.setting.style)
    things = things_of(world)
    said = f"{capitalized(styled(kit, entry.label))} ({entry.sense})."
    return f"{said} Drawn in it: {listed(kit, things)}." if things else said


@SUBTASKS.register("touchstone_style")
def style() -> DrawnTask:
    """Return the task: in which style a picture is made."""
    return drawn(
        "touchstone_style",
        things=(2, 4), span=(230, 235), background=True, style=True,
        plan=_plan, ask=_ask, describe=_describe,
    )  # fmt: skip
