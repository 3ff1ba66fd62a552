"""Tables: numbers in rows and columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import Chart
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, box_of, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS


@CHARTS.register("table")
class Tables:
    """Rows are categories, columns are series."""

    aspect = 0.7

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the heads, rules and numbers; a cell is a part."""
        u, look = card.u, card.look
        top = axes.headed(card, chart)
        rows, columns = len(chart.categories), len(chart.series)
        left, right, bottom = 3 * u, card.width - 3 * u, card.height - 3 * u
        first = left + 4 * u + max(card.length(n, round(4.4 * u)) for n in chart.categories)
        wide, high = (right - first) / columns, min((bottom - top) / (rows + 1), 15 * u)
        size = card.fitting((*chart.series, *map(str, chart.values)), wide - 1.5 * u, 4.4 * u)
        striped = bool(rng.integers(2)) or "grid" not in chart.marks
        for column, name in enumerate(chart.series):
            card.word((first + wide * (column + 0.5), top + high / 2), name, size)
        for row, name in enumerate(chart.categories):
            y = top + high * (row + 1)
            card.word((left + 1.5 * u, y + high / 2), name, round(4.4 * u), "lm")
            for column in range(columns):
                x, at = first + wide * column, row * columns + column
                fill = look.faint + "66" if striped and row % 2 == 0 else look.paper
                card.shape(box_of(x, y, x + wide, y + high), fill, part=chart.names[at])
                card.word((x + wide / 2, y + high / 2), str(chart.values[at]), size)
        rules = range(1, rows + 2) if "grid" in chart.marks else (1, rows + 1)
        for row in rules:
            y = top + high * row
            card.shape(way([(left, y), (right, y)]), "none", look.ink, 0.3 * u)
        for column in range(columns if "grid" in chart.marks else 1):
            x = first + wide * column
            card.shape(way([(x, top), (x, top + high * (rows + 1))]), "none", look.ink, 0.3 * u)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the number of each cell by the row and column in which the cell was drawn.

        What is written in a cell cannot be told from its box; where it stands can.
        """
        cells = [seen[name].middle for name in chart.names]
        columns = len(chart.series)
        lines = sorted({round(y) for _, y in cells})
        tabs = sorted({round(x) for x, _ in cells})
        places = [lines.index(round(y)) * columns + tabs.index(round(x)) for x, y in cells]
        return tuple(float(chart.values[place]) for place in places)
