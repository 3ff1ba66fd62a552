"""Tables as figures: what stands in them, and how it is put on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.sheet import LEADING, Sheet
from lvlmbench.stages.figures.typeset import Weight, one_line, width, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Sizes of letters in points, and distances.
_SIZE, _SMALL, _FOOT = 9.0, 6.6, 7.2
_MARGIN, _GAP, _INDENT = 10.0, 14.0, 11.0
_ABOVE, _BELOW = 3.5, 3.5
#: Longer texts are cut: nobody vouches for how long a name is.
WIDEST = 240.0
#: How far the color of a cell reaches beyond its column.
_AROUND = _GAP / 2 - 1
#: Opacity of that color at the worst rank, and what the best adds: paler below gray small print,
#: which must stay readable on it.
DEEP, PALE = (0.05, 0.33), (0.02, 0.1)


#: Behind the heading of a column whose lowest, or highest, value is the best.
DOWN, UP = "\N{DOWNWARDS ARROW}", "\N{UPWARDS ARROW}"


def signed(value: float, digits: int) -> str:
    """Return a difference with its sign, and a real minus."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def by_rank(values: Sequence[float | None], highest: bool | None) -> list[float | None]:
    """Return a shade for each value, from 0 (the worst rank) to 1 (the best), ties alike.

    Ranks and not values, as a few large numbers of SQ would leave all others the same. None is
    shaded where neither end of the column is the better one, or where one value stands alone.
    """
    known = [v for v in values if v is not None]
    if highest is None or len(known) < 2:
        return [None] * len(values)
    order = sorted(set(known), reverse=not highest)
    return [None if v is None else order.index(v) / max(len(order) - 1, 1) for v in values]


@dataclass(frozen=True)
class Cell:
    """One cell: ``aside`` follows the text, ``mark`` hangs behind it, ``notes`` stand below it:
    smaller and in gray, or as the text is where they are its next lines (``running``).

    ``shade`` between 0 and 1 colors it; ``quiet`` prints ``aside`` in gray.
    """

    text: str = ""
    aside: str = ""
    mark: str = ""
    notes: tuple[str, ...] = ()
    bold: bool = False
    quiet: bool = False
    indent: bool = False
    running: bool = False
    shade: float | None = None


@dataclass(frozen=True)
class Column:
    """Head of a column; neighbours of one ``group`` share a heading above."""

    head: str
    align: Literal["left", "right"] = "right"
    group: str = ""


@dataclass(frozen=True)
class Row:
    """Cells, one a column; all of them in gray where it is ``muted``."""

    cells: tuple[Cell, ...]
    muted: bool = False


@dataclass(frozen=True)
class Heading:
    """Words across the table, below a rule."""

    text: str


@dataclass(frozen=True)
class Table:
    """A table: ``notes`` are sentences below it. Text is laid out as it is, whatever it says."""

    title: str
    columns: Sequence[Column]
    lines: Sequence[Row | Heading]
    notes: Sequence[str] = field(default=())

    @property
    def rows(self) -> list[Row]:
        """Return the rows without headings."""
        return [line for line in self.lines if isinstance(line, Row)]


@dataclass(frozen=True)
class _Place:
    """Where a column stands: its edges, and widths of what stands behind the text."""

    left: float
    right: float
    aside: float
    mark: float


def _weight(cell: Cell) -> Weight:
    return "bold" if cell.bold else "normal"


def _text(cell: Cell) -> str:
    return "".join(wrap(cell.text, WIDEST, _SIZE, _weight(cell), most=1))


def _below(cell: Cell) -> list[str]:
    return ["".join(wrap(note, WIDEST, _noted(cell), most=1)) for note in cell.notes]


def _noted(cell: Cell) -> float:
    """Return the size of what stands below the text."""
    return _SIZE if cell.running else _SMALL


def _places(table: Table) -> list[_Place]:
    """Each column as wide as what stands in it."""
    wide, behind = [], []
    for i, column in enumerate(table.columns):
        cells = [row.cells[i] for row in table.rows]
        aside = max([0.0, *(width(f" {one_line(c.aside)}", _SIZE) for c in cells if c.aside)])
        mark = max([0.0, *(width(one_line(c.mark), _SIZE) for c in cells)])
        text = max([0.0, *(width(_text(c), _SIZE, _weight(c)) for c in cells)])
        indent = _INDENT if any(c.indent for c in cells) else 0.0
        notes = [width(n, _noted(c)) for c in cells for n in _below(c)]
        head = width(one_line(column.head), _SIZE, "bold")
        wide.append(mark + max([text + indent + aside, head, *notes]))
        behind.append((aside, mark))
    for group, members in groups(table.columns):
        lacking = width(one_line(group), _SIZE) - sum(wide[i] + _GAP for i in members) + _GAP
        for i in members:
            wide[i] += max(lacking, 0.0) / len(members)
    out, x = [], _MARGIN
    for space, (aside, mark) in zip(wide, behind, strict=True):
        out.append(_Place(x, x + space, aside, mark))
        x += space + _GAP
    return out


def groups(columns: Sequence[Column]) -> list[tuple[str, list[int]]]:
    """Return neighbours that share a heading."""
    found = groupby(range(len(columns)), lambda i: columns[i].group)
    return [(group, list(members)) for group, members in found if group]


def _cell(sheet: Sheet, place: _Place, column: Column, cell: Cell, y: float, muted: bool) -> None:
    color = plotting.MUTED if muted else plotting.INK
    text, notes, size = _text(cell), _below(cell), _noted(cell)
    below = color if cell.running else plotting.MUTED
    if column.align == "left":
        x = place.left + (_INDENT if cell.indent else 0.0)
        sheet.text(x, y, text, _SIZE, color, _weight(cell))
        for i, note in enumerate(notes):
            sheet.text(x, y + (i + 1) * LEADING * size, note, size, below)
        return
    end = place.right - place.mark
    aside = plotting.MUTED if cell.quiet else color
    sheet.text(end - place.aside, y, text, _SIZE, color, _weight(cell), "right")
    sheet.text(end, y, cell.aside, _SIZE, aside, align="right")
    sheet.text(end, y, cell.mark, _SIZE, color)
    for i, note in enumerate(notes):
        sheet.text(end, y + (i + 1) * LEADING * size, note, size, below, align="right")


def _end(table: Table, places: list[_Place]) -> float:
    """Where the rules end: the last column, or the color of its cells."""
    shaded = any(row.cells[-1].shade is not None for row in table.rows)
    return places[-1].right + (_AROUND if shaded else 0.0)


def _head(sheet: Sheet, table: Table, places: list[_Place], y: float) -> float:
    end = _end(table, places)
    sheet.rule(_MARGIN, end, y, plotting.INK, 1.1)
    shared = groups(table.columns)
    for group, members in shared:
        left, right = places[members[0]].left, places[members[-1]].right
        sheet.text((left + right) / 2, y + 12, group, _SIZE, plotting.MUTED, align="center")
        sheet.rule(left, right, y + 16.5, plotting.GRID)
    y += 16.5 if shared else 0.0
    for column, place in zip(table.columns, places, strict=True):
        if column.align == "left":
            sheet.text(place.left, y + 13, column.head, _SIZE, weight="bold")
        else:
            x = place.right - place.mark
            sheet.text(x, y + 13, column.head, _SIZE, weight="bold", align="right")
    sheet.rule(_MARGIN, end, y + 18, plotting.INK, 0.7)
    return y + 18 + 2


def _high(row: Row) -> float:
    notes = max((len(c.notes) * LEADING * _noted(c) for c in row.cells), default=0.0)
    return _ABOVE + _SIZE + notes + _BELOW


def _line(sheet: Sheet, table: Table, places: list[_Place], row: Row, y: float) -> float:
    high = _high(row)
    for column, place, cell in zip(table.columns, places, row.cells, strict=True):
        if cell.shade is not None:
            least, more = PALE if cell.notes else DEEP
            sheet.box(
                place.left - _AROUND, y + 0.5, place.right - place.left + 2 * _AROUND, high - 1,
                plotting.MODELS[0], least + more * cell.shade,
            )  # fmt: skip
        _cell(sheet, place, column, cell, y + _ABOVE + 0.87 * _SIZE, row.muted)
    return y + high


def draw(table: Table) -> Figure:
    """Draw the table on a page of its size, under :func:`.plotting.settings`."""
    places = _places(table)
    end = _end(table, places)
    least = min(width(one_line(table.title), 10, "bold"), 3 * WIDEST)
    sheet = Sheet(max(end, _MARGIN + least, _MARGIN + 260.0) + _MARGIN)
    room = sheet.width - 2 * _MARGIN
    y = sheet.paragraph(_MARGIN, _MARGIN, room, table.title, 10, weight="bold", most=2) + 5
    y = _head(sheet, table, places, y)
    for before, line in zip([None, *table.lines], table.lines, strict=False):
        if isinstance(line, Heading):
            y += 3
            sheet.rule(_MARGIN, end, y, plotting.INK, 0.7)
            sheet.text(_MARGIN, y + 13, line.text, _SIZE, plotting.MUTED, style="italic")
            y += 19
            continue
        if isinstance(before, Row) and any(c.notes for c in line.cells):
            sheet.rule(_MARGIN, end, y, plotting.GRID, 0.6)
        y = _line(sheet, table, places, line, y)
    sheet.rule(_MARGIN, end, y + 2, plotting.INK, 1.1)
    y += 7
    for note in table.notes:
        y = sheet.paragraph(_MARGIN, y, room, note, _FOOT, plotting.MUTED) + 1
    return sheet.figure(y + _MARGIN - 4)
