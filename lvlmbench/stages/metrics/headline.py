"""The one number by which two snapshots are held against each other: results/metrics.json.

``dvc metrics show`` and ``dvc exp show`` print a column for every leaf, ``dvc metrics diff`` a
line. So there is one leaf for each model and scenario. All else stands in
results/<suite>/metrics.parquet, from which ``lvlmbench scores`` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from lvlmbench.stages.metrics.rows import ALL, Key

#: Percent, to as many places as a table prints.
DECIMALS = 2
#: The metric, over all questions.
TOTAL = "total"

Row: TypeAlias = Mapping[str, Any]
Tree: TypeAlias = dict[str, dict[str, dict[str, float]]]


def headline(rows: Iterable[Row]) -> Tree:
    """Rows of the metrics table as model, scenario and ``total``, in percent, over all questions.

    A scenario that has no total holds nothing.
    """
    tree: Tree = {}
    for row in rows:
        if row["questions"] != ALL or any(row[k] != ALL for k in Key._fields):
            continue
        node = tree.setdefault(str(row["model"]), {}).setdefault(str(row["scenario"]), {})
        if row["metric"] == TOTAL and row["value"] is not None:
            node[TOTAL] = round(row["value"], DECIMALS) + 0.0
    return tree
