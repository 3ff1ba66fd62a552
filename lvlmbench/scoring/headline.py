"""The few numbers by which one holds two snapshots against each other: results/metrics.json.

``dvc metrics diff`` and ``dvc exp show`` print a line or a column for every leaf, so there are only
as many as one reads. All others stand in results/metrics.parquet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from lvlmbench.scoring.table import ALL, Key

#: Percent, to as many places as a table prints.
DECIMALS = 2

Row: TypeAlias = Mapping[str, Any]
Tree: TypeAlias = dict[str, Any]

#: Metrics over everything -> their names below a scenario.
_OVERALL = {"total": "total", "difference": "difference", "sq": "sq", "sc": "sc"}


def _number(value: Any) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0


def headline(rows: Iterable[Row]) -> Tree:
    """Rows of the metrics table as model, scenario and number.

    Over all questions, in percent: ``total`` with the ends of its 95% interval (``low``, ``high``),
    ``difference`` to clean, the score of each question type, ``sq`` and ``sc``; and the numbers of
    answers ``n`` that were scored and ``unscored`` that could not be. What a scenario has nothing
    of is left out.
    """
    types = Key._fields
    tree: Tree = {}
    for row in rows:
        if row["questions"] != ALL or any(row[k] != ALL for k in types if k != "question_type"):
            continue
        node = tree.setdefault(str(row["model"]), {}).setdefault(str(row["scenario"]), {})
        metric, kind = row["metric"], row["question_type"]
        if kind == ALL and metric in _OVERALL:
            node[_OVERALL[metric]] = _number(row["value"])
            if metric == "total":
                node |= {"low": _number(row["low"]), "high": _number(row["high"])}
                node |= {"n": row["n"], "unscored": row["n_unscored"]}
        elif kind != ALL and metric == "score":
            node[str(kind)] = _number(row["value"])
    return {
        model: {s: {k: v for k, v in found.items() if v is not None} for s, found in of.items()}
        for model, of in tree.items()
    }
