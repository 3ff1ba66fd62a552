"""Pools: the labels among which an answer and its distractors are drawn, and who rules out whom.

An answer's distractors come from the very pool that the answer was drawn from: were some labels
answers more often than distractors, a model could gain by never looking at the image.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lvlmbench.core.errors import UserError
from lvlmbench.scene.balance import Weights, balanced
from lvlmbench.scene.vocabulary.entries import VocabularyList

I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Distractors of a multiple-choice question: four options in all (Dysca, section 3.3).
DISTRACTORS = 3


class PairSet:
    """A sparse symmetric relation over ``n`` items, the diagonal included."""

    def __init__(self, n: int, pairs: Iterable[tuple[int, int]]) -> None:
        self._n = n
        both = {a * n + b for x, y in pairs for a, b in ((x, y), (y, x))}
        self._codes = np.array(sorted(both), dtype=np.int64)

    def __call__(self, a: I64, b: I64) -> Bools:
        same = np.asarray(a == b)
        if not len(self._codes):
            return same
        codes = a * self._n + b
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.asarray(same | (self._codes[at] == codes))


@dataclass(frozen=True)
class Pool:
    """Labels of one kind.

    Attributes
    ----------
    name
        For error messages: which list, restricted how.
    labels
        Option texts.
    positions
        Where each label's entry stands in its whole list (or word among the words).
    low, size
        Candidates for distractors of label i are ``low[i]`` to ``low[i] + size[i]`` (exclusive).
    relation
        Which two labels never stand beside each other: a boolean table (n, n), or pairs.
    reach
        How many candidates one label rules out at most, itself included.
    weights
        How likely each label is drawn; None where all are equally likely.
    """

    name: str
    labels: tuple[str, ...]
    positions: I64
    low: I64
    size: I64
    relation: Bools | PairSet
    reach: int
    weights: Weights | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def conflict(self, a: I64, b: I64) -> Bools:
        """Elementwise: whether labels ``a`` and ``b`` never stand beside each other."""
        if isinstance(self.relation, PairSet):
            return self.relation(a, b)
        return np.asarray(self.relation[a, b])

    @cached_property
    def counts(self) -> I64:
        """How many distractors, at most three, each label can have at once."""
        return self.counts_without(np.zeros(len(self), dtype=np.bool_))

    def counts_without(self, barred: Bools) -> I64:
        """The same where the labels in ``barred``, shape (n,), are no distractors."""
        found = np.full(len(self), DISTRACTORS, dtype=np.int64)
        # The answer and two distractors leave a third one wherever they cannot rule out them all.
        scarce = self.size - int(barred.sum()) <= DISTRACTORS * self.reach
        for i in np.flatnonzero(scarce):
            window = np.arange(self.low[i], self.low[i] + self.size[i])
            window = window[~barred[window]]
            suitable = window[~self.conflict(window, np.full_like(window, i))]
            found[i] = self._clique(suitable, DISTRACTORS)
        return found

    def _clique(self, candidates: I64, wanted: int) -> int:
        """Size, up to ``wanted``, of the largest set of candidates that suit each other."""
        if wanted == 1:
            return min(1, len(candidates))
        best = 0
        for at, candidate in enumerate(candidates):
            rest = candidates[at + 1 :]
            rest = rest[~self.conflict(rest, np.full_like(rest, candidate))]
            best = max(best, 1 + self._clique(rest, wanted - 1))
            if best == wanted:
                break
        return best

    def check(self) -> None:
        """Refuse a label that no wrong option can stand beside.

        Raises
        ------
        UserError
            There is one; it is named.
        """
        if not self.counts.all():
            alone = self.labels[int(np.argmin(self.counts))]
            raise UserError(
                f"vocabulary: {self.name}",
                f"'{alone}' has no possible wrong option beside it",
                "add entries outside its synonym group, or let more of them be drawn",
            )


def list_pool(listing: VocabularyList, positions: Sequence[int], name: str, fix: str) -> Pool:
    """Pool of the entries of a list at these positions.

    Raises
    ------
    UserError
        There are none: ``name`` says what was looked for, ``fix`` what to do.
    """
    if not positions:
        raise UserError(f"vocabulary: {name}", "holds no entry to draw", fix)
    kept = list(positions)
    table = listing.conflicts()[np.ix_(kept, kept)]
    n = len(kept)
    return Pool(
        name=name,
        labels=tuple(listing.entries[i].label for i in kept),
        positions=np.array(kept, dtype=np.int64),
        low=np.zeros(n, dtype=np.int64),
        size=np.full(n, n, dtype=np.int64),
        relation=table,
        reach=int(table.sum(axis=1).max()),
        weights=balanced(table),
    )


def free_pool(labels: Sequence[str], name: str) -> Pool:
    """Pool of labels each of which may stand beside each other one."""
    n = len(labels)
    return Pool(
        name=name,
        labels=tuple(labels),
        positions=np.arange(n),
        low=np.zeros(n, dtype=np.int64),
        size=np.full(n, n, dtype=np.int64),
        relation=np.eye(n, dtype=np.bool_),
        reach=1,
    )


def confusable_words(words: Sequence[str]) -> set[tuple[int, int]]:
    """Pairs too alike to be options of one question, as indices (the smaller first).

    They are those at an edit distance of one, those where one letter left out of each gives the
    same (two neighbors swapped), and those where one contains the other.
    """
    index = {word: i for i, word in enumerate(words)}
    pairs: set[tuple[int, int]] = set()
    by_stem: dict[str, set[int]] = {}
    shortest = min(map(len, words), default=0)
    for i, word in enumerate(words):
        by_stem.setdefault(word, set()).add(i)
        for at in range(len(word)):
            by_stem.setdefault(word[:at] + word[at + 1 :], set()).add(i)
        for length in range(shortest, len(word)):
            for start in range(len(word) - length + 1):
                j = index.get(word[start : start + length])
                if j is not None:
                    pairs.add((min(i, j), max(i, j)))
    for alike in by_stem.values():
        if len(alike) > 1:
            pairs.update((a, b) for a in alike for b in alike if a < b)
    return pairs


def word_pool(words: Sequence[str], name: str = "text") -> Pool:
    """Pool of words: a distractor is about as long as the answer and not too alike.

    Candidates differ in length by at most one letter; for a word that this leaves with fewer than
    three suitable ones, the span grows until it has them or takes in all words.

    Raises
    ------
    UserError
        There are no words.
    """
    if not words:
        raise UserError(f"vocabulary: {name}", "holds no words", "raise 'count' in text.yaml")
    order = sorted(range(len(words)), key=lambda i: (len(words[i]), words[i]))
    labels = tuple(words[i] for i in order)
    pairs = confusable_words(labels)
    ends = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    lengths = np.array([len(w) for w in labels], dtype=np.int64)
    gap = np.abs(np.diff(lengths[ends], axis=1))[:, 0]
    positions, relation = np.array(order, dtype=np.int64), PairSet(len(labels), pairs)
    spans = np.ones(len(labels), dtype=np.int64)
    while True:
        low = np.searchsorted(lengths, lengths - spans)
        size = np.searchsorted(lengths, lengths + spans, side="right") - low
        # Candidates of one word differ in length by two spans at most.
        near = ends[gap <= 2 * spans.max()]
        reach = 1 + int(np.bincount(near.ravel(), minlength=1).max())
        pool = Pool(name, labels, positions, low, size, relation, reach)
        narrow = (pool.counts < DISTRACTORS) & (size < len(labels))
        if not narrow.any():
            return pool
        spans = spans + narrow
