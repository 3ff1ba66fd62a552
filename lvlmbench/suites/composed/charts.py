"""Questions about charts and diagrams, with answers that follow from their numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lvlmbench.scene.charts import Chart
from lvlmbench.suites.composed.ask import Ask, Rng
from lvlmbench.suites.composed.ask_counts import many_bars, many_cells, many_points, many_shapes
from lvlmbench.suites.composed.ask_diagrams import clock, geometry, number_line
from lvlmbench.suites.composed.ask_plots import plot
from lvlmbench.suites.composed.ask_tables import pie, table

_ASKERS: Mapping[str, Callable[[Chart, Rng], Iterator[Ask]]] = {
    "bar": plot,
    "line": plot,
    "pie": pie,
    "table": table,
    "clock": clock,
    "number_line": number_line,
    "geometry": geometry,
}

#: Where there are many parts.
_COUNTERS: Mapping[str, Callable[[Chart, Rng], Iterator[Ask]]] = {
    "bar": many_bars,
    "line": many_points,
    "table": many_cells,
    "shapes": many_shapes,
}


def asks(chart: Chart, rng: Rng) -> tuple[Ask, ...]:
    """Return what can be asked of a chart: each kind of question once, about something random.

    Only what is clear to a person is asked, and no wrong option is true or too near to tell.
    """
    askers = _COUNTERS if chart.crowded else _ASKERS
    return tuple(ask for ask in askers[chart.kind](chart, rng) if ask.pool)
