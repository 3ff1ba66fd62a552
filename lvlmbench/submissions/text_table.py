"""The leaderboard as text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.analysis.ranking import strict_because
from lvlmbench.snapshot.kept import WITHOUT
from lvlmbench.snapshot.reader import ALL_QUESTIONS, Which
from lvlmbench.stages.metrics.rows import ALL
from lvlmbench.tables import QUESTION_TYPES

_FIRST = ("", "model", "total", "95% interval")
_LAST = ("strict", "n", "unscored", "refused", "truncated", "failed")
_COUNTS = ("n", "n_unscored", "n_refused", "n_truncated", "n_failed")
#: What marks the model that was submitted now.
_NEW = "*"

Row = Mapping[str, object]


def _percent(row: Row | None, column: str = "value") -> str:
    value = row[column] if row is not None else None
    return f"{value:.1f}" if isinstance(value, float) else "-"


def _count(row: Row, column: str) -> str:
    return f"{row[column] or 0:,}"


def _last_if_none(value: float | None) -> tuple[bool, float]:
    """Sorting key: the highest first, none last."""
    return value is None, -(value or 0.0)


def leaderboard(metrics: Path, scenarios: Sequence[str], new: str, which: Which) -> Iterator[str]:
    """Lines of a table for each scenario: all models, the best total first, or the best strict one
    where the shares of scored answers are too far apart
    (:func:`lvlmbench.analysis.ranking.strict_because`), which a line says.

    ``new`` is marked. Totals, scores and counts are over the questions that ``which`` counts, and
    the heads say where some are left out; ``strict`` is the total with unscored answers taken for
    wrong ones.
    """
    table = tables.read([metrics], tables.METRICS)
    everything = pc.equal(table["questions"], which)
    for column in ("subtask", "style", "perturbation", "severity", "level"):
        everything = pc.and_(everything, pc.equal(table[column], ALL))
    found = {
        (row["scenario"], row["model"], row["question_type"], row["metric"]): row
        for row in table.filter(everything).to_pylist()
    }
    scored = {kind for _, _, kind, metric in found if metric == "score"}
    types = [t for t in QUESTION_TYPES if t in scored]
    header = [*_FIRST, *(TYPE_LABELS[t] for t in types), *_LAST]
    for scenario in scenarios:
        totals = [
            row for (s, _, kind, metric), row in found.items()
            if (s, kind, metric) == (scenario, ALL, "total")
        ]  # fmt: skip
        counts = {r["model"]: (r["n"], r["n"] + r["n_unscored"]) for r in totals}
        why = strict_because(counts)
        worth = {
            row["model"]: found[scenario, row["model"], ALL, "total_strict"]["value"]
            if why
            else row["value"]
            for row in totals
        }
        totals.sort(key=lambda row: (_last_if_none(worth[row["model"]]), row["model"]))
        rows = [header]
        for total in totals:
            model = total["model"]
            low, high = _percent(total, "low"), _percent(total, "high")
            row = [_NEW if model == new else "", model, _percent(total), f"{low} to {high}"]
            row += [_percent(found.get((scenario, model, t, "score"))) for t in types]
            row.append(_percent(found.get((scenario, model, ALL, "total_strict"))))
            row += [_count(total, c) for c in _COUNTS]
            rows.append(row)
        yield ""
        yield plain(scenario) + ("" if which == ALL_QUESTIONS else f", {WITHOUT}")
        widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
        for row in rows:
            left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
            right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
            yield "  ".join([*left, *right]).rstrip()
        if why:
            yield f"Models stand {why}."
