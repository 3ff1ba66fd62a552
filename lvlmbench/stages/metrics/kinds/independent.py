"""Accuracy without the questions that an examiner of the model's own family asked."""

from __future__ import annotations

from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.tables import TYPES


@METRICS.register("independent", place=8)
def add(out: Rows, of: Answers) -> None:
    """Add ``accuracy_independent`` of question types with right answers, and of their subtasks and
    levels, where the model's own family asked some of the questions.

    AutoDavis, section 1, wants examiners other than the models under test. Each figure is what
    ``score`` or ``accuracy`` would be if the others' questions were all that was asked. There is
    none where a validator of its family has chosen the pictures of all of them.
    """
    if not of.asked["own"].any():
        return
    asked, table = (each[~each["own"]].reset_index(drop=True) for each in (of.asked, of.table))
    if asked.empty:
        return
    sample = Sample(asked, table)
    for kind in [kind for kind in sample.kinds if TYPES[kind].judged]:
        name = "accuracy_independent"
        out.add_figure(Key(kind), name, sample.scores[kind], sample.counts_of(kind))
        for columns in (("subtask",), ("level",), ("subtask", "level")):
            for (of_kind, *values), figure in sample.cells(*columns).items():
                if of_kind == kind:
                    key = Key(kind, **dict(zip(columns, values, strict=True)))
                    counts = sample.counts_in((kind, *values), *columns)
                    out.add_figure(key, name, figure, counts)
