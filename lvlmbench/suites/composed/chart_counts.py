"""Charts with so many parts that one has to count, and the same charts with other counts.

What may be asked has one count each, and each is drawn before the values: any of four in a row of
which the first can be divided by four. Those four are what is offered. So each is right as often,
whatever is asked, and so is the one that a twin has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from lvlmbench.scene.charts import COLORS, GLYPHS, Axis, Chart
from lvlmbench.suites.composed.chart_facts import THRESHOLDS, above, crossings, facing, larger
from lvlmbench.suites.composed.chart_topics import LETTERED, LETTERS, TOPICS, WEEKLY, WEEKS

Rng = np.random.Generator

#: Numbers in a row that are offered.
ROW = 4

#: Colors of thin lines: yellow and pink are faint on white.
LINES = ("red", "orange", "green", "blue", "purple", "brown", "gray")

#: Numbers between ticks of axes.
_TICKS = (2, 4, 10, 20, 50, 100)
#: Bars, and the ticks of their axis: a step, half a tick, can be seen.
_BARS = ((12, 8), (16, 9))
#: Rows of a table: as many as make two rows of numbers, from none to all.
_ROWS = 2 * ROW - 1
#: Least number of crossings, by fours.
_CROSSED = (2, 3, 4)
#: Numbers of shapes, by fours: of each kind, or of each kind in each of two colors.
_SHAPES, _COLORED = (2, 3, 4), (1, 2, 2, 3)


def row(count: int) -> range:
    """Return the four numbers that are offered where this is right."""
    return range(count - count % ROW, count - count % ROW + ROW)


def _any(rng: Rng, floors: Iterable[int]) -> list[int]:
    return [ROW * floor + int(rng.integers(ROW)) for floor in floors]


def _others(rng: Rng, counts: Iterable[int]) -> list[int]:
    """Another count of the same row for each."""
    return [row(n)[(n + 1 + int(rng.integers(ROW - 1))) % ROW] for n in counts]


def _some(rng: Rng, items: Sequence[str], count: int) -> tuple[str, ...]:
    return tuple(items[int(i)] for i in rng.permutation(len(items))[:count])


def _axis(rng: Rng, ticks: int) -> Axis:
    tick = _TICKS[int(rng.integers(len(_TICKS)))]
    return Axis(0, tick * ticks, tick, tick // 2)


def _grid(rng: Rng) -> tuple[str, ...]:
    return ("grid",) if rng.random() < 0.5 else ()


def _bar(rng: Rng) -> Chart:
    """Bars of which no two are alike."""
    topic = LETTERED[int(rng.integers(len(LETTERED)))]
    count, ticks = _BARS[int(rng.integers(len(_BARS)))]
    axis = _axis(rng, ticks)
    steps = rng.permutation(2 * ticks)[:count].tolist()
    return Chart(
        "bar", topic.title, topic.noun, topic.unit, LETTERS[:count],
        tuple(axis.step * (1 + n) for n in steps), _some(rng, tuple(COLORS), 1), axis=axis,
        marks=_grid(rng),
    )  # fmt: skip


def _bar_again(rng: Rng, chart: Chart) -> Chart:
    """Each four bars that follow each other in height exchange their heights."""
    order, values = sorted(chart.values), list(chart.values)
    for first in range(0, len(order), ROW):
        turn = 1 + int(rng.integers(ROW - 1))
        for at in range(ROW):
            place = chart.values.index(order[first + at])
            values[place] = order[first + (at + turn) % ROW]
    return replace(chart, values=tuple(values))


def _line(rng: Rng) -> Chart:
    """Two lines that cross often."""
    topic = WEEKLY[int(rng.integers(len(WEEKLY)))]
    axis = _axis(rng, 5 + int(rng.integers(3)))
    points = ROW * (_CROSSED[-1] + 1) + 1 + int(rng.integers(len(WEEKS) - 20))
    count = _any(rng, [_CROSSED[int(rng.integers(len(_CROSSED)))]])[0]
    return Chart(
        "line", topic.title, topic.noun, topic.unit, WEEKS[:points],
        _braid(rng, axis, points, count), _some(rng, LINES, 2), _some(rng, topic.series, 2), axis,
        _grid(rng),
    )  # fmt: skip


def _line_again(rng: Rng, chart: Chart) -> Chart:
    assert chart.axis is not None
    count = _others(rng, [crossings(chart) or 0])[0]
    return replace(chart, values=_braid(rng, chart.axis, len(chart.categories), count))


def _braid(rng: Rng, axis: Axis, points: int, count: int) -> tuple[int, ...]:
    """Values of two lines that cross so often, each time between two points.

    They are two or three steps apart at each point, and their middle goes up or down by one step
    at most: so lines that do not cross stay apart, and those that do cross at a wide angle.
    """
    crossed = set(rng.permutation(points - 1)[:count].tolist())
    most = (axis.high - axis.low) // axis.step
    middle, first_above = most // 2, bool(rng.integers(2))
    values: list[int] = []
    for at in range(points):
        down, up = ((1, 1), (1, 2), (2, 1))[int(rng.integers(3))]
        pair = (middle - down, middle + up)
        values += reversed(pair) if first_above else pair
        first_above ^= at in crossed
        middle = min(max(middle + int(rng.integers(-1, 2)), 3), most - 2)
    return tuple(axis.low + axis.step * n for n in values)


def _table(rng: Rng) -> Chart:
    topics = tuple(t for t in TOPICS if len(t.pool) >= _ROWS)
    topic = topics[int(rng.integers(len(topics)))]
    columns = 4 + int(rng.integers(len(topic.series) - 3))
    found = Chart(
        "table", topic.title, topic.noun, topic.unit,
        topic.pool[:_ROWS] if topic.ordered else _some(rng, topic.pool, _ROWS),
        (0,) * (_ROWS * columns), ("gray",), _some(rng, topic.series, columns),
        marks=_grid(rng),
    )  # fmt: skip
    most = _any(rng, range(len(THRESHOLDS), 0, -1))
    return _filled(rng, found, most, _any(rng, rng.integers(2, size=columns // 2).tolist()))


def _table_again(rng: Rng, chart: Chart) -> Chart:
    most = _others(rng, (above(chart, each) for each in THRESHOLDS))
    return _filled(rng, chart, most, _others(rng, (larger(chart, *two) for two in facing(chart))))


def _filled(rng: Rng, chart: Chart, most: Sequence[int], rows: Sequence[int]) -> Chart:
    """A table with so many numbers above each threshold, and in so many rows the number in one
    column larger than that in the column that faces it."""
    n, bounds = len(chart.series), (0, *THRESHOLDS, 100)
    counts = [len(chart.values), *most, 0]
    found: list[int] = []
    for at in range(len(counts) - 1):
        # No number is a threshold.
        room = [v for v in range(bounds[at] + 1, bounds[at + 1]) if v > 10 and v % 10]
        found += [room[int(i)] for i in rng.permutation(len(room))[: counts[at] - counts[at + 1]]]
    values = [found[int(i)] for i in rng.permutation(len(found))]
    for (first, second), count in zip(facing(chart), rows, strict=True):
        down = set(rng.permutation(len(chart.categories))[:count].tolist())
        one, other = chart.series.index(first), chart.series.index(second)
        for each in range(len(chart.categories)):
            a, b = each * n + one, each * n + other
            if (values[a] > values[b]) != (each in down):
                values[a], values[b] = values[b], values[a]
    return replace(chart, values=tuple(values))


def _shapes(rng: Rng) -> Chart:
    """Shapes of one color, or of two, each with a number of its own."""
    paired = rng.random() < 0.5
    floors: tuple[int, ...] = _COLORED if paired else _SHAPES
    kinds = _some(rng, GLYPHS, len(floors) // (2 if paired else 1))
    colors = _some(rng, LINES if paired else tuple(COLORS), 2 if paired else 1)
    values = _any(rng, (floors[int(i)] for i in rng.permutation(len(floors))))
    series = colors if paired else ()
    return Chart("shapes", "", "shape", "", kinds, tuple(values), colors, series)


def _shapes_again(rng: Rng, chart: Chart) -> Chart:
    return replace(chart, values=tuple(_others(rng, chart.values)))


#: Kind -> a random chart.
CROWDED: Mapping[str, Callable[[Rng], Chart]] = {
    "bar": _bar,
    "line": _line,
    "table": _table,
    "shapes": _shapes,
}

_AGAIN: Mapping[str, Callable[[Rng, Chart], Chart]] = {
    "bar": _bar_again,
    "line": _line_again,
    "table": _table_again,
    "shapes": _shapes_again,
}


def recounted(rng: Rng, chart: Chart) -> Chart:
    """Return the same chart with values of which each count is another in its row."""
    return _AGAIN[chart.kind](rng, chart)
