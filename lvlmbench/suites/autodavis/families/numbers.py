"""Numbers: how many there are of one kind, of two, without one, or of a kind and a color."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from pydantic import Field

from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.sets import Program, labelled, size
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import apart
from lvlmbench.suites.autodavis.planning import plain
from lvlmbench.suites.autodavis.sorts import Sort
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.stock import Kind

What = Literal["count", "sum", "left_over", "either", "both"]

#: Numbers that are offered: four in a row, each right equally often.
_WINDOW = 4
#: By hops: the numbers with which such a row begins.
_STARTS: dict[What, tuple[tuple[int, ...], ...]] = {
    "count": ((1,), (1,), (1, 3)),
    "sum": ((1,), (3,), (3,)),
    "left_over": ((0,), (1,), (3,)),
    "either": ((1,), (3,), (3,)),
    "both": ((1,), (1,), (1, 3)),
}
_COLORED = ("either", "both")


class Numbers(Sort):
    """What is counted."""

    what: What = Field(
        description="`count`: the things of one kind; `sum`: those of two kinds together; "
        "`left_over`: those that are not of a kind; `either`: those of a kind or a color; `both`: "
        "those of a kind and a color."
    )


class Group(NamedTuple):
    """Things that are alike: which kind and color of those that are drawn, and how many."""

    kind: int
    number: int
    color: int = 0


def _shares(kit: ExamKit, number: int, parts: int) -> list[int]:
    """A number as the sum of so many, none of them 0."""
    cuts = sorted(kit.draws.some(range(1, number), parts - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, number], strict=True)]


def _beside(kit: ExamKit, groups: Sequence[Group], colors: Sequence[int]) -> list[Group]:
    """Other things, as many kinds and instances as the level has room for, in these colors."""
    room = kit.level.instances - sum(one.number for one in groups)
    kinds = min(kit.level.things[1] - len(groups), room)
    if kinds < 1:
        return []
    first = max(one.kind for one in groups) + 1
    numbers = _shares(kit, kit.draws.within(kinds, room), kinds)
    return [Group(first + at, n, kit.draws.pick(colors)) for at, n in enumerate(numbers)]


def _count(kit: ExamKit, number: int) -> list[Group]:
    own = [Group(0, number)]
    return [*own, *(_beside(kit, own, (0,)) if kit.level.hops else ())]


def _sum(kit: ExamKit, number: int) -> list[Group]:
    parts = _shares(kit, number, min(number, 2))
    own = [Group(at, n) for at, n in enumerate(parts)]
    return [*own, *(_beside(kit, own, (0,)) if kit.level.hops else ())]


def _left_over(kit: ExamKit, number: int) -> list[Group]:
    room = kit.level.instances - number
    if room < 1:
        return []
    taken = Group(0, kit.draws.within(1, room))
    kinds = min(kit.level.things[1] - 1, number)
    shares = _shares(kit, number, kinds) if number else []
    return [taken, *(Group(at + 1, n) for at, n in enumerate(shares))]


def _either(kit: ExamKit, number: int) -> list[Group]:
    """Things of the kind in another color, of the color and of other kinds, of both; of neither."""
    if number == 1:
        return [Group(0, 1, 0)]
    most = min(number, 2 + min(kit.level.hops, 2))
    numbers = _shares(kit, number, most)
    own = [Group(0, numbers[0], 1), Group(1, numbers[1], 0)]
    own += [Group(kind, n, 0) for kind, n in zip((0, 2), numbers[2:], strict=False)]
    return [*own, *(_beside(kit, own, (1, 2, 3)) if kit.level.hops else ())]


def _both(kit: ExamKit, number: int) -> list[Group]:
    """Things of the kind and the color; of the kind alone, of the color alone; of neither."""
    own = [Group(0, number, 0)]
    room = kit.level.instances - number
    if kit.level.hops == 0:
        return [*own, *([Group(0, kit.draws.within(1, room), 1)] if room else ())]
    if room < 2:
        return []
    numbers = _shares(kit, kit.draws.within(2, min(room, 4)), 2)
    own += [Group(0, numbers[0], 1), Group(1, numbers[1], 0)]
    return [*own, *_beside(kit, own, (1, 2, 3))]


_GROUPS = {
    "count": _count,
    "sum": _sum,
    "left_over": _left_over,
    "either": _either,
    "both": _both,
}


@FAMILIES.register("numbers", settings=Numbers)
class Counted(Family):
    """So many things, of which some are counted."""

    def __init__(self, about: Numbers) -> None:
        self._about = about

    def _pool(self, kit: ExamKit, setting: Setting) -> list[Kind]:
        """The kinds that may be counted."""
        colored = self._about.what in _COLORED
        return [kind for kind in self._about.pool(kit, setting) if kind.recolorable or not colored]

    def _starts(self, kit: ExamKit) -> tuple[int, ...]:
        return _STARTS[self._about.what][min(kit.level.hops, 2)]

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a number, each as likely as any other that is offered, and things that make it."""
        what = self._about.what
        number = kit.draws.pick(self._starts(kit)) + kit.draws.below(_WINDOW)
        setting = kit.setting("shape")
        if what in _COLORED:
            setting = plain(kit.setting("shape", "color"))
        groups = _GROUPS[what](kit, number)  # none where the level has no room for that many
        kinds = groups and self._kinds(kit, setting, 1 + max(one.kind for one in groups))
        if not kinds:
            return None
        colors = kit.colors(4) if what in _COLORED else [None]
        n = sum(one.number for one in groups)
        spans = [kit.spans(n)[n // 2]] * len(groups)
        things = kit.objects(
            [kinds[one.kind] for one in groups], spans, [colors[one.color] for one in groups]
        )
        counted = (replace(t, count=one.number) for t, one in zip(things, groups, strict=True))
        return Graph(tuple(counted), (), setting)

    def _kinds(self, kit: ExamKit, setting: Setting, n: int) -> list[Kind]:
        """N kinds, of which some look like the first where the level wants that."""
        pool = self._pool(kit, setting)
        found = apart(kit, pool, 1)
        if found and kit.level.near and self._about.what not in _COLORED:
            labels = {kind.label for kind in pool}
            alike = [kind for kind in kit.stock.neighbors(found[0]) if kind.label in labels]
            found += apart(kit, alike, min(kit.level.near, n - 1), found)
        found += apart(kit, pool, n - len(found), found)
        return found if len(found) == n else []

    def twin(self, kit: ExamKit, graph: Graph) -> Graph | None:
        """Show one more or one fewer of what is counted, so that both numbers stand in one row."""
        things, first = [*graph.objects], graph.main
        counted = {
            "count": [at for at, thing in enumerate(things) if thing.label == first.label],
            "sum": [*range(min(len(things), 2))],
            "both": [0],
        }.get(self._about.what, [])
        number = sum(things[at].instances for at in counted)
        by = partner(number) - number
        able = [at for at in counted if things[at].instances + by >= 1]
        if not able:
            return None
        at = kit.draws.pick(able)
        things[at] = replace(things[at], count=things[at].instances + by)
        return replace(graph, objects=tuple(things))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask for the number: one of four in a row."""
        asked = self._asked(kit, world)
        if asked is None:
            return []
        of, questions = asked
        found = size(of, world)
        starts = [s for s in self._starts(kit) if found is not None and 0 <= found - s < _WINDOW]
        if found is None or not starts:
            return []
        start = kit.draws.pick(starts)
        return [
            Ask(
                family=self._about.what,
                program=["count", of, "?"],
                questions=questions,
                show=str,
                answer=found,
                wrong=[n for n in range(start, start + _WINDOW) if n != found],
                near=_WINDOW - 1,
                hops=0 if self._about.what == "count" else 1,
            )
        ]

    def _asked(self, kit: ExamKit, world: World) -> tuple[Program, tuple[str, ...]] | None:
        """What is counted, as a set and in words."""
        first, *rest = world.graph.objects
        what, label, many = self._about.what, first.label, kit.words.plural(first.label)
        things = kit.words.called(one.object.label for one in world.things)[1]
        if what == "count":
            return labelled(label), (
                f"How many {many} are in the picture?",
                f"How many {many} can you count in the picture?",
                f"How many {many} does the picture show?",
            )
        if what == "left_over":
            return ["without", ["all"], labelled(label)], (
                f"If every {label} were taken away, how many {things} would be left in front of "
                "the background?",
                f"Imagine that every {label} is gone. How many {things} are left in front of the "
                "background?",
                f"Not counting any {many}, how many {things} are in front of the background?",
            )
        if what == "sum":
            return self._together(kit, world, label)
        # Where there are others than the first, the second has the color.
        color = (rest or [first])[0].color
        if what == "both":
            color = first.color
        of = ["with", "color", color, ["all"]]
        if what == "both":
            return ["with", "color", color, labelled(label)], (
                f"How many {color} {many} are in the picture?",
                f"How many of the {many} in the picture are {color}?",
                f"How many {color} {many} does the picture show?",
            )
        return ["either", labelled(label), of], (
            f"How many {things} in front of the background are {many}, {color}, or both?",
            f"Count all the {things} in front of the background that are {many}, {color}, or both. "
            "How many are there?",
        )

    def _together(
        self, kit: ExamKit, world: World, label: str
    ) -> tuple[Program, tuple[str, ...]] | None:
        """The things of two kinds, of which one may be missing where there is only one thing."""
        rest = [thing.label for thing in world.graph.objects[1:]]
        if not rest:
            there = [kit.stock.by_label[label]]
            rest = [k.label for k in apart(kit, self._pool(kit, world.graph.setting), 1, there)]
        if not rest:
            return None
        a, b = (kit.words.plural(each) for each in kit.draws.shuffled([label, rest[0]]))
        return ["either", labelled(label), labelled(rest[0])], (
            f"How many {a} and {b} are in the picture altogether?",
            f"Count the {a} and the {b}. How many are there in all?",
            f"What is the total number of {a} and {b} in the picture?",
        )
