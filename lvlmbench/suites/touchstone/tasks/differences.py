"""Comparison: what differs between two pictures, or which of four is not like the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.differing import in_panel, shown
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.touchstone.comparing import Change, changes, number_of, owed, places, sentence
from lvlmbench.suites.touchstone.describing import describe
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import inanimate
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import miscounted

#: Longest sides of what can be made larger.
_SPAN = (125, 140)
_CHANGES = ("missing", "color", "new", "larger")
#: Of how many things a picture shows is one more in the other, at most.
_THINGS = (4, 5)
#: Panel of four -> other ways to say which it is.
_CORNERS = (
    ("top left", "top-left", "upper left", "upper-left", "first"),
    ("top right", "top-right", "upper right", "upper-right", "second"),
    ("bottom left", "bottom-left", "lower left", "lower-left", "third"),
    ("bottom right", "bottom-right", "lower right", "lower-right", "fourth", "last"),
)


def _plan(kit: TaskKit) -> Graph:
    """Plan two pictures with one to three differences; one of four scenes has four pictures."""
    setting, n = kit.setting("shape", "color", plain=True), kit.draws.within(*_THINGS)
    kinds = kit.kinds(n + 1, setting, of=inanimate(kit, setting))
    spans = [kit.draws.within(*_SPAN) for _ in kinds]
    *things, more = kit.objects(kinds, spans, kit.colors(n + 1))
    if kit.in_turn((4, 2, 2, 2)) == 4:
        odd = kit.draws.below(4)
        how = kit.draws.pick(("missing", "color", "larger"))
        other = _changed(kit, in_panel(things, odd), [how], more, odd)
        return Graph(shown(things, 4, odd, other), (), setting)
    hows = kit.draws.some(_CHANGES, kit.draws.within(1, 3))
    return Graph(
        shown(things, 2, 1, _changed(kit, in_panel(things, 1), hows, more, 1)), (), setting
    )


def _changed(
    kit: Kit, things: Sequence[Object], hows: Sequence[str], more: Object, panel: int
) -> list[Object]:
    """The things of a panel, another one of them changed in each way."""
    own = list(things)
    for at, how in zip(kit.draws.shuffled(range(len(own))), hows, strict=False):
        thing = own[at]
        if how == "color":
            taken = {each.color for each in own} | {more.color}
            free = [c for c in kit.stock.colors if c not in taken]
            own[at] = replace(thing, color=kit.draws.pick(free))
        elif how == "larger":
            own[at] = replace(thing, span=(thing.span or 0) * 3 // 2)
        elif how == "new":
            own.append(*in_panel([more], panel))
        else:
            own[at] = replace(thing, label="")
    return [each for each in own if each.label]


def _ask(kit: TaskKit, world: World) -> Asked | None:
    return _odd(kit, world) if world.graph.panels == 4 else _two(kit, world)


def _two(kit: TaskKit, world: World) -> Asked | None:
    found = changes(world, 0, 1)
    if not found:
        return None
    left, right = places(world)
    listed = "; ".join(sentence(each, right, left) for each in found)
    n, things = len(found), {each.label for each in found}
    is_one = n == 1
    said = f"There {'is one difference' if is_one else f'are {number_of(n)} differences'}"
    told = f"{describe(kit, world)} {said}: {listed}."
    turn = Turn("Are the two pictures exactly the same?", "No, not everything is the same in both.")
    if len(things) == n and kit.draws.chance(0.3):
        return Asked(
            question="How many differences are there between the two pictures, and what are they?",
            answer=f"{said}: {listed}.",
            accepted=tuple(accepted(str(n))),
            rivals=miscounted(n, len(world.things)),
            before=(turn,),
            behind="How many differences are there, and what are they?",
            description=told,
            hops=1,
            near=n,
        )
    return Asked(
        question=kit.draws.pick(
            (
                "Compare the two pictures carefully. What is different in the right one?",
                "These two pictures are almost the same. Please list all the differences.",
                "Find every difference between the left and the right picture.",
            )
        ),
        answer=f"{said}: {listed}. Everything else is the same in both pictures.",
        owes=owed(found),
        before=(turn,),
        behind="What is different?",
        description=told,
        hops=1,
        near=n,
    )


def _odd(kit: TaskKit, world: World) -> Asked | None:
    """Which of four pictures is not like the other three."""
    pairs: dict[tuple[int, int], list[Change]] = {}
    for a in range(4):
        for b in range(4):
            if a != b:
                found = changes(world, a, b)
                if found is None:
                    return None
                pairs[a, b] = found
    alone = [a for a in range(4) if all(pairs[b, a] for b in range(4) if b != a)]
    rest = [pairs[a, b] for a in range(4) for b in range(4) if a != b and {a, b}.isdisjoint(alone)]
    if len(alone) != 1 or any(rest):
        return None
    odd = alone[0]
    here = places(world)[odd]
    own = pairs[(odd + 1) % 4, odd]
    listed = "; ".join(sentence(each, "that picture", "the other three") for each in own)
    return Asked(
        question=kit.draws.pick(
            (
                "Three of these four pictures are the same. Which one is different, and how?",
                "One of the four pictures is different from the others. Which one is it, and what "
                "is different about it?",
            )
        ),
        answer=f"{capitalized(here)} is different: {listed}.",
        accepted=_CORNERS[odd],
        rivals=tuple(w for at, words in enumerate(_CORNERS) if at != odd for w in words[:4]),
        before=(Turn("Are all four pictures the same?", "No, one of them is different."),),
        behind="Which one is it, and what is different about it?",
        description=f"{describe(kit, world)} {capitalized(here)} is different: {listed}.",
        hops=2,
        near=3,
    )


@SUBTASKS.register("touchstone_differences")
def differences() -> DrawnTask:
    """Return the task: what differs between pictures."""
    return drawn(
        "touchstone_differences",
        things=(4, 5), span=(125, 140), background=True, placed=True, hops=1,
        plan=_plan, ask=_ask, owes=None,
    )  # fmt: skip
