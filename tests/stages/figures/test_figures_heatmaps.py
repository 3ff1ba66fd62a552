"""Heat maps and radars of many models, and the cells in them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from lvlmbench import tables
from lvlmbench.analysis import tasks
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import FIGURES, NotApplicable, Sources
from lvlmbench.stages.figures.kinds import heatmaps, radar
from lvlmbench.stages.figures.run import draw
from support import many_models

NAMES = ("subtask_heatmap", "style_heatmap", "radar", "task_clusters", "animal_clusters")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return many_models.build(tmp_path_factory.mktemp("many"))


@pytest.fixture(scope="module")
def sources(snapshot: Snapshot) -> Sources:
    return Sources(snapshot, None, Path("none"))


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """The same in other shards."""
    other = many_models.build(tmp_path_factory.mktemp("cut"), shard=37)
    return Sources(other, None, Path("none"))


@pytest.fixture(scope="module")
def grid(snapshot: Snapshot) -> tasks.Grid:
    names = many_models.names(6)
    return tasks.by_column(snapshot, names, "clean", "subtask", list(SUBTASKS))


def test_cells_are_means_of_the_metrics_table(snapshot: Snapshot, grid: tasks.Grid) -> None:
    leaderboard = Leaderboard(snapshot)
    for model, cells in grid.values.items():
        for group, cell in cells.items():
            parts = [
                leaderboard.value(model, "clean", "accuracy", kind, subtask=group)
                for kind in tasks.CLOSED
            ]
            values = [p.value for p in parts if p is not None and p.value is not None]
            assert sum(p.n for p in parts if p) == cell.n
            assert sum(p.n_unscored for p in parts if p) == cell.n_unscored
            if cell.value is None:
                assert model == many_models.SHY and group in many_models.TABOO
            else:
                assert cell.value == pytest.approx(sum(values) / 2, abs=2e-6)  # as many of both
                assert cell.low is not None and cell.high is not None
                assert cell.low < cell.high and cell.low <= cell.value <= cell.high


@pytest.mark.parametrize("column", ["subtask", "style"])
def test_cells_are_the_headline_of_the_metrics_table(
    snapshot: Snapshot, column: Literal["subtask", "style"]
) -> None:
    # The same number by another way, interval and all.
    leaderboard, compared = Leaderboard(snapshot), 0
    grid = tasks.by_column(snapshot, many_models.names(6), "clean", column, ())
    for model, cells in grid.values.items():
        for group, cell in cells.items():
            score = leaderboard.value(model, "clean", "score", **{column: group})
            if model != many_models.SHY:
                assert score is not None and score.value is not None
                assert cell.value == pytest.approx(score.value, abs=2e-6)
                ends, others = (cell.low, cell.high), (score.low, score.high)
                assert ends == pytest.approx(others, abs=2e-6)
                assert (cell.n, cell.n_unscored) == (score.n, score.n_unscored)
                compared += 1
    assert compared == 5 * len(grid.groups)


def test_chance_is_that_of_the_questions(snapshot: Snapshot, grid: tasks.Grid) -> None:
    known = Leaderboard(snapshot).chance("clean", "subtask")
    for group in grid.groups:
        mean = sum(known[kind][group] for kind in tasks.CLOSED) / len(tasks.CLOSED)  # as many
        assert grid.chance[group] == pytest.approx(mean, abs=1e-5)
        assert grid.asked[group] == 16


def test_way_from_guessing() -> None:
    assert tasks.above_chance(50, 50) == 0
    assert tasks.above_chance(100, 37.5) == 1
    assert tasks.above_chance(25, 50) == -0.5
    assert tasks.above_chance(100, 100) == 0
    assert tasks.reaches_chance(Value(60, 40, 80, 9, 0), 50)
    assert not tasks.reaches_chance(Value(60, 55, 80, 9, 0), 50)
    assert tasks.reaches_chance(Value(60, None, None, 1, 0), 50)


def test_the_scale_darkens_steadily_and_its_numbers_can_be_read() -> None:
    shades = [heat.shade(i / 100) for i in range(101)]
    light = [heat.luminance(c) for c in shades]
    assert all(a > b for a, b in itertools.pairwise(light))
    assert heat.luminance(heat.BELOW) > light[12]  # in gray print it is as light as guessing
    for color in (*shades, heat.BELOW):
        on, ink = heat.luminance(color), heat.luminance(heat.ink_on(color))
        assert (max(on, ink) + 0.05) / (min(on, ink) + 0.05) >= 4.5
    page = {plotting.INK, plotting.PAPER, plotting.MUTED, plotting.GRID, *plotting.MODELS}
    assert not page & {heat.DARK, heat.LIGHT, heat.BELOW, *heat.STOPS}  # else dark mode swaps them


def test_numbers_in_cells() -> None:
    assert heat.number(Value(62.4, 55, 70, 9, 0), 50) == "62"
    assert heat.number(Value(62.4, 45, 70, 9, 0), 50) == "(62)"
    assert heat.number(Value(62.4, None, None, 1, 0), None) == "62"
    assert heat.number(Value(None, None, None, 0, 3), 50) == heat.number(None, 50) == ""


def test_long_names_are_cut_and_stay_apart() -> None:
    assert heat.short(["a", "b"]) == ["a", "b"]
    cut = heat.short([f"{'x' * 40}1", f"{'x' * 40}2", "short"])
    assert len(set(cut)) == 3 and max(map(len, cut)) == 26 and cut[2] == "short"
    alike = [f"{'x' * 30}{c}{'y' * 30}" for c in "ab"]
    assert len(set(heat.short(alike))) == 2


def test_all_models_and_question_types_are_in_the_table(sources: Sources) -> None:
    table = heatmaps.subtask_heatmap(sources).table
    rows = table.to_pylist()
    assert {r["model"] for r in rows} == set(many_models.names(6))
    closed = [r for r in rows if r["question_type"] == heatmaps.CLOSED]
    of_models = {(r["model"], r["subtask"]) for r in closed}
    assert len(closed) == 6 * len(subtasks_of("dysca")) == len(of_models)
    refused = [r for r in closed if r["value"] is None]
    assert {(r["model"], r["subtask"]) for r in refused} == {("shy-model", s) for s in
                                                            many_models.TABOO}  # fmt: skip
    assert all(r["n"] == 0 and r["n_unscored"] == 16 for r in refused)


def _places(rows: list[dict[str, Any]]) -> dict[str, tuple[int | None, int | None]]:
    return {row["model"]: (row["rank"], row["n_ranked"]) for row in rows}


@pytest.mark.parametrize("name", ["subtask_heatmap", "style_heatmap"])
def test_each_model_has_its_place_in_each_row(name: str, sources: Sources) -> None:
    with plotting.settings():
        drawn = FIGURES.get(name, "test")(sources)
    by_row: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in drawn.table.to_pylist():
        by_row.setdefault((row[name.partition("_")[0]], row["question_type"]), []).append(row)
    assert {kind for _, kind in by_row} == {heatmaps.CLOSED, *tasks.CLOSED}
    shared = 0
    for rows in by_row.values():
        found = _places(rows)
        looking = [r for r in rows if r["model"] != "chance" and r["value"] is not None]
        values = sorted((r["value"] for r in looking), reverse=True)
        shared += len(values) - len(set(values))
        # Ties share the place of the first of them: 1, 2, 2, 4.
        expected = {r["model"]: (1 + values.index(r["value"]), len(values)) for r in looking}
        assert expected == {model: place for model, place in found.items() if place[0] is not None}
    assert shared > 0, "no tie was tried"
    assert drawn.table["rank"].null_count >= len(by_row)  # the model that guesses, at least


def test_reference_models_are_ranked_apart_and_the_best_of_a_row_is_bold(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = sources.leaderboard
    monkeypatch.setattr(board, "references", {"model-0"})
    with plotting.settings():
        drawn = heatmaps.subtask_heatmap(sources)
    rows = [r for r in drawn.table.to_pylist() if r["question_type"] == heatmaps.CLOSED]
    alone = [r for r in rows if r["model"] == "model-0"]
    assert {(r["model_kind"], r["rank"], r["n_ranked"]) for r in alone} == {("reference", 1, 1)}
    first = [r for r in rows if r["rank"] == 1 and r["model_kind"] == "model"]
    assert {r["n_ranked"] for r in first} <= {3, 4} and len(first) >= len(subtasks_of("dysca"))
    bold = [t.get_text() for t in drawn.figure.axes[0].texts if t.get_fontweight() == "bold"]
    cells = [
        heat.number(Value(r["value"], r["low"], r["high"], r["n"], 0), r["chance"]) for r in first
    ]
    assert sorted(bold) == sorted(cells)


def test_empty_cells_are_hatched_and_guessers_stand_apart(sources: Sources) -> None:
    models = heatmaps.blocks(sources.leaderboard, "clean")
    assert models[2] == ["chance"] and "chance" not in models[0]
    with plotting.settings():
        figure = heatmaps.subtask_heatmap(sources).figure
    hatched = [p for p in figure.axes[0].patches if p.get_hatch()]
    assert len(hatched) == len(many_models.TABOO) + 1  # and the one in the key


def test_a_map_of_26_models_and_51_styles_keeps_its_cells_readable() -> None:
    models = [f"model-number-{i}" for i in range(26)]
    groups = [f"style number {i}" for i in range(51)]
    value = Value(100.0, None, None, 1, 0)  # "(100)", the widest
    cells = {m: dict.fromkeys(groups, value) for m in models}
    made = tasks.Grid(groups, cells, dict.fromkeys(groups, 37.5), dict.fromkeys(groups, 99999))
    with plotting.settings():
        figure, ax, place = heat.draw(heat.Map(made, [models, [], []], groups, groups, ["note"]))
        renderer = FigureCanvasAgg(figure).get_renderer()
        boxes = [t.get_window_extent(renderer) for t in ax.texts]
    assert place.width < 12.5 and place.height < 14.5
    assert heat.text_width("(100)", 6.6, "bold") < place.cell - 0.02
    x0, y0, x1, y1 = np.array([box.extents for box in boxes]).T
    page = figure.bbox
    assert x0.min() >= page.x0 and x1.max() <= page.x1
    assert y0.min() >= page.y0 and y1.max() <= page.y1
    beside = (x1[:, None] <= x0) | (x0[:, None] >= x1)
    above = (y1[:, None] <= y0) | (y0[:, None] >= y1)
    assert (beside | above | np.eye(len(x0), dtype=bool)).all()


def test_radars_show_the_best_and_list_all(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(radar, "MAX_MODELS", 2)
    with plotting.settings():
        drawn = radar.radar(sources)
    texts = [t.get_text() for t in drawn.figure.axes[0].texts]
    assert "2 of 5 models: those under test first, the best first; the table has all." in texts
    rows = drawn.table.to_pylist()
    assert len({r["model"] for r in rows}) == 5 and "chance" not in {r["model"] for r in rows}
    assert len({r["model"] for r in rows if r["drawn"]}) == 2


def test_a_radar_is_open_where_a_score_is_missing(sources: Sources) -> None:
    with plotting.settings():
        drawn = radar.radar(sources)
    filled = [p for p in drawn.figure.axes[0].patches if p.get_alpha() is not None]
    assert len(filled) == 4  # of five models: the one that refuses two subtasks has none
    texts = [t.get_text() for t in drawn.figure.axes[0].texts]
    assert "Open where no answer was scored." in texts


def test_nothing_answered_is_no_figure(tmp_path: Path, snapshot: Snapshot) -> None:
    (tmp_path / "data").mkdir()
    for path in snapshot.data.iterdir():
        if path.name != "scores":
            (tmp_path / "data" / path.name).symlink_to(path)
    empty = Snapshot(snapshot.params, tmp_path / "data", snapshot.results)
    for name in NAMES:
        with pytest.raises(NotApplicable), plotting.settings():
            FIGURES.get(name, "test")(Sources(empty, None, Path("none")))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_files_are_the_same_however_the_tables_are_cut(
    name: str, sources: Sources, cut: Sources, tmp_path: Path
) -> None:
    draw(name, sources, tmp_path / "one")
    draw(name, cut, tmp_path / "two")
    for suffix in ("pdf", "svg", "csv", "json"):
        first, second = (tmp_path / d / f"{name}.{suffix}" for d in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()
    text = (tmp_path / "one" / f"{name}.svg").read_text()
    assert not re.search(r"/tmp|<dc:date>|matplotlib [0-9]", text)
    table = pa.csv.read_csv(tmp_path / "one" / f"{name}.csv")
    assert {"model", "value", "low", "high", "n"} <= set(table.column_names)


def test_what_is_unscored_is_in_no_mean(snapshot: Snapshot) -> None:
    path = next((snapshot.data / "scores" / many_models.SHY / "clean").iterdir())
    rows = tables.read([path], tables.SCORES).to_pylist()
    assert any(not r["scored"] for r in rows)
    styles = tasks.by_column(snapshot, [many_models.SHY], "clean", "style", [])
    found = styles.values[many_models.SHY].values()
    assert sum(v.n for v in found) == sum(r["scored"] for r in rows)
    assert sum(v.n_unscored for v in found) == sum(not r["scored"] for r in rows)
