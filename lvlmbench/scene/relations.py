"""How things that were drawn stand to each other, in three values: yes, no, not clear.

Judged from what was measured (table ``layouts``), never from a plan. What lies within a margin is
not clear to a person; it is None, and nobody is asked about it. Lengths are shares of the
picture's side, y points down.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import sqrt

from lvlmbench.scene.directions import CORNERS as CORNERS
from lvlmbench.scene.directions import FARTHER, SIDES, Test, apart, every, judged, within
from lvlmbench.scene.directions import POSITION as POSITION
from lvlmbench.scene.directions import Box as Box
from lvlmbench.scene.directions import Judged as Judged
from lvlmbench.scene.directions import Seen as Seen

#: A size that is so many times another is larger; one below the second is the same.
LARGER, SAME = 1.25, 1.08
#: Less of a thing than this cannot be told for sure.
VISIBLE = 0.6
#: Sizes are told of things that are whole, or nearly.
_WHOLE = 0.9
#: What one thing hides of another that it is in front of.
HIDES = (0.15, 0.4)
#: Gap between boxes of things next to each other, and from which on they are not.
_NEXT, _APART = 0.06, 0.16
#: From a border between cells of the picture to a center that lies in one of them.
_CELL = 0.04
#: From a spot to the center of a thing that stands there, along either axis; and of one that does
#: not.
_AT, _AWAY = 0.03, 0.06
#: Distance of centers from one line: on it, and off it.
_ON_LINE, _OFF_LINE = 0.03, 0.10
#: A thing may stick out of what it is inside or on by this.
_SLACK = 0.015

ROWS, COLUMNS = ("top", "middle", "bottom"), ("left", "center", "right")
#: The nine parts of a picture, row by row.
CELLS = tuple(f"{row} {column}" for row in ROWS for column in COLUMNS)


def gap(a: Seen, b: Seen) -> float:
    """Return the distance between the boxes of two things; 0 where they meet."""
    dx = max(a.box.left - b.box.right, b.box.left - a.box.right, 0.0)
    dy = max(a.box.top - b.box.bottom, b.box.top - a.box.bottom, 0.0)
    return sqrt(dx * dx + dy * dy)


def _next_to(a: Seen, b: Seen) -> Judged:
    return within(gap(a, b), _NEXT, _APART)


def _hides(a: Seen, b: Seen) -> Judged:
    return within(a.hides.get(b.number, 0.0), HIDES[0], 0.02)


def _in_front(a: Seen, b: Seen) -> Judged:
    over, under = a.hides.get(b.number, 0.0), b.hides.get(a.number, 0.0)
    low, high = HIDES
    if over > high or under > high:  # too little is left to be seen of one
        return Judged(None, 0.0)
    return judged(over - under, low)


def _larger(a: Seen, b: Seen) -> Judged:
    if min(a.visible, b.visible) < _WHOLE:
        return Judged(None, 0.0)
    ratios = (a.span / b.span, sqrt(a.area / b.area))
    if (min(ratios) > 1) == (max(ratios) > 1):
        by = min(ratios) if min(ratios) > 1 else 1 / max(ratios)
        return judged((by - 1) * (1 if min(ratios) > 1 else -1), LARGER - 1)
    return Judged(None, 0.0)


def _same_size(a: Seen, b: Seen) -> Judged:
    if min(a.visible, b.visible) < _WHOLE:
        return Judged(None, 0.0)
    ratios = [max(r, 1 / r) for r in (a.span / b.span, sqrt(a.area / b.area))]
    return within(max(ratios), SAME, LARGER)


def _nearer(a: Seen, b: Seen) -> Judged:
    """On a ground that reaches to the horizon, what stands lower and is larger is nearer."""
    lower = judged(a.box.bottom - b.box.bottom, POSITION)
    larger = _larger(a, b)
    if lower.holds is None or lower.holds != larger.holds:
        return Judged(None, 0.0)
    return min(lower, larger, key=lambda one: abs(one.margin))


def _aligned(axis: int) -> Test:
    def judge(a: Seen, b: Seen) -> Judged:
        return within(apart(a, b)[axis], _ON_LINE, _OFF_LINE)

    return judge


def _inside(a: Seen, b: Seen) -> Judged:
    outside = max(
        b.box.left - a.box.left,
        b.box.top - a.box.top,
        a.box.right - b.box.right,
        a.box.bottom - b.box.bottom,
    )
    return within(outside, _SLACK, POSITION)


def _on(a: Seen, b: Seen) -> Judged:
    """Standing on a surface: the lower edge of one on the upper part of the other, above it."""
    x = a.box.center[0]
    if not b.box.left <= x <= b.box.right:
        aside = max(b.box.left - x, x - b.box.right)
        return within(aside, 0.0, POSITION)
    above = (b.box.top + b.box.bottom) / 2 - a.box.bottom
    reaches = a.box.bottom - b.box.top
    if above < 0:  # before it, or under it
        return Judged(False, -1.0) if a.box.top >= b.box.bottom else Judged(None, 0.0)
    return within(-reaches, _SLACK, POSITION)


#: Relation -> the one that holds for the same two the other way round.
CONVERSE = {
    "left_of": "right_of",
    "right_of": "left_of",
    "above": "below",
    "below": "above",
    "in_front_of": "behind",
    "behind": "in_front_of",
    "nearer": "farther",
    "farther": "nearer",
    "larger": "smaller",
    "smaller": "larger",
    "next_to": "next_to",
    "same_size": "same_size",
    "in_row": "in_row",
    "in_column": "in_column",
    "above+left_of": "below+right_of",
    "above+right_of": "below+left_of",
    "below+left_of": "above+right_of",
    "below+right_of": "above+left_of",
}


def _converse(test: Test) -> Test:
    return lambda a, b: test(b, a)


#: Relations between two things.
BINARY: Mapping[str, Test] = {
    **SIDES,
    "next_to": _next_to,
    "in_front_of": _in_front,
    "behind": _converse(_in_front),
    "hides": _hides,
    "larger": _larger,
    "smaller": _converse(_larger),
    "same_size": _same_size,
    "nearer": _nearer,
    "farther": _converse(_nearer),
    "in_row": _aligned(1),
    "in_column": _aligned(0),
    "inside": _inside,
    "on": _on,
}

#: Side -> what is enough for it to be stated truly.
STATED = dict(zip(SIDES, FARTHER, strict=True))
#: Relations that depend on what holds a thing up, so that boxes alone do not tell.
SUPPORTED = frozenset(("on", "inside"))
_PAIRS: Mapping[str, Test] = {**BINARY, **CORNERS, **FARTHER}


def between(a: Seen, b: Seen, c: Seen) -> Judged:
    """Return whether ``a`` stands between ``b`` and ``c``: near the line that joins them."""
    (ax, ay), (bx, by), (cx, cy) = a.box.center, b.box.center, c.box.center
    dx, dy = cx - bx, cy - by
    length = sqrt(dx * dx + dy * dy)
    if length < 2 * POSITION:
        return Judged(None, 0.0)
    along = ((ax - bx) * dx + (ay - by) * dy) / length
    aside = abs((ax - bx) * dy - (ay - by) * dx) / length
    ends = min(along, length - along)
    return every(judged(ends, POSITION), within(aside / length, 0.15, 0.4))


def in_cell(a: Seen, cell: str) -> Judged:
    """Return whether a thing's center lies in a cell, one of :data:`CELLS`."""
    row, column = cell.split()
    inside = []
    places = COLUMNS.index(column), ROWS.index(row)
    for at, center in zip(places, a.box.center, strict=True):
        low, high = at / 3, (at + 1) / 3
        edges = [center - low] * (at > 0) + [high - center] * (at < 2)
        inside.append(judged(min(edges), _CELL))
    return every(*inside)


def spot(x: int, y: int) -> str:
    """Return the relation of what has its center there, in hundredths of the picture's side."""
    return f"{_SPOT}{x} {y}"


def spot_of(predicate: str) -> tuple[int, int] | None:
    """Return where a relation wants a center, as :func:`spot` took it; None of any other."""
    found = _WRITTEN.fullmatch(predicate)
    return None if found is None else (int(found[1]), int(found[2]))


def _at_spot(a: Seen, where: tuple[int, int]) -> Judged:
    away = (abs(is_at - to / 100) for is_at, to in zip(a.box.center, where, strict=True))
    return within(max(away), _AT, _AWAY)


def _distance(a: Seen, b: Seen) -> float:
    dx, dy = apart(a, b)
    return sqrt(dx * dx + dy * dy)


def extreme(a: Seen, b: Seen, others: Sequence[Seen], nearest: bool) -> Judged:
    """Return whether ``a`` is nearer to (or farther from) ``b`` than all others are.

    Distances of centers and gaps of boxes must agree.
    """
    found = []
    for measure in (_distance, gap):
        own = measure(a, b)
        rest = [measure(other, b) for other in others]
        best = min(rest) if nearest else max(rest)
        near, far = (own, best) if nearest else (best, own)
        if far >= near:
            need = max(POSITION, (LARGER - 1) * near)
            found.append(judged(far - near, need))
        else:
            found.append(judged(far - near, max(POSITION, (LARGER - 1) * far)))
    if any(one.holds is None for one in found) or len({one.holds for one in found}) > 1:
        return Judged(None, 0.0)
    return min(found, key=lambda one: abs(one.margin))


#: All relations that a graph may hold, beside those of :func:`spot`.
PREDICATES = frozenset({*_PAIRS, "between", *CELLS})
_SPOT = "spot "
_WRITTEN = re.compile(_SPOT + r"([1-9]?\d) ([1-9]?\d)")


def judge(predicate: str, a: Seen, b: Seen | None = None, c: Seen | None = None) -> Judged:
    """Return whether a relation holds.

    Raises
    ------
    KeyError
        There is no such relation, or it is one of more things, or of fewer.
    """
    if predicate in CELLS:
        return in_cell(a, predicate)
    if b is None and (where := spot_of(predicate)) is not None:
        return _at_spot(a, where)
    if b is None or (predicate == "between") != (c is not None):
        raise KeyError(predicate)
    found = between(a, b, c) if c is not None else _PAIRS[predicate](a, b)
    parts = [one for one in (a, b, c) if one is not None]
    if min(one.visible for one in parts) < VISIBLE or len({one.panel for one in parts}) > 1:
        return Judged(None, found.margin)
    return found
