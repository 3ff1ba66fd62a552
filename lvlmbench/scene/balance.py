"""Weights that make every option of a question equally likely to be the answer.

Labels with synonyms are ruled out as distractors more often than others. Drawn evenly, they would
be answers more often than their share of the options, and a model could gain by preferring them
without a look at the image. Weights undo that: where sets of mutually suitable labels are drawn in
proportion to the product of their weights w, and answers evenly, a label a is the answer of a set
in proportion to 1 / (w[a] Z[a]), Z[a] being the weight of all sets of distractors that suit it. So
w Z has to be the same for all labels. Everything here is integer arithmetic, exact everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

I64 = npt.NDArray[np.int64]

#: Weight of a label where all are alike; others are whole numbers around it.
UNIT = 1 << 11
_LEAST, _MOST = UNIT >> 7, UNIT << 8
_STEPS = 60
#: Above this many labels sums might leave 63 bits; there, few of them rule each other out.
_LARGEST = 300
#: Above this much work labels are drawn evenly: with so many synonyms it would take seconds.
_COSTLIEST = 2_000_000


@dataclass(frozen=True)
class Weights:
    """Chances of being drawn, as whole numbers.

    Row a of each table, shape (n, n), is about the labels that suit answer a and 0 elsewhere.

    Attributes
    ----------
    single
        The only distractor of a question.
    first
        One of three distractors, whatever the other two: how often it is in a set of three.
    other
        Another one, the set being drawn anew until it suits.
    """

    single: I64
    first: I64
    other: I64


class Balance:
    """Weighs the labels of one table of conflicts, shape (n, n), diagonal true."""

    def __init__(self, table: npt.NDArray[np.bool_]) -> None:
        self._suits = (~table).astype(np.int64)
        near = table & ~np.eye(len(table), dtype=np.bool_)
        self._edges = np.argwhere(np.triu(near))
        self._near = csr_array(near.astype(np.int64))
        third = [(u, v, np.flatnonzero(near[u] & near[v])) for u, v in self._edges.tolist()]
        self._triangles = np.array(
            [(u, v, x) for u, v, ends in third for x in ends[ends > v]], dtype=np.int64
        ).reshape(-1, 3)

    @property
    def cost(self) -> int:
        """About how many products :meth:`triples` takes."""
        return len(self._suits) * (len(self._edges) + len(self._triangles))

    def singles(self, weights: I64) -> I64:
        """Weight of all distractors that suit each label."""
        return np.asarray(self._suits @ weights)

    def triples(self, weights: I64) -> I64:
        """Weight of all sets of three distractors that suit each label and each other.

        All triples, less those with a conflict, plus those with two (taken off twice), less those
        with three (which the former two steps cancel).
        """
        own = self._suits * weights
        one, two, three = (np.sum(own**power, axis=1) for power in (1, 2, 3))
        found = (one**3 - 3 * one * two + 2 * three) // 6
        u, v = own[:, self._edges[:, 0]], own[:, self._edges[:, 1]]
        found -= np.sum(u * v * (one[:, None] - u - v), axis=1)
        beside, squares = (self._near @ own.T).T, (self._near @ (own**2).T).T
        found += np.sum(own * (beside**2 - squares) // 2, axis=1)
        a, b, c = self._triangles.T
        found -= np.sum(own[:, a] * own[:, b] * own[:, c], axis=1)
        return np.asarray(found)

    def first_of_three(self, weights: I64) -> I64:
        """Weight of all suitable sets of three that hold a label, shape (n, n): by answer, label.

        Rows are scaled to a sum of about 2**20, which keeps them comparable with ``weights``.
        """
        own, out = self._suits * weights, []
        for suited in own:
            beside = self._suits * suited
            one, two = beside.sum(axis=1), np.sum(beside**2, axis=1)
            u, v = beside[:, self._edges[:, 0]], beside[:, self._edges[:, 1]]
            pairs = (one**2 - two) // 2 - np.sum(u * v, axis=1)
            row = [int(w) * int(p) for w, p in zip(suited, pairs, strict=True)]
            total = sum(row)
            out.append([max((value << 20) // total, 1) if value else 0 for value in row])
        return np.array(out, dtype=np.int64)

    def weights(self, distractors: int) -> I64:
        """Weights for questions with one or three distractors each, shape (n,)."""
        count = self.singles if distractors == 1 else self.triples
        n = len(self._suits)
        weights = np.full(n, UNIT, dtype=np.int64)
        for _ in range(_STEPS):
            found = [int(z) for z in count(weights)]
            mean = sum(found) // n
            wanted = [min(UNIT * mean // max(z, 1), _MOST) for z in found]
            # With a mean of UNIT no sum of products of three leaves 63 bits.
            scaled = [max(w * n * UNIT // sum(wanted), _LEAST) for w in wanted]
            weights = (weights + np.array(scaled, dtype=np.int64) + 1) // 2
        return weights


def balanced(table: npt.NDArray[np.bool_]) -> Weights | None:
    """Weights of the labels of one pool; None where nothing has to be weighed."""
    n = len(table)
    if table.sum() == n or n > _LARGEST:
        return None
    balance = Balance(table)
    if balance.cost > _COSTLIEST:
        return None
    if not balance.triples(np.full(n, UNIT, dtype=np.int64)).all():
        return None
    single, several = balance.weights(1), balance.weights(3)
    suits = (~table).astype(np.int64)
    return Weights(suits * single, balance.first_of_three(several), suits * several)
