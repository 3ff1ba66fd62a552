"""What each model makes up and leaves out as a table, by what was to be described."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard_rows import RANKS
from lvlmbench.stages.figures import latex, published_valor, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.hallucinated import First, first
from lvlmbench.stages.figures.published_valor import MEAN, PUBLISHED, Published
from lvlmbench.stages.figures.tabular import DOWN, UP, Cell, Column, Heading, Row, Table, by_rank
from lvlmbench.suites.suite import suite_of

_DASH = "\N{EN DASH}"
_MEASURES = ("faithfulness", "coverage")
#: Subsets that a page has room for; where there are more, it shows their mean alone.
_MOST = 8
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("source", "judge", "model", "subtask", "measure")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        *((name, pa.int64()) for name in ("n", "answers", "unjudged")),
    ]
)
_NOTES = (
    "Percent with 95% intervals, clustered by scene; n is claims for faithfulness, features for "
    "coverage. The mean is the unweighted mean of the subsets; a dash: one of them has no number. "
    "Not judged: of the answers asked for. The more color, the better the rank in the column.",
    "Published rows are as the paper prints them, without intervals, and were measured on "
    "photographs with another judge: they are not ranked against the rows above.",
)


@figure(
    "hallucination_results",
    "What each model makes up and leaves out, by what was to be described",
    "VALOR-Eval, table 3",
)
def hallucination_results(sources: Sources) -> Drawn:
    """Faithfulness and coverage of every model by subset, and their means (VALOR-Eval, table 3).

    Raises
    ------
    UserError
        Published results are asked for and their file is missing or damaged.
    """
    found, board = first(sources), sources.leaderboard
    subsets = found.numbers.subtasks
    shown = subsets if len(subsets) <= _MOST else []
    keys = [(name, measure) for name in (*shown, ALL) for measure in _MEASURES]
    keys.append((ALL, "f1"))
    ranked = sorted(
        found.numbers.models, key=lambda m: (RANKS[board.kind(m)], -found.value(m, "f1"))
    )
    grid = [[found.number(model, measure, name) for name, measure in keys] for model in ranked]
    if not any(number is not None and number.value is not None for row in grid for number in row):
        raise NotApplicable("No claim was judged.")
    guess = [board.kind(model) == "guesser" for model in ranked]
    given = published_valor.read(sources.published) if _published(sources) else []
    lines: list[Row | Heading] = list(_lines(ranked, grid, guess))
    if given:
        known = _subsets(sources, found)
        lines += [Heading(PUBLISHED), *(_beside(row, keys, known) for row in given)]
    table = Table("Hallucination", _columns(keys), lines, _NOTES[: 2 if given else 1])
    rows = [*_own_rows(found, ranked, keys, grid), *_published_rows(given)]
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))


def _published(sources: Sources) -> bool:
    return sources.snapshot.params.figures.published


def _subsets(sources: Sources, found: First) -> dict[str, str]:
    """Subtask -> the paper's subset that asks about the same."""
    params = sources.snapshot.params
    scopes = suite_of(params).scopes(params)
    known = {name: published_valor.subset_of(scopes[name]) for name in scopes}
    return {name: subset for name in found.numbers.subtasks if (subset := known.get(name))}


def _columns(keys: Sequence[tuple[str, str]]) -> list[Column]:
    heads = {"faithfulness": f"Faithful {UP}", "coverage": f"Covered {UP}", "f1": f"F1 {UP}"}
    named = {ALL: "Mean"}
    return [
        Column("Model", "left"),
        *(Column(heads[measure], group=named.get(name) or plain(name)) for name, measure in keys),
        Column(f"Not judged {DOWN}"),
    ]


def _lines(
    models: Sequence[str], grid: Sequence[Sequence[Number | None]], guess: Sequence[bool]
) -> list[Row]:
    columns = []
    for i in range(len(grid[0])):
        values = [
            None if no or (number := row[i]) is None else number.value
            for row, no in zip(grid, guess, strict=True)
        ]
        columns.append(by_rank(values, highest=True))
    out = []
    for at, (model, numbers) in enumerate(zip(models, grid, strict=True)):
        cells = [_cell(number, column[at]) for number, column in zip(numbers, columns, strict=True)]
        name = Cell(model, notes=("guesses",) if guess[at] else ())
        told = next((number for number in reversed(numbers) if number is not None), None)
        lost = Cell(f"{told.unjudged:,}", notes=(f"of {told.answers:,}",)) if told else Cell(_DASH)
        out.append(Row((name, *cells, lost), muted=guess[at]))
    return out


def _cell(number: Number | None, shade: float | None) -> Cell:
    if number is None or number.value is None:
        return Cell(_DASH)
    notes = [] if number.low is None else [f"{number.low:.1f} to {number.high:.1f}"]
    return Cell(f"{number.value:.1f}", notes=(*notes, f"n {number.n:,}"), shade=shade)


def _beside(row: Published, keys: Sequence[tuple[str, str]], known: dict[str, str]) -> Row:
    cells = []
    for name, measure in keys:
        subset = MEAN if name == ALL else known.get(name, "")
        values = {"faithfulness": row.faithfulness, "coverage": row.coverage}.get(measure, {})
        cells.append(Cell(f"{values[subset]:.1f}") if subset in values else Cell(_DASH))
    return Row((Cell(row.model), *cells, Cell(_DASH)), muted=True)


def _own_rows(
    found: First,
    models: Sequence[str],
    keys: Sequence[tuple[str, str]],
    grid: Sequence[Sequence[Number | None]],
) -> list[dict[str, Any]]:
    return [
        {
            "source": "snapshot", "judge": found.judge, "model": model, "subtask": name,
            "measure": measure, **vars(number),
        }
        for model, numbers in zip(models, grid, strict=True)
        for (name, measure), number in zip(keys, numbers, strict=True)
        if number is not None
    ]  # fmt: skip


def _published_rows(given: Sequence[Published]) -> list[dict[str, Any]]:
    return [
        {"source": "valor_eval", "model": row.model, "subtask": name, "measure": measure,
         "value": value}
        for row in given
        for measure, values in (("faithfulness", row.faithfulness), ("coverage", row.coverage))
        for name, value in values.items()
    ]  # fmt: skip
