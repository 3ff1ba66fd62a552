"""Comparison: of which there are more, and which things are of one color."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import Claim, claimed
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import MOST

_HOW = ("more", "fewer", "as_many")


def _step(kit: Kit) -> int:
    """By how much numbers differ."""
    return 1 if kit.level.hops else 2


def _numbers(kit: Kit) -> tuple[int, int]:
    """Two numbers of things: more, fewer and as many equally often."""
    most = max(min(kit.level.things[1], 7) - 1, 3)
    how = kit.draws.pick(_HOW)
    if how == "as_many":
        n = kit.draws.within(1, most // 2)
        return n, n
    by = _step(kit)
    few = kit.draws.within(1, max((most - by) // 2, 1))
    return (few + by, few) if how == "more" else (few, few + by)


def _plan(kit: Kit) -> Graph:
    setting, counts = kit.setting("shape"), _numbers(kit)
    (first,) = kit.kinds(1, setting)
    kinds = [first, kit.pairs(first, setting)[0]]
    if kit.level.hops:
        kinds += kit.kinds(1, setting, beside=kinds)
    n = sum(counts) + len(kinds) - 2
    spans = [kit.spans(n)[n // 2]] * len(kinds)
    things: list[Object] = list(kit.objects(kinds, spans))
    for at, count in enumerate(counts):
        things[at] = replace(things[at], count=count)
    return Graph(tuple(things), setting=setting)


def _ask(kit: Kit, world: World) -> list[Ask]:
    labels = [thing.label for thing in world.graph.objects[:2]]
    a, b = (kit.words.plural(label) for label in labels)
    first, second = (labelled(label) for label in labels)
    program: Program = ["compared", first, second, "?"]
    counts = [sum(o.object.label == label for o in world.things) for label in labels]
    answer = "more" if counts[0] > counts[1] else "fewer" if counts[0] < counts[1] else "as_many"

    def show(value: Value) -> str:
        return f"just as many {a} as {b}" if value == "as_many" else f"{value} {a} than {b}"

    wrong = kit.draws.shuffled([how for how in _HOW if how != answer])
    return [
        Ask(
            family="more",
            program=program,
            questions=(
                f"Are there more {a} or more {b} in the picture, or the same number of each?",
                f"Count the {a} and the {b} in the picture. Which statement is true?",
                f"Which statement about the {a} and the {b} in the picture is true?",
            ),
            statements=lambda value: (
                f"There are {show(value)} in the picture.",
                f"The picture shows {show(value)}.",
            ),
            show=lambda value: f"there are {show(value)}",
            answer=answer,
            wrong=wrong,
            options=3,
            near=2,
            hops=1,
        )
    ]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """One of the two other ways: exchanged numbers, or one number changed to be (un)like the other.

    Each of three ways becomes either of the others as often, so that all stay as likely.
    """
    first, second = graph.objects[:2]
    counts = [first.instances, second.instances]
    at = kit.draws.below(2)
    if counts[0] == counts[1]:
        counts[at] += _step(kit)
    elif kit.draws.chance():
        return exchanged(graph, 0, 1, "count")
    else:
        counts = [min(counts)] * 2
    changed = replace(first, count=counts[0]), replace(second, count=counts[1])
    return replace(graph, objects=(*changed, *graph.objects[2:]))


def _model(kit: Kit) -> Graph:
    """Plan two kinds that look alike, of one of which there are more, or as many of both."""
    setting = kit.setting("shape", plain=True)
    (first,) = kit.kinds(1, setting)
    kinds = [first, kit.pairs(first, setting)[0]]
    things = kit.objects(kinds, [kit.level.span[0]] * len(kinds))
    return _counted(kit, Graph(things, setting=setting), kit.draws.pick(_HOW))


def _counted(kit: Kit, picture: Graph, how: str) -> Graph:
    """Plan numbers of the first two things that differ by one, or do not."""
    few = kit.draws.within(2, (MOST - 1) // 2)
    first, second, *others = picture.objects
    numbers = {"more": (few + 1, few), "fewer": (few, few + 1), "as_many": (few, few)}[how]
    counted = replace(first, count=numbers[0]), replace(second, count=numbers[1])
    return replace(picture, objects=(*counted, *others))


def _how(picture: Graph) -> str:
    by = picture.objects[0].instances - picture.objects[1].instances
    return "more" if by > 0 else "fewer" if by < 0 else "as_many"


def _shown(kit: Kit, model: Graph, holds: bool) -> Graph:
    how = _how(model)
    return _counted(kit, model, how if holds else kit.draws.pick([h for h in _HOW if h != how]))


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    a, b = (kit.words.plural(thing.label) for thing in model.objects[:2])
    how = _how(model)
    said = f"just as many {a} as {b}" if how == "as_many" else f"{how} {a} than {b}"
    return f"there are {said}", f"are there {said}"


_CLAIM = Claim(
    model=_model,
    shown=_shown,
    facts=_how,
    program=lambda model: [
        "compared",
        *(labelled(thing.label) for thing in model.objects[:2]),
        _how(model),
    ],
    said=_said,
)


@SUBTASKS.register("comparison")
def comparison() -> Skill:
    """Return the skill: of which there are more."""
    return skill("comparison", 8, *claimed(_CLAIM, _plan, _ask, _twin))
