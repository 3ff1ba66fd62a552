"""Rows of a table whose cells tabs part, one at a time, and where each row's picture lies.

A picture's cell has megabytes. Where it is plain, it is cut out of its line before the line is
parsed; only its place is kept. So a large table takes the memory of one row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from lvlmbench.core.errors import UserError

#: Bytes of a line, and characters of a cell, at most: a picture of 96 MB in base64.
MOST = 1 << 27
_TAB, _QUOTE = b"\t", b'"'
_FIX = "is a quotation mark left open? Save it as text with tabs, quoted as CSV is"


@dataclass(frozen=True)
class Place:
    """Where a cell lies in a file.

    Attributes
    ----------
    start, length
        Bytes of the cell; of the whole row, where ``column`` is there.
    column
        Its place in the row; None where the bytes are the cell's own.
    """

    start: int
    length: int
    column: int | None


@dataclass(frozen=True)
class Row:
    """A row, the cell of its picture left out where that is plain.

    Attributes
    ----------
    line
        Line of the file on which it begins, from 1.
    start, length
        Its bytes.
    picture
        Where the picture's cell lies; None in the header, and where there is none.
    """

    line: int
    start: int
    length: int
    cells: tuple[str, ...]
    picture: Place | None


@contextmanager
def long_cells() -> Iterator[None]:
    """Have the module csv read long cells; its limit holds for the whole process."""
    before = csv.field_size_limit(MOST)
    try:
        yield
    finally:
        csv.field_size_limit(before)


class _Lines:
    """Lines for the module csv; what was cut out of the first one of a row is in ``cut``."""

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self._file, self._shown = file, shown
        self.at, self.line = 0, 0
        self.first, self.column = True, -1
        self.cut: Place | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        raw = self._file.readline(MOST + 1)
        if not raw:
            raise StopIteration
        start, self.line = self.at, self.line + 1
        where = f"{self._shown}:{self.line}"
        if len(raw) > MOST:
            what = f"has more than {MOST >> 20} MiB in a line"
            raise UserError(where, what, "give the table as released")
        self.at += len(raw)
        if self.first:
            self.first, self.cut = False, None
            if self.column >= 0:
                raw = self._without(raw, start)
        try:
            return raw.decode("utf-8-sig" if start == 0 else "utf-8")
        except UnicodeDecodeError:
            raise UserError(where, "is not UTF-8 text", "save it as UTF-8") from None

    def _without(self, raw: bytes, start: int) -> bytes:
        """The line without the picture's cell, where nothing up to it is quoted."""
        parts = raw.split(_TAB, self.column + 1)
        before = _TAB.join(parts[: self.column])
        if len(parts) <= self.column or _QUOTE in before or _QUOTE in parts[self.column]:
            return raw
        cell = parts[self.column].rstrip(b"\r\n")
        if not cell.isascii() or b"\r" in cell:  # the module csv is to say what is wrong
            return raw
        at = len(before) + (1 if self.column else 0)
        self.cut = Place(start + at, len(cell), None)
        return raw[:at] + raw[at + len(cell) :]


def rows(path: Path, shown: str, column: str) -> Iterator[Row]:
    """Yield the header and then each row that is not blank.

    Parameters
    ----------
    shown
        The file's name in messages.
    column
        Name of the pictures' column, as the header has it but for blanks and capitals.

    Raises
    ------
    UserError
        The file cannot be read, or a line of it is no row (when it is come to).
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise UserError(shown, "is no file", "put the table there")
    try:
        with path.open("rb") as file, long_cells():
            yield from _rows(_Lines(file, shown), shown, column)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(shown, f"cannot be read ({reason})", "put the table there") from None


def _rows(lines: _Lines, shown: str, column: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter="\t")
    header = True
    while True:
        start, line = lines.at, lines.line + 1
        lines.first = True
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise UserError(f"{shown}:{line}", f"is no row ({error})", _FIX) from None
        if cells is None:
            return
        if not any(cell.strip() for cell in cells) and lines.cut is None:
            continue
        place = lines.cut
        if header:
            names = [named(cell) for cell in cells]
            lines.column = names.index(column) if column in names else -1
            header = False
        elif place is None and 0 <= lines.column < len(cells):
            place = Place(start, lines.at - start, lines.column)
            if cells[lines.column]:
                cells[lines.column] = ""
            else:
                place = None
        yield Row(line, start, lines.at - start, tuple(cells), place)


def named(cell: str) -> str:
    """Return a column's name as names are compared."""
    return "_".join(cell.split()).casefold()


def cells_of(path: Path, start: int, length: int, cut: Place | None = None) -> list[str]:
    """Return the cells of a row, as they stand there, by its bytes.

    Parameters
    ----------
    cut
        Where a plain cell lies that is left empty, as a parser takes many times its size.

    Raises
    ------
    UserError
        The file has changed since its rows were read.
    """
    raw = bytes_of(path, start, length)
    if cut is not None and cut.column is None:
        raw = raw[: cut.start - start] + raw[cut.start - start + cut.length :]
    found: list[list[str]] = []
    try:
        with long_cells():
            text = raw.decode("utf-8-sig" if start == 0 else "utf-8")
            found = [*csv.reader(io.StringIO(text, newline="\n"), delimiter="\t")]
    except (csv.Error, UnicodeDecodeError):
        raise _changed(path) from None
    if len(found) != 1:
        raise _changed(path)
    return found[0]


def bytes_of(path: Path, start: int, length: int) -> bytes:
    """Return bytes of a file.

    Raises
    ------
    UserError
        They are not there, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            raw = file.read(length)
    except OSError as error:
        raise UserError(str(path), f"cannot be read ({error.strerror})", "put it back") from None
    if len(raw) < length:
        raise _changed(path)
    return raw


def _changed(path: Path) -> UserError:
    return UserError(str(path), "has changed while it was read", "run it again")
