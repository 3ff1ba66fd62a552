"""Charts and diagrams for questions that are answered freely: planned, read back, told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.grammar import enumeration, indefinite
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.chart_facts import time
from lvlmbench.suites.composed.chart_samples import sample
from lvlmbench.suites.touchstone.kit import TaskKit

#: Units that stand right behind a number.
_CLOSE = ("°", "%")
#: Width of a chart, in thousandths of the side.
_SPAN = 860


def planned(kit: TaskKit, kind: str, level: str, *marks: str) -> Graph:
    """Return a picture of a random chart that also has these marks."""
    chart = sample(kit.draws.generator, kind, level)
    chart = replace(chart, marks=tuple(dict.fromkeys((*chart.marks, *marks))))
    thing = Object("o1", "chart", chart.kind.replace("_", " "), span=_SPAN, chart=chart)
    setting = kit.setting("shape", "color", "text", plain=True)
    return Graph((thing,), setting=replace(setting, weather=None))


def chart_of(world: World) -> Chart | None:
    """Return the chart that a picture shows; None where what was drawn does not say the same."""
    return world.graph.main.chart if world.reads_back else None


def values_of(chart: Chart, series: str | None) -> tuple[int, ...]:
    """Return the values of all categories, of one series where there are several."""
    return tuple(chart.value(name, series) for name in chart.categories)


def united(chart: Chart, value: int) -> str:
    """Return a value with its unit: "20 kg", "35%", "60°"."""
    if not chart.unit:
        return str(value)
    return f"{value}{'' if chart.unit in _CLOSE else ' '}{chart.unit}"


def told(kit: TaskKit, world: World) -> str:
    """Return all that a chart says."""
    chart = world.graph.main.chart
    assert chart is not None, "a picture without a chart is described otherwise"
    if chart.kind in ("bar", "line", "pie", "table"):
        return _plot(chart)
    if chart.kind == "clock":
        hour, minute = chart.values
        return f"The picture shows a clock. Its hands show {time(hour, minute)}."
    if chart.kind == "number_line":
        assert chart.axis is not None
        pins = enumeration([f"{n} at {v}" for n, v in _pairs(chart.categories, chart.values)])
        ends = f"from {chart.axis.low} to {chart.axis.high}"
        return f"The picture shows a number line {ends} with the markers {pins}."
    return _shape(chart)


def _pairs(names: Sequence[str], values: Sequence[int]) -> list[tuple[str, int]]:
    return [*zip(names, values, strict=True)]


def _plot(chart: Chart) -> str:
    what = "a table" if chart.kind == "table" else f"{indefinite(chart.kind)} chart"
    unit = f", in {chart.unit}" if chart.unit else ""
    rows = []
    for at, name in enumerate(chart.categories):
        color = chart.color(at) if len(chart.colors) > 1 and not chart.series else None
        called = f"{name} ({color})" if color else name
        if chart.series:
            own = enumeration([f"{s} {chart.value(name, s)}" for s in chart.series])
            rows.append(f"{called}: {own}")
        else:
            rows.append(f"{called}: {chart.values[at]}")
    return f'The picture shows {what} with the title "{chart.title}"{unit}. {"; ".join(rows)}.'


def _shape(chart: Chart) -> str:
    if chart.shape == "angles":
        *given, last = _pairs(chart.categories, chart.values)
        known = enumeration([f"{value}° at {corner}" for corner, value in given])
        return (
            f"The picture shows a triangle with the corners A, B and C. Its angles are {known}; "
            f"the one at {last[0]} is marked with a question mark."
        )
    if chart.shape == "circle":
        return f"The picture shows a circle with a radius of {united(chart, chart.values[0])}."
    pairs = _pairs(chart.categories, chart.values)
    sides = enumeration([f"side {side} is {united(chart, value)} long" for side, value in pairs])
    return f"The picture shows a {chart.shape}: {sides}."
