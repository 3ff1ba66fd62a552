"""Attribute questions: what color, how many, which one, among things that are much alike."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS, RELATIONS, SIDES
from lvlmbench.suites.touchstone.asking import (
    OUTERMOST,
    answered,
    forms,
    one_of,
    outermost,
    ranked_by,
)
from lvlmbench.suites.touchstone.describing import single
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import colors, miscounted, things

#: What "How many" is asked of, at least and at most.
_FEW, _MANY = 2, 5
_NTH = ("first", "second", "third", "fourth")


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan things of a few kinds: several of one, in other colors, and of others in the same."""
    setting, n = kit.setting("shape", "color", plain=True), kit.size()
    several = kit.draws.within(2, 4)
    kinds = kit.kinds(n - several + 1, setting, recolorable=True)
    kinds = [*[kinds[0]] * several, *kinds[1:]]
    first = kit.colors(several)
    few = [*first, *kit.draws.some([c for c in kit.stock.colors if c not in first], 1)]
    hues = [*first, *(kit.draws.pick(few) for _ in kinds[several:])]
    return Graph(kit.objects(kinds, kit.draws.shuffled(kit.spans(n)), hues), (), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    makers = (_beside, _outermost, _sizes, _counts, _same, _in_order, _aside)
    return one_of(kit, *([*make(kit, world)] for make in makers))


def _beside(kit: TaskKit, world: World) -> Iterator[Asked]:
    """The color of the one of several that stands so to another thing."""
    for label in _labels(world):
        if single(world, label):
            continue
        for other in _labels(world):
            if other == label or not single(world, other):
                continue
            for side in SIDES:
                of: Program = ["standing", side, labelled(other), labelled(label)]
                color = answered(["is", "color", of, "?"], world, kit.stock.colors)
                if color is not None:
                    yield _color(kit, world, str(color), label, f"{RELATIONS[side]} the {other}")


def _color(kit: TaskKit, world: World, color: str, label: str, how: str) -> Asked:
    many = kit.words.plural(label)
    number = [one.object.label for one in world.things].count(label)
    said = NUMBERS[number]
    return Asked(
        question=kit.draws.pick(
            (
                f"Of the {many} in this picture, one is {how}. What color is it?",
                f"What color is the {label} that is {how}?",
                f"Tell me the color of the {label} {how}, please.",
            )
        ),
        answer=f"The {label} {how} is {color}.",
        accepted=tuple(accepted(color)),
        rivals=colors(kit, color),
        before=(Turn(f"How many {many} does the picture show?", f"It shows {said} {many}."),),
        behind=kit.draws.pick(
            (
                f"And what color is the one that is {how}?",
                f"One of them is {how}. Which color does it have?",
            )
        ),
        hops=1,
        near=number - 1,
    )


def _outermost(kit: TaskKit, world: World) -> Iterator[Asked]:
    """The color of what is outermost of all, whatever it is."""
    for side, how in OUTERMOST.items():
        one = outermost(world, side)
        if one is None or one.object.color is None:
            continue
        label, color = one.object.label, one.object.color
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Leaving the background aside, which color does the thing have that is {how}?",
                    f"Of the things shown before the background, look at the one {how}. What is "
                    "it, and what color is it?",
                )
            ),
            answer=f"It is {color}: the thing {how} is {kit.words.a(label)}.",
            accepted=tuple(accepted(color)),
            rivals=colors(kit, color),
            before=(
                Turn(
                    f"Leaving the background aside, which thing is {how}?",
                    f"That is {kit.words.a(label)}.",
                ),
            ),
            behind=kit.draws.pick(("What color is it?", "Which color does it have?")),
            near=1,
        )


def _sizes(kit: TaskKit, world: World) -> Iterator[Asked]:
    """The color of the largest or smallest of several."""
    for label in _labels(world):
        if single(world, label):
            continue
        many = kit.words.plural(label)
        number = [one.object.label for one in world.things].count(label)
        head, other = kit.draws.shuffled(("largest", "smallest"))
        if number == 2:
            how = {"largest": "larger", "smallest": "smaller"}
        else:
            how = {"largest": "largest", "smallest": "smallest"}
        of: Program = ["with", "color", "?", labelled(label)]
        color = answered([head, of, labelled(label)], world, kit.stock.colors)
        if color is None:
            continue
        second = answered([other, of, labelled(label)], world, kit.stock.colors)
        turn = Turn(f"Which of the {many} is the {how[other]} one?", f"The {second} one.")
        yield Asked(
            question=kit.draws.pick(
                (
                    f"What color is the {how[head]} one of the {NUMBERS[number]} {many}?",
                    f"Compare the sizes of the {many}: which color does the {how[head]} one have?",
                )
            ),
            answer=f"The {how[head]} one of the {many} is {color}.",
            accepted=tuple(accepted(str(color))),
            rivals=colors(kit, str(color)),
            before=(turn,) if second is not None and number > 2 else (),
            behind=f"And what color is the {how[head]} one?",
            hops=1,
            near=number - 1,
        )


def _counts(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How many things have a color that several have."""
    for color in kit.stock.colors:
        of: Program = ["with", "color", color, ["all"]]
        number = answered(["count", of, "?"], world, range(len(NUMBERS)))
        if number is None or not _FEW <= int(number) <= _MANY:
            continue
        there = [one for one in world.things if one.object.color == color]
        named = [kit.words.a(one.object.label) for one in there]
        said = NUMBERS[int(number)]
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Leaving the background aside, how many of the things shown here are {color}?",
                    f"Count the {color} things in the foreground of this picture. How many are "
                    "there, and which are they?",
                )
            ),
            answer=f"{capitalized(said)} things are {color}: {enumeration(named)}.",
            accepted=tuple(accepted(str(number))),
            rivals=miscounted(int(number), len(world.things)),
            hops=1,
            near=len(world.things) - int(number),
        )


def _same(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which other thing has the color of one."""
    for one in world.things:
        label, color = one.object.label, str(one.object.color)
        others = [o for o in world.things if o is not one and o.object.color == color]
        if not single(world, label) or len(others) != 1 or len(world.instances) > len(world.things):
            continue
        other = others[0].object
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Leaving the background aside, which other thing has the same color as the "
                    f"{label}?",
                    f"The {label} has the same color as one other thing before the background. "
                    "Which one?",
                )
            ),
            answer=f"The {other.label}: it is {color}, too, just as the {label}.",
            accepted=forms(kit, other),
            rivals=things(kit, world, other.label),
            before=(Turn(f"What color is the {label}?", f"It is {color}."),),
            behind=kit.draws.pick(
                (
                    "Which other thing before the background has that color?",
                    "Leaving the background aside, what else has this color?",
                )
            ),
            hops=1,
            near=len(world.things) - 2,
        )


def _in_order(kit: TaskKit, world: World) -> Iterator[Asked]:
    """The color of one of three and more in their order."""
    for label in _labels(world):
        own = [one for one in world.instances if one.object.label == label]
        ranked = ranked_by(world, "farther_left", own)
        if len(own) <= _FEW or ranked is None:
            continue
        many = kit.words.plural(label)
        for at, one in enumerate(ranked[1:-1], 1):
            nth, color = _NTH[at], str(one.object.color)
            yield Asked(
                question=kit.draws.pick(
                    (
                        f"Go through the {many} from left to right. What color is the {nth} one?",
                        f"What color is the {nth} of the {many}, counted from the left?",
                    )
                ),
                answer=f"Counted from the left, the {nth} of the {many} is {color}.",
                accepted=tuple(accepted(color)),
                rivals=colors(kit, color),
                before=(
                    Turn(
                        f"Which of the {many} is farthest to the left?",
                        f"The {ranked[0].object.color} one.",
                    ),
                ),
                behind=f"And which color does the {nth} of them have, counted from the left?",
                hops=2,
                near=len(own) - 1,
            )


def _aside(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How many things are on one side of another."""
    for label in _labels(world):
        if not single(world, label):
            continue
        for side in SIDES:
            of: Program = ["standing", side, labelled(label), ["all"]]
            number = answered(["count", of, "?"], world, range(len(NUMBERS)))
            if number is None or not _FEW <= int(number) <= _MANY:
                continue
            (one,) = (each for each in world.things if each.object.label == label)
            there = [o for o in world.things if world.stands(side, o.number, one.number)]
            named = enumeration(
                [kit.words.colored(str(o.object.color), o.object.label) for o in there]
            )
            how, n = RELATIONS[side], NUMBERS[int(number)]
            yield Asked(
                question=kit.draws.pick(
                    (
                        f"Leaving the background aside, how many things are {how} the {label}?",
                        f"How many of the things before the background are {how} the {label}, and "
                        "which are they?",
                    )
                ),
                answer=f"{capitalized(n)} things are {how} the {label}: {named}.",
                accepted=tuple(accepted(str(number))),
                rivals=miscounted(int(number), len(world.things)),
                before=(Turn(f"What color is the {label}?", f"It is {one.object.color}."),),
                behind=f"Leaving the background aside, how many things are {how} it?",
                hops=1,
                near=len(world.things) - int(number) - 1,
            )


def _labels(world: World) -> list[str]:
    return list(dict.fromkeys(one.object.label for one in world.things))


@SUBTASKS.register("touchstone_attributes")
def attributes() -> DrawnTask:
    """Return the task: what is so of things among others that are much alike."""
    return drawn(
        "touchstone_attributes",
        things=(6, 8), span=(125, 220), background=True, placed=True, hops=1,
        plan=_plan, ask=_ask,
    )  # fmt: skip
