"""The headline of each model in each scenario, as console, ``scores`` and report say it.

The numbers are the rows ``headline`` of the metrics table; what they are, the suite says
(:mod:`lvlmbench.config.headline`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.labels import inline
from lvlmbench.analysis.ranking import by_name_because, strict_because
from lvlmbench.config import Params
from lvlmbench.config.headline import Headline, headline_of
from lvlmbench.snapshot.reader import Snapshot, Which
from lvlmbench.tables import METRICS, TABLES, read

#: The metric.
HEADLINE = "headline"
#: The same with an answer that was not scored taken for a wrong one; judges give none.
STRICT = "headline_strict"
#: Engine of models whose answers come from a file of their owner. Nothing is registered under it:
#: nobody can be asked.
ANSWERS_FILE = "answers_file"
#: Key columns in which a headline is over all.
KEYS = tuple(
    name for name in METRICS.key if name not in ("questions", "model", "scenario", "metric")
)


@dataclass(frozen=True)
class HeadlineRow:
    """The headline of one model in one scenario.

    Attributes
    ----------
    label
        What the number is, with the judge that gives it, if one does.
    value, low, high
        On the scale of the suite's headline; None where there is no number, or no interval.
    n, asked
        Answers that it rests on; those and the others that were to count.
    note
        What is to be said beside the number: how many answers it rests on, or why there is none.
    strict
        The number with an answer that was not scored taken for a wrong one; None where judges give
        the headline.
    """

    model: str
    scenario: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    asked: int
    note: str
    strict: float | None = None

    @property
    def number(self) -> str:
        """The number with its 95 % interval, such as "81.2 (78.0 to 84.1)"; "none" without one."""
        if self.value is None:
            return "none"
        if self.low is None or self.high is None:
            return f"{self.value:.1f}"
        return f"{self.value:.1f} ({self.low:.1f} to {self.high:.1f})"

    @property
    def text(self) -> str:
        """The number and what is to be said beside it."""
        if self.value is None:
            return self.note
        return f"{self.number}, {self.note}" if self.note else self.number


def is_headline(row: Mapping[str, Any]) -> bool:
    """Return whether a row of the metrics table is a headline over all that was asked."""
    return row["metric"] == HEADLINE and all(row[name] == "all" for name in KEYS)


def label_of(params: Params) -> str:
    """Return what the headline of a suite is, with the judge that gives it, if one does."""
    headline, judges = headline_of(params), params.judge.judges
    by = f", judged by {judges[0].name}" if headline.table is not None and judges else ""
    return headline.label + by


def headline_rows(
    rows: Iterable[Mapping[str, Any]],
    params: Params,
    which: Which = "all",
    silent: Mapping[tuple[str, str], Sequence[str]] | None = None,
) -> list[HeadlineRow]:
    """Return the headlines among rows of the metrics table, in their order.

    Parameters
    ----------
    which
        Over which questions.
    silent
        Parts without a number, as :func:`silent_parts` finds them.
    """
    label, headline = label_of(params), headline_of(params)
    quiet = silent or {}
    found, rows = [], list(rows)
    strict = {
        (row["model"], row["scenario"]): _finite(row["value"])
        for row in rows
        if row["metric"] == STRICT and row["questions"] == which
        and all(row[name] == "all" for name in KEYS)
    }  # fmt: skip
    for row in rows:
        if row["questions"] != which or not is_headline(row):
            continue
        value, low, high = (_finite(row[name]) for name in ("value", "low", "high"))
        n, asked = row["n"] or 0, (row["n"] or 0) + (row["n_unscored"] or 0)
        whose = row["model"], row["scenario"]
        note = note_of(headline, params, value, n, asked, quiet.get(whose, ()))
        each = HeadlineRow(*whose, label, value, low, high, n, asked, note, strict.get(whose))
        found.append(each)
    return found


def headlines(snapshot: Snapshot, which: Which | None = None) -> list[HeadlineRow]:
    """Return the headlines of a suite, by model, then scenario; by default over the questions that
    ``statistics.questions`` counts."""
    wanted = pa.array([HEADLINE, STRICT])
    rows = snapshot.metrics.filter(pc.is_in(snapshot.metrics["metric"], value_set=wanted))
    which, silent = which or snapshot.which, silent_parts(snapshot.params, snapshot.results)
    return headline_rows(rows.to_pylist(), snapshot.params, which, silent)


def silent_parts(params: Params, results: Path) -> dict[tuple[str, str], list[str]]:
    """Return (model, scenario) -> the subtasks of which the first judge could judge no answer, so
    that the headline is the mean over the others.

    Parameters
    ----------
    results
        Folder of the suite's results.
    """
    headline, judges = headline_of(params), params.judge.judges
    path = results / f"{headline.table}.parquet"
    if headline.table is None or not judges or not path.is_file():
        return {}
    table = TABLES[headline.table]
    if "subtask" not in table.names:
        return {}
    wanted = {"judge": judges[0].name, "measure": headline.measure, "stratum": "all"}
    where = pc.field("value").is_null() & (pc.field("subtask") != "all")
    for name, value in wanted.items():
        where &= pc.field(name) == value
    found: dict[tuple[str, str], list[str]] = {}
    for row in read([path], table, where=where).to_pylist():
        found.setdefault((row["model"], row["scenario"]), []).append(row["subtask"])
    return found


def ordered(
    rows: Iterable[HeadlineRow], guessers: Collection[str] = ()
) -> tuple[list[HeadlineRow], str]:
    """Return headlines of one scenario, the best first, and why the order is another, if it is.

    Where the shares of answers that count differ too much, strict numbers order the models; where
    there are none, their names do (:mod:`lvlmbench.analysis.ranking`). Models that guess answer
    everything: their shares do not count.
    """
    own = list(rows)
    counts = {row.model: (row.n, row.asked) for row in own if row.model not in guessers}
    why = strict_because(counts)
    if why and all(row.strict is None for row in own):
        return sorted(own, key=lambda row: row.model), by_name_because(counts)

    def worth(row: HeadlineRow) -> tuple[bool, float]:
        value = row.strict if why else row.value
        return value is None, -(value or 0.0)

    return sorted(own, key=lambda row: (*worth(row), row.model)), why


def note_of(
    headline: Headline,
    params: Params,
    value: float | None,
    n: int,
    asked: int,
    silent: Sequence[str] = (),
) -> str:
    """Return what is to be said beside a headline; empty where all answers count.

    Parameters
    ----------
    silent
        Parts without a number, over which it is no mean.
    """
    if headline.table is not None:
        if value is None:
            return _unjudged(params)
        without = f", none of {', '.join(map(inline, silent))}" if silent else ""
        return f"{n:,} of {asked:,} judged{without}"
    if value is not None:
        return f"{n:,} of {asked:,} scored" if n < asked else ""
    if not asked:
        return "none: no closed question was asked"
    if not n:
        return f"none: no answer could be scored, of {asked:,}"
    return "none: one type of question has no scored answer"


def _unjudged(params: Params) -> str:
    """Why judges give no number."""
    if not params.judge.judges:
        return "not judged: no judge is listed (judge.judges)"
    judge = params.judge.judges[0].name
    return f"not judged: {judge} could judge no answer"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
