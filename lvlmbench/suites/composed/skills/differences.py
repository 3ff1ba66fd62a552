"""Differences: what is not the same in two pictures side by side, or which of four is another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.kit import Kit
from lvlmbench.suites.composed.programs import Value, holds
from lvlmbench.suites.composed.skill import Ask, Skill, skill
from lvlmbench.suites.composed.world import World

#: What can have changed; hard ones do not leave a gap.
_CHANGES = ("missing", "color", "moved")
_SAID = {
    "missing": "is missing",
    "color": "has another color",
    "moved": "is in another place",
}
_PLACES = ("at the top left", "at the top right", "at the bottom left", "at the bottom right")
_SPAN = (115, 160)


def _changed(kit: Kit, things: tuple[Object, ...], panel: int, how: str) -> list[Object]:
    """The things of a panel in which the first one is changed."""
    first, rest = things[0], list(things[1:])
    if how == "missing":
        return rest
    if how == "moved":
        return [replace(first, id=f"m.{panel}"), *rest]
    others = [c for c in kit.stock.colors if c not in {thing.color for thing in things}]
    return [replace(first, color=kit.draws.pick(others)), *rest]


def _plan(kit: Kit) -> Graph:
    setting, n = kit.setting("shape", "color", plain=True), 3 + kit.level.hops
    panels = 4 if kit.level.hops >= 2 and kit.draws.chance() else 2
    n = min(n, 3) if panels == 4 else n
    kinds = kit.kinds(n, setting, recolorable=True)
    spans = [kit.draws.within(*_SPAN) for _ in range(n)]
    things = kit.objects(kinds, spans, kit.colors(n))
    odd = kit.draws.below(panels) if panels == 4 else 1
    how = kit.draws.pick(_CHANGES)
    return Graph(_shown(kit, things, panels, odd, how), setting=setting)


def _shown(
    kit: Kit, things: tuple[Object, ...], panels: int, odd: int, how: str
) -> tuple[Object, ...]:
    """The things of all panels; one panel is unlike the others."""
    shown: list[Object] = []
    for panel in range(panels):
        own = [replace(thing, id=f"{thing.slot}.{panel}") for thing in things]
        if panel == odd:
            own = _changed(kit, tuple(own), panel, how)
        shown += [replace(thing, panel=panel) for thing in own]
    return tuple(shown)


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Another panel is unlike the others; with two panels, the second thing is changed as the first
    was."""
    by_panel = [[t for t in graph.objects if t.panel == panel] for panel in range(graph.panels)]
    looks = [{(t.slot, t.color) for t in own} for own in by_panel]
    odd = next((p for p in range(graph.panels) if looks.count(looks[p]) == 1), 1)
    if graph.panels == 2:
        things = tuple(by_panel[0])
        how = _how(things[0], by_panel[1])
        return replace(graph, objects=_shown(kit, things[1:] + things[:1], 2, 1, how))
    other = (odd + 1 + kit.draws.below(3)) % 4
    things = tuple(by_panel[(odd + 1) % 4])
    how = kit.draws.pick(_CHANGES)
    return replace(graph, objects=_shown(kit, things, 4, other, how))


def _how(thing: Object, panel: Sequence[Object]) -> str:
    """How a thing of the first panel is changed in another."""
    for other in panel:
        if other.label == thing.label:
            return "color" if other.color != thing.color else "moved"
    return "missing"


def _labels(world: World, panel: int) -> list[str]:
    return [one.object.label for one in world.things if one.object.panel == panel]


def _what(kit: Kit, world: World) -> list[Ask]:
    """What is another in the right picture: one of two changes of one of two things.

    The second thing is the one that a twin changes, in the same way: all four options are alike.
    """
    labels = _labels(world, 0)
    values = [f"{how}+{label}" for label in labels for how in _CHANGES]
    judged = {value: holds(["change", "?"], world, value) for value in values}
    right = [value for value, found in judged.items() if found]
    if len(right) != 1:
        return []
    how, label = right[0].split("+")
    first, second = (thing.label for thing in world.graph.objects[:2])
    other, another = second if label == first else first, kit.draws.shuffled(_CHANGES)
    another = [each for each in another if each != how][:1]
    near = [f"{each}+{of}" for each in (how, *another) for of in (label, other)][1:]

    def show(value: Value) -> str:
        changed, what = str(value).split("+")
        return f"the {what} {_SAID[changed]}"

    return [
        Ask(
            family="what",
            program=["change", "?"],
            questions=(
                "Compare the two pictures. What is different in the right one?",
                "What has changed in the right picture, compared with the left one?",
                "How does the right picture differ from the left one?",
            ),
            statements=lambda value: (
                f"Compared with the left picture, {show(value)} in the right one.",
                f"In the right picture, {show(value)}, compared with the left one.",
            ),
            show=show,
            answer=right[0],
            wrong=near,
            near=3,
            hops=1,
        )
    ]


def _which(world: World) -> list[Ask]:
    """Which of four pictures is unlike the others."""
    right = [panel for panel in range(4) if holds(["odd", "?"], world, panel)]
    if len(right) != 1:
        return []
    return [
        Ask(
            family="odd",
            program=["odd", "?"],
            questions=(
                "Three of the four pictures are the same. Which one is different?",
                "Which of the four pictures is not like the others?",
            ),
            statements=lambda panel: (
                f"The picture {_PLACES[int(panel)]} is different from the other three.",
                f"Of the four pictures, the one {_PLACES[int(panel)]} is unlike the others.",
            ),
            show=lambda panel: f"the one {_PLACES[int(panel)]}",
            answer=right[0],
            wrong=[panel for panel in range(4) if panel != right[0]],
            near=3,
            hops=2,
        )
    ]


def _ask(kit: Kit, world: World) -> list[Ask]:
    return _which(world) if world.graph.panels == 4 else _what(kit, world)


@SUBTASKS.register("differences")
def differences() -> Skill:
    """Return the skill: what differs between pictures."""
    return skill("differences", 12, "what differs", _plan, _ask, _twin, placed=True)
