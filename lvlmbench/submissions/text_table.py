"""The leaderboard as text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.headlines import HEADLINE, headline_rows, label_of, ordered
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.config import Params
from lvlmbench.config.models import guessing
from lvlmbench.snapshot.kept import WITHOUT
from lvlmbench.snapshot.reader import ALL_QUESTIONS, Which
from lvlmbench.stages.metrics.rows import ALL
from lvlmbench.tables import QUESTION_TYPES

_FIRST = ("", "model", "headline", "95% interval")
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


def leaderboard(
    metrics: Path, params: Params, scenarios: Sequence[str], new: str, which: Which
) -> Iterator[str]:
    """Lines of a table for each scenario: all models, the best headline first, or the best strict
    one where the shares of scored answers are too far apart
    (:func:`lvlmbench.analysis.headlines.ordered`), which a line says.

    ``new`` is marked. Headlines, scores and counts are over the questions that ``which`` counts,
    and the heads say where some are left out; ``strict`` is the headline with unscored answers
    taken for wrong ones. Where judges give the headline, a line says what of it is judged.
    """
    table = tables.read([metrics], tables.METRICS)
    everything = pc.equal(table["questions"], which)
    for column in ("subtask", "style", "perturbation", "severity", "level"):
        everything = pc.and_(everything, pc.equal(table[column], ALL))
    rows = table.filter(everything).to_pylist()
    found = {(r["scenario"], r["model"], r["question_type"], r["metric"]): r for r in rows}
    scored = {kind for _, _, kind, metric in found if metric == "score"}
    types = [t for t in QUESTION_TYPES if t in scored]
    header = [*_FIRST, *(TYPE_LABELS[t] for t in types), *_LAST]
    said = headline_rows(rows, params, which)
    for scenario in scenarios:
        of_scenario = (row for row in said if row.scenario == scenario)
        own, why = ordered(of_scenario, guessing(params.answer.models))
        cells = [header]
        for each in own:
            model = each.model
            whole = found[scenario, model, ALL, HEADLINE]
            low, high = _percent(whole, "low"), _percent(whole, "high")
            line = [_NEW if model == new else "", model, _percent(whole), f"{low} to {high}"]
            line += [_percent(found.get((scenario, model, t, "score"))) for t in types]
            line.append(_percent(found.get((scenario, model, ALL, f"{HEADLINE}_strict"))))
            cells.append(line + [_count(whole, c) for c in _COUNTS])
        yield ""
        without = "" if which == ALL_QUESTIONS else f", {WITHOUT}"
        yield f"{plain(scenario)}: {label_of(params)}{without}"
        widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
        for row in cells:
            left = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
            right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
            yield "  ".join([*left, *right]).rstrip()
        yield from (f"{each.model}: {each.note}" for each in own if each.note)
        if why:
            yield f"Models stand {why}."
