"""What stands beside every number: answers counted, and refusals and failures counted apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

#: Positions of answers in a table.
Positions = npt.NDArray[np.int64] | slice


class Counts(NamedTuple):
    """What stands beside a number: the answers that it rests on, those left out because they
    could not be scored, how many of these are refusals, were cut off, are failed requests, and how
    many scenes the number rests on, None where nobody has counted them."""

    n: int = 0
    n_unscored: int = 0
    n_refused: int = 0
    n_truncated: int = 0
    n_failed: int = 0
    n_scenes: int | None = None

    def plus(self, *others: Counts) -> Counts:
        """All these groups of answers together, which may be about the same scenes."""
        return Counts(
            *(sum(numbers) for numbers in zip(*(c[:5] for c in (self, *others)), strict=True))
        )


class Counter:
    """Counts groups of the answers ``table``, rows of
    :func:`lvlmbench.stages.metrics.frame.prepared`.

    With ``strict`` an answer that could not be scored is one of those that the number rests on.
    """

    def __init__(self, table: pd.DataFrame, strict: bool) -> None:
        self._strict = strict
        self._scored, self._scene = (table[name].to_numpy() for name in ("scored", "scene"))
        self._why = [table[name].to_numpy() for name in ("refused", "truncated", "failed")]

    def __call__(self, rows: Positions) -> Counts:
        """Return the counts of the answers at these positions."""
        scored = self._scored[rows]
        n, unscored = len(scored), int(np.count_nonzero(~scored))
        refused, cut, failed = (int(np.count_nonzero(mask[rows])) for mask in self._why)
        counted = rows if self._strict else np.arange(len(self._scored))[rows][scored]
        scenes = int(np.count_nonzero(np.bincount(self._scene[counted])))
        seen = n if self._strict else n - unscored
        return Counts(seen, unscored, refused, cut, failed, scenes)
