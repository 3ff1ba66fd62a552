"""What a judge finds made up and covered, beside what a closed list of words would, as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.analysis.hallucination.gold import CHAIR, JUDGE
from lvlmbench.analysis.judged import first_judge
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.hallucinated import First, first
from lvlmbench.stages.figures.tabular import UP, Cell, Column, Row, Table

_DASH = "\N{EN DASH}"
#: Column -> the measure and its stratum by way; what is made up is shown as what is not.
_ASKED = {
    "Faithful": {CHAIR: ("chair_i", ALL), JUDGE: ("faithfulness", ALL)},
    "Covered": {CHAIR: ("amber_cover", ALL), JUDGE: ("coverage", ALL)},
    "Acc(F)": {CHAIR: ("acc_f", CHAIR), JUDGE: ("acc_f", JUDGE)},
    "Acc(C)": {CHAIR: ("acc_c", CHAIR), JUDGE: ("acc_c", JUDGE)},
}
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "model", "way", "subtask", "column")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("n", pa.int64()),
    ]
)
_NOTES = (
    "Percent, of the subsets that ask for objects. CHAIR: a closed list of words, by the same "
    "claims; faithful are the objects named that are there, covered (AMBER) those there that are "
    "named. Acc(F): hallucinations found less false alarms, of all; Acc(C): objects found of those "
    "said; both where people have labelled claims, else a dash.",
)


@figure(
    "hallucination_comparators",
    "What the judge finds made up and covered, beside what a closed list of words finds",
    "VALOR-Eval, table 6",
)
def hallucination_comparators(sources: Sources) -> Drawn:
    """Two lines a model: as CHAIR would have it, and as the first judge of free text has it, whose
    claims people label."""
    found = first(sources)
    found = replace(found, judge=first_judge(sources.snapshot) or found.judge)
    asked = [s for s in found.numbers.subtasks if any(_seen(found, m, s) for m in found.models)]
    if not asked:
        raise NotApplicable("No answer was to speak of objects.")
    subtask = asked[0] if len(asked) == 1 else ALL
    rows: list[dict[str, Any]] = []
    lines = []
    for model in found.models:
        for way in (CHAIR, JUDGE):
            cells = [
                Cell(model if way == CHAIR else ""),
                Cell(way if way == CHAIR else found.judge),
            ]
            for column, ways in _ASKED.items():
                measure, stratum = ways[way]
                number = found.number(model, measure, subtask, stratum)
                value, low, high = _turned(number, measure)
                cells.append(_cell(value, low, high, number))
                if value is not None and number is not None:
                    names = {"judge": found.judge, "model": model, "way": way, "subtask": subtask}
                    rows.append({**names, "column": column, "value": value, "low": low,
                                 "high": high, "n": number.n})  # fmt: skip
            lines.append(Row(tuple(cells)))
    heads = [Column("Model", "left"), Column("By", "left")]
    heads += [Column(f"{name} {UP}") for name in _ASKED]
    table = Table("Comparators", heads, lines, _NOTES)
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))


def _seen(found: First, model: str, subtask: str) -> bool:
    number = found.number(model, "chair_i", subtask)
    return number is not None and number.value is not None


def _turned(number: Number | None, measure: str) -> tuple[float | None, ...]:
    """A value and its interval; of what is made up, how much is not."""
    if number is None or number.value is None:
        return None, None, None
    if measure != "chair_i":
        return number.value, number.low, number.high
    low, high = (None if end is None else 100 - end for end in (number.high, number.low))
    return 100 - number.value, low, high


def _cell(
    value: float | None, low: float | None, high: float | None, number: Number | None
) -> Cell:
    if value is None or number is None:
        return Cell(_DASH)
    notes = [] if low is None or high is None else [f"{low:.1f} to {high:.1f}"]
    return Cell(f"{value:.1f}", notes=(*notes, f"n {number.n:,}"))
