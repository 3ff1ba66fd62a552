"""Random charts of each kind and level, which a careful person can read."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lvlmbench.core.errors import UserError, meant
from lvlmbench.scene.charts import COLORS, SHAPES, Axis, Chart, check
from lvlmbench.suites.composed.chart_counts import CROWDED, LINES
from lvlmbench.suites.composed.chart_sizes import SUMS, ways
from lvlmbench.suites.composed.chart_topics import DAYS, MONTHS, SHARES, TOPICS, YEARS

Rng = np.random.Generator


@dataclass(frozen=True)
class Level:
    """How hard charts are to read: a value is given to a whole ``tick`` or to half of one.

    Attributes
    ----------
    bars, points, slices, rows, columns
        Fewest and most of each.
    series
        Most lines, or bars of each category.
    halves
        Whether values stand between ticks, too.
    grid, printed
        Chances in ten that there are gridlines, and that values are printed.
    """

    bars: tuple[int, int]
    points: tuple[int, int]
    slices: tuple[int, int]
    rows: tuple[int, int]
    columns: tuple[int, int]
    series: tuple[int, int]
    halves: bool
    grid: int
    printed: int


_FEW: Mapping[str, Level] = {
    "easy": Level((3, 4), (4, 5), (3, 4), (2, 3), (2, 2), (0, 0), False, 10, 5),
    "medium": Level((4, 6), (5, 6), (4, 5), (3, 4), (3, 3), (0, 2), True, 10, 0),
}

#: From the easiest; the last has charts with so many parts that one has to count them.
LEVELS = (*_FEW, "hard")

#: Numbers between ticks of axes, and how many ticks there may be.
_TICKS = (2, 4, 10, 20, 50, 100)
_MOST_TICKS = {True: 8, False: 10}


def kinds(level: str) -> tuple[str, ...]:
    """Return the kinds of charts that a level has."""
    return tuple(_KINDS if level in _FEW else CROWDED)


def sample(rng: Rng, kind: str, level: str) -> Chart:
    """Return a random chart.

    Raises
    ------
    UserError
        There is no such level, or no such kind at it.
    """
    if level not in LEVELS:
        fix = meant(level, LEVELS, f"use one of: {', '.join(LEVELS)}")
        raise UserError("charts: level", f"'{level}' is not known", fix)
    if kind not in kinds(level):
        fix = meant(kind, kinds(level), f"use one of: {', '.join(kinds(level))}")
        raise UserError("charts: kind", f"'{kind}' is not known", fix)
    chart = _KINDS[kind](rng, level) if level in _FEW else CROWDED[kind](rng)
    check(chart)
    return chart


def _one(rng: Rng, items: tuple[str, ...]) -> str:
    return items[int(rng.integers(len(items)))]


def _some(rng: Rng, items: tuple[str, ...], count: int) -> tuple[str, ...]:
    return tuple(items[int(i)] for i in rng.permutation(len(items))[:count])


def _between(rng: Rng, room: tuple[int, int]) -> int:
    return int(rng.integers(room[0], room[1] + 1))


def _categories(rng: Rng, pool: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Names in random order, those in time in theirs, without a gap."""
    if pool in (DAYS, MONTHS, YEARS):
        begin = int(rng.integers(len(pool) - count + 1))
        return pool[begin : begin + count]
    return _some(rng, pool, count)


def _axis(rng: Rng, halves: bool, low: int = 0) -> Axis:
    tick = int(_TICKS[int(rng.integers(len(_TICKS)))])
    ticks = int(rng.integers(5, _MOST_TICKS[halves] + 1))
    return Axis(low, low + tick * ticks, tick, tick // 2 if halves else tick)


def _levels(rng: Rng, axis: Axis, count: int, ties: bool) -> list[int]:
    """Values on steps of the axis, none at its foot; two of them alike at most, on purpose."""
    steps = (axis.high - axis.low) // axis.step
    drawn = [int(i) + 1 for i in rng.permutation(steps)[:count]]
    if ties and count > 3 and rng.random() < 0.3:
        a, b = (int(i) for i in rng.permutation(count)[:2])
        drawn[a] = drawn[b]
    return [axis.low + axis.step * i for i in drawn]


def _rows(rng: Rng, axis: Axis, count: int, series: int) -> list[int]:
    """Values of several series, no two alike at a category, so that none hides another.

    How often the first is above the second is as likely any number as any other.
    """
    rows = [_levels(rng, axis, series, False) for _ in range(count)]
    above = set(rng.permutation(count)[: int(rng.integers(count + 1))].tolist())
    for at, row in enumerate(rows):
        if (row[0] > row[1]) != (at in above):
            row[0], row[1] = row[1], row[0]
    return [value for row in rows for value in row]


def _marks(rng: Rng, spec: Level) -> tuple[str, ...]:
    grid, printed = (int(n) for n in rng.integers(0, 10, 2))
    return ("grid",) * (grid < spec.grid) + ("values",) * (printed < spec.printed)


def _bar(rng: Rng, level: str) -> Chart:
    spec = _FEW[level]
    topic = TOPICS[int(rng.integers(len(TOPICS)))]
    series: tuple[str, ...] = ()
    count = min(_between(rng, spec.bars), len(topic.pool))
    if spec.series[1] and rng.random() < 0.4:
        series = _some(rng, topic.series, 2)
        count = min(count, 5)
    axis = _axis(rng, spec.halves)
    values = _rows(rng, axis, count, 2) if series else _levels(rng, axis, count, True)
    many = len(series) or (count if rng.random() < 0.6 else 1)
    return Chart(
        "bar", topic.title, topic.noun, topic.unit, _categories(rng, topic.pool, count),
        tuple(values), _some(rng, tuple(COLORS), many), series, axis, _marks(rng, spec),
    )  # fmt: skip


def _line(rng: Rng, level: str) -> Chart:
    spec = _FEW[level]
    timed = tuple(t for t in TOPICS if t.ordered)
    topic = timed[int(rng.integers(len(timed)))]
    count = min(_between(rng, spec.points), len(topic.pool))
    n = _between(rng, spec.series)
    series = _some(rng, topic.series, n) if n > 1 else ()
    axis = _axis(rng, spec.halves)
    values = _rows(rng, axis, count, n) if series else _levels(rng, axis, count, True)
    return Chart(
        "line", topic.title, topic.noun, topic.unit, _categories(rng, topic.pool, count),
        tuple(values), _some(rng, LINES, len(series) or 1), series, axis, _marks(rng, spec),
    )  # fmt: skip


def _pie(rng: Rng, level: str) -> Chart:
    spec = _FEW[level]
    topic = SHARES[int(rng.integers(len(SHARES)))]
    count = _between(rng, spec.slices)
    # Cut the whole at steps of 5 %.
    cuts = sorted(int(i) + 1 for i in rng.permutation(19)[: count - 1])
    shares = [5 * (b - a) for a, b in zip([0, *cuts], [*cuts, 20], strict=True)]
    marks = ("legend",) if level == "medium" and rng.random() < 0.5 else ()
    printed = ("values",) if rng.integers(10) < spec.printed else ()
    return Chart(
        "pie", topic.title, topic.noun, "%", _some(rng, topic.pool, count), tuple(shares),
        _some(rng, tuple(COLORS), count), marks=marks + printed,
    )  # fmt: skip


def _table(rng: Rng, level: str) -> Chart:
    spec = _FEW[level]
    topic = TOPICS[int(rng.integers(len(TOPICS)))]
    rows = _between(rng, spec.rows)
    columns = min(_between(rng, spec.columns), len(topic.series))
    series = _some(rng, topic.series, columns)
    # Two digits at least and no two alike, so that a number names its cell.
    most = {"easy": 60, "medium": 90}[level]
    values = tuple(11 + int(i) for i in rng.permutation(most)[: rows * columns])
    return Chart(
        "table", topic.title, topic.noun, topic.unit, _categories(rng, topic.pool, rows), values,
        ("gray",), series, marks=("grid",),
    )  # fmt: skip


def _clock(rng: Rng, level: str) -> Chart:
    hour, minute = 1 + int(rng.integers(12)), 5 * int(rng.integers(12))
    marks = {"easy": ("numerals", "minutes"), "medium": ("numerals",)}[level]
    return Chart(
        "clock", "", "hand", "", ("hour", "minute"), (hour, minute), ("gray",), marks=marks
    )


def _number_line(rng: Rng, level: str) -> Chart:
    spec = _FEW[level]
    tick = int((1, 2, 5, 10, 20, 50)[int(rng.integers(6))]) * (2 if spec.halves else 1)
    labelled, ticks = {"easy": (1, 8), "medium": (2, 8)}[level]
    low = 0 if level == "easy" else tick * int(rng.integers(-6, 7))
    axis = Axis(low, low + tick * ticks, tick, tick, labelled)
    count = {"easy": 2, "medium": 3}[level]
    # Pins are as wide as one tick: whole ticks apart, none on a number that is written.
    while True:
        steps = (axis.high - axis.low) // axis.step
        at = sorted(int(i) for i in rng.permutation(steps - 1)[:count] + 1)
        if all(axis.step * (b - a) >= axis.tick for a, b in itertools.pairwise(at)):
            break
    values = [low + axis.step * at[int(i)] for i in rng.permutation(count)]
    return Chart(
        "number_line", "", "marker", "", ("A", "B", "C", "D")[:count], tuple(values),
        _some(rng, tuple(COLORS), count), axis=axis,
    )  # fmt: skip


def _geometry(rng: Rng, level: str) -> Chart:
    shapes = {
        "easy": ("rectangle", "circle", "triangle"),
        "medium": ("rectangle", "triangle", "angles"),
    }[level]
    shape = _one(rng, shapes)
    unit = "°" if shape == "angles" else _one(rng, ("cm", "m"))
    color = (_one(rng, tuple(COLORS)),)
    if shape == "angles":
        three = _angles(rng)
        return Chart("geometry", "", "side", unit, _some(rng, SHAPES[shape], 3), three, color,
                     shape=shape)  # fmt: skip
    room = SUMS[level][shape]
    found = ways(shape, room[int(rng.integers(len(room)))])
    sides = found[int(rng.integers(len(found)))]
    values = tuple(sides[int(i)] for i in rng.permutation(len(sides)))
    return Chart("geometry", "", "side", unit, SHAPES[shape], values, color, shape=shape)


def _angles(rng: Rng) -> tuple[int, int, int]:
    """Three angles, no two alike; the third, which may be asked, is as likely any."""
    third = 25 + 5 * int(rng.integers(20))
    while True:
        first = 25 + 5 * int(rng.integers((130 - third) // 5 + 1))
        if len({first, third, 180 - third - first}) == 3:
            return first, 180 - third - first, third


_KINDS: Mapping[str, Callable[[Rng, str], Chart]] = {
    "bar": _bar,
    "line": _line,
    "pie": _pie,
    "table": _table,
    "clock": _clock,
    "number_line": _number_line,
    "geometry": _geometry,
}
