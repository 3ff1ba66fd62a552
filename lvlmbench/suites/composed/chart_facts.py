"""What holds of a chart, under three-valued logic: None is what a person cannot see clearly."""

from __future__ import annotations

from lvlmbench.scene.charts import Chart

#: Shares, in percent, by which slices without numbers must differ.
_SLICES = 10


def margin(chart: Chart) -> int:
    """Return the least difference of two values that is clear to a person."""
    if chart.axis is not None and "values" not in chart.marks:
        return chart.axis.step
    if chart.kind == "pie" and "values" not in chart.marks:
        return _SLICES
    return 1


def higher(chart: Chart, a: int, b: int) -> bool | None:
    """Return whether one value is above another; None where they differ by too little.

    Bars and points that are equal on purpose are clearly so; slices without numbers are not.
    """
    if abs(a - b) >= margin(chart):
        return a > b
    return False if a == b and chart.kind != "pie" else None


def equal(chart: Chart, a: int, b: int) -> bool | None:
    """Return whether two values are the same; None where that cannot be seen."""
    if abs(a - b) >= margin(chart):
        return False
    return True if a == b and chart.kind != "pie" else None


def ranked(chart: Chart, values: tuple[int, ...], place: int) -> int | None:
    """Return which value is the highest (0), second (1) or lowest (-1); None where no one is."""
    order = sorted(range(len(values)), key=lambda i: -values[i])
    found = order[place]
    for other in order:
        if other == found:
            continue
        above = order.index(other) < order.index(found)
        pair = (values[other], values[found]) if above else (values[found], values[other])
        if higher(chart, *pair) is not True:
            return None
    return found


def time(hour: int, minute: int) -> str | None:
    """Return the time that a clock shows; None between the marks of five minutes."""
    return None if minute % 5 else f"{hour}:{minute:02d}"
