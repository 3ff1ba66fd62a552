"""Pie charts: slices clockwise, named beside them or in a legend."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, box_of, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS

#: Corners of a slice's arc for each percent.
_FINE = 4


@CHARTS.register("pie")
class Pies:
    """Shares of a whole."""

    aspect = 0.8

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the slices from twelve o'clock, or from anywhere where a legend names them."""
        u = card.u
        top = axes.headed(card, chart)
        named = "legend" not in chart.marks
        if not named:
            _legend(card, top, chart)
        high = card.height - top - (13 if named else 6) * u
        radius = high / 2
        cx = card.width / 2 if named else radius + 3.5 * u
        cy = top + (5.5 if named else 1) * u + radius
        begin = 0 if named else int(rng.integers(100))
        for at, (name, share) in enumerate(zip(chart.categories, chart.values, strict=True)):
            turns = [(begin * _FINE + i) / (100 * _FINE) for i in range(share * _FINE + 1)]
            arc = [(cx + radius * sine(t), cy - radius * cosine(t)) for t in turns]
            fill = COLORS[chart.color(at)]
            card.shape(way([(cx, cy), *arc], True), fill, card.look.paper, 0.3 * u, part=name)
            half = (begin + share / 2) / 100
            if named:
                _name(card, (cx, cy, radius), half, name)
            if "values" in chart.marks:
                far = radius * (0.62 if share >= 10 else 0.78)
                ink = "#1c1f24" if chart.color(at) in ("yellow", "pink", "orange") else "#ffffff"
                place = (cx + far * sine(half), cy - far * cosine(half))
                card.word(place, f"{share}%", round(max(3.8 * u, 9)), bold=True, ink=ink)
            begin += share

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the slices' shares of all pixels."""
        whole = sum(seen[name].pixels for name in chart.categories)
        return tuple(100 * seen[name].pixels / whole for name in chart.categories)


def _legend(card: Card, top: float, chart: Chart) -> None:
    """Draw colored squares with names, one below the other, right of the pie."""
    u, x = card.u, 74 * card.u
    size = card.fitting(chart.categories, 22 * u, 4.2 * u)
    each = min(9 * u, (card.height - top - 4 * u) / len(chart.categories))
    y = top + (card.height - 3 * u - top - each * len(chart.categories)) / 2
    for name, color in zip(chart.categories, chart.colors, strict=True):
        card.shape(box_of(x, y, x + 4 * u, y + 4 * u), COLORS[color], card.look.ink, 0.25 * u)
        card.word((x + 5.4 * u, y + 2 * u), name, size, "lm")
        y += each


def _name(card: Card, pie: tuple[float, float, float], half: float, name: str) -> None:
    """Write a slice's name beside its middle."""
    cx, cy, radius = pie
    x, y = sine(half), -cosine(half)
    size = round(max(4.2 * card.u, 9))
    place = (cx + (radius + 2.2 * card.u) * x, cy + (radius + 3 * card.u) * y)
    card.word(place, name, size, "mm" if abs(x) < 0.25 else "lm" if x > 0 else "rm")
