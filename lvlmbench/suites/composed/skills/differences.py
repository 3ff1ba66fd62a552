"""Differences: what is not the same in two pictures side by side, how much, or which of four is
another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Value
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed import differing
from lvlmbench.suites.composed.claims import PLACES
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import MOST
from lvlmbench.suites.graphs.wording import NUMBERS as IN_WORDS

#: What can have changed among few things. Many things do not leave a gap.
_CHANGES = ("missing", "color", "moved")
_SAID = {
    "missing": "is missing",
    "color": "is a different color",
    "moved": "is in a different place",
    "mirrored": "is facing the other way",
    "larger": "is larger",
    "smaller": "is smaller",
}
_SPAN = (115, 160)
_ALL = f"{MOST} animals and objects"
_WAYS = "color, size, position, or the direction they face"


def _many(kit: Kit) -> bool:
    """Whether panels hold many small things."""
    return kit.level.hops >= 2


def _plan(kit: Kit) -> Graph:
    setting, n = kit.setting("shape", "color", plain=True), 3 + kit.level.hops
    if _many(kit):
        return differing.planned(kit, setting)
    kinds = kit.kinds(n, setting, recolorable=True)
    spans = [kit.draws.within(*_SPAN) for _ in range(n)]
    things = kit.objects(kinds, spans, kit.colors(n))
    return Graph(_first_changed(kit, things, kit.draws.pick(_CHANGES)), setting=setting)


def _first_changed(kit: Kit, things: Sequence[Object], how: str) -> tuple[Object, ...]:
    """The things of two panels; the first one is changed in the second."""
    first, *rest = differing.in_panel(things, 1)
    if how == "moved":
        rest.insert(0, replace(first, id="m.1"))
    if how == "color":
        others = [c for c in kit.stock.colors if c not in {thing.color for thing in things}]
        rest.insert(0, replace(first, color=kit.draws.pick(others)))
    return differing.shown(things, 2, 1, rest)


def _twin(kit: Kit, graph: Graph) -> Graph:
    """The second thing is changed as the first one was."""
    if _many(kit):
        return differing.twin(kit, graph)
    first, *rest = differing.of_panel(graph, 0)
    how = _how(first, differing.of_panel(graph, 1))
    return replace(graph, objects=_first_changed(kit, [*rest, first], how))


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
    values = [f"{how}+{label}" for label in labels for how in _SAID]
    judged = {value: holds(["change", "?"], world, value) for value in values}
    right = [value for value, found in judged.items() if found]
    if len(right) != 1:
        return []
    how, label = right[0].split("+")
    things = world.graph.objects[:2]
    first, second = (thing.label for thing in things)
    other = second if label == first else first
    ways = differing.in_common(things) if _many(kit) else list(_CHANGES)
    another = [each for each in kit.draws.shuffled(ways) if each != how][:1]
    near = [f"{each}+{of}" for each in (how, *another) for of in (label, other)][1:]

    def show(value: Value) -> str:
        changed, what = str(value).split("+")
        return f"the {what} {_SAID[changed]}"

    def than(value: Value) -> str:
        alone = str(value).startswith(("missing", "mirrored"))
        return "" if alone else " than in the left one"

    return [
        Ask(
            family="what",
            program=["change", "?"],
            questions=(
                "Compare the two pictures. What is different in the right one?",
                "What has changed in the right picture compared with the left one?",
                "How does the right picture differ from the left one?",
            ),
            statements=lambda value: (
                f"In the right picture, {show(value)}{than(value)}.",
                f"The right picture differs from the left one: {show(value)}.",
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
                "Which of the four pictures is different from the others?",
            ),
            statements=lambda panel: (
                f"The picture {PLACES[int(panel)]} is different from the other three.",
                f"Of the four pictures, the one {PLACES[int(panel)]} is different.",
            ),
            show=lambda panel: f"the one {PLACES[int(panel)]}",
            answer=right[0],
            wrong=[panel for panel in range(4) if panel != right[0]],
            near=3,
            hops=2,
        )
    ]


def _how_many(kit: Kit, world: World) -> list[Ask]:
    """How many things differ: a row of numbers, each right equally often."""
    right = [n for n in range(MOST + 1) if holds(["differ", "?"], world, n)]
    rows = [start for n in right for start in differing.starts(n)]
    if not rows:
        return []
    start = kit.draws.pick(rows)
    return [
        Ask(
            family="number",
            program=["differ", "?"],
            questions=(
                f"How many of the {_ALL} differ between the two pictures in {_WAYS}?",
                f"Compare the two pictures. How many of the {_ALL} differ in {_WAYS}?",
            ),
            statements=lambda n: (
                f"Exactly {_differ(int(n))} between the two pictures in {_WAYS}.",
                f"Between the two pictures, exactly {_differ(int(n))} in {_WAYS}.",
            ),
            show=str,
            answer=right[0],
            wrong=[n for n in range(start, start + differing.WINDOW) if n != right[0]],
            claims=[partner(right[0])],
            near=differing.WINDOW - 1,
            hops=2,
            short=Short(NUMBERS),
        )
    ]


def _differ(n: int) -> str:
    return f"{IN_WORDS[n]} of the {_ALL} {'differs' if n == 1 else 'differ'}"


def _ask(kit: Kit, world: World) -> list[Ask]:
    if world.graph.panels == 4:
        return _which(world)
    many = _many(kit) and differing.counted(world.graph)
    return _how_many(kit, world) if many else _what(kit, world)


@SUBTASKS.register("differences")
def differences() -> Skill:
    """Return the skill: what differs between pictures."""
    return skill("differences", 12, _plan, _ask, _twin, placed=True)
