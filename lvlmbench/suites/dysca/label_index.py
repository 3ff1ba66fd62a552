"""All pools side by side, so that distractors of every question are drawn in whole columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lvlmbench.core.races import keys_of, winners
from lvlmbench.core.seeding import U32, uniform_columns
from lvlmbench.scene.pools import DISTRACTORS, I64, Bools, PairSet, Pool

#: Candidates drawn at once for a question; few questions need a second helping.
_CANDIDATES = 8

#: Helpings after which a question whose labels have weights takes what suits, one by one and
#: without weights: where most labels rule each other out, sets drawn at once rarely suit.
_PATIENCE = 16


#: What a candidate is drawn as: the first three by :class:`lvlmbench.scene.balance.Weights`, the
#: last one without weights.
_SINGLE, _FIRST, _OTHER, _EVEN = range(4)


@dataclass(frozen=True)
class Barred:
    """Labels that are no distractors of some questions, although they suit the answer.

    Attributes
    ----------
    table
        Boolean, shape (m, n labels): m sets of labels.
    rows
        Which of the sets each question has, shape (n questions,).
    """

    table: Bools
    rows: I64

    def take(self, questions: I64) -> Barred:
        """The same for some of the questions."""
        return Barred(self.table, self.rows[questions])

    def holds(self, questions: I64, indices: I64) -> Bools:
        """Elementwise: whether a question's set holds a label."""
        return np.asarray(self.table[self.rows[questions], indices])


class _Race:
    """Draws candidates for answers of one pool, all labels of which are in its table.

    What is drawn for a question stays as it is when the vocabulary gains a label, but where that
    label is drawn itself (:mod:`lvlmbench.core.races`).
    """

    def __init__(self, pool: Pool) -> None:
        self._keys, n = keys_of(pool.labels), len(pool)
        self._tables: tuple[I64, ...] = ()
        self.total: I64 = np.full((_EVEN, n), n)
        if pool.weights is not None:
            self._tables = (pool.weights.single, pool.weights.first, pool.weights.other)
            self.total = np.array([table.sum(axis=1) for table in self._tables])

    def drawn(self, u: npt.NDArray[np.float64]) -> I64:
        """Positions in the pool, each as likely as another."""
        return winners(u, self._keys)

    def candidates(self, answers: I64, kinds: I64, u: npt.NDArray[np.float64]) -> I64:
        """Positions in the pool, by the answers' positions and the kinds of the draws."""
        found = np.empty(len(answers), dtype=np.int64)
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            table = self._tables[kind] if self._tables and kind != _EVEN else None
            weights = None if table is None else table[answers[rows]]
            found[rows] = winners(u[rows], self._keys, weights)
        return found


class LabelIndex:
    """All labels, pool after pool; the *index* of a label counts over all pools.

    Attributes
    ----------
    first
        Index of each pool's first label.
    low, size, counts
        As in :class:`Pool`, by index, ``low`` counted over all pools.
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
        self._weighed = np.repeat([p.weights is not None for p in pools], lengths)
        self._races = [None if isinstance(p.relation, PairSet) else _Race(p) for p in pools]
        self._total = np.concatenate(
            [
                np.tile(pool.size, (_EVEN, 1)) if race is None else race.total
                for pool, race in zip(pools, self._races, strict=True)
            ],
            axis=1,
        )
        # Tables lie in one flat array: the row of label a starts at _row[a] plus its pool's first
        # index, so that b's place in it is _row[a] + b. Pools of pairs are asked one by one.
        tables = [
            np.zeros((0, 0), bool) if isinstance(p.relation, PairSet) else p.relation for p in pools
        ]
        self._flat = np.concatenate([np.zeros(1, bool), *(t.ravel() for t in tables)])
        strides = np.array([len(t) for t in tables], dtype=np.int64)
        start = np.cumsum([1, *(strides**2)])[:-1]
        first, stride = self.first[self._pool], strides[self._pool]
        self._tabled = stride > 0
        self._row = start[self._pool] + (np.arange(len(first)) - first) * stride - first

    def drawn(self, pool: int, u: npt.NDArray[np.float64]) -> I64:
        """Positions in a pool, one for each number in [0, 1): each label is as likely as another.

        Words, of which there are many, are drawn by their place.
        """
        race = self._races[pool]
        if race is None:
            return np.asarray((u * len(self.pools[pool])).astype(np.int64))
        return race.drawn(u)

    def conflict(self, a: I64, b: I64) -> Bools:
        """Elementwise: whether labels ``a`` and ``b`` of a pool never stand beside each other."""
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

    def distractors(
        self, seed: int, counters: U32, answers: I64, wanted: I64, barred: Barred | None = None
    ) -> I64:
        """Wrong options for each answer.

        Parameters
        ----------
        counters
            Of the questions' ids, shape (n, 4): the draw of a question depends on them alone.
        answers
            Indices, shape (n,).
        wanted
            How many distractors each question takes, at most ``counts[answers]``.
        barred
            What else is no distractor, by question; then ``wanted`` is at most what it leaves.

        Returns
        -------
        Indices, shape (n, 3), in random order and -1 beyond ``wanted``. No two of a row, nor one
        and the row's answer, are in conflict, and none is barred. All such sets are equally
        likely, or in proportion to the product of their weights (:mod:`lvlmbench.scene.balance`).
        """
        picks = np.repeat(answers[:, None], DISTRACTORS, axis=1)
        have = np.zeros(len(answers), dtype=np.int64)
        rows, round_ = np.flatnonzero(wanted > 0), 0
        while len(rows):
            stage = f"distractors/{round_}"
            draws = uniform_columns(seed, stage, counters[rows], _CANDIDATES)
            some, count = picks[rows], have[rows]
            at_once = self._weighed[answers[rows]] & (round_ < _PATIENCE)
            bars = None if barred is None else barred.take(rows)
            self._deal(draws, answers[rows], wanted[rows], at_once, some, count, bars)
            if round_:
                # Earlier picks may rule out all that is left: such a question starts afresh.
                short = np.flatnonzero((count < wanted[rows]) & ~at_once)
                stuck = [
                    i for i in short if self._stuck(some[i], bars and bars.take(np.array([i])))
                ]
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
        at_once: Bools,
        picks: I64,
        have: I64,
        barred: Barred | None,
    ) -> None:
        """Take suitable candidates into ``picks`` and ``have``, in place, one column at a time.

        In questions in ``at_once`` the first pick stays and the others are drawn as one set: both
        are put back when one does not suit.
        """
        for column in range(draws.shape[1]):
            open_ = np.flatnonzero(have < wanted)
            if not len(open_):
                return
            beside, kinds = self._drawn_for(
                answers[open_], wanted[open_], at_once[open_], picks[open_, 0]
            )
            candidates = self._candidates(beside, kinds, draws[open_, column])
            # Places not yet taken hold the answer, so this looks at the answer too.
            clash = self.conflict(candidates, answers[open_])
            for place in range(DISTRACTORS):
                clash |= self.conflict(candidates, picks[open_, place])
            if barred is not None:
                clash |= barred.holds(open_, candidates)
            taken = open_[~clash]
            picks[taken, have[taken]] = candidates[~clash]
            have[taken] += 1
            failed = open_[clash & at_once[open_]]
            picks[failed, 1:], have[failed] = answers[failed, None], np.minimum(have[failed], 1)

    def _drawn_for(self, answers: I64, wanted: I64, at_once: Bools, picked: I64) -> tuple[I64, I64]:
        """Whose row of weights the next candidates are drawn by, and of which table.

        ``picked`` is the first pick so far.
        """
        kind = np.where(wanted == 1, _SINGLE, np.where(picked == answers, _FIRST, _OTHER))
        kind = np.where(at_once, kind, _EVEN)
        # What suits the first pick may be far less than what suits the answer: then draw there.
        beside = at_once & (self._total[_OTHER, picked] < self._total[_OTHER, answers])
        return np.where(beside & (kind == _OTHER), picked, answers), kind

    def _candidates(self, answers: I64, kinds: I64, u: npt.NDArray[np.float64]) -> I64:
        """Indices of labels, one for each answer, among those of its pool.

        Words are far too many for a race: of theirs each answer sees its window.
        """
        found = self.low[answers] + (u * self.size[answers]).astype(np.int64)
        pools = self._pool[answers]
        for pool in np.unique(pools):
            if (race := self._races[pool]) is not None:
                rows, first = np.flatnonzero(pools == pool), self.first[pool]
                own = race.candidates(answers[rows] - first, kinds[rows], u[rows])
                found[rows] = own + first
        return np.asarray(found)

    def _stuck(self, picks: I64, barred: Barred | None) -> bool:
        """Whether no candidate is left beside these picks (unused places hold the answer)."""
        answer = picks[-1]
        window = np.arange(self.low[answer], self.low[answer] + self.size[answer])
        clash = np.zeros(len(window), dtype=np.bool_)
        for pick in picks:
            clash |= self.conflict(window, np.full_like(window, pick))
        if barred is not None:
            clash |= barred.holds(np.zeros_like(window), window)
        return bool(clash.all())
