"""How many answers ended how: refused, cut off, failed, read by which method."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import ALL, Key, Rows

if TYPE_CHECKING:
    import pandas as pd

#: Counts of a group of answers: metric -> which rows it counts.
COUNTS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "n_refused": lambda t: t["refused"],
    "n_truncated": lambda t: t["truncated"],
    "n_error": lambda t: t["status"] == "error",
    "n_timeout": lambda t: t["status"] == "timeout",
    "n_no_choice": lambda t: (t["status"] == "answered") & ~t["scored"] & ~t["refused"],
    "n_none_of_options": lambda t: t["parse_method"] == "none_of_options",
    "n_by_letter": lambda t: t["parse_method"] == "letter",
    "n_by_edit_distance": lambda t: t["parse_method"] == "edit_distance",
    "n_by_logprobs": lambda t: t["parse_method"] == "logprobs",
}


@METRICS.register("outcomes", place=3)
def add(out: Rows, of: Answers) -> None:
    """Add the counts over all answers, and by question type."""
    sample = of.sample
    table = sample.table
    for kind in (ALL, *sample.kinds):
        part = table if kind == ALL else table[table["question_type"] == kind]
        counts = sample.counts() if kind == ALL else sample.counts_of(kind)
        for metric, counted in COUNTS.items():
            out.add(Key(kind), metric, float(counted(part).sum()), None, counts)
