"""Intervals of means whose standard errors know that questions about one scene hang together.

Every figure of the metrics table is a weighted sum of answers. Its uncertainty is the spread of
the scenes' contributions (linearization, clustered by scene), so that a mean over subtasks, or
the difference of two question types, accounts for scenes that appear in several of its parts.
Totals and other composites get theirs from
:mod:`lvlmbench.stages.metrics.bootstrap`. docs/metrics.md has the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lvlmbench.core.wilson import Z, wilson

F64 = npt.NDArray[np.float64]
#: Standard error in points below which no spread was seen: what rounding leaves of scenes that are
#: alike, such as two of three answers right in each.
NOTHING = 1e-9


@dataclass(frozen=True)
class Figure:
    """A weighted sum of answers, and what each scene has to do with it.

    Attributes
    ----------
    value
        In percent.
    influence
        By scene: how far its answers move ``value`` from what it would be; its squares add up to
        the variance.
    load
        By scene: sum of the weights of its answers.
    share
        Whether it is a share of right answers and nothing else: its spread then follows from its
        value.
    """

    value: float
    influence: F64
    load: F64
    share: bool

    @property
    def stderr(self) -> float | None:
        """Standard error, None where fewer than two scenes went in, 0 where they are alike."""
        if np.count_nonzero(self.load) < 2:
            return None
        found = math.sqrt(float((self.influence * self.influence).sum()))
        return found if found > NOTHING else 0.0

    def interval(self) -> tuple[float, float] | tuple[None, None]:
        """95 % Wilson interval at the effective sample size, within 0 and 100.

        The effective sample size is p(1-p)/stderr² for p = value/100; where no spread was seen
        (all right, all wrong) it is the number of equally weighted scenes, 1/sum(load²). The
        quantile is the normal one for shares; where captions go in, whose spread has to be
        estimated as well, it is Student's at scenes less one degrees of freedom.
        """
        stderr = self.stderr
        if stderr is None:
            return None, None
        p = min(max(self.value / 100, 0.0), 1.0)
        if stderr > 0 and 0 < p < 1:
            n = p * (1 - p) / (stderr / 100) ** 2
            low, high = wilson(p, n, Z if self.share else self._quantile)
        else:
            low, high = wilson(p, 1 / float((self.load * self.load).sum()))
        return 100 * low, 100 * high

    @property
    def _quantile(self) -> float:
        """Student's 97.5 % quantile at scenes less one degrees of freedom."""
        from scipy.special import stdtrit

        return float(stdtrit(np.count_nonzero(self.load) - 1, 0.975))

    def student(self) -> tuple[float, float] | tuple[None, None]:
        """95 % interval of Student's t, scenes less one degrees of freedom, within -100 and 100:
        for differences, which are no shares.

        Where no spread was seen, the number of equally weighted scenes decides: where all differ
        alike, by the Wilson interval of the share (value + 100)/200; where they come to nothing, by
        how many may differ after all (Wilson's upper end of a share of 0), in either direction,
        which is the interval of Tango (Statistics in Medicine 17, 1998).
        """
        stderr = self.stderr
        if stderr is None:
            return None, None
        if stderr == 0:
            scenes = 1 / float((self.load * self.load).sum())
            if abs(self.value) <= NOTHING:
                _, most = wilson(0.0, scenes)
                return -100 * most, 100 * most
            share = min(max((self.value + 100) / 200, 0.0), 1.0)
            low, high = wilson(share, scenes)
            return 200 * low - 100, 200 * high - 100
        half = self._quantile * stderr
        return max(self.value - half, -100.0), min(self.value + half, 100.0)


def mean_figure(
    values: F64, scenes: npt.NDArray[np.int64], n_scenes: int, center: float, share: bool = False
) -> Figure | None:
    """Mean of the answers of one cell (say, one subtask's multiple choice); None without any.

    Parameters
    ----------
    values
        Scores in percent, shape (n,).
    scenes
        Scene number of each, in [0, n_scenes).
    center
        What a cell of a single scene is compared with, having no spread of its own: the mean
        over all cells of its kind.
    share
        Whether the values are 0 and 100, for wrong and right.
    """
    n = len(values)
    if n == 0:
        return None
    mean = float(values.sum()) / n
    load = np.bincount(scenes, minlength=n_scenes) / n
    clusters = int(np.count_nonzero(load))
    if clusters > 1:
        residual = (values - mean) * math.sqrt(clusters / (clusters - 1))
    else:
        residual = values - center
    influence = np.bincount(scenes, weights=residual, minlength=n_scenes) / n
    return Figure(mean, influence, load, share)


def average(figures: Sequence[Figure]) -> Figure | None:
    """Unweighted mean of figures over the same scenes; None without any."""
    if not figures:
        return None
    k = len(figures)
    return Figure(
        value=sum(f.value for f in figures) / k,
        influence=np.sum([f.influence for f in figures], axis=0) / k,
        load=np.sum([f.load for f in figures], axis=0) / k,
        share=all(f.share for f in figures),
    )
