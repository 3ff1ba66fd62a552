"""How far examiners agree on models (AutoDavis, section 3.7 and appendix I).

A matrix has a model a row and an examiner a column; a cell is the model's score on the questions
of that examiner, and none is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.stats.estimate import LEVEL

F64: TypeAlias = npt.NDArray[np.float64]

#: Draws of an interval, unless told otherwise.
DRAWS = 4000
#: Decimals to which scores are equal.
_EQUAL = 9
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


@dataclass(frozen=True)
class Variance:
    """A two-way analysis of variance with one score a cell.

    Attributes
    ----------
    models, examiners
        How many there are, at least two of each.
    model, examiner, error
        Sums of squares.
    """

    models: int
    examiners: int
    model: float
    examiner: float
    error: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """Return what part of the total is of models, of examiners and of neither; they add up
        to 1. All are 0 where all scores are equal."""
        total = self.model + self.examiner + self.error
        if total == 0:
            return 0.0, 0.0, 0.0
        return self.model / total, self.examiner / total, self.error / total

    @property
    def freedom(self) -> tuple[int, int, int]:
        """Return the degrees of freedom of models, examiners and error."""
        n, k = self.models - 1, self.examiners - 1
        return n, k, n * k

    @property
    def icc(self) -> float | None:
        """Return ICC(2,1): the part of the variance of one score by one random examiner that is
        of models (Shrout, Fleiss, Psychological Bulletin 86, 1979). Sampling may take it below 0.
        It is None where all scores are equal."""
        sums = (self.model, self.examiner, self.error)
        model, examiner, error = (s / f for s, f in zip(sums, self.freedom, strict=True))
        between = (model - error) / self.examiners
        whole = between + (examiner - error) / self.models + error
        return between / whole if whole else None

    def icc_interval(
        self, random: np.random.Generator, draws: int = DRAWS
    ) -> tuple[float, float] | None:
        """Return a 95 % interval of the ICC over other models and other examiners like these.

        Each draw divides the sums of squares by chi-squares, which gives mean squares that may
        have made them (generalized confidence interval: Weerahandi, JASA 88, 1993). Three
        examiners say little of others, so it is wide.
        """
        if self.icc is None:
            return None
        sums = (self.model, self.examiner, self.error)
        model, examiner, error = (
            total / random.chisquare(freedom, draws)
            for total, freedom in zip(sums, self.freedom, strict=True)
        )
        between = np.maximum(model - error, 0) / self.examiners
        whole = between + np.maximum(examiner - error, 0) / self.models + error
        low, high = np.quantile(between / np.where(whole > 0, whole, 1), _ENDS)
        return float(low), float(high)


def two_way(scores: F64) -> Variance:
    """Return the analysis of a matrix.

    Raises
    ------
    ValueError
        It has no two models or no two examiners, or an empty cell.
    """
    n, k = scores.shape
    if n < 2 or k < 2 or not np.isfinite(scores).all():
        raise ValueError("it takes two models, two examiners, and a score in each cell")
    model = scores.mean(axis=1, keepdims=True) - scores.mean()
    examiner = scores.mean(axis=0, keepdims=True) - scores.mean()
    error = scores - scores.mean() - model - examiner
    squares = (float((part**2).sum()) for part in (model, examiner, error))
    return Variance(n, k, next(squares) * k, next(squares) * n, next(squares))


def influence(scores: F64) -> F64:
    """Return how lenient each examiner is: the mean score by all less that by all others.

    It is above 0 where leaving the examiner out lowers scores. Here the others' questions stay
    as they are; where they were made anew, take :func:`change`. Several matrices may be stacked.
    """
    by = scores.mean(axis=-2)
    others = (by.sum(axis=-1, keepdims=True) - by) / (by.shape[-1] - 1)
    return np.asarray(by.mean(axis=-1, keepdims=True) - others, dtype=np.float64)


def change(baseline: Sequence[float], without: Sequence[float]) -> float:
    """Return the mean of models' scores by all examiners less those without one of them."""
    return float(np.mean(np.subtract(baseline, without)))


def self_preference(scores: F64, own: Sequence[int]) -> F64:
    """Return by how much each model's score by its own examiner is above what model and examiner
    alone let expect: row mean + column mean - grand mean.

    Parameters
    ----------
    own
        Column of the examiner that is each model, or of its family.

    Several matrices may be stacked.
    """
    model, examiner = (scores.mean(axis=axis, keepdims=True) for axis in (-1, -2))
    expected = model + examiner - scores.mean(axis=(-2, -1), keepdims=True)
    rows = np.arange(scores.shape[-2])
    return np.asarray((scores - expected)[..., rows, list(own)], dtype=np.float64)


@dataclass(frozen=True)
class Ranks:
    """How alike two rankings of the same models are.

    ``spearman`` and ``kendall`` (tau-b) are None where one of the two tells no models apart;
    ``shift`` is the most places that a model moves, ties sharing their mean place.
    """

    spearman: float | None
    kendall: float | None
    shift: float


def ranks(first: Sequence[float], second: Sequence[float]) -> Ranks:
    """Return how alike two lists of scores rank models."""
    rho, tau, shift = (float(each) for each in rank_figures(np.array(first), np.array(second)))
    return Ranks(None if np.isnan(rho) else rho, None if np.isnan(tau) else tau, shift)


def rank_figures(first: F64, second: F64) -> tuple[F64, F64, F64]:
    """Return Spearman's rho, Kendall's tau-b and the largest shift of places of stacked lists.

    They are those of :class:`Ranks`, shape (...), for scores of shape (..., models); the first two
    are nan where one list tells no models apart, all are where a score is.
    """
    above = [_above(each) for each in (first, second)]
    # Twice the place of each model, less what is the same for all.
    places = [each.sum(axis=-1) for each in above]
    shift = np.abs(places[0] - places[1]).max(axis=-1) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        rho, tau = (
            (a * b).sum(axis=axes) / np.sqrt((a * a).sum(axis=axes) * (b * b).sum(axis=axes))
            for (a, b), axes in ((places, -1), (above, (-2, -1)))
        )
    return rho, tau, shift


def _above(scores: F64) -> F64:
    """Which of two models is above the other: 1, -1, or 0 where they are equal but for rounding."""
    found = np.round(np.asarray(scores, dtype=np.float64), _EQUAL)
    return np.asarray(np.sign(found[..., :, None] - found[..., None, :]), dtype=np.float64)


def over_aspects(
    scores: F64,
    statistic: Callable[[F64], npt.ArrayLike],
    random: np.random.Generator,
    draws: int = DRAWS,
) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of a figure for these models and examiners, by drawing
    aspects with replacement.

    Few aspects vary less than they should among draws; the quantiles lie further out for it
    (expanded percentiles: Hesterberg, The American Statistician 69, 2015).

    Parameters
    ----------
    scores
        Shape (aspects, models, examiners): the matrix of each aspect.
    statistic
        The figure of each of a stack of matrices, shape (draws, models, examiners), which are
        means over aspects; nan where there is none. It should be near to linear: squares as of
        :func:`two_way` hold the noise of few questions.
    """
    from scipy.special import ndtr, stdtrit

    n = len(scores)
    if n < 2:
        return None
    times = random.multinomial(n, np.full(n, 1 / n), draws)
    drawn = np.asarray(np.tensordot(times.astype(np.float64), scores, 1) / n, dtype=np.float64)
    found = np.asarray(statistic(drawn), dtype=np.float64)
    known = found[np.isfinite(found)]
    if not len(known):
        return None
    tail = float(ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, _ENDS[0])))
    low, high = np.quantile(known, (tail, 1 - tail))
    return float(low), float(high)
