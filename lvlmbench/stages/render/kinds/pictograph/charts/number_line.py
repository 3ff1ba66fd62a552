"""Number lines: lettered pins above a line with ticks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, box_of, disc, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS


@CHARTS.register("number_line")
class NumberLines:
    """A line from the lowest to the highest number."""

    aspect = 0.36

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the line, its ticks and numbers, and a pin for each value."""
        axis, u, look = chart.axis, card.u, card.look
        assert axis is not None
        left, right, y = 8 * u, card.width - 8 * u, card.height * 0.62
        card.shape(box_of(left, y - 0.3 * u, right, y + 0.3 * u), look.ink, part=axes.AXIS)

        def x(value: int) -> float:
            return left + (value - axis.low) / (axis.high - axis.low) * (right - left)

        texts = tuple(str(n) for n in axis.numbers[:: axis.labelled])
        room = (right - left) / (len(texts) - 1) - 1.5 * u
        size = card.fitting(texts, room, 4.4 * u)
        for at, number in enumerate(axis.numbers):
            long = at % axis.labelled == 0
            half = (2.6 if long else 1.7) * u
            tick = way([(x(number), y - half), (x(number), y + half)])
            card.shape(tick, "none", look.ink, 0.45 * u)
            if long:
                card.word((x(number), y + 6.2 * u), str(number), size)
        for at, name in enumerate(chart.categories):
            px, high = x(chart.values[at]), y - 15 * u
            fill = COLORS[chart.color(at)]
            pin = way([(px, y), (px - 1.7 * u, high), (px + 1.7 * u, high)], True)
            card.shape(pin, fill, part=name)
            card.shape(disc(px, high, 3 * u), fill, part=name)
            ink = "#1c1f24" if chart.color(at) in ("yellow", "pink", "orange") else "#ffffff"
            card.word((px, high), name, round(max(4 * u, 9)), bold=True, ink=ink)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the numbers below the middles of the pins."""
        axis = chart.axis
        assert axis is not None
        left, _, right, _ = seen[axes.AXIS].box
        span = axis.high - axis.low
        return tuple(
            axis.low + (seen[name].middle[0] - left) / (right - left) * span
            for name in chart.categories
        )
