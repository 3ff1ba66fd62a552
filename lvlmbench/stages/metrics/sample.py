"""Answers of one model in one scenario, and the estimates over parts of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench.scene.levels import LEVELS
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.stages.metrics.counts import Counter, Counts, Positions
from lvlmbench.stages.metrics.frame import canonical
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import F64, I64, CellSums, Pool
from lvlmbench.tables import QUESTION_TYPES

#: Values of some columns -> positions in a table.
Groups = dict[tuple[str, ...], npt.NDArray[np.int64]]
#: Cells of each part of a mean.
Parts: TypeAlias = Sequence[Sequence[tuple[str, ...]]]

#: Columns whose values have an order of their own, beside the subtasks.
_ORDERS: dict[str, Sequence[str]] = {"question_type": QUESTION_TYPES, "level": LEVELS}

_NO_ROWS = np.empty(0, dtype=np.int64)


def _place(column: str, value: str) -> tuple[int | str, ...]:
    """Where a value stands among those of its column, which has an order or is sorted by name."""
    if column == "subtask":
        return subtask_order(value)
    return canonical(_ORDERS.get(column, ()), value)


class Sample:
    """Estimates over answers, rows of :func:`lvlmbench.stages.metrics.frame.prepared`.

    All are in percent, with intervals that know which answers hang together
    (:mod:`lvlmbench.stats.pool`).

    Parameters
    ----------
    asked
        All answers of the model in the scenario. ``table`` are those of the set of questions that
        is looked at: what the set lacks has an estimate that is missing, not a row that is.
    strict
        Takes an answer that could not be scored for a wrong one.
    kinds
        Question types that a total needs; by default those of ``asked``.
    paired
        Whether values are differences of paired answers, between -100 and 100.
    """

    def __init__(
        self,
        asked: pd.DataFrame,
        table: pd.DataFrame,
        strict: bool = False,
        kinds: Sequence[str] | None = None,
        paired: bool = False,
    ) -> None:
        self.asked, self.table, self.strict, self.paired = asked, table, strict, paired
        self._groups: dict[tuple[str, ...], Groups] = {}
        self._ordered: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        self._pools: dict[tuple[str, ...], tuple[dict[tuple[str, ...], I64], Pool]] = {}
        types = {kind for (kind,) in self.keys("question_type")}
        self.kinds = [k for k in QUESTION_TYPES if k in types] if kinds is None else list(kinds)
        value = table["value"].to_numpy(dtype=np.float64)
        self.value = np.nan_to_num(value, nan=0.0) if strict else value
        self.usable = np.isfinite(self.value)
        self._count = Counter(table, strict)
        self._scene, self._cluster = (
            pd.factorize(table[name].to_numpy(), sort=True)[0] for name in ("scene", "cluster")
        )
        self.n_clusters = int(self._cluster.max(initial=-1)) + 1

    def _indices(self, *columns: str) -> Groups:
        """Values of the columns -> positions in the table."""
        if columns not in self._groups:
            self._groups[columns] = _positions(self.table, columns)
        return self._groups[columns]

    def keys(self, *columns: str) -> list[tuple[str, ...]]:
        """Values of the columns that were asked about, behind the question type, in canonical
        order."""
        columns = ("question_type", *(name for name in columns if name != "question_type"))
        if columns not in self._ordered:
            same = self.asked is self.table
            found = self._indices(*columns) if same else _positions(self.asked, columns)
            self._ordered[columns] = sorted(found, key=lambda key: [*map(_place, columns, key)])
        return self._ordered[columns]

    def _pool(self, columns: tuple[str, ...]) -> tuple[dict[tuple[str, ...], I64], Pool]:
        """The cells of the pool by (question type, values of the columns), and the pool.

        Questions of a level are as many in each snapshot, so that a cell of the pool holds one
        level: how much levels differ is no chance.
        """
        if columns not in self._pools:
            found = self._indices("question_type", *columns)
            level = self.table["level"].cat.codes.to_numpy(dtype=np.int64) + 1
            levels = int(level.max(initial=0)) + 1
            finer = np.full(len(self.table), -1, dtype=np.int64)
            for number, rows in enumerate(found.values()):
                finer[rows] = number * levels + level[rows]
            used = np.flatnonzero(self.usable & (finer >= 0))
            numbers, cell = np.unique(finer[used], return_inverse=True)
            kinds = [QUESTION_TYPES.index(kind) for kind, *_ in found]
            sums = CellSums.of(
                self.value[used] / 100, self._scene[used], self._cluster[used],
                cell.astype(np.int64), [kinds[number // levels] for number in numbers],
            )  # fmt: skip
            pool = Pool(sums, (-1.0, 1.0) if self.paired else (0.0, 1.0))
            cells = {
                key: np.flatnonzero(numbers // levels == number) for number, key in enumerate(found)
            }
            self._pools[columns] = cells, pool
        return self._pools[columns]

    def _weights(self, columns: tuple[str, ...], parts: Parts) -> F64 | None:
        """Of each cell of the pool: what it weighs in the mean over parts of the mean over their
        cells, in which answers weigh alike.

        A cell without an answer counts for nothing; None where a part has no other.
        """
        cells, pool = self._pool(columns)
        weights = np.zeros(len(pool.n))
        for part in parts:
            known = [cells[key] for key in part if key in cells and len(cells[key])]
            if not known:
                return None
            for mine in known:
                share = pool.n[mine] / pool.n[mine].sum()
                weights[mine] += share / (len(known) * len(parts))
        return weights if len(parts) else None

    def mean(self, columns: tuple[str, ...], parts: Parts) -> Estimate | None:
        """Return the mean over parts of the mean over a part's cells.

        None where a part has no answer: a total without one of its parts would be on another scale.

        Parameters
        ----------
        columns
            By whose values, beside the question type, cells are made.
        parts
            Of each part the keys of its cells: question type, values of the columns.
        """
        weights = self._weights(columns, parts)
        if weights is None:
            return None
        pool = self._pool(columns)[1]
        found = pool.difference_of(weights) if self.paired else pool.mean_of(weights)
        return None if found is None else found.scaled(100.0)

    def difference(self, columns: tuple[str, ...], parts: Parts, less: Parts) -> Estimate | None:
        """Return :meth:`mean` of some parts less that of others; None where either has none.

        Its interval is Student's and lies within 100 points.
        """
        weights = self._weights(columns, parts), self._weights(columns, less)
        if weights[0] is None or weights[1] is None:
            return None
        found = self._pool(columns)[1].unbounded(weights[0] - weights[1])
        return None if found is None else found.scaled(100.0)

    def answered(self, columns: tuple[str, ...], cells: Sequence[tuple[str, ...]]) -> bool:
        """Return whether any of the cells has an answer that counts."""
        known = self._pool(columns)[0]
        return any(key in known and len(known[key]) for key in cells)

    def pooled(self, columns: tuple[str, ...], cells: Sequence[tuple[str, ...]]) -> Estimate | None:
        """Return the mean over the answers of cells, each of which counts once."""
        known, pool = self._pool(columns)
        weights = np.zeros(len(pool.n))
        for key in cells:
            weights[known[key]] = pool.n[known[key]]
        if not weights.any():
            return None
        found = pool.mean_of(weights / weights.sum())
        return None if found is None else found.scaled(100.0)

    def moved_by(self, columns: tuple[str, ...], parts: Parts) -> F64:
        """Return how far each cluster of answers moves such a mean, in points."""
        weights = self._weights(columns, parts)
        assert weights is not None
        return 100.0 * self._pool(columns)[1].influence(weights, self.n_clusters)

    def cells(self, *columns: str) -> dict[tuple[str, ...], Estimate | None]:
        """Means by (question type, values of ``columns``), in canonical order."""
        keys = self.keys(*columns)
        return {key: self.mean(columns, [[key]]) for key in keys}

    def counts_in(self, key: tuple[str, ...], *columns: str) -> Counts:
        """:meth:`counts` of a cell of :meth:`cells`."""
        return self.counts(self._indices("question_type", *columns).get(key, _NO_ROWS))

    def parts(self, column: str, kind: str | None = None) -> list[tuple[str, Counts]]:
        """(value of ``column``, its :meth:`counts`), in canonical order, of one question type or
        of all."""
        found = self._indices("question_type", column)
        asked = self.keys(column)
        names = {name for k, name in asked if kind in (None, k)}
        kinds = QUESTION_TYPES if kind is None else [kind]
        rows = {
            name: np.concatenate([found.get((k, name), _NO_ROWS) for k in kinds])
            for name in sorted(names, key=lambda n: _place(column, n))
        }
        return [(name, self.counts(part)) for name, part in rows.items()]

    def counts(self, rows: Positions = slice(None)) -> Counts:
        """Return what is counted of rows, by default of all."""
        return self._count(rows)

    def counts_of(self, kind: str) -> Counts:
        """:meth:`counts` of a question type."""
        return self.counts(self._indices("question_type").get((kind,), _NO_ROWS))

    @cached_property
    def subtasks(self) -> dict[tuple[str, ...], Estimate | None]:
        """Means by (question type, subtask asked about)."""
        return self.cells("subtask")

    @cached_property
    def style_cells(self) -> dict[tuple[str, ...], Estimate | None]:
        """Means by (question type, style)."""
        return self.cells("style")

    def of_style(self, name: str) -> Parts:
        """Return the parts of a style's score: the question types that are asked in any style."""
        return [[(kind, name)] for kind in self.kinds]

    @cached_property
    def styles(self) -> dict[str, Estimate | None]:
        """Score of each style: the mean over all question types; None where one is missing."""
        names = dict.fromkeys(name for _, name in self.keys("style"))
        return {name: self.mean(("style",), self.of_style(name)) for name in names}

    def by_subtask(self, kind: str) -> list[tuple[str, ...]]:
        """Return the cells of a question type, one a subtask."""
        return [key for key in self.keys("subtask") if key[0] == kind]

    @cached_property
    def scores(self) -> dict[str, Estimate | None]:
        """Score of each question type: the mean over its subtasks."""
        return {kind: self.mean(("subtask",), [self.by_subtask(kind)]) for kind in self.kinds}

    @cached_property
    def total(self) -> Estimate | None:
        """Mean over the question types."""
        return self.mean(("subtask",), [self.by_subtask(kind) for kind in self.kinds])

    def across(self, subtask: str) -> Estimate | None:
        """Mean over the question types asked about a subtask."""
        keys = self.keys("subtask")
        return self.mean(("subtask",), [[key] for key in keys if key[1] == subtask])


def _positions(table: pd.DataFrame, columns: Sequence[str]) -> Groups:
    """Values of the columns, which are categories, -> positions in the table, ascending; rows
    where one is missing are in no group."""
    number, there = np.zeros(len(table), dtype=np.int64), np.ones(len(table), dtype=bool)
    names = []
    for column in columns:
        categories = table[column].array
        names.append(categories.categories.tolist())
        there &= categories.codes >= 0
        number = number * len(names[-1]) + categories.codes
    rows = np.flatnonzero(there)
    rows = rows[np.argsort(number[rows], kind="stable")]
    keys, starts = np.unique(number[rows], return_index=True)
    shape = [len(known) for known in names]
    found: Groups = {}
    for key, start, end in zip(keys, starts, [*starts[1:], len(rows)], strict=False):
        at = np.unravel_index(key, shape)
        found[tuple(known[i] for known, i in zip(names, at, strict=True))] = rows[start:end]
    return found
