"""Accuracies by cell, such as request by level, with their means over cells and over models.

Each cell counts the same in a mean over cells, and each model in a mean over models, which is taken
question by question: all models are asked the same. Intervals are those of :mod:`.pool`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.stats.pool import CellSums, Pool, Row

Cell: TypeAlias = tuple[str, ...]
#: In place of a model: the mean over all of them.
MEAN = "mean of models"
#: Decimals of values, as in the metrics table.
_DECIMALS = 6


class Answer(NamedTuple):
    """A scored answer to a question with options.

    Attributes
    ----------
    question, cell, scene
        The question, what it is counted under, and the scene that it is about.
    right
        Whether it is right.
    """

    question: str
    cell: Cell
    scene: str
    right: bool


class Averages:
    """Accuracies of models by cell.

    Parameters
    ----------
    answers
        Scored answers by model.
    clusters
        Scene -> the cluster of scenes that it is of.
    among
        Models that the mean over models takes in.
    """

    def __init__(
        self,
        answers: Mapping[str, Collection[Answer]],
        clusters: Mapping[str, str],
        among: Collection[str],
    ) -> None:
        found = {each.cell for given in answers.values() for each in given}
        #: All cells, sorted.
        self.cells = sorted(found)
        self._clusters = clusters
        self._pools = {model: self._pool(given) for model, given in answers.items() if given}
        every = [each for model in among for each in answers.get(model, ())]
        if every:
            self._pools[MEAN] = self._pool(every)

    def _pool(self, answers: Iterable[Answer]) -> Pool:
        """Answers to one question, of several models, count as one: their mean."""
        place = {cell: at for at, cell in enumerate(self.cells)}
        right: dict[tuple[str, int, str], list[bool]] = defaultdict(list)
        for question, cell, scene, was in answers:
            right[scene, place[cell], question].append(was)
        sums: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        for (scene, at, _), said in sorted(right.items()):
            share = sum(said) / len(said)
            for which, more in enumerate((1.0, share, share * share)):
                sums[scene, at][which] += more
        rows = [
            Row(scene, at, self._clusters.get(scene, scene), *of)
            for (scene, at), of in sums.items()
        ]
        return Pool(CellSums.named(rows, [0] * len(self.cells)))

    def mean(self, model: str, cells: Collection[Cell]) -> Value | None:
        """Return the mean over cells of a model's accuracies, or of :data:`MEAN`, in percent.

        It is None where no cell is given, or where one has no scored answer.
        """
        wanted = [self.cells.index(cell) for cell in cells if cell in self.cells]
        pool = self._pools.get(model)
        if pool is None or not wanted or len(wanted) < len(cells):
            return None
        weights = np.zeros(len(self.cells))
        weights[wanted] = 1 / len(wanted)
        found = pool.mean_of(weights)
        if found is None:
            return None
        value, low, high = (
            None if each is None else round(100 * each, _DECIMALS)
            for each in (found.value, found.low, found.high)
        )
        return Value(value, low, high, found.n, 0)
