"""How far accuracies are from guessing."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.estimate import Estimate
from lvlmbench.tables import TYPES


@METRICS.register("guessing", place=4)
def add(out: Rows, of: Answers) -> None:
    """Add ``chance`` and ``above_chance`` of question types with right answers, and their subtasks.

    ``chance`` is what guessing gets on the answers that are scored, averaged as they are; that of
    short answers is from :func:`lvlmbench.snapshot.guessing.with_chance`. It is taken for known:
    ``above_chance`` has the standard error of the accuracy, and its interval less ``chance``.
    """
    sample = of.sample
    closed = [k for k in sample.kinds if TYPES[k].judged]
    asked, table = (
        t.assign(value=t["chance"].where(t["scored"])) for t in (sample.asked, sample.table)
    )
    by_guess = Sample(asked, table, kinds=closed)
    if not np.isfinite(asked["chance"].to_numpy()).any():
        return
    for kind in closed:
        pair = sample.scores[kind], by_guess.scores[kind]
        _add(out, Key(kind), *pair, sample.counts_of(kind))
        for name, counts in sample.parts("subtask", kind):
            pair = sample.subtasks[kind, name], by_guess.subtasks[kind, name]
            _add(out, Key(kind, name), *pair, counts)


def _add(
    out: Rows, key: Key, right: Estimate | None, guessed: Estimate | None, counts: Counts
) -> None:
    if right is None or guessed is None:
        out.add(key, "chance", None, None, counts)
        out.add(key, "above_chance", None, None, counts)
        return
    out.add(key, "chance", guessed.value, None, counts)
    out.add_figure(key, "above_chance", right.scaled(1.0, -guessed.value), counts)
