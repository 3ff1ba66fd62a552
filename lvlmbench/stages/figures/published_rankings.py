"""Dysca's Table 4 as the paper prints it (data/published/dysca_table4.csv)."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError

FILE = "dysca_table4.csv"
#: Columns of the file -> names of the benchmarks.
BENCHMARKS = {"mmbench": "MMBench", "ocrbench": "OCRBench", "seedbench2": "SeedBench-2"}
_STYLES, _RHO, _TAU = ("all", "realistic"), "spearman_rho", "kendall_tau"
_FIX = "restore the file from the repository"


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
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
        found = {
            (row["style"], row["statistic"], name): float(row[name])
            for row in rows
            for name in BENCHMARKS
        }
        made = [
            Printed(label, styles, found[styles, _RHO, name], found[styles, _TAU, name])
            for name, label in BENCHMARKS.items()
            for styles in _STYLES
        ]
    except OSError:
        raise UserError(str(path), "is missing", _FIX) from None
    except (csv.Error, ValueError, KeyError, TypeError):
        raise UserError(str(path), "is not the table of the paper", _FIX) from None
    if not all(math.isfinite(v) and -1 <= v <= 1 for p in made for v in (p.spearman, p.kendall)):
        raise UserError(str(path), "has a coefficient outside of -1 to 1", _FIX)
    return made
