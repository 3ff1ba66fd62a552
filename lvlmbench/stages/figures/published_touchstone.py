"""TouchStone's scores as the paper and its repository print them (data/published)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lvlmbench.stages.figures.published_table import read_table

#: Its table of scores, and those that its repository adds.
FILE, REPOSITORY = "touchstone.csv", "touchstone_repository.csv"
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


@dataclass(frozen=True)
class Published:
    """One row: the score, and how much is made up where that was printed, both up to 1,000.

    ``added`` rows stand in the repository and not in the paper.
    """

    model: str
    score: float
    hallucination: float | None
    added: bool = False

    @property
    def named(self) -> str:
        """Return the model's name, with where its score is from where that is not the paper."""
        return f"{self.model} (repository)" if self.added else self.model


def read(folder: Path) -> list[Published]:
    """Return the rows of the paper, then those that its repository adds, in the files' order.

    Raises
    ------
    UserError
        A file is missing, or is no such table.
    """
    paper = read_table(folder / FILE, partial(_row, added=False))
    return paper + read_table(folder / REPOSITORY, partial(_row, added=True))


def _row(row: Mapping[str, str], added: bool) -> Published:
    if not row["model"].strip():
        raise ValueError("no model")
    made_up = None if added else _points(row["hallucination_score"])
    return Published(row["model"], _points(row["touchstone_score"]), made_up, added)


def _points(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and 0 <= value <= 1000):
        raise ValueError("no score")
    return value
