"""What scenarios do to scores: levels by perturbation, and pairs with clean.

An answer of a scenario is paired with the clean answer of the same model to the same question.
The mean of the pairs' differences knows nothing of how hard the questions are, so that its
interval is narrower than that of the difference of two means, and scenarios that ask only part of
the questions are held against the same part. docs/metrics.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import ALL, Key, Rows
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.estimate import Estimate

#: In the column ``severity``: the clean answers to the same questions.
UNTOUCHED = "0"


@METRICS.register("differences", place=5)
def add(out: Rows, of: Answers) -> None:
    """Add levels by perturbation, and differences to clean where that was asked.

    What shows scenes again has questions of its own, so that there is nothing to pair.
    """
    if (of.asked["base"] >= 0).all():
        return
    if of.noisy:
        add_levels(out, of.asked, of.table)
    if of.clean is not None:
        add_untouched(out, of.asked, of.table, of.clean)
        add_differences(out, paired(of.asked, of.clean), paired(of.table, of.clean))


def paired(asked: pd.DataFrame, clean: pd.DataFrame) -> pd.DataFrame:
    """Answers of a scenario with the difference to the clean answer as their value.

    Parameters
    ----------
    asked, clean
        Answers of one model (:func:`lvlmbench.stages.metrics.frame.prepared`), those of ``clean``
        one a question. ``scored`` is false in the result where either is unscored or missing.
    """
    question = asked["question"].to_numpy()
    known = clean["question"].to_numpy()
    base = np.full(max(question.max(initial=-1), known.max(initial=-1)) + 1, np.nan)
    base[known] = clean["value"].to_numpy()
    value = asked["value"].to_numpy() - base[question]
    return asked.assign(value=value, scored=np.isfinite(value))


def add_levels(out: Rows, asked: pd.DataFrame, table: pd.DataFrame) -> None:
    """Rows ``total`` and ``score`` by kind of perturbation, by severity and by both."""
    kinds = Sample(asked, table).kinds
    for kind, severity in _conditions(asked):
        sample = Sample(_shown(asked, kind, severity), _shown(table, kind, severity), kinds=kinds)
        _add_level(out, sample, kind, severity)


def add_untouched(out: Rows, asked: pd.DataFrame, table: pd.DataFrame, clean: pd.DataFrame) -> None:
    """The same of the clean answers to the questions of the scenario and of each kind."""
    kinds = Sample(asked, table).kinds
    for kind in [ALL, *_names(asked, "perturbation")]:
        same, kept = (_answers_to(clean, _shown(t, kind, ALL)) for t in (asked, table))
        _add_level(out, Sample(same, kept, kinds=kinds), kind, UNTOUCHED)


def add_differences(out: Rows, asked: pd.DataFrame, table: pd.DataFrame) -> None:
    """Rows ``difference``; the answers are those of :func:`paired`."""
    sample = Sample(asked, table, paired=True)
    _add_difference(out, sample, ALL, ALL)
    for name, counts in sample.parts("subtask"):
        _add_pairs(out, Key(subtask=name), sample.across(name), counts)
    for kind in sample.kinds:
        for name, counts in sample.parts("subtask", kind):
            _add_pairs(out, Key(kind, name), sample.subtasks[kind, name], counts)
    for done, severity in _conditions(asked):
        part = Sample(
            _shown(asked, done, severity), _shown(table, done, severity), kinds=sample.kinds,
            paired=True,
        )  # fmt: skip
        _add_difference(out, part, done, severity)


def _add_level(out: Rows, sample: Sample, done: str, severity: str) -> None:
    key = Key(perturbation=done, severity=severity)
    out.add_figure(key, "total", sample.total, sample.counts())
    for kind in sample.kinds:
        key = key._replace(question_type=kind)
        out.add_figure(key, "score", sample.scores[kind], sample.counts_of(kind))


def _add_difference(out: Rows, sample: Sample, done: str, severity: str) -> None:
    key = Key(perturbation=done, severity=severity)
    _add_pairs(out, key, sample.total, sample.counts())
    for kind in sample.kinds:
        key = key._replace(question_type=kind)
        _add_pairs(out, key, sample.scores[kind], sample.counts_of(kind))


def _add_pairs(out: Rows, key: Key, found: Estimate | None, counts: Counts) -> None:
    shown = None if found is None else found.within(-100.0, 100.0)
    out.add_figure(key, "difference", shown, counts)


def _conditions(asked: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """(kind of perturbation, severity): each kind, each severity, each pair that was shown."""
    yield from ((kind, ALL) for kind in _names(asked, "perturbation"))
    yield from ((ALL, severity) for severity in _names(asked, "severity"))
    both = asked[["perturbation", "severity"]].drop_duplicates().dropna()
    yield from sorted(zip(both["perturbation"], both["severity"], strict=True))


def _names(asked: pd.DataFrame, column: str) -> list[str]:
    return sorted(str(name) for name in asked[column].dropna().unique())


def _shown(answers: pd.DataFrame, kind: str, severity: str) -> pd.DataFrame:
    """The answers about images to which this was done."""
    chosen = np.ones(len(answers), dtype=bool)
    if kind != ALL:
        chosen &= (answers["perturbation"] == kind).to_numpy()
    if severity != ALL:
        chosen &= (answers["severity"] == severity).to_numpy()
    return answers[chosen]


def _answers_to(clean: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """The clean answers to the questions of ``answers``."""
    return clean[np.isin(clean["question"].to_numpy(), answers["question"].to_numpy())]
