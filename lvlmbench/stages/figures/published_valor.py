"""VALOR-Eval's Table 3 as the paper prints it (data/published/valor_table3.csv)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.scene.claims import KINDS, Scope
from lvlmbench.stages.figures.published_table import read_table

FILE = "valor_table3.csv"
#: What is said of its results wherever they stand.
PUBLISHED = "published by VALOR-Eval (photographs, another judge)"
MEAN = "mean"
#: The paper's five subsets, in its order, with words for readers.
SUBSETS = {
    "object": "Objects",
    "attribute_object": "Attributes of objects",
    "attribute_people": "Attributes of people",
    "relation_positional": "Positions",
    "relation_comparative": "Sizes",
}
#: Kinds of claims by which a subset of ours is known to be one of the paper's: the first that fits.
_KNOWN = (
    ("rank", "relation_comparative"),
    ("place", "relation_positional"),
    ("garment", "attribute_people"),
    ("attribute", "attribute_object"),
    ("object", "object"),
)


@dataclass(frozen=True)
class Published:
    """One row: percent by subset, and their mean under :data:`MEAN`."""

    model: str
    faithfulness: Mapping[str, float]
    coverage: Mapping[str, float]


def subset_of(scope: Scope) -> str | None:
    """Return which of the paper's subsets asks about what a scope holds; None where none does."""
    if set(scope.kinds) >= set(KINDS):
        return None
    return next((name for kind, name in _KNOWN if kind in scope.kinds), None)


def read(folder: Path) -> list[Published]:
    """Return the rows in the paper's order.

    Raises
    ------
    UserError
        The file is missing, or is no such table.
    """
    return read_table(folder / FILE, _row)


def _row(row: Mapping[str, str]) -> Published:
    def of(score: str) -> dict[str, float]:
        found = {name: float(row[f"{name}_{score}"]) for name in (*SUBSETS, MEAN)}
        if not all(math.isfinite(value) and 0 <= value <= 100 for value in found.values()):
            raise ValueError("no percentage")
        return found

    if not row["model"].strip():
        raise ValueError("no model")
    return Published(row["model"], of("faithfulness"), of("coverage"))
