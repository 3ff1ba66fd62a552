"""Rows of accuracies, similarities and scores, by question type, subtask, style and level."""

from __future__ import annotations

from lvlmbench.stages.metrics.headline import Measured
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.tables import TYPES


@METRICS.register("scores", place=2)
def add(out: Rows, of: Answers) -> None:
    """Add them, then the strict ones, in which an unscored answer counts as wrong."""
    _add_scores(out, of.sample, of.headline)
    _add_scores(out, of.strict, of.headline_strict)


def _add_scores(out: Rows, sample: Sample, headline: Measured) -> None:
    """Add rows of accuracies, similarities and scores."""
    kinds, suffix = sample.kinds, "_strict" if sample.strict else ""

    def metric_of(kind: str) -> str:
        return ("accuracy" if TYPES[kind].judged else "similarity") + suffix

    for kind in kinds:
        out.add_figure(Key(kind), "score" + suffix, sample.scores[kind], sample.counts_of(kind))
    for column in ("subtask", "style", "level") if headline.headline.table is None else ():
        for name, figure in headline.by(column).items():
            counts = headline.counts(column, name)
            out.add_figure(Key(**{column: name}), "score" + suffix, figure, counts)
    for kind in kinds:
        for name, counts in sample.parts("subtask", kind):
            figure = sample.subtasks[kind, name]
            out.add_figure(Key(kind, name), metric_of(kind), figure, counts)
        for name, counts in sample.parts("style", kind):
            figure = sample.style_cells[kind, name]
            out.add_figure(Key(kind, style=name), metric_of(kind), figure, counts)
