"""Sensitivity to question types (SQ) and to covariate shift (SC): Dysca, equations 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.resampling import Spread

#: What the paper takes for the accuracy of guessing, in percent.
CHANCE_TRUE_FALSE, CHANCE_MULTIPLE_CHOICE = 50.0, 25.0


def normalized(score: Any, chance: Any) -> Any:
    """Score in percent above chance: 0 at chance, 100 where all is right."""
    return (score - chance) / (100 - chance) * 100


def sq(true_false: float, multiple_choice: float) -> float:
    """Equation 1: variance, in squared percentage points, of the two normalized scores."""
    tf = normalized(true_false, CHANCE_TRUE_FALSE)
    mc = normalized(multiple_choice, CHANCE_MULTIPLE_CHOICE)
    mean = (tf + mc) / 2
    return float(((tf - mean) ** 2 + (mc - mean) ** 2) / 2)


def sc(scores: Sequence[float]) -> float:
    """Equation 2: variance (divided by N), in squared percentage points, over N styles.

    Raises
    ------
    ValueError
        There is no style.
    """
    if not scores:
        raise ValueError("SC needs the score of at least one style")
    mean = sum(scores) / len(scores)
    return sum((s - mean) ** 2 for s in scores) / len(scores)


def question_types(sample: Sample) -> Spread | None:
    """SQ: the spread of the two scores above chance; None where either is missing."""
    asked = _above_chance(sample.asked)
    table = asked if sample.table is sample.asked else _above_chance(sample.table)
    found = Sample(asked, table, kinds=sample.kinds)
    tf, mc = (found.scores.get(kind) for kind in ("true_false", "multiple_choice"))
    if tf is None or mc is None:
        return None
    moved = [
        found.moved_by(("subtask",), [found.by_subtask(kind)])
        for kind in ("true_false", "multiple_choice")
    ]
    return Spread(np.array([tf.value, mc.value]), np.column_stack(moved))


def _above_chance(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers whose values are normalized by the chance of their own question, so that one with
    three options is not compared with a chance of 25; by the paper's where it is not known."""
    two = answers["question_type"] == "true_false"
    paper = np.where(two, CHANCE_TRUE_FALSE, CHANCE_MULTIPLE_CHOICE)
    chance = answers["chance"].fillna(pd.Series(paper, answers.index))
    return answers.assign(value=normalized(answers["value"], chance))


def styles(sample: Sample) -> Spread | None:
    """SC: the spread of the scores of the styles that have one; None below two."""
    found = {name: figure for name, figure in sample.styles.items() if figure is not None}
    if len(found) < 2:
        return None
    values = np.array([figure.value for figure in found.values()])
    moved = [sample.moved_by(("style",), sample.of_style(name)) for name in found]
    return Spread(values, np.column_stack(moved))
