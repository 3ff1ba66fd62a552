"""Sensitivity to question types (SQ) and to covariate shift (SC): Dysca, equations 1 and 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lvlmbench.scoring.estimate import Figure, Z

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


def sq_error(true_false: Figure, multiple_choice: Figure) -> tuple[float, float, float] | None:
    """(stderr, low, high) of SQ, from those of the difference of the normalized scores.

    SQ is a quarter of that difference squared; its interval is the difference's interval put
    through the square. None where fewer than two scenes went in.
    """
    tf = normalized(true_false.value, CHANCE_TRUE_FALSE)
    mc = normalized(multiple_choice.value, CHANCE_MULTIPLE_CHOICE)
    influence = true_false.influence * (100 / (100 - CHANCE_TRUE_FALSE))
    influence = influence - multiple_choice.influence * (100 / (100 - CHANCE_MULTIPLE_CHOICE))
    if true_false.stderr is None or multiple_choice.stderr is None:
        return None
    gap, stderr = abs(tf - mc), math.sqrt(float((influence * influence).sum()))
    low, high = max(gap - Z * stderr, 0.0), gap + Z * stderr
    return gap / 2 * stderr, low * low / 4, high * high / 4


def sc_noise(styles: Sequence[Figure]) -> float | None:
    """What SC would be on average if all styles were equally hard: sampling alone, in squared
    percentage points. None where a style's standard error is not known."""
    errors = [style.stderr for style in styles]
    if not errors or any(e is None for e in errors):
        return None
    n = len(errors)
    return sum(e * e for e in errors if e is not None) / n * (n - 1) / n


def sc_error(styles: Sequence[Figure]) -> tuple[float, float, float] | None:
    """(stderr, low, high) of SC by linearization, low cut at 0. None without two scenes each."""
    if not styles or any(style.stderr is None for style in styles):
        return None
    n = len(styles)
    mean = sum(style.value for style in styles) / n
    influence = sum(
        (2 / n * (style.value - mean) * style.influence for style in styles),
        start=0.0 * styles[0].influence,
    )
    stderr = math.sqrt(float((influence * influence).sum()))
    value = sc([style.value for style in styles])
    return stderr, max(value - Z * stderr, 0.0), value + Z * stderr
