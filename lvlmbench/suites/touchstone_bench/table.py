"""The released questions in a user's table, and what is wrong with it."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from lvlmbench.core.decoding import Held
from lvlmbench.core.errors import UserError
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.given.told import Told
from lvlmbench.suites.touchstone_bench.lines import (
    MOST,
    Place,
    Row,
    bytes_of,
    cells_of,
    named,
    rows,
)
from lvlmbench.suites.touchstone_bench.names import tasks_of

#: Columns as released; all but ``category`` are needed.
INDEX, IMAGE, QUESTION, TASK = "index", "image", "question", "task_name"
ANNOTATION, REFERENCE, CATEGORY = "human_annotation", "gpt4_ha_answer", "category"
NEEDED = (INDEX, IMAGE, QUESTION, ANNOTATION, REFERENCE, TASK)
#: Ending of the files that hold such a table.
SUFFIX = ".tsv"

#: Characters of an index, a name of a task and any other text at most.
_SHORT, _LONGEST = 200, 100_000
#: What programs write for a text that is not there.
_MISSING = ("", "nan")
_FIX = "fix the row or remove it"
_DATA_URL = b"data:"


@dataclass(frozen=True)
class Asked:
    """A question of the table.

    Attributes
    ----------
    index
        As the table has it.
    file, line
        Where its row begins.
    task
        Its subtask.
    name, category
        ``task_name`` and ``category`` as they stand there.
    row
        First byte and number of bytes of its row.
    """

    index: str
    file: str
    line: int
    task: str
    name: str
    category: str
    question: str
    annotation: str
    reference: str
    picture: Place
    row: tuple[int, int]

    @property
    def where(self) -> str:
        """E.g. ``touchstone.tsv:12: index 11``."""
        return f"{self.file}:{self.line}: index {self.index}"


@dataclass(frozen=True)
class Table:
    """What a table holds.

    Attributes
    ----------
    columns
        As the header has them; those of the release are spelt as there.
    asked
        Its questions by subtask, in the order of :data:`.TASKS` and of its rows.
    left_out
        Rows that lack what judges need.
    told
        Slips, and mistakes.
    """

    path: Path
    columns: tuple[str, ...]
    asked: Mapping[str, tuple[Asked, ...]]
    left_out: int
    told: Told

    def held(self, asked: Asked) -> Held:
        """Return the picture of a question, which is read when it is wanted."""
        return Held(asked.where, partial(picture, self.path, asked))

    def row(self, asked: Asked) -> dict[str, str]:
        """Return the row of a question by the table's columns, as it stands there."""
        place = asked.picture
        cells = dict(zip(self.columns, cells_of(self.path, *asked.row, place), strict=True))
        if place.column is None:
            cells[IMAGE] = bytes_of(self.path, place.start, place.length).decode("latin-1")
        return cells


def picture(path: Path, asked: Asked) -> bytes:
    """Return the bytes of a question's picture.

    Raises
    ------
    UserError
        The cell is no base64.
    """
    place = asked.picture
    if place.column is None:
        raw = bytes_of(path, place.start, place.length)
    else:
        cells = cells_of(path, place.start, place.length)
        raw = cells[place.column].encode() if place.column < len(cells) else b""
    if raw.startswith(_DATA_URL):
        raw = raw.partition(b",")[2]
    try:
        return base64.b64decode(b"".join(raw.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        fix = "encode the picture's file in base64, or remove the row"
        raise UserError(asked.where, f"its image is not valid base64 ({error})", fix) from None


def open_table(path: Path, tasks: Mapping[str, str]) -> Table:
    """Return what a table holds; what is wrong with it is in ``told``.

    It is read once a process, and again when it has changed.

    Parameters
    ----------
    tasks
        Subtask by ``task_name``, where the user says so.
    """
    try:
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError):
        stamp = (0, 0)
    return _read(path, tuple(sorted(tasks.items())), stamp)


@lru_cache(maxsize=2)
def _read(path: Path, tasks: tuple[tuple[str, str], ...], stamp: object) -> Table:
    reading = _Reading(path.name, dict(tasks))
    columns: tuple[str, ...] = ()
    try:
        found = rows(path, path.name, IMAGE)
        header = next(found, None)
        if header is None:
            raise UserError(path.name, "is empty", "give the table as released")
        reading.header(header)
        columns = tuple(_column(cell) for cell in header.cells)
        for row in found:
            reading.take(row)
    except UserError as error:
        reading.told.mistakes.append(error)
    reading.end()
    asked = {name: tuple(each for each in reading.asked if each.task == name) for name in TASKS}
    return Table(path, columns, asked, reading.left_out, reading.told)


def _column(cell: str) -> str:
    """A column's name: as released, where it is one of those."""
    return named(cell) if named(cell) in (*NEEDED, CATEGORY) else cell.strip()


class _Reading:
    """What has been read of a table so far."""

    def __init__(self, file: str, tasks: Mapping[str, str]) -> None:
        self.file, self.told = file, Told()
        self.asked: list[Asked] = []
        self.left_out = 0
        self._tasks = tasks
        self._at: dict[str, int] = {}
        self._width = 0
        self._seen: dict[str, int] = {}
        #: ``task_name`` -> line and number of rows that have it, and what it may mean.
        self._unknown: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._rows: Counter[str] = Counter()

    def header(self, row: Row) -> None:
        """Find the columns.

        Raises
        ------
        UserError
            Some are missing, or stand there twice.
        """
        names = [named(cell) for cell in row.cells]
        where = f"{self.file}:{row.line}"
        shown = ", ".join(f"'{name[:40]}'" for name in names[:20])
        lacking = [name for name in NEEDED if name not in names]
        if lacking:
            what = f"has no column {' and none '.join(lacking)} (has: {shown})"
            raise UserError(where, what, "give the table as released, its first line with it")
        for name in (*NEEDED, CATEGORY):
            if names.count(name) > 1:
                raise UserError(where, f"has the column '{name}' twice", "keep one")
        self._at = {name: at for at, name in enumerate(names)}
        self._width = len(names)

    def take(self, row: Row) -> None:
        """Note a row: a question, a slip or a mistake."""
        if len(row.cells) != self._width:
            what = f"has {len(row.cells)} cells, and the header {self._width}"
            fix = "is a tab inside a cell, or a quotation mark left open? Quote as CSV does"
            self.told.mistake(self.file, row.line, what, fix)
            return
        text = {name: row.cells[at].strip() for name, at in self._at.items()}
        if not self._sound(row, text):
            return
        index = text[INDEX]
        if index in self._seen:
            what = f"index {index} appears twice, first in line {self._seen[index]}, which counts"
            self.told.slip(self.file, row.line, "indices that appear twice", what)
            return
        self._seen[index] = row.line
        task = self._task(row, text[TASK])
        lacking = [n for n in (ANNOTATION, REFERENCE) if text[n].casefold() in _MISSING]
        if lacking:
            self.left_out += 1
            said = " and ".join(f"{n} is {self._nothing(text[n])}" for n in lacking)
            what = f"index {index} is left out: {said}, and judges need it"
            self.told.slip(self.file, row.line, "rows without annotation or reference", what)
        elif task is not None:
            self.asked.append(self._question(row, text, task))

    @staticmethod
    def _nothing(text: str) -> str:
        return "empty" if not text else f"'{text}'"

    def _question(self, row: Row, text: Mapping[str, str], task: str) -> Asked:
        assert row.picture is not None
        return Asked(
            text[INDEX], self.file, row.line, task, text[TASK], text.get(CATEGORY, ""),
            text[QUESTION], text[ANNOTATION], text[REFERENCE],
            row.picture, (row.start, row.length),
        )  # fmt: skip

    def _sound(self, row: Row, text: Mapping[str, str]) -> bool:
        """Whether a row can be used; if not, a mistake is noted."""
        what = ""
        for name, most in ((INDEX, _SHORT), (TASK, _SHORT), *((n, _LONGEST) for n in _TEXTS)):
            if len(text[name]) > most:
                what = f"{name} has {len(text[name]):,} characters: is a quotation mark left open"
        for name in (INDEX, QUESTION, TASK):
            if text[name].casefold() in _MISSING:
                what = f"{name} is {self._nothing(text[name])}"
        if not text[INDEX].isprintable() or not text[TASK].isprintable():
            what = f"{INDEX} or {TASK} is no plain text"
        place = row.picture
        if place is None or (place.column is None and not 8 <= place.length <= MOST):
            what = "has no image"
        if what:
            index = f"index {text[INDEX][:40]}: " if text[INDEX] else ""
            self.told.mistake(self.file, row.line, f"{index}{what}", _FIX)
        return not what

    def _task(self, row: Row, name: str) -> str | None:
        self._rows[name] += 1
        found = tasks_of(name, self._tasks)
        if len(found) == 1:
            return found[0]
        self._unknown.setdefault(name, (row.line, found))
        return None

    def end(self) -> None:
        """Note the names of tasks that are not known, each once."""
        for name, (line, found) in self._unknown.items():
            rows_ = self._rows[name]
            may = f", may be {' or '.join(found)}" if found else ""
            what = f"task_name '{name}' is not known{may} ({rows_} row{'s'[: rows_ != 1]})"
            ours = found[0] if found else "touchstone_..."
            fix = (
                f"say what it is under corpus.touchstone_bench, e.g. tasks: {{'{name}': {ours}}}, "
                f"and to 'suite check' by --tasks '{name}={ours}'; "
                "docs/touchstone.md lists the subtasks"
            )
            self.told.mistake(self.file, line, what, fix)


_TEXTS = (QUESTION, ANNOTATION, REFERENCE)


def numbers(asked: Mapping[str, Sequence[Asked]]) -> Iterator[tuple[str, int]]:
    """Yield the number of questions of each subtask that has some."""
    for name, found in asked.items():
        if found:
            yield name, len(found)
