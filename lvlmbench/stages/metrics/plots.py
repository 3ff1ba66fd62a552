"""What DVC shows of the metrics: results/<suite>/metrics.json, and tables for ``dvc plots``.

``dvc metrics show`` and ``dvc exp show`` print a column for every leaf, ``dvc metrics diff`` a
line. So there is one leaf for each model and scenario, and some for each stage at which a model was
sent requests, under :data:`COSTS`. All else stands in
results/<suite>/metrics.parquet, from which ``lvlmbench scores`` prints it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.metrics.rows import ALL, HEADLINE, Key

#: Key of the sums of costs beside the names of models, which hold no space.
COSTS = "costs by stage"
#: Percent, to as many places as a table prints.
DECIMALS = 2

Row: TypeAlias = Mapping[str, Any]
Tree: TypeAlias = dict[str, dict[str, dict[str, float]]]


def headlines(rows: Iterable[Row]) -> Tree:
    """Rows of the metrics table as model, scenario and ``headline``, over all questions.

    A scenario that has no headline holds nothing.
    """
    tree: Tree = {}
    for row in rows:
        if row["questions"] != ALL or any(row[k] != ALL for k in Key._fields):
            continue
        node = tree.setdefault(str(row["model"]), {}).setdefault(str(row["scenario"]), {})
        if row["metric"] == HEADLINE and row["value"] is not None:
            node[HEADLINE] = round(row["value"], DECIMALS) + 0.0
    return tree


_NUMBERS = ("value", "low", "high", "n", "n_unscored")
#: File -> the metric in it, and the key column that it is by beside model and scenario.
_PLOTS: dict[str, tuple[str, str | None]] = {
    "headlines.csv": (HEADLINE, None),
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
    """Write headlines.csv and subtasks.csv from the rows of the metrics table.

    They count all questions; intervals are of 95%.
    """
    kept = list(rows)
    for name, (metric, by) in _PLOTS.items():
        atomic_bytes(folder / name, _csv(kept, metric, by))
