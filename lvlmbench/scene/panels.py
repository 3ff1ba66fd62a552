"""Where panels of a picture lie: two side by side, or four in two rows, a gutter between."""

from __future__ import annotations

#: A side of the picture, and the gutter, in thousandths.
SIDE, _GUTTER = 1000, 24

#: Panels -> columns and rows.
GRIDS = {1: (1, 1), 2: (2, 1), 4: (2, 2)}


def _extent(parts: int) -> int:
    """Length of one of several panels side by side."""
    return (SIDE - _GUTTER * (parts - 1)) // parts


def first(n: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the first of n panels, in thousandths."""
    columns, rows = GRIDS[n]
    return 0, 0, _extent(columns), _extent(rows)


def origins(n: int) -> list[tuple[int, int]]:
    """Return the left upper corner of each of n panels, row by row, in thousandths."""
    columns, rows = GRIDS[n]
    across, down = _extent(columns) + _GUTTER, _extent(rows) + _GUTTER
    return [(column * across, row * down) for row in range(rows) for column in range(columns)]
