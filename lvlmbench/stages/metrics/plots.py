"""Tables for ``dvc plots``: results/plots/totals.csv and results/plots/subtasks.csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.metrics.rows import ALL, Key

Row: TypeAlias = Mapping[str, Any]

_NUMBERS = ("value", "low", "high", "n", "n_unscored")
#: File -> the metric in it, and the key column that it is by beside model and scenario.
_PLOTS: dict[str, tuple[str, str | None]] = {
    "totals.csv": ("total", None),
    "subtasks.csv": ("score", "subtask"),
}
FILES = tuple(_PLOTS)


def _csv(rows: Iterable[Row], metric: str, by: str | None) -> bytes:
    group = [by] if by else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["model", "scenario", *group, *_NUMBERS])
    for row in rows:
        others = [k for k in Key._fields if k != by]
        mine = row["questions"] == ALL and row["metric"] == metric and row["value"] is not None
        if mine and all(row[k] == ALL for k in others) and all(row[k] != ALL for k in group):
            writer.writerow([row[k] for k in ("model", "scenario", *group, *_NUMBERS)])
    return out.getvalue().encode()


def write_plots(rows: Iterable[Row], folder: Path) -> None:
    """Write them from the rows of the metrics table: all questions, percent, 95% intervals."""
    kept = list(rows)
    for name, (metric, by) in _PLOTS.items():
        atomic_bytes(folder / name, _csv(kept, metric, by))
