"""Counting: how many of a kind there are, among others that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import PICTURES, side_by_side
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import CROWD, MOST

#: Numbers offered: four in a row from an odd one, each right equally often.
_WINDOW = 4


#: Where four pictures are counted together: numbers with which a row of four may begin.
_MANY = range(13, 20, 2)

#: Questions and statements about one picture, and about four.
_ONE = (
    (
        "How many {} are in the picture?",
        "How many {} can you count in the picture?",
        "What is the number of {} in the picture?",
    ),
    (
        "There {0} exactly {1} in the picture.",
        "The picture shows exactly {1}.",
        "You can count exactly {1} in the picture.",
    ),
)
_SEVERAL = (
    (
        "How many {} are there in the four pictures together?",
        "How many {} can you count in the four pictures together?",
        "What is the number of {} in all four pictures?",
    ),
    (
        "There {0} exactly {1} in the four pictures together.",
        "The four pictures together show exactly {1}.",
    ),
)


def _starts(kit: Kit) -> range:
    """First numbers of windows: from one, up to what a picture of the level holds."""
    if kit.level.panels == PICTURES:
        return _MANY
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
        shown = (_crowd(kit, things, share) for share in _shares(kit, number))
        return side_by_side(dict(enumerate(Graph(own, setting=setting) for own in shown)))
    spans = kit.spans(number + len(kinds) - 1)
    objects = kit.objects(kinds, [spans[len(spans) // 2]] * len(kinds))
    return Graph((replace(objects[0], count=number), *objects[1:]), setting=setting)


def _shares(kit: Kit, number: int) -> list[int]:
    """A number as the sum of four, each of which leaves room for other things."""
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
    label = world.graph.main.label
    found = sum(one.object.label == label for one in world.things)
    starts = [s for s in _starts(kit) if s <= found < s + _WINDOW]
    if not starts:
        return []
    start = kit.draws.pick(starts)
    window = list(range(start, start + _WINDOW))
    asked, stated = _SEVERAL if world.graph.panels == PICTURES else _ONE
    many = kit.words.plural(label)
    return [
        Ask(
            family="number",
            program=["count", labelled(label), "?"],
            questions=tuple(form.format(many) for form in asked),
            statements=lambda n: tuple(
                form.format("is" if n == 1 else "are", kit.words.number(int(n), label))
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
    counted = [at for at, thing in enumerate(things) if thing.label == graph.main.label]
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
