"""Style: how a picture is made, by what that is told, and what it does to the picture."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.touchstone.describing import background, bare_style, styled
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import styles
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.telling import listed, of_lists, shown, some, things_of


def _plan(kit: TaskKit) -> Graph:
    """Plan a few large things in any style but the plainest."""
    setting, n = kit.setting("shape"), kit.size()
    plainest = kit.stock.styles_that_keep(("shape", "color", "text"))[0]
    others = [e.label for e in kit.stock.styles if e.label in styles().styles]
    setting = replace(setting, style=kit.in_turn([each for each in others if each != plainest]))
    kinds = some(kit, of_lists(kit, setting, "animal", "object", "food", "plant"), n)
    return shown(kit, kinds, setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    label = str(world.graph.setting.style)
    entry = next(each for each in kit.stock.styles if each.label == label)
    things, known = _once(world), styles().styles[label]
    told = things and "shape" not in entry.hidden_small
    seen = f"The picture shows {listed(kit, things)}{background(kit, world)}." if told else ""
    (frame,) = kit.frame(styles().frames)
    answer = frame.format(
        it=bare_style(entry),
        look=known.look,
        Look=capitalized(known.look),
        effect=known.effect,
        seen=seen,
    )
    return Asked(
        question=kit.draws.pick(
            (
                "In what style is this picture made, and how can you tell?",
                "What technique or medium does this picture imitate, and how does that change what "
                "you see?",
                "Describe the artistic style of this picture and the effect that it has.",
            )
        ),
        answer=" ".join(answer.split()),
        before=(Turn("Is this a plain drawing?", "No, the whole picture has a style."),),
        behind="What style is it, and how can you tell?",
    )


def _once(world: World) -> list[Instance]:
    """What a picture shows, once each: some styles repeat the picture."""
    return [*{one.object.id: one for one in things_of(world)}.values()]


def _describe(kit: TaskKit, world: World) -> str:
    entry = next(each for each in kit.stock.styles if each.label == world.graph.setting.style)
    things = _once(world)
    said = f"{capitalized(styled(kit, entry.label))} ({entry.sense})."
    return f"{said} It shows {listed(kit, things)}." if things else said


@SUBTASKS.register("touchstone_style")
def style() -> DrawnTask:
    """Return the task: in which style a picture is made."""
    return drawn(
        "touchstone_style",
        things=(2, 4), span=(230, 235), background=True, style=True,
        plan=_plan, ask=_ask, describe=_describe,
    )  # fmt: skip
