"""What several examiners make of the same models: all of them, all but one, one alone.

AutoDavis, sections 2.4 and 3.7. Each examiner counts the same: a model's score by several is the
mean of its scores by each. Leaving one out drops its questions; those of the others stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lvlmbench.analysis.agreement import (
    F64,
    influence,
    over_aspects,
    rank_figures,
    self_preference,
    two_way,
)

#: Conditions: whose questions count.
BASELINE, WITHOUT, SINGLE = "baseline", "without", "single"
#: In place of one examiner or one model.
ALL = "all"


@dataclass(frozen=True)
class Answered:
    """Answers counted by aspect, model and examiner; all shapes are (aspects, models, examiners).

    Attributes
    ----------
    right, scored
        Right answers, and those that could be scored; each model has some by each examiner.
    """

    models: Sequence[str]
    examiners: Sequence[str]
    right: F64
    scored: F64

    @property
    def matrix(self) -> F64:
        """Return the share of right answers of each model by each examiner."""
        return np.asarray(self.right.sum(axis=0) / self.scored.sum(axis=0), dtype=np.float64)


class Finding(NamedTuple):
    """One figure: shares are in percent, differences of them in percentage points."""

    condition: str
    examiner: str
    model: str
    figure: str
    value: float | None
    low: float | None
    high: float | None
    n: int


#: Returns a figure of matrices, shape (..., models, examiners); None of it is known where nan.
Statistic = Callable[[F64], F64]


def findings(
    given: Answered, kin: Mapping[str, Sequence[str]], random: Callable[[], np.random.Generator]
) -> Iterator[Finding]:
    """Yield all figures, with intervals over aspects.

    Parameters
    ----------
    kin
        Model -> examiners of its own family.
    random
        Returns the generator of the draws, in the same state each time.
    """
    both = np.concatenate([given.right, given.scored], axis=2)
    known = given.matrix

    def found(
        condition: str, examiner: str, model: str, figure: str, of: Statistic, n: float
    ) -> Finding:
        value = float(of(known))
        ends = over_aspects(both, lambda drawn: of(_cells(drawn)), random())
        low, high = ends if ends and np.isfinite(value) else (None, None)
        return Finding(
            condition, examiner, model, figure, value if np.isfinite(value) else None, low, high,
            int(n),
        )  # fmt: skip

    by = given.scored.sum(axis=0)
    for condition, examiner, kept in _conditions(given.examiners):
        for at, model in enumerate(given.models):
            n = by[at, kept].sum()
            yield found(condition, examiner, model, "accuracy", _accuracy(at, kept), n)
        if condition == BASELINE:
            continue
        n = by[:, kept].sum()
        for name, which in (("spearman", 0), ("kendall", 1), ("shift", 2)):
            yield found(condition, examiner, ALL, name, _ranks(which, kept), n)
        if condition == WITHOUT:
            at = given.examiners.index(examiner)
            yield found(condition, examiner, ALL, "influence", _influence(at), by.sum())
    for model, own in kin.items():
        for examiner in own if model in given.models else ():
            row, column = given.models.index(model), given.examiners.index(examiner)
            preferred = _preference(row, column)
            yield found(SINGLE, examiner, model, "self_preference", preferred, by[row, column])
    yield from _variance(given, random)


def _cells(drawn: F64) -> F64:
    """Shares of right answers of stacked sums; nan where an examiner's questions were not drawn."""
    k = drawn.shape[-1] // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(drawn[..., :k] / drawn[..., k:], dtype=np.float64)


def _conditions(examiners: Sequence[str]) -> Iterator[tuple[str, str, list[int]]]:
    """Conditions with the examiner they are about and the columns that count."""
    every = [*range(len(examiners))]
    yield BASELINE, ALL, every
    yield from ((WITHOUT, name, [e for e in every if e != at]) for at, name in enumerate(examiners))
    yield from ((SINGLE, name, [at]) for at, name in enumerate(examiners))


def _accuracy(model: int, kept: list[int]) -> Statistic:
    return lambda cells: 100 * cells[..., model, kept].mean(axis=-1)


def _ranks(which: int, kept: list[int]) -> Statistic:
    def of(cells: F64) -> F64:
        return rank_figures(cells.mean(axis=-1), cells[..., kept].mean(axis=-1))[which]

    return of


def _influence(examiner: int) -> Statistic:
    return lambda cells: 100 * influence(cells)[..., examiner]


def _preference(model: int, examiner: int) -> Statistic:
    def of(cells: F64) -> F64:
        return 100 * self_preference(cells, [examiner] * cells.shape[-2])[..., model]

    return of


def _variance(given: Answered, random: Callable[[], np.random.Generator]) -> Iterator[Finding]:
    """The ICC with its interval, and sums of squares as shares of their total."""
    if len(given.models) < 2:
        return
    n = int(given.scored.sum())
    found = two_way(given.matrix)
    ends = found.icc_interval(random())
    low, high = ends or (None, None)
    yield Finding(BASELINE, ALL, ALL, "icc", found.icc, low, high, n)
    for name, share in zip(("model", "examiner", "error"), found.shares, strict=True):
        yield Finding(BASELINE, ALL, ALL, f"share_{name}", 100 * share, None, None, n)
    for name, squares in zip(
        ("model", "examiner", "error"), (found.model, found.examiner, found.error), strict=True
    ):
        yield Finding(BASELINE, ALL, ALL, f"squares_{name}", squares, None, None, n)
