"""Reasoning: questions that take two or three steps of counting, comparing and finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.wording import NUMBERS, RELATIONS, SIDES
from lvlmbench.suites.touchstone.asking import OUTERMOST, answered, forms, one_of, outermost
from lvlmbench.suites.touchstone.describing import single
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import inanimate
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import miscounted, things


def _plan(kit: TaskKit) -> Graph:
    """Plan several things of two kinds and single ones of others, in few colors."""
    setting = kit.setting("shape", "color", plain=True)
    first, second = kit.draws.pick(((3, 2), (2, 2), (4, 2), (3, 1)))
    single_ones = 2 if first + second < 6 else 1
    kinds = kit.kinds(2 + single_ones, setting, of=inanimate(kit, setting))
    kinds = [*[kinds[0]] * first, *[kinds[1]] * second, *kinds[2:]]
    few = kit.colors(3)
    spans = kit.draws.shuffled(kit.spans(len(kinds)))
    return Graph(kit.objects(kinds, spans, [kit.draws.pick(few) for _ in kinds]), (), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    makers = (_more, _beside, _left_over, _alike, _either)
    return one_of(kit, *([*make(kit, world)] for make in makers))


def _count(world: World, of: Program) -> int | None:
    """How many things are in a set; None where that is not clear."""
    found = answered(["count", of, "?"], world, range(len(NUMBERS)))
    return None if found is None else int(found)


def _labels(world: World) -> list[str]:
    return list(dict.fromkeys(one.object.label for one in world.things))


def _several(kit: TaskKit, world: World) -> list[tuple[str, int]]:
    """Kinds of things and how many there are of each, where that is clear."""
    counts = [
        (label, _count(world, labelled(label))) for label in kit.draws.shuffled(_labels(world))
    ]
    return [(label, n) for label, n in counts if n]


def _more(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How many more there are of one kind than of another."""
    known = _several(kit, world)
    for label, n in known:
        for other, m in known:
            if label == other or n - m < 1:
                continue
            many, few = kit.words.plural(label), kit.words.plural(other)
            yield Asked(
                question=kit.draws.pick(
                    (
                        f"How many more {many} than {few} are there in this picture?",
                        f"If you pair each {other} with one {label}, how many {many} are left "
                        "over?",
                    )
                ),
                answer=f"{capitalized(NUMBERS[n - m])}: there {_are(kit, n, label)} and "
                f"{kit.words.number(m, other)}.",
                accepted=tuple(accepted(str(n - m))),
                rivals=miscounted(n - m, n, m, n + m),
                before=(Turn(f"How many {many} are there?", f"There {_are(kit, n, label)}."),),
                behind=f"And how many more {many} than {few} are there?",
                hops=2,
                near=1,
            )


def _are(kit: TaskKit, n: int, label: str) -> str:
    return f"{'is' if n == 1 else 'are'} {kit.words.number(n, label)}"


def _beside(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How many of several stand so to the only thing of another kind."""
    for label, n in _several(kit, world):
        for other in _labels(world):
            if n < 2 or other == label or not single(world, other):
                continue
            for side in SIDES:
                of: Program = ["standing", side, labelled(other), labelled(label)]
                there = _count(world, of)
                if not there or not _apart(world, side, label, other):
                    continue
                many, how = kit.words.plural(label), f"{RELATIONS[side]} the {other}"
                yield Asked(
                    question=kit.draws.pick(
                        (
                            f"How many of the {many} are {how}?",
                            f"Find the {other}. How many {many} are {RELATIONS[side]} it?",
                        )
                    ),
                    answer=_of_these(kit, n, there, label, how),
                    accepted=tuple(accepted(str(there))),
                    rivals=miscounted(there, n),
                    before=(
                        Turn(
                            f"How many {many} are there in the picture?",
                            f"There {_are(kit, n, label)}.",
                        ),
                    )
                    if n != there
                    else (),
                    behind=f"And how many of them are {how}?",
                    hops=2,
                    near=n - there,
                )


def _of_these(kit: TaskKit, n: int, there: int, label: str, how: str) -> str:
    if n == there:
        whole = "both" if n == 2 else "all of the"
        return f"{capitalized(NUMBERS[n])}: {whole} {kit.words.plural(label)} are {how}."
    few = f"{capitalized(NUMBERS[there])} of the {kit.words.number(n, label)}"
    return f"{few} {'is' if there == 1 else 'are'} {how}."


def _apart(world: World, side: str, label: str, other: str) -> bool:
    """Whether those that stand so to a thing do not also lie beside it the other way."""
    (to,) = (one for one in world.things if one.object.label == other)
    boxes = [
        one.seen.box
        for one in world.things
        if one.object.label == label and one.seen and world.stands(side, one.number, to.number)
    ]
    if to.seen is None:
        return False
    box = to.seen.box
    gaps = {
        "left_of": [box.left - each.right for each in boxes],
        "right_of": [each.left - box.right for each in boxes],
        "above": [box.top - each.bottom for each in boxes],
        "below": [each.top - box.bottom for each in boxes],
    }
    return min(gaps[side]) > 0


def _left_over(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How many things are left once those of a color are gone."""
    total = _count(world, ["all"])
    if total is None:
        return
    for color in dict.fromkeys(one.object.color for one in world.things if one.object.color):
        gone = _count(world, ["with", "color", color, ["all"]])
        if not gone or gone == total:
            continue
        left = [one.object for one in world.things if one.object.color != color]
        named = enumeration([*_grouped(kit, left)])
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Not counting the background, how many objects would be left if every {color} "
                    "object were taken away?",
                    f"Suppose somebody takes away all the {color} objects. Not counting the "
                    "background, how many objects are left?",
                )
            ),
            answer=f"{capitalized(NUMBERS[len(left)])}: {NUMBERS[gone]} of the {NUMBERS[total]} "
            f"objects {'is' if gone == 1 else 'are'} {color}, which leaves {named}.",
            accepted=tuple(accepted(str(len(left)))),
            rivals=miscounted(len(left), gone, total),
            before=(
                Turn(
                    "Not counting the background, how many objects are there in the picture?",
                    f"There are {NUMBERS[total]} objects.",
                ),
            ),
            behind=f"How many would be left without the {color} ones?",
            hops=2,
            near=gone,
        )


def _grouped(kit: TaskKit, left: Sequence[Object]) -> Iterator[str]:
    """What things are called, equal ones together: "two orange envelopes"."""
    for (color, label), n in Counter((str(one.color), one.label) for one in left).items():
        several = f"{NUMBERS[n]} {color} {kit.words.plural(label)}"
        yield kit.words.colored(color, label) if n == 1 else several


def _alike(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which of the things in the color of one is outermost."""
    if len(world.things) < len(world.instances):
        return
    for one in world.things:
        label, color = one.object.label, one.object.color
        mates = [each for each in world.things if each.object.color == color and each is not one]
        named = {each.object.label for each in mates}
        if color is None or min(len(mates), len(named)) < 2 or not single(world, label):
            continue
        for side, how in OUTERMOST.items():
            found = outermost(world, side, mates)
            if found is None or found.object.label == label:
                continue
            yield Asked(
                question=kit.draws.pick(
                    (
                        "Not counting the background, which of the other objects that are the same "
                        f"color as the {label} is {how}?",
                        "Not counting the background, look for the other objects that are the same "
                        f"color as the {label}. Which one is {how}?",
                    )
                ),
                answer=f"The {found.object.label}. The {label} is {color}, and of the other "
                f"{color} objects, the {found.object.label} is {how}.",
                accepted=forms(kit, found.object),
                rivals=things(kit, world, found.object.label),
                before=(Turn(f"What color is the {label}?", f"It is {color}."),),
                behind=f"Not counting the background, which of the other {color} objects is {how}?",
                hops=3,
                near=len(mates) - 1,
            )


def _either(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Of which of two kinds there are more in a color."""
    known = _several(kit, world)
    for color in dict.fromkeys(one.object.color for one in world.things if one.object.color):
        for label, _ in known:
            for other, _ in known:
                sets = [["with", "color", color, labelled(each)] for each in (label, other)]
                n, m = (_count(world, each) for each in sets)
                if label == other or not n or not m or n <= m:
                    continue
                two = kit.draws.shuffled([kit.words.plural(label), kit.words.plural(other)])
                yield Asked(
                    question=kit.draws.pick(
                        (
                            f"Are there more {color} {two[0]} or more {color} {two[1]} in the "
                            "picture?",
                            f"Which are there more of: {color} {two[0]} or {color} {two[1]}?",
                        )
                    ),
                    answer=f"There are more {color} {kit.words.plural(label)}: "
                    f"{NUMBERS[n]}, compared with {NUMBERS[m]}.",
                    accepted=tuple(
                        dict.fromkeys(
                            (kit.words.plural(label), *kit.forms(_list(world, label), label))
                        )
                    ),
                    rivals=(kit.words.plural(other), *kit.forms(_list(world, other), other)),
                    hops=2,
                    near=1,
                )


def _list(world: World, label: str) -> str:
    return next(one.object.list for one in world.things if one.object.label == label)


@SUBTASKS.register("touchstone_reasoning")
def reasoning() -> DrawnTask:
    """Return the task: what follows in two or three steps from what is seen."""
    return drawn(
        "touchstone_reasoning",
        things=(5, 7), span=(150, 240), background=True, placed=True, hops=2,
        plan=_plan, ask=_ask,
    )  # fmt: skip
