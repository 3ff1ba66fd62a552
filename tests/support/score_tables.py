"""Rows of the scores table by hand, and rows of the metrics table found again."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from lvlmbench import tables

Row = dict[str, object]
MC, TF, FF = "multiple_choice", "true_false", "free_form"
#: Key columns of the metrics table.
KEY = (
    "questions", "model", "scenario", "question_type", "subtask", "style", "perturbation",
    "severity", "level", "metric",
)  # fmt: skip


def score(
    number: int,
    kind: str,
    subtask: str,
    value: float | bool | None,
    style: str = "oil",
    scene: int | None = None,
    model: str = "m",
    status: str = "answered",
    scenario: str = "clean",
    done: str | None = None,
    severity: int | None = None,
) -> Row:
    """A row of the scores table; ``value`` None is unscored."""
    free = kind == FF
    scene = number if scene is None else scene
    return {
        "model": model,
        "scenario": scenario,
        "question_id": f"{number:04d}",
        "image_id": f"i{scene}-{scenario}-{done}-{severity}",
        "perturbation": done,
        "severity": severity,
        "scene_id": f"s{scene}",
        "subtask": subtask,
        "question_type": kind,
        "style": style,
        "status": status,
        "parsed_index": None,
        "parse_method": None if free else ("none" if value is None else "letter"),
        "correct": None if free or value is None else bool(value),
        "similarity": float(value) if free and value is not None else None,
        "scored": value is not None,
    }


def table(rows: Sequence[Row]) -> pa.Table:
    return tables.SCORES.of(list(rows))


def pick(
    rows: Sequence[Row],
    metric: str,
    kind: str = "all",
    subtask: str = "all",
    style: str = "all",
    model: str = "m",
    questions: str = "all",
    scenario: str = "clean",
    done: str = "all",
    severity: str = "all",
    level: str = "all",
) -> Row:
    """The one row of a metric."""
    values = (questions, model, scenario, kind, subtask, style, done, severity, level, metric)
    (row,) = [r for r in rows if tuple(r[k] for k in KEY) == values]
    return row
