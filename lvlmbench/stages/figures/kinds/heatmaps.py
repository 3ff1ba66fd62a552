"""All models over all subtasks and over all styles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pyarrow as pa

from lvlmbench.analysis import tasks
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import GROUP_METRIC, Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Value
from lvlmbench.analysis.tasks import Grid
from lvlmbench.stages.figures import heat
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.tables import QUESTION_TYPES

#: In the column ``question_type``: the mean over multiple choice and true or false.
CLOSED = "closed"


def blocks(leaderboard: Leaderboard, scenario: str) -> list[list[str]]:
    """Models of the scenario, the best first: under test, reference models, those that guess."""
    rows = [r for r in leaderboard.ranked().get(scenario, []) if r.kind != "floor"]
    kinds: tuple[tuple[str, ...], ...] = (("model", "brought"), ("reference",), ("guesser",))
    return [[r.model for r in rows if r.kind in of] for of in kinds]


def _row(
    group: str, name: str, model: str, question_type: str, value: Value, chance: float | None
) -> dict[str, Any]:
    return {
        group: name, "model": model, "question_type": question_type, "value": value.value,
        "low": value.low, "high": value.high, "n": value.n, "n_unscored": value.n_unscored,
        "chance": chance,
    }  # fmt: skip


def _cells(
    sources: Sources, grid: Grid, group: Literal["subtask", "style"], models: Sequence[str]
) -> list[dict[str, Any]]:
    leaderboard, scenario = sources.leaderboard, sources.snapshot.first_scenario
    chance = leaderboard.chance(scenario, group)
    rows = []
    for name in grid.groups:
        for model in models:
            cell = grid.values[model].get(name)
            if cell is not None:
                rows.append(_row(group, name, model, CLOSED, cell, grid.chance.get(name)))
            for kind in QUESTION_TYPES:
                key = {group: name}
                found = leaderboard.value(model, scenario, GROUP_METRIC[kind], kind, **key)
                if found is not None:
                    level = chance.get(kind, {}).get(name)
                    rows.append(_row(group, name, model, kind, found, level))
    return rows


def _rank(rows: Sequence[dict[str, Any]], group: str, leaderboard: Leaderboard) -> None:
    """Tell each row's kind of model and rank: 1 is the best of a group and question type.

    As in the leaderboard, models under test are ranked among themselves, and so are reference
    models; models that guess are not, nor is a model without a value. Equal values share a rank,
    and the next one is as many places behind.
    """
    rankings: dict[tuple[str, str, int], list[float]] = {}
    for row in rows:
        row["model_kind"] = kind = leaderboard.kind(row["model"])
        row["key"] = row[group], row["question_type"], RANKS[kind]
        if row["value"] is not None and kind != "guesser":
            rankings.setdefault(row["key"], []).append(row["value"])
    for row in rows:
        of, ranked = rankings.get(row.pop("key"), []), row["model_kind"] != "guesser"
        if row["value"] is not None and ranked:
            row |= {"rank": 1 + sum(v > row["value"] for v in of), "n_ranked": len(of)}


def table_of(
    sources: Sources, grid: Grid, group: Literal["subtask", "style"], models: Sequence[str]
) -> pa.Table:
    """Cells of the map, row by row, and after each the question types that it is made of.

    Columns: the group, model, its kind, question_type (``closed`` is the cell), value in percent
    with its 95 % interval, n, n_unscored, chance, what guessing gets in percent, and the rank of
    the model among n_ranked (:func:`_rank`).
    """
    rows = _cells(sources, grid, group, models)
    _rank(rows, group, sources.leaderboard)
    numbers = {n: pa.float64() for n in ("value", "low", "high", "chance")}
    counts = {n: pa.int64() for n in ("n", "n_unscored", "rank", "n_ranked")}
    order = [
        group, "model", "model_kind", "question_type", "value", "low", "high", "n", "n_unscored",
        "chance", "rank", "n_ranked",
    ]  # fmt: skip
    types = numbers | counts
    schema = pa.schema([(n, types.get(n, pa.string())) for n in order])
    return pa.Table.from_pylist(rows, schema)


def _first(table: pa.Table, group: str) -> set[tuple[str, str]]:
    """Model and group of the cells with the first rank of several; one alone is first of none."""
    return {
        (row["model"], row[group])
        for row in table.to_pylist()
        if row["question_type"] == CLOSED and row["rank"] == 1 and row["n_ranked"] > 1
    }


def _heatmap(sources: Sources, group: Literal["subtask", "style"], order: Sequence[str]) -> Drawn:
    leaderboard, scenario = sources.leaderboard, sources.snapshot.first_scenario
    models = blocks(leaderboard, scenario)
    names = [m for block in models for m in block]
    grid = tasks.by_column(sources.snapshot, names, scenario, group, order)
    if not grid.groups:
        label = plain(scenario)
        raise NotApplicable(f"No closed question was answered in the scenario {label}.")
    table = table_of(sources, grid, group, names)
    first = _first(table, group)
    notes = [
        f"Numbers: accuracy in percent, {plain(scenario).lower()} images, mean of "
        "multiple choice and true or false.",
        "Color: the way from guessing to all right, since guessing gets more where options are "
        "fewer.",
    ]
    if first:
        notes.append(
            "Bold: the best of its row; reference models are ranked apart. The table has all ranks."
        )
    labels = [plain(g) if group == "subtask" else g[:1].upper() + g[1:] for g in grid.groups]
    made, _, _ = heat.draw(heat.Map(grid, models, grid.groups, labels, notes, first))
    return Drawn(made, table)


@figure(
    "subtask_heatmap",
    "Accuracy of every model by the subtask asked about",
    "Dysca, appendix A",
    place=5,
    scale=True,
    counted=True,
)
def subtask_heatmap(sources: Sources) -> Drawn:
    """Closed questions by the subtask asked about: all models, shaded above guessing."""
    return _heatmap(sources, "subtask", sources.snapshot.subtasks)


@figure(
    "style_heatmap",
    "Accuracy of every model by image style",
    place=9,
    scale=True,
    counted=True,
)
def style_heatmap(sources: Sources) -> Drawn:
    """Closed questions by the style of the image: all models, shaded above guessing."""
    return _heatmap(sources, "style", sources.snapshot.styles)
