"""Panels: equally large, apart by a gutter, inside the picture."""

from __future__ import annotations

from itertools import combinations

import pytest

from lvlmbench.scene import panels


@pytest.mark.parametrize("n", panels.GRIDS)
def test_panels_lie_side_by_side_in_the_picture(n: int) -> None:
    left, top, width, height = panels.first(n)
    assert (left, top) == (0, 0) and len(panels.origins(n)) == n
    assert panels.origins(n)[0] == (0, 0)
    boxes = [(x, y, x + width, y + height) for x, y in panels.origins(n)]
    assert all(0 <= a < c <= panels.SIDE and 0 <= b < d <= panels.SIDE for a, b, c, d in boxes)
    assert max(c for _, _, c, _ in boxes) == max(d for _, _, _, d in boxes) == panels.SIDE
    for one, other in combinations(boxes, 2):
        apart = [max(other[i] - one[i + 2], one[i] - other[i + 2]) for i in (0, 1)]
        assert max(apart) == 24


def test_panels_stand_row_by_row() -> None:
    assert panels.first(1) == (0, 0, 1000, 1000)
    assert panels.first(2) == (0, 0, 488, 1000) and panels.origins(2) == [(0, 0), (512, 0)]
    assert panels.first(4) == (0, 0, 488, 488)
    assert panels.origins(4) == [(0, 0), (512, 0), (0, 512), (512, 512)]
