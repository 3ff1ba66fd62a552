"""Answers of one model in one scenario, and the figures over parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench.scene.levels import LEVELS
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.stages.metrics.counts import Counter, Counts, Positions
from lvlmbench.stages.metrics.frame import canonical
from lvlmbench.stages.metrics.intervals import F64, Figure, average, mean_figure
from lvlmbench.tables import QUESTION_TYPES, TYPES

#: Values of some columns -> positions in a table.
Groups = dict[tuple[str, ...], npt.NDArray[np.int64]]

#: Columns whose values have an order of their own, beside the subtasks.
_ORDERS: dict[str, Sequence[str]] = {"question_type": QUESTION_TYPES, "level": LEVELS}

_NO_ROWS = np.empty(0, dtype=np.int64)


def _place(column: str, value: str) -> tuple[int | str, ...]:
    """Where a value stands among those of its column, which has an order or is sorted by name."""
    if column == "subtask":
        return subtask_order(value)
    return canonical(_ORDERS.get(column, ()), value)


class Sample:
    """Figures over the answers ``table``, rows of :func:`lvlmbench.stages.metrics.frame.prepared`.

    Parameters
    ----------
    asked
        All answers of the model in the scenario. ``table`` are those of the set of questions that
        is looked at: what the set lacks has a figure that is missing, not a row that is.
    strict
        Takes an answer that could not be scored for a wrong one.
    kinds
        Question types that a total needs; by default those of ``asked``.
    """

    def __init__(
        self,
        asked: pd.DataFrame,
        table: pd.DataFrame,
        strict: bool = False,
        kinds: Sequence[str] | None = None,
    ) -> None:
        self.asked, self.table, self.strict = asked, table, strict
        self._groups: dict[tuple[str, ...], Groups] = {}
        types = {kind for (kind,) in self._keys("question_type")}
        self.kinds = [k for k in QUESTION_TYPES if k in types] if kinds is None else list(kinds)
        value = table["value"].to_numpy(dtype=np.float64)
        self.value = np.nan_to_num(value, nan=0.0) if strict else value
        self.usable = np.isfinite(self.value)
        self._count = Counter(table, strict)
        self.scene = pd.factorize(table["scene"].to_numpy(), sort=True)[0]
        self.n_scenes = int(self.scene.max()) + 1 if len(table) else 0
        self.centers = {}
        for (kind,), rows in self._indices("question_type").items():
            found = self.value[rows[self.usable[rows]]]
            self.centers[kind] = float(found.mean()) if len(found) else 0.0

    def _indices(self, *columns: str) -> Groups:
        """Values of the columns -> positions in the table."""
        if columns not in self._groups:
            self._groups[columns] = _positions(self.table, columns)
        return self._groups[columns]

    def _keys(self, *columns: str) -> list[tuple[str, ...]]:
        """Values of the columns that were asked about, in canonical order."""
        same = self.asked is self.table
        found = self._indices(*columns) if same else _positions(self.asked, columns)
        return sorted(found, key=lambda key: [*map(_place, columns, key)])

    def cell(self, rows: npt.NDArray[np.int64], kind: str) -> Figure | None:
        """Mean over the rows (positions) of one question type."""
        usable = rows[self.usable[rows]]
        center, share = self.centers[kind], TYPES[kind].judged
        return mean_figure(self.value[usable], self.scene[usable], self.n_scenes, center, share)

    def cells(self, *columns: str) -> dict[tuple[str, ...], Figure | None]:
        """Means by (question type, values of ``columns``), in canonical order."""
        found = self._indices("question_type", *columns)
        return {
            key: self.cell(found[key], key[0]) if key in found else None
            for key in self._keys("question_type", *columns)
        }

    def counts_in(self, key: tuple[str, ...], *columns: str) -> Counts:
        """:meth:`counts` of a cell of :meth:`cells`."""
        return self.counts(self._indices("question_type", *columns).get(key, _NO_ROWS))

    def weights(self, kind: str) -> F64:
        """By row: what its answer weighs in the score of a question type, 0 where nothing."""
        found = self._indices("question_type", "subtask")
        rows = [found.get(key, _NO_ROWS) for key in self.subtasks if key[0] == kind]
        usable = [part[self.usable[part]] for part in rows]
        cells = [part for part in usable if len(part)]
        weights = np.zeros(len(self.table))
        for part in cells:
            weights[part] = 1 / (len(part) * len(cells))
        return weights

    def parts(self, column: str, kind: str | None = None) -> list[tuple[str, Counts]]:
        """(value of ``column``, its :meth:`counts`), in canonical order, of one question type or
        of all."""
        found = self._indices("question_type", column)
        asked = self._keys("question_type", column)
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
    def subtasks(self) -> dict[tuple[str, ...], Figure | None]:
        """Means by (question type, subtask asked about)."""
        return self.cells("subtask")

    @cached_property
    def style_cells(self) -> dict[tuple[str, ...], Figure | None]:
        """Means by (question type, style)."""
        return self.cells("style")

    @cached_property
    def styles(self) -> dict[str, Figure | None]:
        """Score of each style: the mean over all question types; None where one is missing."""
        names = dict.fromkeys(name for _, name in self.style_cells)
        return {n: complete([self.style_cells.get((k, n)) for k in self.kinds]) for n in names}

    @cached_property
    def scores(self) -> dict[str, Figure | None]:
        """Score of each question type: the mean over its subtasks."""
        found = self.subtasks.items()
        return {k: average(present(f for (t, _), f in found if t == k)) for k in self.kinds}

    @cached_property
    def total(self) -> Figure | None:
        """Mean over the question types."""
        return complete(self.scores.values())

    def across(self, subtask: str) -> Figure | None:
        """Mean over the question types asked about a subtask."""
        found = self.subtasks
        return complete([found[k, subtask] for k in self.kinds if (k, subtask) in found])


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


def present(figures: Iterable[Figure | None]) -> list[Figure]:
    """The figures that there are."""
    return [f for f in figures if f is not None]


def complete(figures: Iterable[Figure | None]) -> Figure | None:
    """Mean, but only if every part has a value: a total without one of its question types would
    be on another scale."""
    parts = list(figures)
    found = present(parts)
    return average(found) if len(found) == len(parts) else None
