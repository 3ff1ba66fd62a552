"""What others have measured: CSV files with the columns benchmark, model, score and measure.

``measure`` names what a score is by our name of the same measure; without it nothing of ours is
known to be the same. ``made`` may say how scores came about that are not as printed. Two more
columns, ``subtask`` and ``question_type``, may say what a score is of: one task of theirs,
by our names of what it asks (Dysca, section 4.4).
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lvlmbench.core.errors import UserError, meant
from lvlmbench.scene.subtasks import is_subtask, registered, subtask_order
from lvlmbench.tables import QUESTION_TYPES

COLUMNS = ("benchmark", "model", "score")
#: Columns that a file may have: empty cells stand for a score over all there is.
TASK_COLUMNS = ("subtask", "question_type")
#: What is said of all scores of a benchmark: by which measure they are, and how they were made.
SAID = ("measure", "made")
#: Separates the subtasks in a cell, where one task of the other benchmark covers several.
AND = ";"


def same_name(name: str) -> str:
    """Return the form in which names of models are compared: small letters, '-' for blanks."""
    return "-".join(name.casefold().split())


@dataclass(frozen=True, order=True)
class Task:
    """What a task of another benchmark asks, in our names; empty: whatever is asked."""

    subtasks: tuple[str, ...]
    question_types: tuple[str, ...]

    def pairs(self, asked: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the (subtask, question type) of ``asked`` that it asks; none where one of its
        subtasks or question types is not among them, since it could not be compared whole."""
        found = [
            (subtask, kind)
            for subtask, kind in sorted(asked)
            if (not self.subtasks or subtask in self.subtasks)
            and (not self.question_types or kind in self.question_types)
        ]
        whole = {s for s, _ in found} >= {*self.subtasks} and {k for _, k in found} >= {
            *self.question_types
        }
        return found if whole else []


#: All that a benchmark asks.
WHOLE = Task((), ())


@dataclass(frozen=True)
class Ranking:
    """Scores of models on one benchmark, higher is better; names as its file writes them.

    ``scores`` are those over the whole benchmark, ``tasks`` those on single tasks of it.
    ``measure`` is our name of what they measure, ``made`` how they came about where they are not as
    printed; empty where the file does not say it.
    """

    benchmark: str
    scores: dict[str, float]
    tasks: Mapping[Task, dict[str, float]] = field(default_factory=dict)
    measure: str = ""
    made: str = ""

    @property
    def models(self) -> set[str]:
        """Return all models that have a score, as :func:`same_name` writes them."""
        return {same_name(m) for each in (self.scores, *self.tasks.values()) for m in each}


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(str(path), "is not UTF-8", "save it as UTF-8") from None


def _records(path: Path) -> list[tuple[int, list[str]]]:
    """Rows with the number of their (last) line; empty lines are left out."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    rows = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num, [cell.strip() for cell in row]))
    except csv.Error as error:
        where = f"{path}:{reader.line_num}"
        raise UserError(where, f"is no CSV ({error})", "mend the quotes") from None
    return rows


def _check_header(path: Path, header: list[str]) -> None:
    if sorted(set(header) - {*TASK_COLUMNS, *SAID}) == sorted(COLUMNS) and len(header) == len(
        {*header}
    ):
        return
    names = ", ".join(COLUMNS)
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        sign = "semicolons" if ";" in header[0] else "tabs"
        raise UserError(f"{path}:1", f"its columns are parted by {sign}", "part them by commas")
    unknown = [name for name in header if name not in (*COLUMNS, *TASK_COLUMNS, *SAID)]
    missing = [name for name in COLUMNS if name not in header]
    twice = sorted({name for name in header if header.count(name) > 1})
    for what, found in (("unknown", unknown), ("missing", missing), ("twice there", twice)):
        if found:
            listed = ", ".join(map(repr, found))
            raise UserError(f"{path}:1", f"columns {what}: {listed}", f"write {names}")


def _score(where: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        fix = "write one with a decimal point, or leave the row out"
        raise UserError(where, f"the score {text!r} is no number", fix)
    return value


def _names(text: str) -> list[str]:
    """The names of a cell, each once."""
    return [*dict.fromkeys(name.strip() for name in text.split(AND))] if text else []


def _unknown(where: str, column: str, name: str, known: Sequence[str]) -> UserError:
    fix = meant(name, known, f"use names of ours, parted by '{AND}': {', '.join(known)}")
    return UserError(where, f"there is no {column} '{name}'", fix)


def _task(where: str, row: Mapping[str, str]) -> Task:
    """The task of a row, whose names must be of ours, in our order."""
    subtasks, types = (_names(row.get(column, "")) for column in ("subtask", "question_type"))
    for name in subtasks:
        if not is_subtask(name):
            raise _unknown(where, "subtask", name, registered())
    for name in types:
        if name not in QUESTION_TYPES:
            raise _unknown(where, "question_type", name, QUESTION_TYPES)
    return Task(
        tuple(sorted(subtasks, key=subtask_order)), tuple(sorted(types, key=QUESTION_TYPES.index))
    )


class _Reading:
    """What has been read of the files so far: benchmark -> task -> model -> score."""

    def __init__(self) -> None:
        self.scores: dict[str, dict[Task, dict[str, float]]] = {}
        self.last: dict[str, str] = {}
        self.said: dict[str, dict[str, str]] = {}
        self._places: dict[tuple[str, Task, str], str] = {}

    def add(self, where: str, row: Mapping[str, str]) -> None:
        """Take one row, whose place is ``where``."""
        for name in COLUMNS:
            if not row[name]:
                raise UserError(where, f"has no {name}", "write it, or leave the row out")
        value, task = _score(where, row["score"]), _task(where, row)
        benchmark = row["benchmark"]
        self._say(where, benchmark, {name: row.get(name, "") for name in SAID})
        key = (benchmark, task, same_name(row["model"]))
        if key in self._places:
            what = f"'{row['model']}' has a score on '{benchmark}' at {self._places[key]}"
            fix = "keep one of them"
            if task != WHOLE:
                what += ", for the same subtask and question type"
                fix = "keep one, or write the mean of two tasks of theirs"
            raise UserError(where, what, fix)
        self._places[key] = self.last[benchmark] = where
        self.scores.setdefault(benchmark, {}).setdefault(task, {})[row["model"]] = value

    def _say(self, where: str, benchmark: str, said: dict[str, str]) -> None:
        """Take what a row says of all scores of its benchmark."""
        before = self.said.setdefault(benchmark, said)
        for name in SAID:
            if before[name] != said[name]:
                what = f"'{benchmark}' has the {name} '{said[name]}', and '{before[name]}' before"
                fix = f"write one {name} for all rows, or give the benchmark another name"
                raise UserError(where, what, fix)

    def rankings(self) -> list[Ranking]:
        """Return what was read, by the name of the benchmark."""
        out = []
        for benchmark, tasks in sorted(self.scores.items()):
            rest = {task: tasks[task] for task in sorted(tasks) if task != WHOLE}
            ranking = Ranking(benchmark, tasks.get(WHOLE, {}), rest, **self.said[benchmark])
            if len(ranking.models) < 2:
                what = f"'{benchmark}' has one model, which makes no ranking"
                raise UserError(self.last[benchmark], what, "add models, or leave the row out")
            out.append(ranking)
        return out


def read_rankings(folder: Path) -> list[Ranking]:
    """Return all rankings of a folder's CSV files, by the name of the benchmark.

    A benchmark may be spread over files. README files and hidden ones are not looked at.

    Raises
    ------
    UserError
        There is no such folder; a file has other columns, is not UTF-8 or no CSV; a cell is empty,
        no number, or no name of ours; a model has two scores on the same; a benchmark has fewer
        than 2 models.
    """
    if not folder.is_dir():
        fix = "make the folder, or name the one that holds your rankings"
        raise UserError(f"validity.rankings: {folder}", "is no folder", fix)
    reading = _Reading()
    for path in sorted(folder.glob("*.csv"), key=lambda each: each.name):
        if path.name.startswith("."):
            continue
        rows = _records(path)
        if not rows:
            raise UserError(str(path), "is empty", f"write the columns {', '.join(COLUMNS)}")
        header = rows[0][1]
        _check_header(path, header)
        for line, cells in rows[1:]:
            where = f"{path}:{line}"
            if len(cells) != len(header):
                what = f"has {len(cells)} cells, not {len(header)}"
                raise UserError(where, what, "put quotes around a cell with a comma")
            reading.add(where, dict(zip(header, cells, strict=True)))
    return reading.rankings()
