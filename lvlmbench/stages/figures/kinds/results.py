"""Results of all models in all scenarios as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.analysis import table3
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.analysis.table3 import DIGITS, Entry, Line, Measure, Table3
from lvlmbench.stages.figures import latex, published, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.published import PUBLISHED, WHITE_BOX, Published, cell, csv_rows
from lvlmbench.stages.figures.tabular import (
    DOWN,
    UP,
    Cell,
    Column,
    Heading,
    Row,
    Table,
    by_rank,
    signed,
)

DASH = "\N{EN DASH}"
#: Heading of the models of which nobody has said what they are built of.
_UNSAID = "language model and visual encoder not said"
_KINDS: dict[Kind, str] = {"brought": "answers brought", "reference": "reference model",
                           "guesser": "guesses"}  # fmt: skip
_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("model", pa.string()),
        ("model_kind", pa.string()),
        ("language_model", pa.string()),
        ("visual_encoder", pa.string()),
        ("measure", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("n_unscored", pa.int64()),
        ("n_refused", pa.int64()),
        ("n_truncated", pa.int64()),
        ("n_failed", pa.int64()),
        ("noise", pa.float64()),
        ("difference", pa.float64()),
        ("difference_low", pa.float64()),
        ("difference_high", pa.float64()),
        ("p_holm", pa.float64()),
        ("n_pairs", pa.int64()),
        ("n_unpaired", pa.int64()),
        ("white_box", pa.bool_()),
        ("best", pa.bool_()),
    ]
)


def _span(value: Value) -> str:
    if value.low is None or value.high is None:
        return "interval unknown"
    return f"{value.low:.{DIGITS}f} to {value.high:.{DIGITS}f}"


def _counted(value: Value) -> str:
    unscored = f", {value.n_unscored:,} unscored" if value.n_unscored else ""
    return f"n {value.n:,}{unscored}"


def _entry(entry: Entry, shade: float | None) -> Cell:
    value, test = entry.value, entry.test
    if value is None:
        return Cell(DASH)
    if value.value is None:
        return Cell(DASH, notes=("no value", _counted(value)))
    aside, changed, quiet = "", "", False
    if test is not None and test.difference is not None:
        aside, quiet = f"({signed(test.difference, DIGITS)})", test.verdict == "open"
        if test.low is not None and test.high is not None:
            changed = f" ({signed(test.low, DIGITS)} to {signed(test.high, DIGITS)})"
    return Cell(
        f"{value.value:.{DIGITS}f}", aside, WHITE_BOX if entry.white_box else "",
        (_span(value) + changed, _counted(value)), bold=entry.best, quiet=quiet, shade=shade,
    )  # fmt: skip


def _shades(table: Table3) -> list[list[float | None]]:
    """Shades of each line's entries by their rank in the column, as the numbers are printed; models
    that guess have none."""
    columns = []
    for i, measure in enumerate(table.measures):
        values = [None if ln.kind == "guesser" else ln.entries[i].printed for ln in table.lines]
        columns.append(by_rank(values, {"high": True, "low": False}.get(measure.better or "")))
    return [[column[i] for column in columns] for i in range(len(table.lines))]


def _row(line: Line, shades: Sequence[float | None]) -> Row:
    kind = _KINDS.get(line.kind)
    name = Cell(line.model, notes=(kind,) if kind else ())
    return Row((name, *map(_entry, line.entries, shades)))


def _grouped(table: Table3) -> list[Row | Heading]:
    """Rows below what their models are built of, the group of the best model first; those of which
    nobody has said it last, and no group at all where that is so of all."""
    groups: dict[str, list[Row]] = {}
    for line, shades in zip(table.lines, _shades(table), strict=True):
        groups.setdefault(line.built_of, []).append(_row(line, shades))
    rest = groups.pop("", [])
    if not groups:
        return list(rest)
    found: list[Row | Heading] = []
    for name, rows in [*groups.items(), *([(_UNSAID, rest)] if rest else [])]:
        found += [Heading(name), *rows]
    return found


def _columns(measures: Sequence[Measure]) -> list[Column]:
    arrows = {"high": f" {UP}", "low": f" {DOWN}", None: ""}
    return [
        Column("Model", "left"),
        *(
            Column(
                f"{m.label}{arrows[m.better]}",
                group="" if m.sensitivity or m.better is None else "Scenarios",
            )
            for m in measures
        ),
    ]


def _own_rows(table: Table3) -> list[dict[str, Any]]:
    rows = []
    for line in table.lines:
        for measure, entry in zip(table.measures, line.entries, strict=True):
            value, test = entry.value, entry.test
            if value is None:
                continue
            row: dict[str, Any] = {
                "source": "snapshot", "model": line.model, "model_kind": line.kind,
                "language_model": line.language_model, "visual_encoder": line.visual_encoder,
                "measure": measure.name, "value": value.value, "low": value.low,
                "high": value.high, "n": value.n, "n_unscored": value.n_unscored,
                "n_refused": value.n_refused, "n_truncated": value.n_truncated,
                "n_failed": value.n_failed, "noise": entry.noise,
                "white_box": entry.white_box, "best": entry.best,
            }  # fmt: skip
            if test is not None:
                row |= {
                    "difference": test.difference, "difference_low": test.low,
                    "difference_high": test.high, "p_holm": test.p_holm, "n_pairs": test.n,
                    "n_unpaired": test.n_unpaired,
                }  # fmt: skip
            rows.append(row)
    return rows


def _stand_in(measures: Sequence[Measure]) -> dict[str, Measure]:
    """Kind of scenario -> the column that the published number of that kind stands in: the one
    called as its kind, else the first of the kind."""
    out: dict[str, Measure] = {}
    for measure in sorted(measures, key=lambda m: m.name != m.kind):
        out.setdefault(measure.kind, measure)
    return out


def _beside(rows: list[Published], measures: Sequence[Measure]) -> list[Row]:
    """Published rows in the columns of one's own table, in gray and without a best."""
    places = {m.name: kind for kind, m in _stand_in(measures).items()}
    out = []
    for row in rows:
        cells = [
            cell(row, places[m.name], None, None)
            if places.get(m.name) in (*row.scores, "sq", "sc")
            else Cell(DASH)
            for m in measures
        ]
        name = Cell(row.model, notes=(row.built_of,) if row.built_of else ())
        out.append(Row((name, *cells), muted=True))
    return out


def _notes(table: Table3, given: bool) -> list[str]:
    kinds = {m.kind for m in table.measures}
    tests = [e.test for line in table.lines for e in line.entries if e.test is not None]
    notes = [
        f"{table.headline.title} with 95% intervals; n answers are scored.",
    ]
    if any(test.difference is not None for test in tests):
        notes.append(
            "In brackets: points against clean over the same questions, with the 95% interval; "
            "gray where no difference could be shown (Holm, 5%). The questions of a scenario may "
            "be fewer than those of clean, so that scores need not differ by as much."
        )
    notes.append(
        "The more color, the better the rank in the column; bold: the best of it, be it by more "
        "than chance or not."
    )
    if any(measure.sensitivity for measure in table.measures):
        notes.append(
            f"SQ and SC in squared percentage points, of the scenario {plain(table.scenario)}: "
            "they count sampling noise, their intervals are about the true values and do not. Low "
            "ones alone are no merit: a model that guesses has them too."
        )
    if any(map(published.attacks, kinds)) and any(
        e.white_box for line in table.lines for e in line.entries
    ):
        notes.append(
            f"{WHITE_BOX} white-box: the attack was made against this model's own image encoder."
        )
    if given:
        notes.append(
            "Published rows are as the paper prints them, without intervals, and were measured on "
            "its own photographic images: they are not ranked against the rows above."
        )
    return notes


@figure(
    "table3_results", "The headline in each scenario, and differences to clean",
    "Dysca, table 3",
    counted=True,
)  # fmt: skip
def table3_results(sources: Sources) -> Drawn:
    """Blind, clean and noisy scenarios with paired differences, SQ and SC (Dysca, table 3).

    Raises
    ------
    UserError
        Published results are asked for and their file is missing or damaged.
    """
    found = table3.build(sources.snapshot, sources.leaderboard)
    if not found.lines:
        raise NotApplicable("No model has answered.")
    given = published.read(sources.published) if sources.snapshot.params.figures.published else []
    lines = _grouped(found)
    if given:
        lines += [Heading(PUBLISHED), *_beside(given, found.measures)]
    table = Table("Results", _columns(found.measures), lines, _notes(found, bool(given)))
    rows = [*_own_rows(found), *csv_rows(given, {})]
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))
