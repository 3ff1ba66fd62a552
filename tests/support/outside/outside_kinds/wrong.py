"""The metric ``n_wrong``."""

from __future__ import annotations

from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows


@METRICS.register("wrong")
def add(out: Rows, of: Answers) -> None:
    """Add how many answers chose a wrong option."""
    wrong = of.table["scored"] & (of.table["value"] == 0)
    out.add(Key(), "n_wrong", float(wrong.sum()), None, of.sample.counts())
