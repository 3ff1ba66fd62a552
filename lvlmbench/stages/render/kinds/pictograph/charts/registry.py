"""The kinds of charts; a module of this package adds one with ``@CHARTS.register``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from lvlmbench.core.registry import Registry
from lvlmbench.scene.charts import Chart
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen


class ChartKind(Protocol):
    """Draws one kind of chart, and reads it back.

    Attributes
    ----------
    aspect
        Height of its card as a share of its width.
    """

    aspect: float

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw a chart onto an empty card; each value is a part under its name."""

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return the values that the parts show, in the order of the chart's; the chart tells
        only what is written: names and numbers of the axis."""


CHARTS: Registry[type[ChartKind]] = Registry(
    "charts", "lvlmbench.stages.render.kinds.pictograph.charts"
)
