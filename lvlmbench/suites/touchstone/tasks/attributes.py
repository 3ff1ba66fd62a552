"""Attribute questions: what color, how many, which one, among things that are much alike."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import NUMBERS, RELATIONS, SIDES
from lvlmbench.suites.touchstone.asking import answered
from lvlmbench.suites.touchstone.describing import single
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn

#: What "How many" is asked of, at least and at most.
_FEW, _MANY = 2, 5


def _plan(kit: Kit, ordinal: int) -> Graph:
    """Plan things of a few kinds: several of one, in other colors, and of others in the same."""
    setting, n = kit.setting("shape", "color", plain=True), kit.size()
    several = kit.draws.within(2, 3)
    kinds = kit.kinds(n - several + 1, setting, recolorable=True)
    kinds = [*[kinds[0]] * several, *kinds[1:]]
    first = kit.colors(several)
    few = [*first, *kit.draws.some([c for c in kit.stock.colors if c not in first], 1)]
    colors = [*first, *(kit.draws.pick(few) for _ in kinds[several:])]
    return Graph(kit.objects(kinds, kit.draws.shuffled(kit.spans(n)), colors), (), setting)


def _ask(kit: Kit, world: World) -> Asked | None:
    found = [*_beside(kit, world), *_sizes(kit, world), *_counts(kit, world)]
    return kit.draws.pick(found) if found else None


def _beside(kit: Kit, world: World) -> Iterator[Asked]:
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


def _color(kit: Kit, world: World, color: str, label: str, how: str) -> Asked:
    things = kit.words.plural(label)
    number = [one.object.label for one in world.things].count(label)
    return Asked(
        question=kit.draws.pick(
            (
                f"Of the {things} in this picture, one is {how}. What color is it?",
                f"What color is the {label} that is {how}?",
                f"Tell me the color of the {label} {how}, please.",
            )
        ),
        answer=f"The {label} {how} is {color}.",
        accepted=tuple(accepted(color)),
        before=(
            Turn(
                f"How many {things} does the picture show?",
                f"It shows {NUMBERS[number]} {things}.",
            ),
        ),
        behind=kit.draws.pick(
            (
                f"And what color is the one that is {how}?",
                f"One of them is {how}. Which color does it have?",
            )
        ),
        hops=1,
        near=number - 1,
    )


def _sizes(kit: Kit, world: World) -> Iterator[Asked]:
    """The color of the largest or smallest of several."""
    for label in _labels(world):
        if single(world, label):
            continue
        for head in ("largest", "smallest"):
            of: Program = ["with", "color", "?", labelled(label)]
            color = answered([head, of, labelled(label)], world, kit.stock.colors)
            if color is None:
                continue
            things = kit.words.plural(label)
            yield Asked(
                question=kit.draws.pick(
                    (
                        f"What color is the {head} of the {things}?",
                        f"Compare the {things}: which color does the {head} one have?",
                    )
                ),
                answer=f"The {head} of the {things} is {color}.",
                accepted=tuple(accepted(str(color))),
                hops=1,
            )


def _counts(kit: Kit, world: World) -> Iterator[Asked]:
    """How many things have a color that several have."""
    for color in kit.stock.colors:
        of: Program = ["with", "color", color, ["all"]]
        number = answered(["count", of, "?"], world, range(9))
        if number is None or not _FEW <= int(number) <= _MANY:
            continue
        named = [_named(kit, one) for one in world.things if one.object.color == color]
        yield Asked(
            question=kit.draws.pick(
                (
                    f"How many things in this picture are {color}?",
                    f"Count the {color} things in this picture. How many are there?",
                )
            ),
            answer=f"{capitalized(NUMBERS[int(number)])} things are {color}: {', '.join(named)}.",
            accepted=tuple(accepted(str(number))),
            hops=1,
        )


def _named(kit: Kit, one: Instance) -> str:
    return kit.words.a(one.object.label)


def _labels(world: World) -> list[str]:
    return list(dict.fromkeys(one.object.label for one in world.things))


@SUBTASKS.register("touchstone_attributes")
def attributes() -> DrawnTask:
    """Return the task: what is so of things among others that are much alike."""
    return drawn(
        "touchstone_attributes",
        things=(5, 7), span=(150, 260), background=True, placed=True, hops=1,
        plan=_plan, ask=_ask,
    )  # fmt: skip
