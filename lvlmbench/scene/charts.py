"""What a chart or diagram shows, in plain columns: numbers, words and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NoReturn

from lvlmbench.core.errors import UserError
from lvlmbench.scene import palette

#: Colors of bars, lines and slices, apart enough to be told from one another and from the paper.
COLORS: Mapping[str, str] = {
    name: fill for name, fill in palette.COLORS.items() if name not in ("black", "white")
}

#: What can be drawn to help the reader.
MARKS = ("grid", "values", "numerals", "minutes", "legend")

#: Sides of each shape, named by their ends; a circle has its radius.
SHAPES: Mapping[str, tuple[str, ...]] = {
    "triangle": ("AB", "BC", "CA"),
    "rectangle": ("AB", "BC"),
    "circle": ("radius",),
    "angles": ("A", "B", "C"),
}

#: What many small shapes can be.
GLYPHS = ("circle", "square", "triangle", "star", "cross", "heart")

#: Fewest and most categories of a kind, and most series.
ROOM: Mapping[str, tuple[int, int, int]] = {
    "bar": (2, 16, 2),
    "line": (3, 24, 3),
    "pie": (2, 6, 0),
    "table": (2, 8, 5),
    "clock": (2, 2, 0),
    "number_line": (1, 4, 0),
    "geometry": (1, 3, 0),
    "shapes": (1, 4, 3),
}

#: Bars, points or cells that one chart has room for, and small shapes.
MOST_VALUES = 48
_MOST_BARS = 16

#: Categories from which on a chart is crowded.
_CROWD = 7

#: Letters of a category or series that can be read beside its bar.
LONGEST = 9


@dataclass(frozen=True)
class Axis:
    """A scale: from ``low`` to ``high``, a tick every ``tick``, every ``labelled``-th with its
    number; values are multiples of ``step`` above ``low``."""

    low: int
    high: int
    tick: int
    step: int
    labelled: int = 1

    @property
    def numbers(self) -> tuple[int, ...]:
        """Where the ticks are."""
        return tuple(range(self.low, self.high + 1, self.tick))


@dataclass(frozen=True)
class Chart:
    """One chart or diagram.

    Attributes
    ----------
    kind
        What it is, a key of :data:`ROOM`.
    title, noun, unit
        What is written above it, what one category is called, and in what values are given.
    categories, series
        What has values; ``series`` are several lines or bars of each category, or columns of a
        table, and empty where each category has one value. Of shapes: what they are, and their
        colors; values say how many there are of each.
    values
        Category by category, the series of each in turn.
    colors
        Names, one a series, one a category, or one for all.
    axis
        Of bars, lines and number lines.
    marks
        Those of :data:`MARKS` that are drawn.
    shape
        Of geometry: a key of :data:`SHAPES`.
    """

    kind: str
    title: str
    noun: str
    unit: str
    categories: tuple[str, ...]
    values: tuple[int, ...]
    colors: tuple[str, ...]
    series: tuple[str, ...] = ()
    axis: Axis | None = None
    marks: tuple[str, ...] = ()
    shape: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What each value belongs to: a category, or series and category."""
        if not self.series:
            return self.categories
        return tuple(f"{s}: {c}" for c in self.categories for s in self.series)

    @property
    def crowded(self) -> bool:
        """Whether there are so many parts that one counts them rather than reads each."""
        return self.kind == "shapes" or len(self.categories) >= _CROWD

    def value(self, category: str, series: str | None = None) -> int:
        """Return one value."""
        at = self.categories.index(category)
        if not self.series:
            return self.values[at]
        return self.values[at * len(self.series) + self.series.index(series or "")]

    def color(self, number: int) -> str:
        """Return the name of the color of a value, by its place."""
        if len(self.colors) == 1:
            return self.colors[0]
        return self.colors[number % len(self.series) if self.series else number]

    def row(self) -> dict[str, Any]:
        """Return the chart as JSON and Arrow have it."""
        found = asdict(self)
        return {k: list(v) if isinstance(v, tuple) else v for k, v in found.items()}

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Chart:
        """Return the chart of a row as :meth:`row` gives it."""
        given = {f.name: row[f.name] for f in fields(cls)}
        axis = given.pop("axis")
        plain: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in given.items()
        }
        return cls(axis=None if axis is None else Axis(**axis), **plain)


def check(chart: Chart, where: str = "chart") -> None:
    """Refuse what cannot be drawn or read, in one line.

    Raises
    ------
    UserError
        Something is wrong with the chart.
    """

    def wrong(what: str, fix: str) -> NoReturn:
        raise UserError(where, what, fix)

    if chart.kind not in ROOM:
        wrong(f"'{chart.kind}' is no kind of chart", f"use one of: {', '.join(ROOM)}")
    _check_names(chart, wrong)
    for name in chart.colors:
        if name not in COLORS:
            wrong(f"'{name}' is no color of charts", f"use one of: {', '.join(COLORS)}")
    for mark in chart.marks:
        if mark not in MARKS:
            wrong(f"'{mark}' is no mark of charts", f"use one of: {', '.join(MARKS)}")
    if len(chart.colors) not in (1, len(chart.series or chart.categories)):
        wrong(f"{len(chart.colors)} colors", "give one for all, or one for each")
    if len(chart.values) != len(chart.names):
        wrong(f"{len(chart.values)} values for {len(chart.names)} places", "give one for each")
    _CHECKS[chart.kind](chart, wrong)


Wrong = Callable[[str, str], NoReturn]


def _check_names(chart: Chart, wrong: Wrong) -> None:
    least, most, series = ROOM[chart.kind]
    for what, names in (("category", chart.categories), ("series", chart.series)):
        for name in names:
            if not name.strip() or not name.isprintable() or len(name) > LONGEST:
                wrong(f"{what} '{name}'", f"use a name of 1 to {LONGEST} letters")
            if names.count(name) > 1:
                wrong(f"{what} '{name}' stands there twice", "give each its own name")
    if not least <= len(chart.categories) <= most:
        wrong(
            f"{len(chart.categories)} categories", f"a {chart.kind} chart reads with {least}-{most}"
        )
    if len(chart.series) > series:
        wrong(f"{len(chart.series)} series", f"{chart.kind}: give at most {series}")
    if len(chart.names) > (_MOST_BARS if chart.kind == "bar" else MOST_VALUES):
        wrong(f"{len(chart.names)} values", "leave some out: they cannot be read")


def _check_axis(chart: Chart, wrong: Wrong) -> None:
    axis = chart.axis
    if axis is None:
        wrong("no axis", "give low, high, tick and step")
    if axis.tick < 1 or axis.step < 1 or axis.tick % axis.step:
        wrong(f"ticks of {axis.tick}, steps of {axis.step}", "let whole steps make up a tick")
    if axis.high <= axis.low or (axis.high - axis.low) % axis.tick:
        wrong(f"an axis from {axis.low} to {axis.high}", f"let it hold whole ticks of {axis.tick}")
    if not 1 <= axis.labelled < len(axis.numbers) or (len(axis.numbers) - 1) % axis.labelled:
        wrong(f"a number at every {axis.labelled}th tick", "let both ends have one")
    for name, value in zip(chart.names, chart.values, strict=True):
        if not axis.low <= value <= axis.high:
            wrong(f"{name} is {value}", f"keep within the axis, {axis.low} to {axis.high}")
        if (value - axis.low) % axis.step:
            wrong(f"{name} is {value}", f"use whole steps of {axis.step} from {axis.low}")


def _check_plot(chart: Chart, wrong: Wrong) -> None:
    _check_axis(chart, wrong)
    n = len(chart.series)
    for at, category in enumerate(chart.categories):
        points = chart.values[at * n : (at + 1) * n]
        if chart.kind == "line" and len(set(points)) < n:
            wrong(f"two lines meet at {category}", "let each point be seen")


def _check_number_line(chart: Chart, wrong: Wrong) -> None:
    _check_axis(chart, wrong)
    if len(set(chart.values)) < len(chart.values):
        wrong("two markers on one place", "let each be seen")


def _check_pie(chart: Chart, wrong: Wrong) -> None:
    for name, value in zip(chart.categories, chart.values, strict=True):
        if value < 1:
            wrong(f"{name} has a share of {value} %", "use shares of at least 1 %")
    if sum(chart.values) != 100:
        wrong(f"shares add up to {sum(chart.values)} %", "let them add up to 100 %")
    if len(set(chart.colors)) < len(chart.categories):
        wrong("two slices of one color", "give each slice its own")


def _check_table(chart: Chart, wrong: Wrong) -> None:
    if len(chart.series) < 1:
        wrong("a table without columns", "name its columns as series")
    for name, value in zip(chart.names, chart.values, strict=True):
        if not -99999 <= value <= 99999:
            wrong(f"{name} is {value}", "use at most 5 digits")


def _check_clock(chart: Chart, wrong: Wrong) -> None:
    if chart.categories != ("hour", "minute"):
        wrong(f"hands {', '.join(chart.categories)}", "a clock has the hands hour and minute")
    hour, minute = chart.values
    if not 1 <= hour <= 12:
        wrong(f"{hour} h", "use 1 to 12 on a dial")
    if not 0 <= minute <= 59:
        wrong(f"{minute} min", "use 0 to 59")


def _check_geometry(chart: Chart, wrong: Wrong) -> None:
    if chart.shape not in SHAPES:
        wrong(f"'{chart.shape}' is no shape", f"use one of: {', '.join(SHAPES)}")
    names = SHAPES[chart.shape]
    found = chart.categories
    # The last angle is the one that is not written: it may be at any corner.
    if (tuple(sorted(found)) if chart.shape == "angles" else found) != names:
        wrong(f"sides {', '.join(chart.categories)}", f"a {chart.shape} has {', '.join(names)}")
    for name, value in zip(chart.categories, chart.values, strict=True):
        if value < 1:
            wrong(f"{name} is {value}", "use lengths and angles above 0")
    if chart.shape == "angles" and sum(chart.values) != 180:
        wrong(f"angles add up to {sum(chart.values)}°", "let them add up to 180°")
    if chart.shape == "triangle" and 2 * max(chart.values) >= sum(chart.values):
        wrong(f"sides {chart.values}", "let the longest be shorter than the other two together")
    if max(chart.values) > 8 * min(chart.values):
        wrong(f"sides or angles {chart.values}", "let the largest be at most 8 times the smallest")


def _check_shapes(chart: Chart, wrong: Wrong) -> None:
    for names, known in ((chart.categories, GLYPHS), (chart.series, tuple(COLORS))):
        for name in names:
            if name not in known:
                wrong(f"'{name}' is no small shape's", f"use one of: {', '.join(known)}")
    if chart.series and chart.colors != chart.series:
        wrong(f"colors {', '.join(chart.colors)}", "name the same as the series do")
    if min(chart.values) < 0 or not 1 <= sum(chart.values) <= MOST_VALUES:
        wrong(f"{sum(chart.values)} shapes", f"draw 1 to {MOST_VALUES}")


_CHECKS: Mapping[str, Callable[[Chart, Wrong], None]] = {
    "bar": _check_plot,
    "line": _check_plot,
    "pie": _check_pie,
    "table": _check_table,
    "clock": _check_clock,
    "number_line": _check_number_line,
    "geometry": _check_geometry,
    "shapes": _check_shapes,
}
