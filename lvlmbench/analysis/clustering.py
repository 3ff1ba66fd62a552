"""Hierarchical clustering of groups by the scores that models get in them (Dysca, section 4.3).

Two groups are as far apart as the Euclidean distance of their score vectors, one score a model.
It is divided by the square root of the number of models, which changes no cluster: the root mean
square difference reads in percentage points, however many models there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lvlmbench.analysis.tasks import Grid, spread

F64 = npt.NDArray[np.float64]

#: Digits of distances: differences that only rounding makes must not decide between ties.
_DECIMALS = 9


@dataclass(frozen=True)
class Merge:
    """Two clusters that become one at ``height`` (percentage points).

    Clusters are numbered: those below the number of groups are single groups, in the order of
    :attr:`Clusters.groups`; the merge at position i of the list makes the number groups + i.
    """

    upper: int
    lower: int
    height: float


@dataclass(frozen=True)
class Clusters:
    """Groups in the order of the dendrogram's leaves.

    Attributes
    ----------
    groups
        Best one first wherever the tree leaves the choice: of two clusters that merge, the one
        with the higher mean score stands above.
    merges
        In ascending height; one fewer than groups.
    left_out
        Groups known for half of the models or fewer.
    unknown
        Cells of ``groups`` without a value; their distances are over the models that remain.
    noise
        Distance that sampling alone would put between two groups of equal difficulty, in
        percentage points: the root mean square over all pairs.
    """

    groups: list[str]
    merges: list[Merge]
    left_out: list[str]
    unknown: int
    noise: float

    def joins_at(self) -> dict[str, float]:
        """Group -> height of its first merge."""
        out: dict[str, float] = {}
        for merge in self.merges:
            for side in (merge.upper, merge.lower):
                if side < len(self.groups):
                    out[self.groups[side]] = merge.height
        return out


def distances(scores: F64) -> F64:
    """Root mean square differences between the rows of ``scores`` (groups x models), in its unit.

    Where a score is unknown (nan), the pair is compared over the models that have both; every two
    rows must share one.
    """
    difference = scores[:, None, :] - scores[None, :, :]
    with np.errstate(invalid="ignore"):
        mean = np.nanmean(difference * difference, axis=2)
    return np.asarray(np.round(np.sqrt(mean), _DECIMALS))


def cluster(grid: Grid, models: Sequence[str], groups: Sequence[str]) -> Clusters:
    """Cluster ``groups`` by their accuracies in ``models``, by average linkage (UPGMA).

    Average linkage, since it needs no Euclidean space, which distances over different models are
    not, and since its heights are distances: the mean between the members of two clusters. Of
    equal distances the first in the order of ``groups`` merges first. A group that is known for
    half of the models or fewer is left out; any two others share a model.

    There must be a model and a group known for it.
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    scores = np.array(
        [[math.nan if (v := grid.value(m, g)) is None else v for m in models] for g in groups],
        dtype=np.float64,
    ).reshape(len(groups), len(models))
    known = 2 * np.isfinite(scores).sum(axis=1) > len(models)
    kept = [g for g, there in zip(groups, known, strict=True) if there]
    left_out = [g for g, there in zip(groups, known, strict=True) if not there]
    scores = scores[known]
    if len(kept) < 2:
        return Clusters(kept, [], left_out, int(np.isnan(scores).sum()), 0.0)
    tree = linkage(squareform(distances(scores)), method="average")
    order, sides = _leaves(tree, np.nanmean(scores, axis=1))
    position = {leaf: i for i, leaf in enumerate(order)}
    merges = [
        Merge(position.get(upper, upper), position.get(lower, lower), float(height))
        for (upper, lower), height in zip(sides, tree[:, 2], strict=True)
    ]
    unknown = int(np.isnan(scores).sum())
    return Clusters([kept[i] for i in order], merges, left_out, unknown, _noise(grid, models, kept))


def _leaves(tree: F64, means: F64) -> tuple[list[int], list[tuple[int, int]]]:
    """Order of the leaves from top to bottom, and the upper and lower side of each merge."""
    members = [[i] for i in range(len(means))]
    sides = []
    for row in tree:
        pair = sorted(
            (int(row[0]), int(row[1])),
            key=lambda c: (-round(float(means[members[c]].mean()), _DECIMALS), min(members[c])),
        )
        sides.append((pair[0], pair[1]))
        members.append(members[pair[0]] + members[pair[1]])
    return members[-1], sides


def _noise(grid: Grid, models: Sequence[str], groups: Sequence[str]) -> float:
    """Distance expected from sampling: a difference of two accuracies has the sum of their
    variances, so that the mean over pairs is twice the mean variance."""
    found = [spread(v) for m in models for g in groups if (v := grid.values[m].get(g)) is not None]
    variances = [s * s for s in found if math.isfinite(s)]
    return math.sqrt(2 * math.fsum(variances) / len(variances)) if variances else 0.0
