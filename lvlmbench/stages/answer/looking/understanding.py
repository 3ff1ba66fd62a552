"""What a program says of a picture that was looked at: the option that holds of what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from lvlmbench.scene.answers import LARGEST
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.programs import filled, holds
from lvlmbench.scene.relations import Box, Judged
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.stages.answer.looking.finding import F64, Finder, Found, overlap, together
from lvlmbench.stages.answer.looking.options import COUNTING, hole_of, value_of
from lvlmbench.stages.answer.looking.wanted import Wanted, wanted
from lvlmbench.stages.answer.looking.windows import View

#: From this probability on a thing is there.
_THERE = 0.3
#: The same for things whatever they are.
_SOMETHING = 0.4
#: The same where it is said that a thing is there.
_FAINT = 0.001
#: What is found less than this share of a window's side apart is one thing, whatever its label.
_ONE_PLACE = 0.25
#: Boxes that overlap by this share of the smaller one hide one another.
_OVERLAPS = 0.05
#: What is in front is taken to hide this share.
_HIDES = 0.3
#: A thing that was found is never smaller than what can be told for sure.
_LEAST = 0.09
#: How many things of a kind are looked for.
_MOST = 40
#: Heads and attributes that are about colors.
_COLORED = ("color", "are", "odd", "differ")


class Glimpsed(World):
    """A world of what was found: how things stand is decided even where the margin is small."""

    def _decided(self, judged: Judged) -> bool | None:
        unclear = judged.holds is None and judged.margin
        return judged.margin > 0 if unclear else judged.holds


class Sight:
    """What can be found in a picture, which is looked at when something is looked for.

    Attributes
    ----------
    colors
        The colors that can be told apart.
    """

    def __init__(self, finder: Finder, look: Callable[[], View]) -> None:
        self._finder, self._look = finder, look
        self.colors = finder.colors()
        self._scores: dict[str, F64] = {}

    @cached_property
    def _view(self) -> View:
        return self._look()

    @cached_property
    def _weights(self) -> F64:
        return self._finder.everywhere(self._view)

    def _of(self, label: str) -> F64:
        if label not in self._scores:
            self._scores[label] = self._finder.scores(self._view, self._weights, label)
        return self._scores[label]

    def best(self, label: str) -> float:
        """Return how sure it is that a thing is there."""
        return float(self._of(label).max(initial=0.0))

    def _named(self, want: Wanted) -> list[Found]:
        """Where the things are that are spoken of: one of each in a panel, or all there are."""
        found: list[Found] = []
        for label in want.labels:
            scores = self._of(label)
            least, most = (_THERE, _MOST) if label in want.several else (_FAINT, 4)
            for panel in range(self._view.panels):
                own = scores * [window.panel == panel for window in self._view.windows]
                found += self._finder.things(self._view, own, [label] * len(own), least, most)
        return _one_place_each(found, want)

    def _others(self, named: Sequence[Found]) -> list[Found]:
        """Things whatever they are, where nothing was found that is spoken of."""
        labels, scores = self._finder.best(self._weights)
        found = self._finder.things(self._view, scores, labels, _SOMETHING, _MOST)
        return [each for each in found if not any(together(each, o) for o in named)]

    def world(self, want: Wanted, colors: Sequence[str]) -> World:
        """Return what was found of what is spoken of."""
        found = self._named(want)
        if want.everything:
            found += self._others(found)
        if colors:
            found = [self._finder.colored(self._view, each, colors) for each in found]
        return _world(found, self._view.panels)


def _one_place_each(found: Sequence[Found], want: Wanted) -> list[Found]:
    """The surest first: no two at one place, and of what there is one of no second in a panel."""
    kept: list[Found] = []
    single = want.one - want.several
    for each in sorted(found, key=lambda one: -one.score):
        if any(together(each, other, _ONE_PLACE) for other in kept):
            continue
        twice = (o for o in kept if (o.label, o.window.panel) == (each.label, each.window.panel))
        if each.label in single and next(twice, None):
            continue
        kept.append(each)
    return kept


def _at_least(box: Box) -> Box:
    x, half = box.center[0], _LEAST / 2
    if max(box.width, box.height) >= _LEAST:
        return box
    return Box(min(box.left, x - half), box.top, max(box.right, x + half), box.bottom)


def _world(found: Sequence[Found], panels: int) -> World:
    """A world as if these things had been planned and measured."""
    things, layout = [], []
    found = [replace(each, box=_at_least(each.box)) for each in found]
    for number, each in enumerate(found):
        name = f"o{number + 1}"
        things.append(Object(name, "", each.label, color=each.color, panel=each.window.panel))
        hides = [
            {"instance": other, "share": _HIDES}
            for other, one in enumerate(found)
            if other != number
            and one.window.panel == each.window.panel
            and one.score < each.score
            and overlap(each.window.box, one.window.box) > _OVERLAPS
        ]
        row: dict[str, Any] = {
            "instance": number, "object": name, "part": None, "box": each.box._asdict(),
            "pixels": each.box.width * each.box.height, "visible": 1.0, "hides": hides,
            "panel": each.window.panel, "relations": (),
        }  # fmt: skip
        layout.append(row)
    nothing = Object("none", "", "", panel=panels - 1)  # so that each panel counts as one
    return Glimpsed(Graph((*things, nothing)), layout, 1, lambda one, other: False)


def _plain(program: Program) -> list[str]:
    """The heads and values of a program."""
    return [
        x for part in program for x in (_plain(part) if isinstance(part, list) else [str(part)])
    ]


def _by_color(program: Program) -> bool:
    """Whether colors decide, so that they must be looked at."""
    return any(x in _COLORED or x.startswith("color+") for x in _plain(program))


def chosen(sight: Sight, program: Program, options: Sequence[str]) -> list[int]:
    """Return the options that fit best, by their numbers: one where the picture tells.

    Several where they fit alike, none where nothing can be told.
    """
    hole = hole_of(program)
    if hole is None:
        return _claimed(sight, program, options)
    said = [value_of(option, hole, sight.colors) for option in options]
    values = [value for value in said if value is not None]
    programs = [filled(program, value) for value in values]
    want = _all([wanted(each) for each in programs])
    if len(values) < len(options) or want.unseen:
        return []
    if hole == "label" and "exists" in _plain(program):
        return _shown(sight, program, [str(value) for value in values])
    colors = [str(value) for value in values] if hole == "color" else sight.colors
    world = sight.world(want, colors if any(map(_by_color, programs)) else ())
    if hole in COUNTING:
        return _nearest(world, program, [int(value) for value in values])
    return _fitting(sight, world, programs, values if hole == "label" else ())


def _fitting(
    sight: Sight, world: World, programs: Sequence[Program], labels: Sequence[Value]
) -> list[int]:
    """The programs that hold, else those that may; of things, the surest one of them."""
    found = [holds(each, world) for each in programs]
    best = [at for at, each in enumerate(found) if each]
    best = best or [at for at, each in enumerate(found) if each is None]
    if labels and best:
        surest = max(sight.best(str(labels[at])) for at in best)
        best = [at for at in best if sight.best(str(labels[at])) == surest]
    return best


def _shown(sight: Sight, program: Program, labels: Sequence[str]) -> list[int]:
    """Of things, the surest to be there, or not to be."""
    scores = [sight.best(label) for label in labels]
    best = min(scores) if program[0] == "not" else max(scores)
    return [at for at, score in enumerate(scores) if score == best]


def _nearest(world: World, program: Program, values: Sequence[Value]) -> list[int]:
    """The numbers nearest to those that may be right of the world."""
    true = [n for n in range(LARGEST + 1) if holds(program, world, n)]
    right = true or [n for n in range(LARGEST + 1) if holds(program, world, n) is None]
    if not right:
        return []
    away = [min(abs(int(value) - n) for n in right) for value in values]
    return [at for at, each in enumerate(away) if each == min(away)]


def _all(wants: Sequence[Wanted]) -> Wanted:
    """What several programs speak of."""
    return Wanted(
        {label for want in wants for label in want.one},
        {label for want in wants for label in want.several},
        any(want.everything for want in wants),
        any(want.unseen for want in wants),
    )


def _claimed(sight: Sight, program: Program, options: Sequence[str]) -> list[int]:
    """Whether a statement is true."""
    want = wanted(program)
    if want.unseen:
        return []
    world = sight.world(want, sight.colors if _by_color(program) else ())
    truth = holds(program, world)
    return [] if truth is None else [at for at, each in enumerate(options) if each == str(truth)]
