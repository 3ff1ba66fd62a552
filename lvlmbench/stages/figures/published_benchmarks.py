"""Dysca's Table 1 as the paper prints it (data/published/dysca_table1.csv)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.stages.figures.published_table import read_table
from lvlmbench.tables import QUESTION_TYPES

FILE = "dysca_table1.csv"
_MARKS = {"0": False, "1": True}


@dataclass(frozen=True)
class Benchmark:
    """One row. ``scale`` is the number of questions as printed, ``questions`` the same as a number;
    None where the paper gives none, as of ``tasks``. ``novel``: images and questions are new."""

    name: str
    scale: str
    questions: int | None
    tasks: int | None
    automatic_annotation: bool
    novel: bool
    kinds: tuple[str, ...]
    automatic_evaluation: bool


def _row(row: Mapping[str, str]) -> Benchmark:
    kinds = tuple(row["types"].split(";"))
    if not row["benchmark"] or not {*kinds} <= {*QUESTION_TYPES}:
        raise ValueError("no benchmark, or another question type")
    marks = [_MARKS[row[c]] for c in ("automatic_annotation", "novel", "automatic_evaluation")]
    counts = [int(row[c]) if row[c] else None for c in ("questions", "tasks")]
    return Benchmark(
        row["benchmark"], row["scale"], counts[0], counts[1], marks[0], marks[1], kinds, marks[2]
    )


def read(folder: Path) -> list[Benchmark]:
    """Return the rows in the paper's order.

    Raises
    ------
    UserError
        The file is missing, or is no such table.
    """
    return read_table(folder / FILE, _row)
