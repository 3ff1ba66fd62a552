"""How much of the square around it the drawing of a thing covers: data of ours, measured."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.suites.graphs.stock import Kind

#: Folder of what is known of drawings.
FOLDER = "data/drawings"


@cache
def _shares(folder: Path) -> dict[tuple[str, str], float]:
    if not (folder / "areas.csv").is_file():
        raise UserError(f"{FOLDER}/areas.csv", "is not there", "run scripts/drawing_areas.py")
    text = (folder / "areas.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {(row["list"], row["label"]): float(row["percent"]) / 100 for row in rows}


def share(kind: Kind) -> float | None:
    """Return the share of a square with its longest side; None of a thing that is not known."""
    return _shares(PROJECT_ROOT / FOLDER).get((kind.list, kind.label))
