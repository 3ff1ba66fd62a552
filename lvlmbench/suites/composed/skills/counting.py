"""Counting: how many of a kind there are, among others that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.programs import within
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import PICTURES, PLACES, side_by_side
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import CROWD, MOST

#: Numbers offered: four in a row from an odd one, each right equally often.
_WINDOW = 4


#: Where four pictures are counted together: numbers with which a row of four may begin.
_MANY = range(13, 20, 2)

#: Questions and statements about a picture, about one of four, and about four together.
_ONE = (
    (
        "How many {} are there in the picture?",
        "How many {} can you count in the picture?",
        "How many {} does the picture show?",
    ),
    (
        "There {0} exactly {1} in the picture.",
        "The picture shows exactly {1}.",
        "You can count exactly {1} in the picture.",
    ),
)
_SEVERAL = (
    (
        "How many {} are there altogether, counting all four pictures?",
        "Count the {} in all four pictures. How many are there in total?",
    ),
    (
        "Counting all four pictures, there {0} exactly {1} altogether.",
        "In total, the four pictures show exactly {1}.",
    ),
)


_PANEL = (
    (
        "How many {0} are there in the picture {1}?",
        "Look at the picture {1}. How many {0} can you count in it?",
    ),
    (
        "There {0} exactly {1} in the picture {2}.",
        "The picture {2} shows exactly {1}.",
    ),
)


def _together(kit: Kit) -> bool:
    """Whether four pictures are counted together; else, of four, one of them is, by turns."""
    return kit.level.panels == PICTURES and kit.turn % 2 == 1


def _panel(kit: Kit, graph: Graph) -> int | None:
    """Which of four pictures is asked about: that of the first thing; None where all are."""
    return graph.main.panel if graph.panels == PICTURES and not _together(kit) else None


def _starts(kit: Kit) -> range:
    """First numbers of windows: from one, up to what a picture of the level holds."""
    if _together(kit):
        return _MANY
    if kit.level.panels == PICTURES:
        return range(1, CROWD - _WINDOW + 1, 2)
    high = kit.level.things[1]
    return range(1, max(high - _others(kit) - _WINDOW + 1, 1) + 1, 2)


def _others(kit: Kit) -> int:
    """How many other things stand in a picture."""
    return min(kit.level.near, 2, kit.level.things[1])


def _plan(kit: Kit) -> Graph:
    setting = kit.setting("shape", plain=kit.level.panels == PICTURES)
    number = kit.draws.pick(_starts(kit)) + kit.draws.below(_WINDOW)
    (kind,) = kit.kinds(1, setting)
    kinds = [kind, *kit.pairs(kind, setting)[: _others(kit)]]
    if kit.level.panels == PICTURES:
        things = kit.objects(kinds, [kit.level.span[0]] * len(kinds))
        shown = [Graph(_crowd(kit, things, n), setting=setting) for n in _shares(kit, number)]
        panels = kit.draws.shuffled(range(PICTURES))
        return side_by_side(dict(zip(panels, shown, strict=True)))
    spans = kit.spans(number + len(kinds) - 1)
    objects = kit.objects(kinds, [spans[len(spans) // 2]] * len(kinds))
    return Graph((replace(objects[0], count=number), *objects[1:]), setting=setting)


def _shares(kit: Kit, number: int) -> list[int]:
    """A number as the sum of four, or the first of four, each with room for other things."""
    if not _together(kit):  # the first is asked about, the others are any
        return [number, *(kit.draws.within(1, CROWD - 1) for _ in range(PICTURES - 1))]
    found = [1] * PICTURES
    while sum(found) < number:
        at = kit.draws.below(PICTURES)
        found[at] += found[at] < CROWD - 1
    return found


def _crowd(kit: Kit, things: Sequence[Object], number: int) -> tuple[Object, ...]:
    """So many of the first thing, and others that make a crowd of them."""
    first, *others = things
    counts = [0] * len(others)
    for _ in range(CROWD - number if others else 0):
        counts[kit.draws.below(len(others))] += 1
    beside = (replace(o, count=n) for o, n in zip(others, counts, strict=True) if n)
    return replace(first, count=number), *beside


def _ask(kit: Kit, world: World) -> list[Ask]:
    label, panel = world.graph.main.label, _panel(kit, world.graph)
    found = sum(
        one.object.label == label for one in world.things if panel in (None, one.object.panel)
    )
    starts = [s for s in _starts(kit) if s <= found < s + _WINDOW]
    if not starts:
        return []
    start = kit.draws.pick(starts)
    window = list(range(start, start + _WINDOW))
    asked, stated = _PANEL if panel is not None else _SEVERAL if _together(kit) else _ONE
    many, where = kit.words.plural(label), "" if panel is None else PLACES[panel]
    of = labelled(label)
    return [
        Ask(
            family="number",
            program=["count", of if panel is None else within(of, panel), "?"],
            questions=tuple(form.format(many, where) for form in asked),
            statements=lambda n: tuple(
                form.format("is" if n == 1 else "are", kit.words.number(int(n), label), where)
                for form in stated
            ),
            show=str,
            answer=found,
            wrong=[n for n in window if n != found],
            claims=[partner(found)],
            near=_WINDOW - 1,
            short=Short(NUMBERS),
        )
    ]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """One more or one fewer, so that both numbers stand in one window."""
    things = list(graph.objects)
    main, panel = graph.main, _panel(kit, graph)
    counted = [
        at
        for at, thing in enumerate(things)
        if thing.label == main.label and panel in (None, thing.panel)
    ]
    number = sum(things[at].instances for at in counted)
    by, most = partner(number) - number, CROWD - 1
    if graph.panels == 1:
        most = MOST - _others(kit)
    at = kit.draws.pick([at for at in counted if 1 <= things[at].instances + by <= most])
    things[at] = replace(things[at], count=things[at].instances + by)
    return replace(graph, objects=tuple(things))


@SUBTASKS.register("counting")
def counting() -> Skill:
    """Return the skill: how many there are."""
    return skill("counting", 2, _plan, _ask, _twin)
