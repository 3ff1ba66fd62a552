"""How people's labels agree with what the benchmark did, and with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import generator
from lvlmbench.labelling.given import Given
from lvlmbench.labelling.sheet import LABELS, RIGHT, UNCLEAR, WRONG, Item, counts
from lvlmbench.stats.estimate import Estimate, share

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
        Labelled ones by what more than half of their raters say; where no label has more than
        half, it is unclear.
    said
        Of each labelled item the shares of its raters whose labels are right, wrong and unclear,
        added up.
    answered
        Whether people answered questions, so that a label is right or wrong by the benchmark's own
        answer.
    """

    words: str
    total: int
    right: int
    wrong: int
    unclear: int
    said: Mapping[str, float] = field(default_factory=dict)
    answered: bool = False

    @property
    def labelled(self) -> int:
        """Return how many somebody has labelled."""
        return self.right + self.wrong + self.unclear

    @property
    def share(self) -> float | None:
        """Return the share of wrong among right and wrong, in percent."""
        found = _percent(self.wrong, self.right + self.wrong)
        return None if found is None else found.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % Wilson interval of the share, in percent."""
        found = _percent(self.wrong, self.right + self.wrong)
        if found is None or found.low is None or found.high is None:
            return None
        return found.low, found.high

    @property
    def aligned(self) -> Estimate | None:
        """Return the share of right among all that are labelled (AutoDavis, section L.1)."""
        return _percent(self.right, self.labelled)

    @property
    def accuracy(self) -> Estimate | None:
        """Return how often a person is right, averaged over raters, then over items."""
        return _percent(self.said.get(RIGHT, 0), self.labelled)

    @property
    def cannot_tell(self) -> Estimate | None:
        """Return how often a person cannot tell, averaged likewise."""
        return _percent(self.said.get(UNCLEAR, 0), self.labelled)


def _percent(found: float, items: int) -> Estimate | None:
    """The share of items in percent; None where there are none."""
    one = share(found, items)
    return None if one is None else one.scaled(100.0)


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
class Kappa:
    """Fleiss' kappa over the items that one number of raters has labelled; None where all labels
    are alike, or no two people have labelled one item."""

    items: int
    raters: int
    value: float | None


@dataclass(frozen=True)
class Asked:
    """How far raters agree on one thing that they were asked."""

    words: str
    alpha: Alpha
    kappa: Kappa


@dataclass(frozen=True)
class Agreement:
    """What people say of the items of a snapshot.

    ``raters`` have each the number of labels; ``elsewhere`` counts labels of items that are no
    longer in the snapshot.
    """

    raters: list[tuple[str, int]]
    groups: list[Group]
    asked: list[Asked]
    elsewhere: int


def majority(labels: Sequence[str]) -> str:
    """Return what more than half say; unclear where nothing is said by more than half."""
    first, most = Counter(labels).most_common(1)[0]
    return first if 2 * most > len(labels) else UNCLEAR


def most_say(given: Iterable[Given]) -> dict[str, str]:
    """Return the :func:`majority` of the labels of each item that somebody has labelled, by its
    id."""
    said: dict[str, list[str]] = {}
    for each in given:
        for item_id, label in each.labels.items():
            said.setdefault(item_id, []).append(label.label)
    return {item_id: majority(labels) for item_id, labels in said.items()}


def agreement(items: Sequence[Item], given: Sequence[Given], seed: int) -> Agreement:
    """Return what people say of the items.

    Parameters
    ----------
    items
        All items of the snapshot, by group in the order to show them.
    given
        The labels, a rater each.
    """
    known = {item.item_id: item for item in items}
    said: dict[str, list[str]] = {}
    elsewhere, raters = 0, []
    for each in given:
        here = {
            item_id: label.label
            for item_id, label in each.labels.items()
            if item_id in known and label.label in known[item_id].labels
        }
        elsewhere += len(each.labels) - len(here)
        raters.append((each.rater, len(here)))
        for item_id, label in here.items():
            said.setdefault(item_id, []).append(label)
    asks = dict.fromkeys(item.asks for item in items if item.item_id in said)
    asked = [_asked([item for item in items if item.asks == words], said, seed) for words in asks]
    return Agreement(raters, _by_group(items, said), asked, elsewhere)


def _by_group(items: Sequence[Item], said: Mapping[str, Sequence[str]]) -> list[Group]:
    totals = counts(items)
    most = {words: Counter[str]() for words in totals}
    means = {words: dict.fromkeys(LABELS, 0.0) for words in totals}
    answered = {item.group: bool(item.right) for item in items}
    for item in items:
        labels = said.get(item.item_id)
        if not labels:
            continue
        most[item.group][item.judged(majority(labels))] += 1
        for label in labels:
            means[item.group][item.judged(label)] += 1 / len(labels)
    return [
        Group(
            words, total, most[words][RIGHT], most[words][WRONG], most[words][UNCLEAR],
            means[words], answered[words],
        )
        for words, total in totals.items()
    ]  # fmt: skip


def _asked(items: Sequence[Item], said: Mapping[str, Sequence[str]], seed: int) -> Asked:
    """How raters agree on one thing that they are asked; items about one picture hang together."""
    labelled = sorted((i for i in items if i.item_id in said), key=lambda item: item.item_id)
    words = list(dict.fromkeys(label for item in items for label in item.labels))
    labels = [said[item.item_id] for item in labelled]
    pictures = [item.image_id for item in labelled]
    found = alpha(labels, seed, words, pictures)
    return Asked(items[0].asks, found, kappa(labels, words))


def kappa(labels: Sequence[Sequence[str]], words: Sequence[str] = LABELS) -> Kappa:
    """Return Fleiss' kappa of the labels of each item (Psychological Bulletin 76, 1971).

    It takes equally many raters an item: the number that most items have, of several the largest.
    """
    sizes = Counter(len(row) for row in labels if len(row) > 1)
    if not sizes:
        return Kappa(0, 0, None)
    raters = max(sizes, key=lambda n: (sizes[n], n))
    table = np.array([[row.count(word) for word in words] for row in labels if len(row) == raters])
    n = len(table)
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return Kappa(n, raters, None)
    pairs = raters * (raters - 1)
    agreed = Fraction(int((table * (table - 1)).sum()), n * pairs)
    by_chance = Fraction(int((table.sum(axis=0) ** 2).sum()), (n * raters) ** 2)
    return Kappa(n, raters, round(float((agreed - by_chance) / (1 - by_chance)), 6))


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
