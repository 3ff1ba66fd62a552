"""Sensitivity to style within scenes: the same questions about the same scene in several styles.

An answer is the sum of what its question is worth, what its style is worth, and a rest: y = m_q +
a_s + e. The worth of styles is fitted by least squares, so that neither subtasks nor contents nor
hard questions count for a style; the variance of it over styles is SC (Dysca, equation 2).
docs/metrics.md has the formulas and how often they hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench.core.seeding import generator
from lvlmbench.stats.resampling import F64, Bootstrap, Spread

I64 = npt.NDArray[np.int64]

#: What a base question is told by.
_QUESTION = ["base", "subtask", "question_type"]
#: Moved sums of pictures held in memory at a time.
_CHUNK = 4_000_000
#: Base scenes in which a style must have been met to be one of those compared.
FEWEST_SCENES = 4
#: What rounding may do to equal sums of squares, as a share and in squared points.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Paired:
    """Answers that can be compared within questions, one a row.

    Attributes
    ----------
    value
        In percent; shape (n,).
    question, style, picture
        Numbers from 0 of the base question, the style and the picture; shape (n,).
    base
        Number of the base scene of each picture; shape (pictures,).
    """

    value: F64
    question: I64
    style: I64
    picture: I64
    base: I64

    @property
    def n_styles(self) -> int:
        """Styles that are compared."""
        return int(self.style.max(initial=-1)) + 1

    @property
    def n_questions(self) -> int:
        """Base questions that were answered in two of them or more."""
        return int(self.question.max(initial=-1)) + 1

    @property
    def n_scenes(self) -> int:
        """Base scenes of these."""
        return int(self.base.max(initial=-1)) + 1

    @classmethod
    def of(cls, table: pd.DataFrame) -> Paired | None:
        """From rows of :func:`lvlmbench.stages.metrics.frame.prepared`; None where nothing pairs.

        What was not scored is left out, then styles that too few base scenes were met in, then
        questions that are left with one style, then all but the largest set of styles that
        questions connect; again until nothing changes, as each may undo another.
        """
        wanted = (
            table["scored"] & table["value"].notna() & (table["base"] >= 0) & table["style"].notna()
        )
        rows = table[wanted]
        before = -1
        while len(rows) != before:
            before = len(rows)
            rows = _connected(_several(_met(rows)))
        if not len(rows):
            return None
        _, first, picture = np.unique(
            rows["scene"].to_numpy(), return_index=True, return_inverse=True
        )
        base = np.unique(rows["base"].to_numpy()[first], return_inverse=True)[1]
        return cls(
            rows["value"].to_numpy(dtype=np.float64), _questions(rows), _styles(rows), picture, base
        )


def _questions(rows: pd.DataFrame) -> I64:
    """Numbers of the base questions of rows, from 0."""
    return np.asarray(rows.groupby(_QUESTION, observed=True, sort=True).ngroup().to_numpy())


def _styles(rows: pd.DataFrame) -> I64:
    """Numbers of the styles of rows, from 0."""
    return np.unique(rows["style"].astype(str).to_numpy(), return_inverse=True)[1]


def _met(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out styles that too few base scenes were met in."""
    scenes = rows.groupby("style", observed=True)["base"].nunique()
    return rows[rows["style"].isin(scenes.index[scenes >= FEWEST_SCENES])]


def _several(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out questions that were answered in one style."""
    if not len(rows):
        return rows
    return rows[rows.groupby(_QUESTION, observed=True)["style"].transform("nunique") >= 2]


def _connected(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out all but the largest set of styles that questions connect."""
    if not len(rows):
        return rows
    style = _styles(rows)
    joined = _joined(_questions(rows), style)[style]
    return rows[joined == np.argmax(np.bincount(joined))]


def _joined(question: I64, style: I64) -> I64:
    """By style: the smallest style that questions connect it with."""
    least = np.arange(style.max() + 1)
    while True:
        by_question = np.full(question.max() + 1, len(least))
        np.minimum.at(by_question, question, least[style])
        found = least.copy()
        np.minimum.at(found, style, by_question[question])
        if (found == least).all():
            return least
        least = found


class StyleEffects:
    """What each style is worth beside the others, in points, and the variance of it."""

    def __init__(self, paired: Paired) -> None:
        self.paired = paired
        n, styles = paired.n_questions, paired.n_styles
        asked = np.zeros((n, styles))
        np.add.at(asked, (paired.question, paired.style), 1.0)
        answers = asked.sum(axis=1)
        means = np.bincount(paired.question, paired.value, minlength=n) / answers
        #: Beside the mean of the question: by answer, and summed up by picture.
        self._rest = paired.value - means[paired.question]
        self._own: F64 = np.bincount(paired.picture, self._rest, minlength=len(paired.base)).astype(
            np.float64
        )
        shares = asked / answers[:, None]
        shared = [(asked[:, s : s + 1] * shares).sum(axis=0) for s in range(styles)]
        self._normal: F64 = np.diag(asked.sum(axis=0)) - np.array(shared)
        # Worths are known but for a constant: they add up to 0.
        self._inverse = _inverted(self._normal + 1.0 / styles) - 1.0 / styles
        self._style = np.zeros(len(paired.base), dtype=np.int64)
        self._style[paired.picture] = paired.style
        whole = self._by_style(self._own[None], np.arange(len(self._own)))
        self.worth: F64 = _product(whole, self._inverse)[0]

    def _by_style(self, by_picture: F64, pictures: I64) -> F64:
        """Sums by style, shape (k, styles), of sums by some pictures, shape (k, pictures)."""
        found = np.zeros((self.paired.n_styles, len(by_picture)))
        for style, sums in zip(self._style[pictures].tolist(), by_picture.T, strict=True):
            found[style] += sums
        return found.T

    def spread(self) -> Spread:
        """The variance with its noise, whose interval draws base scenes."""
        paired = self.paired
        rest = self._rest - self.worth[paired.style]
        answers = np.bincount(paired.question)
        rest -= (np.bincount(paired.question, rest) / answers)[paired.question]
        by_scene = np.zeros((paired.n_scenes, paired.n_styles))
        np.add.at(by_scene, (paired.base[paired.picture], paired.style), rest)
        met = np.zeros_like(by_scene)
        met[paired.base[paired.picture], paired.style] = 1.0
        scenes = met.sum(axis=0)
        # What is fitted to a few scenes leaves less of them than there is: as of a mean of them.
        by_scene *= np.sqrt(scenes / np.maximum(scenes - 1, 1))
        return Spread(self.worth, _product(by_scene, self._inverse))

    def by_chance(self, seed: int, item: str, times: int) -> float:
        """p, where the styles of each base scene change places at random.

        If styles make no difference, the pictures of a base scene might as well have each other's.
        A picture keeps all of its answers, as they hang together. p is the share of ways after
        which styles explain as much of all answers as they do, the way it is among them: unlike
        the variance that counts a style by how often it was met.
        """
        worth = _product(self._moved(generator(seed, "styles", item), times), self._inverse)
        explained, least = self._explained(worth), float(self._explained(self.worth[None])[0])
        reached = np.count_nonzero(explained >= least * (1 - _ROUNDING) - _ROUNDING)
        return float((1 + reached) / (1 + times))

    def _moved(self, random: np.random.Generator, times: int) -> F64:
        """Sums by style, shape (times, styles), of pictures that changed places.

        Base scenes are drawn one after the other, and so many at a time are added up.
        """
        order = np.argsort(self.paired.base, kind="stable")
        starts = np.searchsorted(self.paired.base[order], np.arange(self.paired.n_scenes + 1))
        found = np.zeros((times, self.paired.n_styles))
        first = 0
        while first < self.paired.n_scenes:
            full = int(starts[first]) + _CHUNK // max(times, 1)
            last = max(first + 1, int(np.searchsorted(starts, full, side="right")) - 1)
            pictures = np.sort(order[starts[first] : starts[last]])
            moved = np.empty((times, len(pictures)))
            for scene in range(first, last):
                here = order[starts[scene] : starts[scene + 1]]
                drawn = np.argsort(random.random((times, len(here))), axis=1, kind="stable")
                moved[:, np.searchsorted(pictures, here)] = self._own[here][drawn]
            found += self._by_style(moved, pictures)
            first = last
        return found

    def _explained(self, worth: F64) -> F64:
        """The sum of squares that worths, shape (k, styles), explain."""
        return np.asarray((_product(worth, self._normal) * worth).sum(axis=1))


def _product(rows: F64, matrix: F64) -> F64:
    """The matrix product, term by term: libraries add up as suits the processor."""
    found = np.zeros((len(rows), matrix.shape[1]))
    for k in range(len(matrix)):
        found += rows[:, k : k + 1] * matrix[k]
    return found


def _inverted(matrix: F64) -> F64:
    """The inverse of a small matrix, by elimination row by row for the same reason."""
    n = len(matrix)
    both = np.hstack([matrix, np.eye(n)])
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(both[k:, k])))
        both[[k, pivot]] = both[[pivot, k]]
        both[k] /= both[k, k]
        others = np.arange(n) != k
        both[others] -= both[others, k : k + 1] * both[k]
    return both[:, n:]


@dataclass(frozen=True)
class Sensitivity:
    """SC within scenes: equation 2 with its noise, and how often chance does as much.

    ``error`` is (stderr, low, high) of the true variance, None where no spread was seen.
    """

    spread: Spread
    p: float
    error: tuple[float, float, float] | None


def sensitivity(paired: Paired, bootstrap: Bootstrap) -> Sensitivity:
    """Estimate SC within scenes; as many permutations as resamples."""
    effects = StyleEffects(paired)
    p = effects.by_chance(bootstrap.seed, bootstrap.item, bootstrap.resamples)
    spread = effects.spread()
    return Sensitivity(spread, p, spread.error(bootstrap.deviations(spread.influence)))
