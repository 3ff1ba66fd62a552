"""The headline of a suite, from scores or as judges see it, over all answers and over parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.headline import Headline
from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.sample import Parts, Sample
from lvlmbench.stats.estimate import Estimate
from lvlmbench.tables import JUDGED

#: What closed questions count as where they are taken together.
_CLOSED = JUDGED[0]


class Measured:
    """The headline of the answers ``table``, which are some of ``asked`` (:class:`.sample.Sample`).

    Where judges give the number, this is the accuracy on the suite's closed questions.

    Parameters
    ----------
    kinds
        Question types without a scored answer of which there is no number; by default those that
        were asked.
    paired
        Whether values are differences of paired answers.
    """

    def __init__(
        self,
        headline: Headline,
        asked: pd.DataFrame,
        table: pd.DataFrame,
        strict: bool = False,
        kinds: Sequence[str] | None = None,
        paired: bool = False,
    ) -> None:
        self.headline = headline
        self._paper = headline.measure == "total"
        if self._paper:
            self.sample = Sample(asked, table, strict, kinds, paired)
            return
        types = table["question_type"] if strict else table["question_type"][table["scored"]]
        wanted = {*(asked["question_type"] if kinds is None else kinds)}.intersection(JUDGED)
        #: Whether every type of question has an answer: without one it is on another scale.
        self._whole = wanted <= {*types}
        closed = _as_one(asked)
        same = asked is table
        self.sample = Sample(closed, closed if same else _as_one(table), strict, paired=paired)

    @property
    def figure(self) -> Estimate | None:
        """The headline itself; None where a question type has no scored answer."""
        if self._paper:
            return self.sample.total
        over = self.headline.over
        parts = self._parts(over, self.sample.keys(*over), 1)
        return self.sample.mean(over, parts) if self._whole else None

    def by(self, column: str) -> dict[str, Estimate | None]:
        """The headline of each subtask, style or level that was asked about, in canonical order."""
        if self._paper:
            if column == "style":
                return self.sample.styles
            names = [name for name, _ in self.sample.parts(column) if column == "subtask"]
            return {name: self.sample.across(name) for name in names}
        columns, parts = self._parts_by(column)
        return {name: self.sample.mean(columns, mine) for name, mine in parts.items()}

    def difference(self, column: str, first: str, second: str) -> Estimate | None:
        """The headline of one value of a column less that of another, as :meth:`by` has them."""
        if self._paper:
            return None
        columns, parts = self._parts_by(column)
        return self.sample.difference(columns, parts.get(first, []), parts.get(second, []))

    def counts(self, column: str = "", name: str = "") -> Counts:
        """Return what is counted of all answers, or of those with a value of a column."""
        if not column:
            return self.sample.counts() if self._paper else self.sample.counts_of(_CLOSED)
        return dict(self.sample.parts(column)).get(name, Counts())

    def _parts_by(self, column: str) -> tuple[tuple[str, ...], dict[str, Parts]]:
        """The columns of cells, and the parts of the mean of each value of a column."""
        columns = (column, *(name for name in self.headline.over if name != column))
        keys: dict[str, list[tuple[str, ...]]] = {}
        for key in self.sample.keys(*columns):
            keys.setdefault(key[1], []).append(key)
        return columns, {name: self._parts(columns, mine, 2) for name, mine in keys.items()}

    def _parts(
        self, columns: tuple[str, ...], keys: Sequence[tuple[str, ...]], outer: int
    ) -> Parts:
        """Cells that have answers, by the value of the column at ``outer``."""
        parts: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for key in keys:
            parts.setdefault(key[outer : outer + 1], []).append(key)
        return [part for part in parts.values() if self.sample.answered(columns, part)]


def _as_one(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers as if closed questions were of one type, and others of none.

    Others stay, so that scenes have the same numbers in all samples.
    """
    codes = np.where(answers["question_type"].isin(JUDGED), 0, -1)
    return answers.assign(question_type=pd.Categorical.from_codes(codes, categories=[_CLOSED]))


class Judged(NamedTuple):
    """A headline as a judge sees it; without a value where too few answers could be judged."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    unjudged: int


#: Of a model that no judge has seen.
NOT_JUDGED = Judged(None, None, None, 0, 0)


def judged_by_first(params: Params, headline: Headline, results: Mapping[str, Path | None]) -> (
    dict[tuple[str, str], Judged]
):  # fmt: skip
    """Return (model, scenario) -> the headline as the first judge of the parameters sees it.

    It is empty where the headline is none of a judge's, where no judge is listed, and where nobody
    has judged.

    Parameters
    ----------
    results
        Table of judged answers -> its file; None where there is none.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    path = None if headline.table is None else results[headline.table]
    if headline.table is None or path is None or not params.judge.judges:
        return {}
    judge = params.judge.judges[0].name
    rows = tables.read([path], tables.TABLES[headline.table])
    for column, value in {"judge": judge, "measure": headline.measure, **_WHOLE}.items():
        if column in rows.column_names:
            rows = rows.filter(pc.equal(rows[column], value))
    return {(row["model"], row["scenario"]): _judged(row) for row in rows.to_pylist()}


#: Key columns of tables of judged answers, over all of them.
_WHOLE = {"subtask": "all", "stratum": "all", "beside": "all"}


def _judged(row: Mapping[str, Any]) -> Judged:
    ends = (row[name] for name in ("value", "low", "high"))
    value, low, high = (None if end is None or end != end else end for end in ends)
    return Judged(value, low, high, row["answers"] - row["unjudged"], row["unjudged"])


def free_counts(answers: pd.DataFrame, headline: Headline, found: Judged | None) -> Counts:
    """Return what is counted of answers that a judge gives a headline to: those that were judged,
    and of the others those without an answer."""
    types = answers["question_type"]
    free = answers[types.isin(headline.answered) if headline.answered else ~types.isin(JUDGED)]
    status = free["status"].astype(str)
    refused, cut, failed = (
        int(status.isin(names).sum())
        for names in (("refused",), ("truncated",), ("error", "timeout"))
    )
    n, unjudged = (0, len(free)) if found is None else (found.n, found.unjudged)
    return Counts(n, unjudged, refused, cut, failed)
