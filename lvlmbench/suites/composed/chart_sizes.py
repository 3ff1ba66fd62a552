"""Lengths of sides that drawings of shapes may have.

The sum of the sides is drawn first, then one of all ways to make it up: so each sum of a level,
and each way to make up a sum, is as likely as any other, and no length tells the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

Sides = tuple[int, ...]

#: Sums of sides at each level: two of a rectangle, three of a triangle, a circle's radius.
SUMS: Mapping[str, Mapping[str, range]] = {
    "easy": {"rectangle": range(13, 19), "triangle": range(24, 32), "circle": range(2, 10)},
    "medium": {"rectangle": range(24, 36), "triangle": range(36, 50), "circle": range(10, 20)},
}


def sums(shape: str, total: int) -> range:
    """Return the sums among which this one was drawn; none where no level has it."""
    return next((rooms[shape] for rooms in SUMS.values() if total in rooms[shape]), range(0))


@cache
def ways(shape: str, total: int) -> tuple[Sides, ...]:
    """Return the ways to make up a sum, shortest side first; none is too thin for its letters."""
    if shape == "circle":
        return ((total,),)
    found: list[Sides] = []
    for a in range(2, total // 2 + 1):
        if shape == "rectangle":
            b = total - a
            if a < b <= 4 * a:
                found.append((a, b))
            continue
        for b in range(a + 1, total - a):
            c = total - a - b
            if b < c <= 3 * a and 10 * (a + b) >= 12 * c:
                found.append((a, b, c))
    return tuple(found)
