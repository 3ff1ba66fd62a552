"""Tables of numbers as sections of the report show them: a line a model, a column a measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.analysis.leaderboard_rows import Kind


@dataclass(frozen=True)
class Column:
    """A column of numbers: its heading, the measure in it, and how it is written."""

    words: str
    measure: str
    stratum: str = ALL
    digits: int = 1
    signed: bool = False


@dataclass(frozen=True)
class Row:
    """A line: a model, what of it the line is about, and a number a column."""

    model: str
    kind: Kind
    about: str
    numbers: list[Number | None]

    @property
    def told(self) -> Number | None:
        """Return the first number there is: it knows how many answers were asked for."""
        return next((each for each in self.numbers if each is not None), None)


@dataclass(frozen=True)
class Grid:
    """A table; false where it has no number. Columns and lines without any are left out."""

    columns: list[Column]
    rows: list[Row]

    def __bool__(self) -> bool:
        """Return whether there is a number."""
        return bool(self.rows)


def _known(number: Number | None) -> bool:
    return number is not None and (number.value, number.low, number.high) != (None, None, None)


def grid(columns: Sequence[Column], rows: Iterable[Row]) -> Grid:
    """Return a table without the columns and lines that have no number; where answers were asked
    for and none could be judged, with the columns that would have one."""
    kept = [row for row in rows if any(each is not None for each in row.numbers)]
    known = [any(_known(row.numbers[i]) for row in kept) for i in range(len(columns))]
    asked = [any(row.numbers[i] is not None for row in kept) for i in range(len(columns))]
    used = known if any(known) else asked

    def those(cells: Sequence[Number | None]) -> list[Number | None]:
        return [cell for cell, is_used in zip(cells, used, strict=True) if is_used]

    shown = [column for column, is_used in zip(columns, used, strict=True) if is_used]
    return Grid(shown, [Row(r.model, r.kind, r.about, those(r.numbers)) for r in kept])
