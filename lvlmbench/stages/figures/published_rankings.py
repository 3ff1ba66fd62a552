"""Dysca's Table 4 as the paper prints it (data/published/dysca_table4.csv)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures.published_table import FIX, read_table

FILE = "dysca_table4.csv"
#: Columns of the file -> names of the benchmarks.
BENCHMARKS = {"mmbench": "MMBench", "ocrbench": "OCRBench", "seedbench2": "SeedBench-2"}
_STYLES, _RHO, _TAU = ("all", "realistic"), "spearman_rho", "kendall_tau"


@dataclass(frozen=True)
class Printed:
    """The coefficients of one benchmark over all or over realistic images."""

    benchmark: str
    styles: str
    spearman: float
    kendall: float


def read(folder: Path) -> list[Printed]:
    """Return the coefficients by benchmark, all styles first.

    Raises
    ------
    UserError
        The file is missing, or is no such table.
    """
    path = folder / FILE
    found = dict(read_table(path, _row))
    try:
        return [
            Printed(label, styles, found[styles, _RHO][name], found[styles, _TAU][name])
            for name, label in BENCHMARKS.items()
            for styles in _STYLES
        ]
    except KeyError:
        raise UserError(str(path), "is not the table of the paper", FIX) from None


def _row(row: Mapping[str, str]) -> tuple[tuple[str, str], dict[str, float]]:
    found = {name: float(row[name]) for name in BENCHMARKS}
    if not all(math.isfinite(value) and -1 <= value <= 1 for value in found.values()):
        raise ValueError("no coefficient")
    return (row["style"], row["statistic"]), found
