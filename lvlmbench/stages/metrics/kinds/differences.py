"""What scenarios do to scores: levels by perturbation, and pairs with clean.

An answer of a scenario is paired with the clean answer of the same model to the same question.
The mean of the pairs' differences knows nothing of how hard the questions are, so that its
interval is narrower than that of the difference of two means, and scenarios that ask only part of
the questions are held against the same part. docs/metrics.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.headline import Measured
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import ALL, HEADLINE, Key, Rows
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
        add_levels(out, of)
    if of.clean is not None:
        add_untouched(out, of, of.clean)
        add_differences(out, of, of.clean)


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


def add_levels(out: Rows, of: Answers) -> None:
    """Rows ``headline`` and ``score`` by kind of perturbation, by severity and by both."""
    for kind, severity in _conditions(of.asked):
        shown = (_shown(t, kind, severity) for t in (of.asked, of.table))
        _add(out.add_figure, HEADLINE, "score", Part(of, *shown), kind, severity)


def add_untouched(out: Rows, of: Answers, clean: pd.DataFrame) -> None:
    """The same of the clean answers to the questions of the scenario and of each kind."""
    for kind in [ALL, *_names(of.asked, "perturbation")]:
        same = (_answers_to(clean, _shown(t, kind, ALL)) for t in (of.asked, of.table))
        _add(out.add_figure, HEADLINE, "score", Part(of, *same), kind, UNTOUCHED)


def add_differences(out: Rows, of: Answers, clean: pd.DataFrame) -> None:
    """Rows ``difference``, of the answers as :func:`paired` has them."""
    name = "difference"
    asked, table = (paired(answers, clean) for answers in (of.asked, of.table))
    whole = Part(of, asked, table, paired=True)
    _add(out.add_pairs, name, name, whole, ALL, ALL)
    for subtask, figure in whole.headline.by("subtask").items() if whole.measured else ():
        counts = whole.headline.counts("subtask", subtask)
        out.add_pairs(Key(subtask=subtask), name, figure, counts)
    for kind in whole.sample.kinds:
        for subtask, counts in whole.sample.parts("subtask", kind):
            figure = whole.sample.subtasks[kind, subtask]
            out.add_pairs(Key(kind, subtask), name, figure, counts)
    for done, severity in _conditions(asked):
        some, kept = (_shown(t, done, severity) for t in (asked, table))
        _add(out.add_pairs, name, name, Part(of, some, kept, paired=True), done, severity)


class Part:
    """Some of the answers ``of`` a model, by question type and as the headline has them."""

    def __init__(
        self, of: Answers, asked: pd.DataFrame, table: pd.DataFrame, paired: bool = False
    ) -> None:
        kinds, headline = of.sample.kinds, of.headline.headline
        self.sample = Sample(asked, table, kinds=kinds, paired=paired)
        self.headline = Measured(headline, asked, table, kinds=kinds, paired=paired)
        #: Whether the headline is computed from answers, so that parts of them have one.
        self.measured = headline.table is None


def _add(
    add: Callable[[Key, str, Estimate | None, Counts], None],
    whole: str,
    each: str,
    part: Part,
    done: str,
    severity: str,
) -> None:
    """Add rows of a part: the metric ``whole`` of all, ``each`` of every question type."""
    key = Key(perturbation=done, severity=severity)
    if part.measured:
        add(key, whole, part.headline.figure, part.headline.counts())
    for kind in part.sample.kinds:
        counts = part.sample.counts_of(kind)
        add(key._replace(question_type=kind), each, part.sample.scores[kind], counts)


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
