"""Accuracy by level of difficulty, and of pairs: a question about a scene and about its twin."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.tables import TYPES


@METRICS.register("levels", place=6)
def add(out: Rows, of: Answers) -> None:
    """Add ``accuracy`` by level, how far levels are apart, and ``pair_accuracy``, where the suite
    has them.

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
    _add_difference(out, of)
    _add_pairs(out, sample, closed)


def _add_difference(out: Rows, of: Answers) -> None:
    """Add the headline of the first level less that of the last, and the same of accuracies."""
    names = [level for level, _ in of.sample.parts("level")]
    if len(names) < 2:
        return
    first, last = names[0], names[-1]
    figure = None if of.headline.headline.table else of.headline.difference("level", first, last)
    if figure is not None:
        one, other = (of.headline.counts("level", name) for name in (first, last))
        out.add_pairs(Key(), "level_difference", figure, one.plus(other))
    for kind in (kind for kind in of.sample.kinds if TYPES[kind].judged):
        found = dict(of.sample.parts("level", kind))
        if found.keys() >= {first, last}:
            figure = of.sample.difference(("level",), [[(kind, first)]], [[(kind, last)]])
            counts = found[first].plus(found[last])
            out.add_pairs(Key(kind), "level_difference", figure, counts)


def _cells(sample: Sample, kinds: list[str], *columns: str) -> list[tuple[str, ...]]:
    return [key for key in sample.cells(*columns) if key[0] in kinds]


def _add_pairs(out: Rows, sample: Sample, kinds: list[str]) -> None:
    pairs = paired_answers(sample)
    pairs = pairs[pairs["question_type"].isin(kinds)]
    if not len(pairs):
        return
    both = Sample(pairs, pairs)
    cells = [(kind,) for kind in both.kinds]
    out.add_figure(Key(), "pair_accuracy", both.pooled((), cells), both.counts())
    for kind in both.kinds:
        keys: list[tuple[str, dict[str, str]]] = [("question_type", {})]
        for column in ("level", "subtask"):
            keys += [(column, {column: k[1]}) for k in both.cells(column) if k[0] == kind]
        for column, about in keys:
            columns = () if not about else (column,)
            key = (kind, *about.values())
            found, counts = both.mean(columns, [[key]]), both.counts_in(key, *columns)
            out.add_figure(Key(kind, **about), "pair_accuracy", found, counts)


def paired_answers(sample: Sample) -> pd.DataFrame:
    """Return one row a pair of questions: right where both are; without those half asked.

    A pair with an answer that could not be scored is unscored.
    """
    table = sample.table.assign(value=sample.value, scored=sample.usable)
    table = table[table["pair"] >= 0]
    grouped = table.groupby("pair", sort=True)
    pairs = grouped.first()
    pairs["value"] = np.where(grouped["scored"].all(), grouped["value"].min(), np.nan)
    pairs["scored"] = grouped["scored"].all()
    # Both scenes are of one cluster, so that it does not matter which stands for the pair.
    return pairs[grouped["question"].nunique() == 2].reset_index()
