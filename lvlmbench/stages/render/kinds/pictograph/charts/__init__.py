"""Charts and diagrams with exact truth: what is drawn can be read back from its parts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import Chart, check
from lvlmbench.stages.render.kinds.pictograph.charts.card import (
    LOOKS,
    NARROWEST,
    Card,
    Drawing,
    Part,
    Seen,
)
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS

__all__ = ["Drawing", "Part", "Seen", "draw", "measured", "reads_back", "tolerance"]

#: How far values without an axis may be off, and of geometry, which is drawn in proportion.
_OFF = {"pie": 1.0, "clock": 0.0, "table": 0.0, "shapes": 0.0}
_OF_LONGEST = 0.04


def draw(chart: Chart, side: int, rng: np.random.Generator) -> Drawing:
    """Return a chart drawn ``side`` pixels wide; how high it is depends on its kind.

    Raises
    ------
    UserError
        The chart is wrong, or cannot be read at this size.
    """
    check(chart)
    if side < NARROWEST:
        raise UserError("chart", f"{side} pixels wide", f"draw it at least {NARROWEST} wide")
    kind = CHARTS.get(chart.kind, "chart")
    look = LOOKS[int(rng.integers(len(LOOKS)))]
    card = Card(side, round(side * kind.aspect), look)
    kind.draw(chart, card, rng)
    return card.finish()


def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
    """Return the values that the parts of a drawn chart show, in the order of the chart's."""
    return CHARTS.get(chart.kind, "chart").measured(chart, seen)


def tolerance(chart: Chart) -> float:
    """Return how far a value that is read may be from the chart's: half a step of its axis."""
    if chart.axis is not None:
        return chart.axis.step / 2
    return _OFF.get(chart.kind, _OF_LONGEST * max(chart.values))


def reads_back(chart: Chart, seen: Mapping[str, Seen]) -> bool:
    """Return whether the parts, as they were drawn, show the values of the chart."""
    most = tolerance(chart)
    try:
        found = measured(chart, seen)
    except (KeyError, ZeroDivisionError):
        return False  # a part is missing
    return all(abs(a - b) <= most for a, b in zip(found, chart.values, strict=True))
