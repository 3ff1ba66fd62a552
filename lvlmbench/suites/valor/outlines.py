"""Area and length of each drawing, measured from its pixels."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.suites.graphs.stock import Kind

#: Folder of what is known of drawings.
FOLDER = "data/drawings"


class Outline(NamedTuple):
    """How large a drawing is in a square with its longest side.

    Attributes
    ----------
    area
        The share of the square that it covers.
    length
        Between the two points of it that are farthest apart, in sides of the square.
    """

    area: float
    length: float


@cache
def _outlines(folder: Path) -> dict[tuple[str, str], Outline]:
    if not (folder / "areas.csv").is_file():
        raise UserError(f"{FOLDER}/areas.csv", "is not there", "run scripts/drawing_areas.py")
    text = (folder / "areas.csv").read_text(encoding="utf-8")
    return {
        (row["list"], row["label"]): Outline(float(row["area"]) / 100, float(row["length"]) / 100)
        for row in csv.DictReader(text.splitlines())
    }


def outline(kind: Kind) -> Outline | None:
    """Return how large a thing is drawn; None of a thing that is not known."""
    return _outlines(PROJECT_ROOT / FOLDER).get((kind.list, kind.label))
