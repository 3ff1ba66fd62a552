"""How models do at each level of each request: places (AutoDavis, figure 4) and accuracies with
their means (tables 2 to 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.averages import MEAN, Averages
from lvlmbench.analysis.averages import Cell as Place
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import ALL
from lvlmbench.analysis.leaderboard_rows import RANKS, Value
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.exams import answered, levels_in, planned
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.kinds.heatmaps import blocks
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table, by_rank
from lvlmbench.tables import OFFERING

_TEXTS = ("request", "level", "model", "model_kind")
_NUMBERS = ("value", "low", "high")
_COUNTS = ("n", "n_unscored", "rank", "n_ranked")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in _TEXTS),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.int64()) for name in _COUNTS),
    ]
)
_NOTES = (
    "Places among the models under test, and among reference models: 1 is the best; equal "
    "accuracies share a place. Below: accuracy in percent, and its 95% interval.",
    "Places that lie within each other's intervals say little. A model that guesses has no place.",
)
_MEANS = pa.schema(
    [
        *((name, pa.string()) for name in ("request", "level", "model")),
        *((name, pa.float64()) for name in _NUMBERS),
        ("n", pa.int64()),
    ]
)
_NOTES_OF_MEANS = (
    "Means count each level and each request the same; the mean of models is taken question by "
    "question, without models that guess. Below: 95% intervals. Bold: the best of the line.",
    "A dash: one of the cells has no scored answer. The headline counts each aspect the same "
    "instead, so it differs from the average of all.",
)


@figure(
    "request_ranks",
    "Place of every model at each level of each request",
    "AutoDavis, figure 4",
    counted=True,
)
def request_ranks(sources: Sources) -> Drawn:
    """Places of models by request and level, and their accuracies (AutoDavis, figure 4)."""
    described, board = planned(sources.snapshot), sources.leaderboard
    scenario = sources.snapshot.first_scenario
    models = [model for block in blocks(board, scenario) for model in block]
    lines: list[Row | Heading] = []
    rows: list[dict[str, Any]] = []
    for request in dict.fromkeys(row["subtask"] for row in described):
        found: list[Row] = []
        for level in levels_in(described):
            values = {
                model: board.value(
                    model, scenario, "accuracy", OFFERING[0], subtask=request, level=level
                )
                for model in models
            }
            own = _ranked(request, level, values, {m: board.kind(m) for m in models})
            rows += own
            found += [_line(level, models, own)] if own else []
        lines += [Heading(plain(request)), *found] if found else []
    if not rows:
        raise NotApplicable(f"No question was answered in the scenario {plain(scenario)}.")
    columns = [Column("Level", "left"), *(Column(model) for model in models)]
    title = f"Place of each model, {plain(scenario).lower()} images"
    table = Table(title, columns, lines, _NOTES)
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))


@figure(
    "request_scores",
    "Accuracy of every model at each level of each request, with means",
    "AutoDavis, tables 2 to 4",
    counted=True,
)
def request_scores(sources: Sources) -> Drawn:
    """Accuracies by request and level, with means over levels, over requests and over models, and
    the average of all (AutoDavis, tables 2 to 4)."""
    snapshot, board = sources.snapshot, sources.leaderboard
    described, scenario = planned(snapshot), snapshot.first_scenario
    models = [model for block in blocks(board, scenario) for model in block]
    columns = (snapshot.questions[name].to_pylist() for name in ("question_id", "level"))
    level = dict(zip(*columns, strict=True))
    request = {row["scene_id"]: row["subtask"] for row in described}

    def cell(question: str, scene: str) -> Place | None:
        of, at = request.get(scene), level.get(question)
        return None if of is None or at is None else (of, at)

    looking = [model for model in models if board.kind(model) != "guesser"]
    answers = {model: [*answered(snapshot, model, scenario, cell)] for model in models}
    averages = Averages(answers, snapshot.clusters, looking)
    lines, rows = _averaged(averages, described, models, looking)
    if not rows:
        raise NotApplicable(f"No question was answered in the scenario {plain(scenario)}.")
    heads = [Column("Level", "left"), *(Column(name) for name in (*models, MEAN.capitalize()))]
    title = f"Accuracy in percent, {plain(scenario).lower()} images"
    table = Table(title, heads, lines, _NOTES_OF_MEANS)
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _MEANS), latex.tabular(table))


def _averaged(
    averages: Averages, described: Sequence[Any], models: Sequence[str], looking: Sequence[str]
) -> tuple[list[Row | Heading], list[dict[str, Any]]]:
    """Lines and rows: each request by level and over levels, then all requests so."""
    lines: list[Row | Heading] = []
    rows: list[dict[str, Any]] = []
    requests = list(dict.fromkeys(row["subtask"] for row in described))
    levels = [name for name in levels_in(described) if any(name == c[1] for c in averages.cells)]
    for request in (*requests, ALL):
        found: list[Row] = []
        for level in (*levels, ALL):
            cells = [
                cell for cell in averages.cells
                if request in (cell[0], ALL) and level in (cell[1], ALL)
            ]  # fmt: skip
            values = {model: averages.mean(model, cells) for model in (*models, MEAN)}
            if not any(values.values()):
                continue
            rows += [
                {"request": request, "level": level, "model": model, "value": value.value,
                 "low": value.low, "high": value.high, "n": value.n}
                for model, value in values.items() if value is not None
            ]  # fmt: skip
            found.append(_accuracies(request, level, values, looking))
        lines += [Heading("All requests" if request == ALL else plain(request)), *found]
    return lines, rows


def _accuracies(
    request: str, level: str, values: dict[str, Value | None], looking: Sequence[str]
) -> Row:
    """A line of accuracies; of models that look the best in bold, the better, the more color."""
    mean = level == ALL
    whole = "Average of all" if request == ALL else "Mean of levels"
    cells = [Cell(whole if mean else plain(level), indent=True, bold=mean)]
    own = [v.value if v is not None and name in looking else None for name, v in values.items()]
    shades = by_rank(own, highest=True)
    best = max((v for v in own if v is not None), default=None)
    for value, shade in zip(values.values(), shades, strict=True):
        if value is None or value.value is None:
            cells.append(Cell("\N{EN DASH}"))
            continue
        spread = "" if value.low is None else f"{value.low:.0f} to {value.high:.0f}"
        bold = shade is not None and value.value == best
        notes = (spread,) if spread else ()
        cells.append(Cell(f"{value.value:.1f}", notes=notes, bold=bold, shade=shade))
    return Row(tuple(cells))


def _ranked(
    request: str, level: str, values: dict[str, Value | None], kinds: dict[str, Any]
) -> list[dict[str, Any]]:
    """Rows of one line, with the rank of each model among those of its kind."""
    rows = []
    for model, value in values.items():
        if value is None:
            continue
        rows.append(
            {
                "request": request, "level": level, "model": model, "model_kind": kinds[model],
                "value": value.value, "low": value.low, "high": value.high, "n": value.n,
                "n_unscored": value.n_unscored,
            }
        )  # fmt: skip
    for row in rows:
        kind = row["model_kind"]
        if kind == "guesser" or row["value"] is None:
            continue
        of = [
            other["value"]
            for other in rows
            if other["value"] is not None
            and other["model_kind"] != "guesser"
            and RANKS[other["model_kind"]] == RANKS[kind]
        ]
        row |= {"rank": 1 + sum(value > row["value"] for value in of), "n_ranked": len(of)}
    return rows


def _line(level: str, models: Sequence[str], rows: Sequence[dict[str, Any]]) -> Row:
    by_model = {row["model"]: row for row in rows}
    shades = by_rank([by_model.get(model, {}).get("rank") for model in models], highest=False)
    cells = [Cell(plain(level), indent=True)]
    for model, shade in zip(models, shades, strict=True):
        row = by_model.get(model)
        if row is None or row["value"] is None:
            cells.append(Cell("\N{EN DASH}"))
            continue
        spread = "" if row["low"] is None else f"{row['low']:.0f} to {row['high']:.0f}"
        notes = (f"{row['value']:.1f}", spread) if spread else (f"{row['value']:.1f}",)
        rank = row.get("rank")
        text = "\N{EN DASH}" if rank is None else str(rank)
        best = rank == 1 and row["n_ranked"] > 1
        cells.append(Cell(text, notes=notes, bold=best, shade=shade))
    return Row(tuple(cells))
