"""Where things come to stand: places that fulfil all relations of a graph, or none.

Random places first, from the scene's own generator; where they keep failing, a search on a grid
that goes back where it is stuck. No relation is ever loosened. Lengths are thousandths of the
picture's side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.scene.graph import Relation
from lvlmbench.scene.relations import (
    CELLS,
    COLUMNS,
    CONVERSE,
    CORNERS,
    HIDES,
    POSITION,
    ROWS,
    Box,
    Seen,
    judge,
    spot_of,
)

#: A side of the picture.
SIDE = 1000
#: Things stay this far from the picture's edge, and this far from each other.
MARGIN, GAP = 14, 14
#: One cell of a thing's shape.
CELL = 8
#: What is planned exceeds what is needed to be clear: the drawing may differ a little.
_SURE = 1.2
#: Random places first: how often from the start, and for each thing; many things need many.
_ATTEMPTS, _TRIES = 60, 80
#: Then a search, through random places and those of a grid, up to a number of steps.
_RANDOM, _GRID, _NODES = 24, 12, 6000
#: In front of: how much of the thing behind is hidden, planned.
_HIDDEN = (HIDES[0] + 0.07, HIDES[1] - 0.06)

Shape: TypeAlias = npt.NDArray[np.bool_]
Center: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Thing:
    """One instance that is to be placed.

    Attributes
    ----------
    object
        Id of its object in the graph.
    width, height
        Of the box around it.
    shape
        Which cells of :data:`CELL` thousandths of that box it covers, row by row.
    ground
        Least and largest row that its lower edge may stand on; None for anywhere.
    room
        Left, top, right and bottom of what it must lie in: the picture, or its first panel.
    seat
        Where something can be on it or in it, None for anywhere: that lies between left and
        right, its lower edge at the bottom and, unless that is None, all of it below the top.
        From the center of this thing, as (left, top, right, bottom).
    """

    object: str
    width: int
    height: int
    shape: Shape
    ground: tuple[int, int] | None = None
    room: tuple[int, int, int, int] = (0, 0, SIDE, SIDE)
    seat: tuple[int, int | None, int, int] | None = None


@dataclass(frozen=True)
class _Rule:
    """A relation between things by their places in the list."""

    predicate: str
    subject: int
    others: tuple[int, ...]

    @property
    def overlaps(self) -> bool:
        return self.predicate in _OVERLAPPING


_SEATED = frozenset(("inside", "on"))
#: Relations on ground: whether the lower edge is farther down, or up.
DEEP = {"nearer": 1, "farther": -1}
_OVERLAPPING = frozenset(("in_front_of", "behind", *_SEATED))
#: Side or corner -> which way it is, across and down.
_SIDES = {"left_of": (-1, 0), "above": (0, -1), "right_of": (1, 0), "below": (0, 1)}
_WAYS = _SIDES | {
    each: (_SIDES[across][0], _SIDES[down][1])
    for each in CORNERS
    for down, across in (each.split("+"),)
}


def _rules(things: Sequence[Thing], relations: Sequence[Relation]) -> list[_Rule]:
    places: dict[str, list[int]] = {}
    for at, thing in enumerate(things):
        places.setdefault(thing.object, []).append(at)
    found = []
    for one in relations:
        first = [] if one.object is None else [places[one.object][0]]
        second = [] if one.other is None else [places[one.other][0]]
        found += [_Rule(one.predicate, at, (*first, *second)) for at in places[one.subject]]
    return found


class Solver:
    """Places the things of one scene."""

    def __init__(
        self, things: Sequence[Thing], relations: Sequence[Relation], rng: np.random.Generator
    ) -> None:
        self._things, self._rng = things, rng
        self._rules = _rules(things, relations)
        self._meet = {
            frozenset((rule.subject, other))
            for rule in self._rules
            if rule.overlaps
            for other in rule.others
        }
        self._order = self._ordered()
        self._beyond = [[self._reach(at, way, ()) for way in _SIDES] for at in range(len(things))]
        self._centers: dict[int, Center] = {}

    def _ordered(self) -> list[int]:
        """Large things first; what a rule names after what it is held against."""
        by_size = sorted(
            range(len(self._things)),
            key=lambda at: (-self._things[at].width * self._things[at].height, at),
        )
        order: list[int] = []

        def add(at: int) -> None:
            if at in order or at in waiting:
                return
            waiting.add(at)
            for rule in self._rules:
                if rule.subject == at:
                    for other in rule.others:
                        add(other)
            order.append(at)

        for at in by_size:
            waiting: set[int] = set()
            add(at)
        return order

    def _reach(self, at: int, way: str, passed: tuple[int, ...]) -> int:
        """How much room things need that are to lie on a side of one, each beyond the other."""
        beyond = [r.subject for r in self._rules if r.predicate == way and r.others == (at,)]
        turned = CONVERSE[way]
        beyond += [r.others[0] for r in self._rules if (r.predicate, r.subject) == (turned, at)]
        sizes = (
            self._things[each].height if way in ("above", "below") else self._things[each].width
            for each in beyond
        )
        needs = (
            size + GAP + self._reach(each, way, (*passed, at))
            for each, size in zip(beyond, sizes, strict=True)
            if each not in passed
        )
        return max(needs, default=0)

    def solve(self) -> list[Center] | None:
        """Return the center of each thing; None where no places were found."""
        for _ in range(_ATTEMPTS):
            self._centers = {}
            if all(self._place(at) for at in self._order):
                return self._found()
        self._centers, self._left = {}, _NODES
        return self._found() if self._search(0) else None

    def _found(self) -> list[Center]:
        return [self._centers[at] for at in range(len(self._things))]

    def _place(self, at: int) -> bool:
        for _ in range(_TRIES):
            center = self._proposal(at)
            if center is not None and self._fits(at, center):
                self._centers[at] = center
                return True
        return False

    def _search(self, step: int) -> bool:
        if step == len(self._order):
            return True
        at = self._order[step]
        for center in self._candidates(at):
            self._left -= 1
            if self._left < 0:
                return False
            if self._fits(at, center):
                self._centers[at] = center
                if self._search(step + 1):
                    return True
                del self._centers[at]
        return False

    def _room(self, at: int) -> tuple[int, int, int, int] | None:
        """Least and largest x and y of a thing's center."""
        thing = self._things[at]
        beyond = self._beyond[at]
        west, north, east, south = (
            edge + sign * (MARGIN + more)
            for edge, sign, more in zip(thing.room, (1, 1, -1, -1), beyond, strict=True)
        )
        left, right = west + thing.width // 2, east - (thing.width + 1) // 2
        top, bottom = north + thing.height // 2, south - (thing.height + 1) // 2
        if thing.ground is not None:
            top = max(top, thing.ground[0] - thing.height // 2)
            bottom = min(bottom, thing.ground[1] - thing.height // 2)
        return (left, right, top, bottom) if left <= right and top <= bottom else None

    def _candidates(self, at: int) -> Iterator[Center]:
        room = self._room(at)
        if room is None:
            return
        for _ in range(_RANDOM):
            center = self._proposal(at)
            if center is not None:
                yield center
        left, right, top, bottom = room
        cells = [(i, j) for i in range(_GRID) for j in range(_GRID)]
        for k in self._rng.permutation(len(cells)).tolist():
            i, j = cells[k]
            yield (
                left + (right - left) * i // (_GRID - 1),
                top + (bottom - top) * j // (_GRID - 1),
            )

    def _proposal(self, at: int) -> Center | None:
        """A place for a thing, near where a rule wants it."""
        room = self._room(at)
        if room is None:
            return None
        left, right, top, bottom = room
        u, v = self._rng.random(2).tolist()
        for rule in self._rules:
            if rule.subject == at:
                near = self._near(rule, u, v)
                if near is not None:
                    return (
                        min(max(near[0], left), right),
                        min(max(near[1], top), bottom),
                    )
        return left + int(u * (right - left + 1)), top + int(v * (bottom - top + 1))

    def _near(self, rule: _Rule, u: float, v: float) -> Center | None:
        """Where a rule wants its subject; None where anywhere will do."""
        a = self._things[rule.subject]
        if rule.predicate in CELLS:
            row, column = rule.predicate.split()
            x, y = COLUMNS.index(column) + u, ROWS.index(row) + v
            return int(x * SIDE / 3), int(y * SIDE / 3)
        if not rule.others and (at := spot_of(rule.predicate)) is not None:
            return at[0] * SIDE // 100, at[1] * SIDE // 100
        if not rule.others or any(other not in self._centers for other in rule.others):
            return None
        b, (x, y) = self._things[rule.others[0]], self._centers[rule.others[0]]
        if rule.predicate in _WAYS:
            return self._aside(rule.predicate, a, b, (x, y), (u, v))
        if rule.predicate == "between":
            p, q = self._centers[rule.others[1]]
            t = 0.35 + 0.3 * u
            return int(x + (p - x) * t), int(y + (q - y) * t + (v - 0.5) * 60)
        if b.seat is not None and rule.predicate in _SEATED:
            left, _, right, bottom = b.seat
            free = right - left - a.width
            return x + left + a.width // 2 + int(u * free), y + bottom - (a.height + 1) // 2
        if rule.predicate == "inside":
            return x + int((u - 0.5) * (b.width - a.width)), y + int(
                (v - 0.5) * (b.height - a.height)
            )
        if rule.predicate == "on":
            return x + int((u - 0.5) * b.width * 0.8), y - (a.height + b.height) // 2 + 4
        if rule.predicate in DEEP:
            away = int((_SURE * POSITION + 0.06 * v * v) * SIDE) + 2
            foot = y + (b.height + 1) // 2 + away * DEEP[rule.predicate]
            return int(u * SIDE), foot - (a.height + 1) // 2
        if rule.predicate in ("in_front_of", "behind", "next_to"):
            reach = 1.0 if rule.predicate == "next_to" else 0.9
            dx = int((a.width + b.width) / 2 * reach)
            dy = int((a.height + b.height) / 2 * reach)
            way = int(u * 4)
            along = v - 0.5
            if way < 2:
                return x + (dx + GAP * 2) * (1 - 2 * way), y + int(along * dy)
            return x + int(along * dx), y + (dy + GAP * 2) * (5 - 2 * way)
        return None

    @staticmethod
    def _aside(way: str, a: Thing, b: Thing, at: Center, draws: tuple[float, float]) -> Center:
        """Where a thing is on a side of another, or at a corner, up to the edge of the room."""
        signs, (u, v), room = _WAYS[way], draws, a.room
        extents = ((a.width, b.width), (a.height, b.height))
        axis = 0 if signs[0] else 1
        ends = room[axis], room[axis + 2]
        least = sum(extents[axis]) // 2 + GAP if 0 in signs else sum(extents[axis]) // 4
        most = abs(at[axis] - ends[signs[axis] > 0]) - extents[axis][0] // 2 - MARGIN
        along = least + int(u * max(most - least, 0))
        slope = (2 * v - 1) / 1.5 if 0 in signs else (0.6 + v) * signs[1]
        moved = [int(along * slope)] * 2
        moved[axis] = along * signs[axis]
        return at[0] + moved[0], at[1] + moved[1]

    def _box(self, at: int, center: Center) -> tuple[int, int, int, int]:
        thing = self._things[at]
        left, top = center[0] - thing.width // 2, center[1] - thing.height // 2
        return left, top, left + thing.width, top + thing.height

    def _fits(self, at: int, center: Center) -> bool:
        own = self._box(at, center)
        room, edge = self._things[at].room, MARGIN // 2
        if own[0] < room[0] + edge or own[1] < room[1] + edge:
            return False
        if own[2] > room[2] - edge or own[3] > room[3] - edge:
            return False
        for other, where in self._centers.items():
            if frozenset((at, other)) in self._meet:
                continue
            box = self._box(other, where)
            if (
                own[0] - GAP < box[2]
                and box[0] - GAP < own[2]
                and own[1] - GAP < box[3]
                and box[1] - GAP < own[3]
            ):
                return False
        placed = {**self._centers, at: center}
        return all(
            self._holds(rule, placed)
            for rule in self._rules
            if at in (rule.subject, *rule.others)
            and all(each in placed for each in (rule.subject, *rule.others))
        )

    def _holds(self, rule: _Rule, placed: dict[int, Center]) -> bool:
        if rule.predicate in ("in_front_of", "behind"):
            front, back = rule.subject, rule.others[0]
            if rule.predicate == "behind":
                front, back = back, front
            low, high = _HIDDEN
            return low <= self._hidden(front, placed[front], back, placed[back]) <= high
        if rule.predicate in _SEATED and not self._seated(rule.subject, rule.others[0], placed):
            return False
        if rule.predicate in DEEP:  # their sizes are as they are
            feet = [self._box(each, placed[each])[3] for each in (rule.subject, rule.others[0])]
            return (feet[0] - feet[1]) * DEEP[rule.predicate] >= _SURE * POSITION * SIDE
        parts = [self._seen(each, placed[each]) for each in (rule.subject, *rule.others)]
        found = judge(rule.predicate, *parts)
        return bool(found.holds) and (rule.overlaps or found.margin >= _SURE)

    def _seated(self, at: int, other: int, placed: dict[int, Center]) -> bool:
        """Whether a thing is where something can be on or in another one."""
        seat, (x, y) = self._things[other].seat, placed[other]
        if seat is None:
            return True
        left, top, right, bottom = self._box(at, placed[at])
        high = seat[1] is None or top >= y + seat[1]
        return high and x + seat[0] <= left and right <= x + seat[2] and bottom == y + seat[3]

    def _seen(self, at: int, center: Center) -> Seen:
        thing = self._things[at]
        box = Box(*(edge / SIDE for edge in self._box(at, center)))
        area = float(thing.shape.sum()) * CELL * CELL / SIDE / SIDE
        return Seen(at, box, area)

    def _hidden(self, front: int, at: Center, back: int, where: Center) -> float:
        """Share of the thing behind that the one before it covers."""
        a, b = self._things[front].shape, self._things[back].shape
        ax, ay = self._box(front, at)[:2]
        bx, by = self._box(back, where)[:2]
        dx, dy = round((ax - bx) / CELL), round((ay - by) / CELL)
        height = min(b.shape[0], dy + a.shape[0])
        width = min(b.shape[1], dx + a.shape[1])
        top, left = max(dy, 0), max(dx, 0)
        if top >= height or left >= width:
            return 0.0
        over = a[top - dy : height - dy, left - dx : width - dx] & b[top:height, left:width]
        return float(over.sum()) / max(float(b.sum()), 1.0)
