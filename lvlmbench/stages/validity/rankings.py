"""What others have measured: CSV files with the columns benchmark, model and score."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError

COLUMNS = ("benchmark", "model", "score")


def same_name(name: str) -> str:
    """Return the form in which names of models are compared: small letters, '-' for blanks."""
    return "-".join(name.casefold().split())


@dataclass(frozen=True)
class Ranking:
    """Scores of models on one benchmark, higher is better; names as its file writes them."""

    benchmark: str
    scores: dict[str, float]


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
    if sorted(header) == sorted(COLUMNS):
        return
    names = ", ".join(COLUMNS)
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        sign = "semicolons" if ";" in header[0] else "tabs"
        raise UserError(f"{path}:1", f"its columns are parted by {sign}", "part them by commas")
    unknown = [name for name in header if name not in COLUMNS]
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


def read_rankings(folder: Path) -> list[Ranking]:
    """Return all rankings of a folder's CSV files, by the name of the benchmark.

    A benchmark may be spread over files. README files and hidden ones are not looked at.

    Raises
    ------
    UserError
        There is no such folder; a file has other columns, is not UTF-8 or no CSV; a cell is empty
        or no number; a model has two scores on a benchmark; a benchmark has fewer than 2 models.
    """
    if not folder.is_dir():
        fix = "make the folder, or name the one that holds your rankings"
        raise UserError(f"validity.rankings: {folder}", "is no folder", fix)
    scores: dict[str, dict[str, float]] = {}
    places: dict[tuple[str, str], str] = {}
    last: dict[str, str] = {}
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
            row = dict(zip(header, cells, strict=True))
            for name in COLUMNS:
                if not row[name]:
                    raise UserError(where, f"has no {name}", "write it, or leave the row out")
            value = _score(where, row["score"])
            key = (row["benchmark"], same_name(row["model"]))
            if key in places:
                what = f"'{row['model']}' has a score on '{row['benchmark']}' at {places[key]}"
                raise UserError(where, what, "keep one of them")
            places[key], last[row["benchmark"]] = where, where
            scores.setdefault(row["benchmark"], {})[row["model"]] = value
    for benchmark, found in scores.items():
        if len(found) < 2:
            what = f"'{benchmark}' has one model, which makes no ranking"
            raise UserError(last[benchmark], what, "add models, or leave the row out")
    return [Ranking(name, scores[name]) for name in sorted(scores)]
