"""Pools of answers by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import CellSums, Pool

SHARE, GAP = (0.0, 1.0), (-1.0, 1.0)


def pool(
    values: Sequence[float],
    scene: Sequence[int] | None = None,
    cluster: Sequence[int] | None = None,
    cell: Sequence[int] | None = None,
    group: Sequence[int] = (0,),
    ends: tuple[float, float] = SHARE,
) -> Pool:
    """A pool of single answers; by default each is of its own scene, and all are of one cell."""
    scenes = np.arange(len(values)) if scene is None else np.array(scene)
    clusters = scenes if cluster is None else np.array(cluster)
    cells = np.zeros(len(values), dtype=np.int64) if cell is None else np.array(cell)
    given = np.array(values, dtype=np.float64)
    return Pool(CellSums.of(given, scenes, clusters, cells, group), ends)


def mean(of: Pool, *weights: float) -> Estimate:
    """The mean of cells; of one cell by default."""
    found = of.mean_of(np.array(weights or (1.0,)))
    assert found is not None
    return found


def gap(of: Pool, *weights: float) -> Estimate:
    """The mean difference of paired answers."""
    found = of.difference_of(np.array(weights or (1.0,)))
    assert found is not None
    return found


def ends(found: Estimate) -> tuple[float, float]:
    """Both ends of an interval that has them."""
    assert found.low is not None and found.high is not None
    return found.low, found.high
