"""Where things stand: spots that are planned, so that scenes with other things have one layout."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.graph import Object, Relation
from lvlmbench.scene.relations import spot
from lvlmbench.suites.graphs.kit import Kit

#: Centers of three rows and columns, and how far a spot is from there, in hundredths of the side.
_THIRDS, _ASIDE = (18, 50, 82), 3


def scattered(kit: Kit, things: Sequence[Object]) -> tuple[Relation, ...]:
    """Return a spot for each of up to nine things, in any of nine parts of the picture."""
    cells = [(x, y) for y in _THIRDS for x in _THIRDS]
    chosen = kit.draws.some(cells, len(things))
    near = [kit.draws.within(-_ASIDE, _ASIDE) for _ in range(2 * len(things))]
    return tuple(
        Relation(thing.id, spot(x + near[2 * at], y + near[2 * at + 1]))
        for at, (thing, (x, y)) in enumerate(zip(things, chosen, strict=True))
    )


def rows(kit: Kit, things: Sequence[Object]) -> tuple[Relation, ...]:
    """Return a spot for each thing in one to three rows, left to right, in the order given."""
    n = len(things)
    lines = 1 if n < 4 else 2
    first = -(-n // lines)
    found = []
    for at, thing in enumerate(things):
        line, column = divmod(at, first)
        width = first if line == 0 else n - first * (lines - 1)
        x = (2 * column + 1) * 50 // width
        y = 50 if lines == 1 else (27, 73)[line]
        found.append(Relation(thing.id, spot(x, y + kit.draws.within(-1, 1))))
    return tuple(found)
