"""Our own ranking: the clean total of each model, on all styles and on realistic ones; and what it
has on each subtask and question type."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config.scenarios import CLEAN

#: (Subtask, question type) -> score in percent; None where nothing could be scored.
Cells: TypeAlias = Mapping[tuple[str, str], float | None]
#: Values of the column ``styles``.
ALL, REALISTIC = "all", "realistic"


def metric_totals(metrics: pa.Table) -> dict[str, float]:
    """Model -> its clean total as the table of metrics has it; models without one are left out."""
    wanted = {
        "questions": "all", "scenario": CLEAN, "metric": "total", "question_type": "all",
        "subtask": "all", "style": "all", "perturbation": "all", "severity": "all",
        "level": "all",
    }  # fmt: skip
    for column, value in wanted.items():
        metrics = metrics.filter(pc.equal(metrics[column], value))
    pairs = zip(metrics["model"].to_pylist(), metrics["value"].to_pylist(), strict=True)
    return {model: float(value) for model, value in pairs if value is not None and value == value}


def realistic_totals(scores: Sequence[Path], styles: Collection[str]) -> dict[str, float]:
    """Model -> the same total from the answers about images of some styles alone.

    It is computed from the scores, as the metric ``total`` is: the mean over question types of the
    mean over subtasks. The rows of single styles in the table of metrics would not do, since they
    do not say which subtasks are behind them.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    from lvlmbench.stages.metrics.metrics import totals

    found: dict[str, float] = {}
    for model, table in _clean(scores, styles):
        value = totals(table).get((model, CLEAN)) if table.num_rows else None
        if value is not None:
            found[model] = value
    return found


def cells(scores: Sequence[Path], styles: Collection[str] | None) -> dict[str, Cells]:
    """Model -> what it has on each subtask and question type in the clean scenario: the means that
    a total is the mean of. ``styles``: on their images alone; None: on all.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    from lvlmbench.stages.metrics.metrics import subtask_means

    return {m: subtask_means(table) for m, table in _clean(scores, styles)}


def _clean(
    scores: Sequence[Path], styles: Collection[str] | None
) -> Iterator[tuple[str, pa.Table]]:
    """Each model with its scores in the clean scenario, on images of these styles."""
    where = pc.field("scenario") == CLEAN
    if styles is not None:
        where &= pc.field("style").isin(pa.array(sorted(styles), pa.string()))
    for model, files in _by_model(scores).items():
        yield model, tables.read(files, tables.SCORES, where=where & (pc.field("model") == model))


def _by_model(scores: Sequence[Path]) -> dict[str, list[Path]]:
    """Model -> files with its scores in the clean scenario, by name."""
    found: dict[str, list[Path]] = {}
    for path in sorted(scores):
        table = tables.read([path], tables.SCORES, ["model", "scenario"])
        models = table.filter(pc.equal(table["scenario"], CLEAN))["model"].unique()
        for model in models.to_pylist():
            found.setdefault(model, []).append(path)
    return dict(sorted(found.items()))
