"""Accuracy by level of difficulty, and of pairs: a question about a scene and about its twin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.intervals import mean_figure
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import ALL, Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.tables import TYPES


@METRICS.register("levels", place=6)
def add(out: Rows, of: Answers) -> None:
    """Add ``accuracy`` by level, and ``pair_accuracy``, where the suite has them.

    A pair is right where both of its answers are: guessing and priors cannot reach that, as the
    twin's answer is another. A pair with an answer that could not be scored is counted and left
    out.
    """
    sample = of.sample
    if sample.asked["level"].isna().all():
        return
    closed = [kind for kind in sample.kinds if TYPES[kind].judged]
    by_level = sample.cells("level")
    for kind, level in _cells(sample, closed, "level"):
        counts = sample.counts_in((kind, level), "level")
        out.add_figure(Key(kind, level=level), "accuracy", by_level[kind, level], counts)
    found = sample.cells("subtask", "level")
    for kind, subtask, level in _cells(sample, closed, "subtask", "level"):
        key = (kind, subtask, level)
        counts = sample.counts_in(key, "subtask", "level")
        out.add_figure(Key(kind, subtask, level=level), "accuracy", found[key], counts)
    _add_pairs(out, sample, closed)


def _cells(sample: Sample, kinds: list[str], *columns: str) -> list[tuple[str, ...]]:
    return [key for key in sample.cells(*columns) if key[0] in kinds]


def _add_pairs(out: Rows, sample: Sample, kinds: list[str]) -> None:
    table = sample.table.assign(right=sample.value == 100.0, usable=sample.usable)
    table = table[(table["pair"] >= 0) & table["question_type"].isin(kinds)]
    _add(out, Key(), table)
    for kind in kinds:
        mine = table[table["question_type"] == kind]
        _add(out, Key(kind), mine)
        for column in ("level", "subtask"):
            for name, part in mine.groupby(column, observed=True, sort=True):
                _add(out, Key(kind, **{column: str(name)}), part)


def _add(out: Rows, key: Key, part: pd.DataFrame) -> None:
    """Add a row about pairs; those of which one answer alone was asked for do not count."""
    grouped = part.groupby("pair", sort=True)
    both = grouped["question"].nunique() == 2
    usable = grouped["usable"].all()[both]
    right = grouped["right"].all()[both][usable]
    values: npt.NDArray[np.float64] = 100.0 * right.to_numpy(dtype=np.float64)
    counts = Counts(int(usable.sum()), int((~usable).sum()))
    figure = None
    if len(values):
        places = np.arange(len(values), dtype=np.int64)
        figure = mean_figure(values, places, len(values), float(values.mean()), True)
    if part.empty and key == Key():
        return
    if key.level != ALL or key.subtask != ALL or len(both):
        out.add_figure(key, "pair_accuracy", figure, counts)
