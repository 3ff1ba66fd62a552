"""How people's labels agree with what the benchmark did, and with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import generator
from lvlmbench.core.wilson import wilson
from lvlmbench.labelling.given import Given
from lvlmbench.labelling.sheet import LABELS, RIGHT, UNCLEAR, WRONG, Item, counts

#: Bootstrap samples of items behind the interval of alpha.
RESAMPLES = 1000


@dataclass(frozen=True)
class Group:
    """What people say of the items of one group.

    Attributes
    ----------
    total
        Items of the snapshot.
    right, wrong, unclear
        Labelled ones by what most of their raters say; where as many say one thing as another, it
        is unclear.
    """

    words: str
    total: int
    right: int
    wrong: int
    unclear: int

    @property
    def labelled(self) -> int:
        """Return how many somebody has labelled."""
        return self.right + self.wrong + self.unclear

    @property
    def share(self) -> float | None:
        """Return the share of wrong among right and wrong, in percent."""
        judged = self.right + self.wrong
        return 100 * self.wrong / judged if judged else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % Wilson interval of the share, in percent."""
        judged = self.right + self.wrong
        if not judged:
            return None
        low, high = wilson(self.wrong / judged, judged)
        return 100 * low, 100 * high


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha of nominal labels (1 is full agreement, 0 chance) over the items that
    several people have labelled, with the 95 % interval of a bootstrap over items; None where all
    labels are alike, so that it is not defined."""

    items: int
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Agreement:
    """What people say of the items of a snapshot.

    ``raters`` have each the number of labels; ``elsewhere`` counts labels of items that are no
    longer in the snapshot.
    """

    raters: list[tuple[str, int]]
    groups: list[Group]
    alpha: Alpha
    elsewhere: int


def majority(labels: Sequence[str]) -> str:
    """Return what most say; unclear where as many say one thing as another."""
    (first, most), *rest = Counter(labels).most_common()
    return UNCLEAR if rest and rest[0][1] == most else first


def agreement(items: Sequence[Item], given: Sequence[Given], seed: int) -> Agreement:
    """Return what people say of the items.

    Parameters
    ----------
    items
        All items of the snapshot, by group in the order to show them.
    given
        The labels, a rater each.
    """
    known = {item.item_id for item in items}
    said: dict[str, list[str]] = {}
    elsewhere, raters = 0, []
    for each in given:
        here = {i: label.label for i, label in each.labels.items() if i in known}
        elsewhere += len(each.labels) - len(here)
        raters.append((each.rater, len(here)))
        for item_id, label in here.items():
            said.setdefault(item_id, []).append(label)
    totals = counts(items)
    found = {words: Counter[str]() for words in totals}
    for item in items:
        if item.item_id in said:
            found[item.group][majority(said[item.item_id])] += 1
    groups = [
        Group(words, totals[words], n[RIGHT], n[WRONG], n[UNCLEAR]) for words, n in found.items()
    ]
    return Agreement(raters, groups, alpha([said[i] for i in sorted(said)], seed), elsewhere)


def alpha(
    labels: Sequence[Sequence[str]],
    seed: int,
    words: Sequence[str] = LABELS,
    clusters: Sequence[str] | None = None,
) -> Alpha:
    """Return Krippendorff's alpha of the labels of each item (Krippendorff, 2011).

    Parameters
    ----------
    words
        The labels that there are.
    clusters
        What each item belongs to, where items hang together: the bootstrap then draws clusters.
    """
    kept = [at for at, row in enumerate(labels) if len(row) > 1]
    rows = [[labels[at].count(label) for label in words] for at in kept]
    table = np.array(rows, dtype=np.int64).reshape(-1, len(words))
    value = _alpha(table)
    if value is None:
        return Alpha(len(table), None)
    rng = generator(seed, "label", "alpha")
    groups = _groups(range(len(table)) if clusters is None else [clusters[at] for at in kept])
    size = len(groups)
    draws = (
        table[np.concatenate([groups[at] for at in rng.integers(size, size=size)])]
        for _ in range(RESAMPLES)
    )
    drawn = [found for draw in draws if (found := _alpha(draw)) is not None]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Alpha(len(table), value, float(low), float(high))


def _groups(clusters: Sequence[str] | Sequence[int]) -> list[npt.NDArray[np.int64]]:
    """Rows of each cluster, in the order of the clusters' names."""
    _, numbers = np.unique(np.asarray(clusters), return_inverse=True)
    return np.split(np.argsort(numbers, kind="stable"), np.cumsum(np.bincount(numbers))[:-1])


def _alpha(table: npt.NDArray[np.int64]) -> float | None:
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return None
    import krippendorff

    found = krippendorff.alpha(value_counts=table, level_of_measurement="nominal")
    return round(float(found), 6)
