"""Results of Dysca's Table 3 as the paper prints them (data/published/dysca_table3.csv)."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.analysis.table3 import CLEAN_PLACE
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of
from lvlmbench.stages.figures.published_table import FIX
from lvlmbench.stages.figures.tabular import Cell, signed

FILE = "dysca_table3.csv"
#: What is said of published results wherever they stand.
PUBLISHED = "published by Dysca (other images)"
#: Behind a score of a model whose own gradients the attack has seen.
WHITE_BOX = "*"
_TEXTS = ("model", "language_model", "visual_encoder")


def scenarios() -> dict[str, str]:
    """Return what the paper calls its scenarios, each with our kind, in the paper's order."""
    kinds = [kind for kind in kinds_of("scenarios").ordered() if kind.column]
    named = {kind.paper: (kind.column, kind.name) for kind in kinds} | {CLEAN_PLACE: (CLEAN, CLEAN)}
    return dict(named[place] for place in sorted(named))


def _columns() -> tuple[str, ...]:
    return (*_TEXTS, *scenarios(), "sq", "sc", "white_box")


def _kind(name: str) -> Any:
    return kinds_of("scenarios").find(name)


@dataclass(frozen=True)
class Published:
    """One row: scores in percent by kind of scenario, SQ and SC in squared percentage points.

    What a model is built of is empty where its makers do not tell. ``white_box`` tells that the
    adversarial images were made against this model's own encoder.
    """

    model: str
    language_model: str
    visual_encoder: str
    scores: Mapping[str, float]
    sq: float
    sc: float
    white_box: bool

    @property
    def built_of(self) -> str:
        """Return language model and visual encoder, where they are known."""
        return ", ".join(p for p in (self.language_model, self.visual_encoder) if p)

    def number(self, name: str) -> float:
        """Return SQ, SC, or the score of a kind of scenario."""
        return {"sq": self.sq, "sc": self.sc, **self.scores}[name]

    def difference(self, kind: str) -> float | None:
        """Return points of a noisy scenario less those of clean, computed from the columns.

        The paper prints the same in brackets. Nothing pairs the answers: there is no interval.
        """
        if kind == CLEAN or _kind(kind).control:
            return None
        return round(self.scores[kind] - self.scores[CLEAN], 2)


def _number(row: Mapping[str, str], name: str, most: float, where: str) -> float:
    try:
        value = float(row[name])
    except ValueError:
        value = math.nan
    if not (0 <= value <= most and math.isfinite(value)):
        limit = f"from 0 to {most:g}" if math.isfinite(most) else "of 0 or more"
        raise UserError(where, f"'{row[name]}' in column '{name}' is no number {limit}", FIX)
    return value


def _row(row: Mapping[str, str], where: str) -> Published:
    if not row["model"].strip():
        raise UserError(where, "column 'model' is empty", FIX)
    if row["white_box"] not in ("0", "1"):
        raise UserError(where, f"'{row['white_box']}' in column 'white_box' is not 0 or 1", FIX)
    model, language, encoder = ("" if row[name] == "/" else row[name] for name in _TEXTS)
    return Published(
        model, language, encoder,
        {kind: _number(row, name, 100, where) for name, kind in scenarios().items()},
        _number(row, "sq", math.inf, where), _number(row, "sc", math.inf, where),
        row["white_box"] == "1",
    )  # fmt: skip


def read(folder: Path) -> list[Published]:
    """Return the rows in the paper's order.

    Raises
    ------
    UserError
        The file is missing, is no such table, or has no row.
    """
    path = folder / FILE
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError:
        raise UserError(str(path), "is missing", FIX) from None
    except UnicodeDecodeError:
        raise UserError(str(path), "is not text in UTF-8", FIX) from None
    try:
        head, *rows = csv.reader(lines)
    except (csv.Error, ValueError):
        raise UserError(str(path), "is no CSV file with a head", FIX) from None
    columns = _columns()
    if head != list(columns):
        raise UserError(str(path), f"should have the columns {', '.join(columns)}", FIX)
    out = []
    for number, cells in enumerate(rows, 2):
        where = f"{path}, line {number}"
        if len(cells) != len(columns):
            raise UserError(where, f"has {len(cells)} of {len(columns)} values", FIX)
        out.append(_row(dict(zip(columns, cells, strict=True)), where))
    if not out:
        raise UserError(str(path), "has no row", FIX)
    keys = [(row.model, row.language_model) for row in out]
    for key in keys:
        if keys.count(key) > 1:
            raise UserError(str(path), f"has '{' '.join(key)}' twice", FIX)
    return out


def attacks(name: str) -> bool:
    """Tell whether a kind of scenario attacks a model's own encoder, or another."""
    kind = _kind(name)
    return kind is not None and kind.attack is not None


def cell(row: Published, name: str, best: float | None, shade: float | None) -> Cell:
    """Return the number as the paper prints it, the ``best`` in bold; ``shade`` colors it."""
    value = row.number(name)
    if name in ("sq", "sc"):
        return Cell(f"{value:,.1f}", bold=value == best, shade=shade)
    change = row.difference(name)
    return Cell(
        f"{value:.2f}", "" if change is None else f"({signed(change, 2)})",
        WHITE_BOX if row.white_box and attacks(name) else "", bold=value == best,
        shade=shade,
    )  # fmt: skip


def csv_rows(rows: list[Published], best: dict[str, float]) -> list[dict[str, Any]]:
    """Return one row a number; ``best`` of each column, where it is to be told."""
    return [
        {
            "source": "dysca", "model": row.model, "language_model": row.language_model or None,
            "visual_encoder": row.visual_encoder or None, "measure": name,
            "value": row.number(name),
            "difference": row.difference(name) if name in row.scores else None,
            "white_box": row.white_box and attacks(name),
            "best": row.number(name) == best[name] if name in best else None,
        }
        for row in rows
        for name in (*row.scores, "sq", "sc")
    ]  # fmt: skip
