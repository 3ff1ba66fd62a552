"""Heat maps of accuracies: models side by side, one row a group, shaded by the way from guessing.

Everything is placed in inches, since numbers and names must fit their cells however many there
are. Cells keep their colors in the report's dark mode: the numbers on them are made for these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.analysis.tasks import Grid, above_chance, reaches_chance
from lvlmbench.stages.figures import plotting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: From guessing to all right; each darker than the one before, so that gray print keeps the order.
STOPS = ("#f1f5f9", "#c9dbec", "#8fb6da", "#4d87bd", "#1f5a94", "#0c2f57")
#: Below guessing: as light as guessing itself, but warm.
BELOW = "#fbe9d2"
#: Numbers on light and on dark cells.
DARK, LIGHT = "#020305", "#fefeff"

#: Size of numbers and of names, in points.
_NUMBER, _NAME, _NOTE = 6.6, 7.6, 7.4
_ROW, _MARGIN, _GAP = 0.205, 0.12, 0.09
_NARROW, _WIDE = 0.33, 0.72
#: What rows of cells are at least as wide as, and the whole figure.
_CELLS, _LEAST = 2.6, 6.2
_LINE = 0.19
#: Longest name of a model that is shown whole, in characters.
_LONGEST = 26


@dataclass(frozen=True)
class Layout:
    """Where things are, in inches from the left and from the bottom."""

    width: float
    height: float
    left: float
    bottom: float
    cell: float
    rows: int
    #: Left end of each column of cells, and what follows the cells.
    columns: list[float]
    beside: float


@dataclass(frozen=True)
class Map:
    """What a heat map shows.

    Attributes
    ----------
    grid
        The numbers.
    models
        Blocks of columns, left to right: models that stand for different things lie apart.
    groups, labels
        Rows from top to bottom and their names as readers see them.
    notes
        Lines above the map, the color scale before them.
    first
        Models and groups whose numbers stand in bold.
    """

    grid: Grid
    models: Sequence[Sequence[str]]
    groups: Sequence[str]
    labels: Sequence[str]
    notes: Sequence[str]
    first: Collection[tuple[str, str]] = ()

    @property
    def names(self) -> list[str]:
        """Return all columns."""
        return [model for block in self.models for model in block]


def _channels(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def shade(above: float) -> str:
    """Return color of a cell so far from guessing (0) to all right (1)."""
    if above < 0:
        return BELOW
    place = min(above, 1.0) * (len(STOPS) - 1)
    i = min(int(place), len(STOPS) - 2)
    low, high = _channels(STOPS[i]), _channels(STOPS[i + 1])
    mixed = (round(a + (b - a) * (place - i)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def luminance(color: str) -> float:
    """Return relative luminance of a color, 0 to 1 (WCAG 2.2)."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4
              for c in _channels(color)]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(color: str) -> str:
    """Return the ink, dark or light, that stands out more from a cell."""
    on = luminance(color)
    dark = (on + 0.05) / (luminance(DARK) + 0.05)
    return DARK if dark >= (luminance(LIGHT) + 0.05) / (on + 0.05) else LIGHT


def short(names: Sequence[str], longest: int = _LONGEST) -> list[str]:
    """Return names cut in the middle, as far as they stay distinct."""
    for limit in range(longest, max(map(len, names), default=0)):
        head = (limit - 1) // 2
        cut = [
            n if len(n) <= limit else f"{n[:head]}\u2026{n[len(n) - (limit - 1 - head) :]}"
            for n in names
        ]
        if len(set(cut)) == len(set(names)):
            return cut
    return list(names)


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return width of a text in the figures' font, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not text.strip():
        return 0.0
    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return float(TextPath((0, 0), text, prop=font).vertices[:, 0].max()) / 72


def number(value: Value | None, chance: float | None) -> str:
    """Return a cell's text: whole percent, in brackets where the interval holds guessing."""
    if value is None or value.value is None:
        return ""
    text = f"{value.value:.0f}"
    return f"({text})" if chance is not None and reaches_chance(value, chance) else text


def draw(shown: Map, beside: float = 0.0) -> tuple[Figure, Axes, Layout]:
    """Draw the map, with ``beside`` inches to its right for something along its rows.

    The axes are in inches of the figure, the middle of row i at ``layout.bottom`` +
    (rows - i - 0.5) rows; what is drawn beside begins at ``layout.beside``.
    """
    from matplotlib.figure import Figure

    names = short(shown.names)
    place = _layout(shown, names, beside)
    made = Figure(figsize=(place.width, place.height))
    ax = made.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, place.width)
    ax.set_ylim(0, place.height)
    ax.set_axis_off()
    _names(ax, shown, names, place)
    for row, group in enumerate(shown.groups):
        y = place.bottom + (place.rows - row - 1) * _ROW
        for x, model in zip(place.columns, shown.names, strict=True):
            weight = "bold" if (model, group) in shown.first else "normal"
            _cell(ax, shown.grid, model, group, (x, y, place.cell), weight)
        _facts(ax, shown.grid, group, place, y)
    _key(ax, shown.notes, place)
    return made, ax, place


def row_middle(place: Layout, row: float) -> float:
    """Return height of the middle of a row, counted from the top."""
    return place.bottom + (place.rows - row - 0.5) * _ROW


def _layout(shown: Map, names: Sequence[str], beside: float) -> Layout:
    count = len(names)
    left = _MARGIN + max(text_width(label, _NAME) for label in shown.labels) + 0.08
    cell = min(max(_CELLS / count, _NARROW), _WIDE)
    columns, x = [], left
    for block in shown.models:
        columns += [x + i * cell for i in range(len(block))]
        x += len(block) * cell + (_GAP if block else 0)
    facts = x + 2 * _NARROW + 0.08
    notes = _MARGIN * 2 + max(text_width(note, _NOTE) for note in shown.notes)
    width = max(facts + beside + _MARGIN, notes, _LEAST)
    header = max(text_width(name, _NAME) for name in (*names, "guessing"))
    key = _LINE * (len(shown.notes) + 2) + 0.1
    rows = len(shown.groups)
    bottom = _MARGIN + (0.42 if beside else 0.0)
    height = bottom + rows * _ROW + header + 0.12 + key + _MARGIN
    return Layout(width, height, left, bottom, cell, rows, columns, facts)


def _names(ax: Axes, shown: Map, names: Sequence[str], place: Layout) -> None:
    top = place.bottom + place.rows * _ROW + 0.07
    ends = [*((x + place.cell / 2, name) for x, name in zip(place.columns, names, strict=True)),
            (place.beside - 0.08 - 1.5 * _NARROW, "guessing"),
            (place.beside - 0.08 - 0.5 * _NARROW, "questions")]  # fmt: skip
    for i, (x, name) in enumerate(ends):
        color = plotting.INK if i < len(names) else plotting.MUTED
        ax.text(x, top, name, rotation=90, ha="center", va="bottom", fontsize=_NAME, color=color)
    for row, label in enumerate(shown.labels):
        y = row_middle(place, row)
        ax.text(place.left - 0.08, y, label, ha="right", va="center_baseline", fontsize=_NAME)


def _cell(
    ax: Axes, grid: Grid, model: str, group: str, at: tuple[float, float, float], weight: str
) -> None:
    from matplotlib.patches import Rectangle

    x, y, width = at
    value, chance = grid.values.get(model, {}).get(group), grid.chance.get(group)
    inset = 0.008
    corner, size = (x + inset, y + inset), (width - 2 * inset, _ROW - 2 * inset)
    if value is None or value.value is None:
        ax.add_patch(
            Rectangle(corner, *size, fc=plotting.PAPER, ec=plotting.FLOOR, lw=0.5, hatch="//////")
        )
        return
    color = shade(above_chance(value.value, chance or 0.0))
    ax.add_patch(Rectangle(corner, *size, fc=color, lw=0))
    ax.text(
        x + width / 2, y + _ROW / 2, number(value, chance), ha="center", va="center_baseline",
        fontsize=_NUMBER, fontweight=weight, color=ink_on(color),
    )  # fmt: skip


def _facts(ax: Axes, grid: Grid, group: str, place: Layout, y: float) -> None:
    """What guessing gets and how many questions there are, right of the cells."""
    chance, asked = grid.chance.get(group), grid.asked.get(group)
    texts = ("" if chance is None else f"{chance:.0f}", "" if asked is None else f"{asked:,}")
    for i, text in enumerate(texts):
        ax.text(
            place.beside - 0.08 - (1.5 - i) * _NARROW, y + _ROW / 2, text, ha="center",
            va="center_baseline", fontsize=_NUMBER, color=plotting.MUTED,
        )  # fmt: skip


def _key(ax: Axes, notes: Sequence[str], place: Layout) -> None:
    """The color scale and what the marks mean, at the top."""
    from matplotlib.patches import Rectangle

    y = place.height - _MARGIN - _LINE
    x = _MARGIN
    write: Callable[..., object] = ax.text

    def say(text: str) -> None:
        nonlocal x
        write(x, y + 0.075, text, va="center_baseline", fontsize=_NOTE, color=plotting.MUTED)
        x += text_width(text, _NOTE) + 0.07

    say("below guessing")
    ax.add_patch(Rectangle((x, y), 0.22, 0.15, fc=BELOW, lw=0))
    x += 0.3
    say("guessing")
    steps = 48
    for i in range(steps):
        # Overlapping a little, else viewers show seams.
        wide = 1.5 / steps * (1 if i == steps - 1 else 1.3)
        color = shade((i + 0.5) / steps)
        ax.add_patch(Rectangle((x + 1.5 * i / steps, y), wide, 0.15, fc=color, lw=0))
    x += 1.58
    say("all right")
    y, x = y - _LINE, _MARGIN
    for note in notes:
        say(note)
        y, x = y - _LINE, _MARGIN
    say("(62)  95% interval holds guessing, or none known")
    x += 0.2
    hatched = Rectangle(
        (x, y), 0.22, 0.15, fc=plotting.PAPER, ec=plotting.FLOOR, lw=0.5, hatch="//////"
    )
    ax.add_patch(hatched)
    x += 0.3
    say("not asked, or not scored")
