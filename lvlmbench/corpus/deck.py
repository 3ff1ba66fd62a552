"""All pools side by side, so that distractors of every question are drawn in whole columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lvlmbench.corpus.pools import DISTRACTORS, I64, Bools, PairSet, Pool
from lvlmbench.seeding import U32, uniform_columns

#: Candidates drawn at once for a question; few questions need a second helping.
_CANDIDATES = 8


class Deck:
    """Pools laid end to end; a *card* is a label's index over all of them.

    Attributes
    ----------
    first
        Card of the first label of each pool.
    low, size, counts
        As in :class:`Pool`, by card, ``low`` counted in cards.
    """

    def __init__(self, pools: Sequence[Pool]) -> None:
        self.pools = tuple(pools)
        lengths = [len(p) for p in pools]
        self.first = np.cumsum([0, *lengths])[:-1].astype(np.int64)
        self.labels = tuple(label for p in pools for label in p.labels)
        self.low = np.concatenate([p.low + f for p, f in zip(pools, self.first, strict=True)])
        self.size = np.concatenate([p.size for p in pools])
        self.counts = np.concatenate([p.counts for p in pools])
        self._pool = np.repeat(np.arange(len(pools)), lengths)
        # Tables lie in one flat array: card a's row starts at _row[a] plus its pool's first
        # card, so that card b's place in it is _row[a] + b. Pools of pairs are asked one by one.
        tables = [
            np.zeros((0, 0), bool) if isinstance(p.relation, PairSet) else p.relation for p in pools
        ]
        self._flat = np.concatenate([np.zeros(1, bool), *(t.ravel() for t in tables)])
        strides = np.array([len(t) for t in tables], dtype=np.int64)
        start = np.cumsum([1, *(strides**2)])[:-1]
        first, stride = self.first[self._pool], strides[self._pool]
        self._tabled = stride > 0
        self._row = start[self._pool] + (np.arange(len(first)) - first) * stride - first

    def conflict(self, a: I64, b: I64) -> Bools:
        """Elementwise: whether cards ``a`` and ``b`` of one pool never stand beside each other."""
        tabled = self._tabled[a]
        if tabled.all():
            return np.asarray(self._flat[self._row[a] + b])
        out = np.empty(len(a), dtype=np.bool_)
        out[tabled] = self._flat[self._row[a[tabled]] + b[tabled]]
        rest = np.flatnonzero(~tabled)
        pools = self._pool[a[rest]]
        for pool in np.unique(pools):
            rows, first = rest[pools == pool], self.first[pool]
            out[rows] = self.pools[pool].conflict(a[rows] - first, b[rows] - first)
        return out

    def distractors(self, seed: int, counters: U32, answers: I64, wanted: I64) -> I64:
        """Wrong options for each answer.

        Parameters
        ----------
        counters
            Of the questions' ids, shape (n, 4): the draw of a question depends on them alone.
        answers
            Cards, shape (n,).
        wanted
            How many distractors each question takes, at most ``counts[answers]``.

        Returns
        -------
        Cards, shape (n, 3), in random order and -1 beyond ``wanted``. No two of a row, nor one and
        the row's answer, are in conflict.
        """
        picks = np.repeat(answers[:, None], DISTRACTORS, axis=1)
        have = np.zeros(len(answers), dtype=np.int64)
        rows, round_ = np.flatnonzero(wanted > 0), 0
        while len(rows):
            stage = f"distractors/{round_}"
            draws = uniform_columns(seed, stage, counters[rows], _CANDIDATES)
            some, count = picks[rows], have[rows]
            self._deal(draws, answers[rows], wanted[rows], some, count)
            if round_:
                # Earlier picks may rule out all that is left: such a question starts afresh.
                stuck = [i for i in np.flatnonzero(count < wanted[rows]) if self._stuck(some[i])]
                some[stuck], count[stuck] = answers[rows[stuck], None], 0
            picks[rows], have[rows] = some, count
            rows, round_ = rows[count < wanted[rows]], round_ + 1
        picks[np.arange(DISTRACTORS) >= wanted[:, None]] = -1
        return picks

    def _deal(
        self,
        draws: npt.NDArray[np.float64],
        answers: I64,
        wanted: I64,
        picks: I64,
        have: I64,
    ) -> None:
        """Take suitable candidates into ``picks`` and ``have``, in place, one column at a time."""
        low, size = self.low[answers], self.size[answers]
        for column in range(draws.shape[1]):
            open_ = np.flatnonzero(have < wanted)
            if not len(open_):
                return
            candidates = low[open_] + (draws[open_, column] * size[open_]).astype(np.int64)
            # Places not yet taken hold the answer, so this looks at the answer too.
            clash = self.conflict(candidates, answers[open_])
            for place in range(DISTRACTORS):
                clash |= self.conflict(candidates, picks[open_, place])
            taken = open_[~clash]
            picks[taken, have[taken]] = candidates[~clash]
            have[taken] += 1

    def _stuck(self, picks: I64) -> bool:
        """Whether no candidate is left beside these picks (unused places hold the answer)."""
        answer = picks[-1]
        window = np.arange(self.low[answer], self.low[answer] + self.size[answer])
        clash = np.zeros(len(window), dtype=np.bool_)
        for pick in picks:
            clash |= self.conflict(window, np.full_like(window, pick))
        return bool(clash.all())
