"""Bar charts: one bar a category, or one a series beside each other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, box_of
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS


@CHARTS.register("bar")
class Bars:
    """Upright bars from the foot of the axis."""

    aspect = 0.8

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the bars; their numbers stand above them where the chart has them."""
        plot = axes.plot(card, chart)
        axes.edges(card, plot)
        n = max(len(chart.series), 1)
        room = plot.slot * (0.62 + 0.16 * float(rng.random()))
        width = room / n
        texts = tuple(map(str, chart.values))
        size = round(max(3.8 * card.u, 9))
        if "values" in chart.marks:
            size = card.fitting(texts, max(width, plot.slot * 0.9 / n), 3.8 * card.u)
        for at, (name, value) in enumerate(zip(chart.names, chart.values, strict=True)):
            left = plot.x(at // n) - room / 2 + at % n * width
            y = plot.y(value)
            bar = box_of(left, y, left + width, plot.bottom)
            card.shape(bar, COLORS[chart.color(at)], part=name)
            if "values" in chart.marks:
                card.word((left + width / 2, y - 2.4 * card.u), texts[at], size)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the values at the bars' tops; a bar of no height is not seen."""
        assert chart.axis is not None
        low = float(chart.axis.low)
        return tuple(
            axes.read(chart.axis, seen, seen[name].box[1]) if name in seen else low
            for name in chart.names
        )
