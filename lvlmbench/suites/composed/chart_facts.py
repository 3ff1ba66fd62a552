"""What holds of a chart, under three-valued logic: None is what a person cannot see clearly."""

from __future__ import annotations

from itertools import pairwise

from lvlmbench.scene.charts import Chart

#: Numbers that those of a crowded table lie above or below, never on.
THRESHOLDS = (30, 40, 50, 60, 70)

#: Steps of the axis by which two lines must be apart at each point for their crossings to be
#: counted: between any two points they clearly cross or clearly do not.
_APART = 2

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


def crossings(chart: Chart) -> int | None:
    """Return how often the first two lines cross; None where they are too near to tell."""
    assert chart.axis is not None
    n = len(chart.series)
    apart = [a - b for a, b in zip(chart.values[::n], chart.values[1::n], strict=True)]
    if min(map(abs, apart)) < _APART * chart.axis.step:
        return None
    return sum((a > 0) != (b > 0) for a, b in pairwise(apart))


def facing(chart: Chart) -> tuple[tuple[str, str], ...]:
    """Return the columns that are compared: each is in one pair at most, half a table apart."""
    n = len(chart.series)
    return tuple((chart.series[at], chart.series[at + (n + 1) // 2]) for at in range(n // 2))


def larger(chart: Chart, first: str, second: str) -> int:
    """Return in how many rows the number in one column is larger than that in another."""
    return sum(chart.value(c, first) > chart.value(c, second) for c in chart.categories)


def above(chart: Chart, bound: int) -> int:
    """Return how many values are above a number."""
    return sum(value > bound for value in chart.values)


def time(hour: int, minute: int) -> str | None:
    """Return the time that a clock shows; None between the marks of five minutes."""
    return None if minute % 5 else f"{hour}:{minute:02d}"
