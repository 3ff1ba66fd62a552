"""TouchStone's scores as the paper and its repository print them (data/published)."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError

FILE = "touchstone.csv"
#: What is said of its results wherever they stand.
PUBLISHED = "published by TouchStone (photographs, GPT-4 as judge)"
#: Where its numbers do not fit one another or what is said of them, a line each.
CONTRADICTIONS = (
    "The text names 2, 9, 7, 5 and 4 tasks of the five abilities, the overview figure 2, 10, 7, 5 "
    "and 3.",
    "The score is the mean of a model's own points; what the references get beside it is printed "
    "by the code and divides nothing.",
    "Qwen-VL has 645.2 points in the paper and 711.6 in the repository; the values of its radar "
    "average some 669.",
    "The prompt for hallucination asks for irrelevance and for what is invented, which are not the "
    "same; how many descriptions were rated is not said, and the released code has none of it.",
    "Judge and people agree in 72.2 %, people among themselves in 78.4 %; what counts as the same "
    "judgement is not defined.",
)
_FIX = "restore the file from the repository"


@dataclass(frozen=True)
class Published:
    """One row: the score, and how much is made up where that was printed, both up to 1,000."""

    model: str
    score: float
    hallucination: float | None


def read(folder: Path) -> list[Published]:
    """Return the rows in the file's order.

    Raises
    ------
    UserError
        The file is missing, or is no such table.
    """
    path = folder / FILE
    try:
        found = [_row(row) for row in csv.DictReader(path.read_text("utf-8-sig").splitlines())]
    except OSError:
        raise UserError(str(path), "is missing", _FIX) from None
    except (csv.Error, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(str(path), "is not the table of the paper", _FIX) from None
    if not found:
        raise UserError(str(path), "has no row", _FIX)
    return found


def _row(row: Mapping[str, str]) -> Published:
    if not row["model"].strip():
        raise ValueError("no model")
    made_up = row["hallucination_score"].strip()
    return Published(
        row["model"], _points(row["touchstone_score"]), _points(made_up) if made_up else None
    )


def _points(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and 0 <= value <= 1000):
        raise ValueError("no score")
    return value
