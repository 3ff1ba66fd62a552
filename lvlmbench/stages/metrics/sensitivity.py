"""Sensitivity to question types (SQ) and to covariate shift (SC): Dysca, equations 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.resampling import Spread

#: What the paper takes for the accuracy of guessing, in percent.
CHANCE_TRUE_FALSE, CHANCE_MULTIPLE_CHOICE = 50.0, 25.0


def normalized(score: float, chance: float) -> float:
    """Score in percent above chance: 0 at chance, 100 where all is right."""
    return (score - chance) / (100 - chance) * 100


def sq(true_false: float, multiple_choice: float) -> float:
    """Equation 1: variance, in squared percentage points, of the two normalized scores."""
    tf = normalized(true_false, CHANCE_TRUE_FALSE)
    mc = normalized(multiple_choice, CHANCE_MULTIPLE_CHOICE)
    mean = (tf + mc) / 2
    return ((tf - mean) ** 2 + (mc - mean) ** 2) / 2


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
    """SQ: the spread of the two normalized scores; None where either is missing."""
    tf, mc = sample.scores.get("true_false"), sample.scores.get("multiple_choice")
    if tf is None or mc is None:
        return None
    values = [normalized(tf.value, CHANCE_TRUE_FALSE), normalized(mc.value, CHANCE_MULTIPLE_CHOICE)]
    kinds = (("true_false", CHANCE_TRUE_FALSE), ("multiple_choice", CHANCE_MULTIPLE_CHOICE))
    moved = [
        sample.moved_by(("subtask",), [sample.by_subtask(kind)]) * (100 / (100 - chance))
        for kind, chance in kinds
    ]
    return Spread(np.array(values), np.column_stack(moved))


def styles(sample: Sample) -> Spread | None:
    """SC: the spread of the scores of the styles that have one; None below two."""
    found = {name: figure for name, figure in sample.styles.items() if figure is not None}
    if len(found) < 2:
        return None
    values = np.array([figure.value for figure in found.values()])
    moved = [sample.moved_by(("style",), sample.of_style(name)) for name in found]
    return Spread(values, np.column_stack(moved))
