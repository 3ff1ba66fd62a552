"""Many small shapes beside each other, each of them a part."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, disc, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS

#: Columns and rows of places.
_GRID = (8, 6)

#: Corners of shapes, in hundredths of half their width.
_CORNERS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "square": ((-88, -88), (88, -88), (88, 88), (-88, 88)),
    "triangle": ((0, -96), (100, 80), (-100, 80)),
    "star": (
        (0, -100), (25, -34), (95, -31), (40, 13), (59, 81),
        (0, 42), (-59, 81), (-40, 13), (-95, -31), (-25, -34),
    ),
    "cross": (
        (-32, -96), (32, -96), (32, -32), (96, -32), (96, 32), (32, 32),
        (32, 96), (-32, 96), (-32, 32), (-96, 32), (-96, -32), (-32, -32),
    ),
    "heart": (
        (0, 92), (-84, 6), (-96, -30), (-84, -66), (-54, -82), (-22, -74), (0, -46),
        (22, -74), (54, -82), (84, -66), (96, -30), (84, 6),
    ),
}  # fmt: skip


@CHARTS.register("shapes")
class Shapes:
    """Shapes of several kinds, not in order, none near enough to touch another."""

    aspect = 0.8

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw as many shapes of each kind and color as the values say."""
        columns, rows = _GRID
        top, edge = axes.headed(card, chart), 3 * card.u
        wide, high = (card.width - 2 * edge) / columns, (card.height - top - edge) / rows
        cells = rng.permutation(columns * rows).tolist()
        shaken = rng.random((columns * rows, 3)).tolist()
        for at, (name, value) in enumerate(zip(chart.names, chart.values, strict=True)):
            for number in range(value):
                cell = cells.pop()
                right, down, large = shaken[cell]
                half = min(wide, high) * (0.25 + 0.08 * large)
                # A shape may stand anywhere in its cell, but for a strip that parts it from others.
                room = wide * 0.86 - 2 * half, high * 0.86 - 2 * half
                x = edge + wide * (cell % columns + 0.5) + room[0] * (right - 0.5)
                y = top + high * (cell // columns + 0.5) + room[1] * (down - 0.5)
                kind = chart.categories[at // max(len(chart.series), 1)]
                element = disc(x, y, half * 0.98)
                if kind in _CORNERS:
                    corners = _CORNERS[kind]
                    element = way(
                        [(x + a * half / 100, y + b * half / 100) for a, b in corners], True
                    )
                card.shape(element, COLORS[chart.color(at)], part=f"{name} {number + 1}")

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return how many parts of each kind and color are seen."""
        kinds = [part.rpartition(" ")[0] for part in seen]
        return tuple(float(kinds.count(name)) for name in chart.names)
