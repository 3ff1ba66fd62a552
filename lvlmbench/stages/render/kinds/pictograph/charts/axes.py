"""Titles, legends, and the plot with its axis that bars and lines share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lvlmbench.scene.charts import COLORS, Axis, Chart
from lvlmbench.stages.render.kinds.pictograph.charts.card import SMALLEST, Card, Seen, box_of, way

#: The part that shows the axis, from its lowest to its highest number.
AXIS = "axis"


@dataclass(frozen=True)
class Plot:
    """Where values and categories lie, in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    axis: Axis
    categories: int

    @property
    def slot(self) -> float:
        """Width that each category has."""
        return (self.right - self.left) / self.categories

    def x(self, category: int) -> float:
        """Return the middle of a category."""
        return self.left + self.slot * (category + 0.5)

    def y(self, value: int) -> float:
        """Return the height of a value."""
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return self.bottom - share * (self.bottom - self.top)


def headed(card: Card, chart: Chart) -> float:
    """Write the title; return where what is below it may begin."""
    if not chart.title:
        return card.u * 4
    text = f"{chart.title} ({chart.unit})" if chart.unit else chart.title
    size = card.fitting((text,), card.width * 0.9, card.u * 5)
    card.word((card.width / 2, card.u * 6), text, size)
    return card.u * 10.5


def legend(card: Card, top: float, entries: list[tuple[str, str]]) -> float:
    """Draw colored squares with names in one row; return where what is below may begin."""
    names = tuple(name for name, _ in entries)
    each = card.width * 0.9 / len(entries)
    size = card.fitting(names, each - card.u * 6.5, card.u * 4.2)
    widths = [card.length(name, size) + card.u * 8 for name in names]
    x = (card.width - sum(widths) + card.u * 2) / 2
    for (name, color), width in zip(entries, widths, strict=True):
        card.shape(
            box_of(x, top, x + card.u * 4, top + card.u * 4),
            COLORS[color], card.look.ink, card.u * 0.25,
        )  # fmt: skip
        card.word((x + card.u * 5.2, top + card.u * 2), name, size, "lm")
        x += width
    return top + card.u * 7


def plot(card: Card, chart: Chart) -> Plot:
    """Draw title, legend, axis, grid and names of categories."""
    axis = chart.axis
    assert axis is not None
    top = headed(card, chart)
    if chart.series:
        top = legend(card, top, list(zip(chart.series, chart.colors, strict=True)))
    u, look = card.u, card.look
    size = round(max(4.0 * u, 9))
    wide = max(card.length(str(n), size) for n in axis.numbers)
    left = wide + 6 * u
    top += 3.5 * u if "values" in chart.marks else 0
    n, room = len(chart.categories), (card.width - 4 * u - left) / len(chart.categories) - 1.2 * u
    # Names that are too wide to stand side by side stand in two lines by turns, or in three.
    longest = max(card.length(name, SMALLEST) for name in chart.categories)
    lines = 1 + (longest > room) + (longest > 2 * room)
    letters = card.fitting(chart.categories, lines * room, 4.2 * u)
    foot = card.height - (9.5 + 5 * (lines - 1)) * u
    found = Plot(left, top + 3.5 * u, card.width - 4 * u, foot, axis, n)
    for at, number in enumerate(axis.numbers):
        y = found.y(number)
        if "grid" in chart.marks:
            card.shape(way([(left, y), (found.right, y)]), "none", look.faint, 0.35 * u)
        card.shape(way([(left - 1.6 * u, y), (left, y)]), "none", look.ink, 0.4 * u)
        if at % axis.labelled == 0:
            card.word((left - 2.4 * u, y), str(number), size, "rm")
    for at, name in enumerate(chart.categories):
        card.word((found.x(at), found.bottom + (4.2 + 5 * (at % lines)) * u), name, letters)
    return found


def edges(card: Card, found: Plot) -> None:
    """Draw the axis and the base line, before whatever stands on them."""
    u, look = card.u, card.look
    card.shape(
        box_of(found.left - 0.6 * u, found.top, found.left, found.bottom), look.ink, part=AXIS
    )
    base = box_of(found.left - 0.6 * u, found.bottom, found.right, found.bottom + 0.5 * u)
    card.shape(base, look.ink)


def read(axis: Axis, seen: Mapping[str, Seen], y: float) -> float:
    """Return the value at a height in pixels."""
    _, top, _, bottom = seen[AXIS].box
    return axis.low + (bottom - y) / (bottom - top) * (axis.high - axis.low)
