"""Line charts: one line a series, a marker at each point, which is a dot where many are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, disc, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS


@CHARTS.register("line")
class Lines:
    """Lines over categories in their order."""

    aspect = 0.8

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the lines, then all markers above them."""
        plot = axes.plot(card, chart)
        axes.edges(card, plot)
        n = max(len(chart.series), 1)
        thin = 0.45 if chart.crowded else 1.0
        thick = (0.8 + 0.3 * float(rng.random())) * card.u * thin
        at = [(plot.x(i // n), plot.y(v)) for i, v in enumerate(chart.values)]
        for s in range(n):
            card.shape(way(at[s::n]), "none", COLORS[chart.color(s)], thick)
        size = round(max(3.8 * card.u, 9))
        for i, (name, (x, y)) in enumerate(zip(chart.names, at, strict=True)):
            card.shape(disc(x, y, 1.6 * card.u * thin), COLORS[chart.color(i % n)], part=name)
            if "values" in chart.marks:
                beside = [chart.values[j] for j in (i - n, i + n) if 0 <= j < len(chart.values)]
                dip = sum(beside) > len(beside) * chart.values[i]
                card.word((x, y + (4.4 if dip else -4.2) * card.u), str(chart.values[i]), size)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the values at the middles of the markers."""
        axis = chart.axis
        assert axis is not None
        return tuple(axes.read(axis, seen, seen[name].middle[1]) for name in chart.names)
