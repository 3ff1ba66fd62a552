"""Tables as figures: Dysca's tables 2 and 3, and what it publishes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pytest
from matplotlib.colors import to_hex, to_rgb

from lvlmbench import tables
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.analysis.table3 import Entry, Line, Measure, Table3
from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures import heat, plotting, published
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.kinds import results
from lvlmbench.stages.figures.run import draw as write
from support import figure_pages
from support.figure_pages import draw, misplaced, rows, words
from support.report_snapshot import SNAPSHOT

NAMES = ("table2_statistics", "table3_results", "published_results")
#: Sentences of the published file that are wrong, and what is said of them.
DAMAGES = {
    "": "no CSV file",
    "model,clean\nA,1\n": "should have the columns",
    "HEAD\n": "has no row",
    "HEAD\nA,B,C,1,2,3\n": "line 2: has 6 of 11 values",
    "HEAD\nA,B,C,1,2,3,4,5,6,x,0\n": "'x' in column 'sc'",
    "HEAD\nA,B,C,1,200,3,4,5,6,7,0\n": "'200' in column 'clean' is no number from 0 to 100",
    "HEAD\nA,B,C,1,nan,3,4,5,6,7,0\n": "'nan' in column 'clean'",
    "HEAD\nA,B,C,1,2,3,4,5,inf,7,0\n": "'inf' in column 'sq'",
    "HEAD\nA,B,C,1,2,3,4,5,6,7,yes\n": "is not 0 or 1",
    "HEAD\n,B,C,1,2,3,4,5,6,7,0\n": "column 'model' is empty",
    "HEAD\nA,B,C,1,2,3,4,5,6,7,0\nA,B,D,1,2,3,4,5,6,7,0\n": "'A B' twice",
}
HEAD = (
    "model,language_model,visual_encoder,blind,clean,corruption,adversarial_attack,print_attack,"
    "sq,sc,white_box"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return figure_pages.noisy(tmp_path_factory)


@pytest.fixture
def sources(root: Path) -> Sources:
    return figure_pages.sources(root)


@pytest.fixture
def beside(sources: Sources) -> Sources:
    """With published results asked for."""
    p = sources.snapshot.params
    figures = p.figures.model_copy(update={"published": True})
    snapshot = replace(sources.snapshot, params=p.model_copy(update={"figures": figures}))
    return Sources(snapshot, None, sources.published)


def test_every_number_of_table3_is_that_of_metrics_and_comparisons(sources: Sources) -> None:
    found = {(r["model"], r["measure"]): r for r in rows(draw("table3_results", sources))}
    metrics = sources.snapshot.metrics
    metrics = metrics.filter(
        pc.and_(
            pc.equal(metrics["questions"], "all"),
            pc.and_(
                pc.is_in(metrics["metric"], value_set=pc.cast(["headline", "sq", "sc"], "string")),
                pc.and_(
                    pc.equal(metrics["severity"], "all"), pc.equal(metrics["perturbation"], "all")
                ),
            ),
        )
    )
    seen = 0
    for row in metrics.to_pylist():
        if row["subtask"] != "all" or row["style"] != "all" or row["question_type"] != "all":
            continue
        is_total = row["metric"] == "headline"
        if row["scenario"] in ("other_image", "corruption_curve"):
            assert (row["model"], row["scenario"]) not in found
        elif is_total or row["scenario"] == "clean":
            mine = found[row["model"], row["scenario"] if is_total else row["metric"]]
            for name in (
                "value",
                "low",
                "high",
                "n",
                "n_unscored",
                "n_refused",
                "n_truncated",
                "n_failed",
            ):
                assert mine[name] == row[name] or row[name] != row[name]
            seen += 1
    assert seen == len(found) == 4 * 7
    tested = 0
    for row in sources.snapshot.comparisons.to_pylist():
        mine = found.get((row["model"], row["scenario"]))
        about = row["family"] == "scenarios" and row["question_type"] == "all"
        if about and mine and row["scenario"] != "blind":
            assert mine["difference"] == row["difference"]
            assert mine["difference_low"] == row["low"]
            assert mine["n_pairs"] == row["n"]
            tested += 1
    assert tested == 4 * 3


def test_only_models_that_look_are_the_best_and_the_proxy_is_marked(sources: Sources) -> None:
    drawn = draw("table3_results", sources)
    found = rows(drawn)
    measures = list(dict.fromkeys(r["measure"] for r in found))
    assert measures == ["blind", "clean", "corruption", "adversarial", "print_attack", "sq", "sc"]
    for measure in measures[1:]:
        ranked = {r["model"]: round(r["value"], 1) for r in found
                  if r["measure"] == measure and r["model_kind"] != "guesser"
                  and r["value"] is not None}  # fmt: skip
        end = min if measure in ("sq", "sc") else max
        best = {m for m, value in ranked.items() if value == end(ranked.values())}
        assert best == {r["model"] for r in found if r["measure"] == measure and r["best"]}
    assert not any(r["best"] for r in found if r["measure"] == "blind")
    marked = {(r["model"], r["measure"]) for r in found if r["white_box"]}
    assert marked == {("reference_a", "adversarial"), ("hostile", "adversarial")}
    built = {(r["language_model"], r["visual_encoder"]) for r in found if r["model"] == "hostile"}
    assert built == {("<b>LM</b>", "REFERENCE_A")}
    assert words(drawn.figure).count("*") == 1
    assert [r["model"] for r in found if r["measure"] == "clean"] == [
        "model-a", "hostile", "reference_a", "chance"
    ]  # fmt: skip


def test_shades_are_ranks_within_a_column() -> None:
    def line(model: str, kind: Kind, *values: float | None) -> Line:
        return Line(model, kind, tuple(Entry(Value(v, None, None, 9, 0)) for v in values))

    measures = [
        Measure("blind", "Blind", "blind", "blind", None),
        Measure("clean", "Clean", "clean", "clean", "high"),
        Measure("sq", "SQ", "sq", "clean", "low"),
    ]
    lines = [
        line("a", "model", 30.0, 81.04, 900.0),
        line("b", "model", 31.0, 81.01, 10.0),  # the same as it is printed
        line("c", "reference", 32.0, 60.0, 20.0),
        line("d", "model", 33.0, 70.0, None),
        line("e", "guesser", 34.0, 99.0, 1.0),
    ]
    shades = results._shades(Table3(measures, lines, "clean"))
    assert shades == [
        [None, 1.0, 0.0], [None, 1.0, 1.0], [None, 0.0, 0.5], [None, 0.5, None], [None] * 3,
    ]  # fmt: skip
    assert results._shades(Table3(measures, lines[3:], "clean")) == [[None] * 3] * 2


def test_gray_small_print_can_be_read_on_the_color_of_its_cell(sources: Sources) -> None:
    drawn = draw("table3_results", sources)
    found = rows(drawn)
    boxes = [patch for patch in drawn.figure.axes[0].patches if patch.get_alpha() is not None]
    looking = {r["model"] for r in found if r["model_kind"] != "guesser"}
    shown = [r for r in found if r["measure"] != "blind" and r["model"] in looking]
    assert len(boxes) == sum(r["value"] is not None for r in shown) > 10
    color = np.array(to_rgb(plotting.MODELS[0]))
    for alpha in {patch.get_alpha() or 0.0 for patch in boxes}:
        on = heat.luminance(to_hex(alpha * color + (1 - alpha)))
        assert (on + 0.05) / (heat.luminance(plotting.MUTED) + 0.05) >= 4.5


def test_rows_stand_below_what_their_models_are_built_of(sources: Sources) -> None:
    def line(model: str, *parts: str) -> Line:
        return Line(model, "model", (), *parts)

    vicuna, flan = ("Vicuna-7B", "ViT-L"), ("Flan-T5", "ViT-g")
    lines = [line("a", *vicuna), line("b"), line("c", *flan), line("d", *vicuna)]
    found = [
        getattr(o, "text", None) or o.cells[0].text
        for o in results._grouped(Table3([], lines, "clean"))
    ]
    unsaid = "language model and visual encoder not said"
    assert found == ["Vicuna-7B, ViT-L", "a", "d", "Flan-T5, ViT-g", "c", unsaid, "b"]
    alone = Table3([], [line("b"), line("e")], "clean")
    assert [o.cells[0].text for o in results._grouped(alone)] == ["b", "e"]
    shown = words(draw("table3_results", sources).figure)
    assert shown.index("<b>LM</b>, REFERENCE_A") < shown.index(unsaid) < shown.index("chance")


def test_intervals_and_unscored_answers_stand_below_the_numbers(sources: Sources) -> None:
    drawn = draw("table3_results", sources)
    shown = words(drawn.figure)
    clean = next(r for r in rows(drawn) if r["model"] == "model-a" and r["measure"] == "clean")
    assert f"{clean['low']:.1f} to {clean['high']:.1f}" in shown
    assert f"n {clean['n']:,}" in shown
    hostile = next(r for r in rows(drawn) if r["model"] == "hostile" and r["measure"] == "clean")
    assert hostile["value"] is None and hostile["n_unscored"] > 0
    assert f"n {hostile['n']:,}, {hostile['n_unscored']:,} unscored" in shown


def test_published_rows_change_nothing_of_ones_own(sources: Sources, beside: Sources) -> None:
    alone, both = draw("table3_results", sources), draw("table3_results", beside)
    assert rows(both)[: alone.table.num_rows] == rows(alone)
    rest = rows(both)[alone.table.num_rows :]
    assert len(rest) == 26 * 7
    assert {r["source"] for r in rest} == {"dysca"} and {r["best"] for r in rest} == {None}
    assert "published by Dysca (other images)" in words(both.figure)
    assert "GLM-4V" not in words(alone.figure)
    assert both.tex is not None and both.tex.count(r"\textit{GLM-4V}") == 1


def test_a_published_number_stands_under_the_scenario_called_as_its_kind() -> None:
    def measure(name: str, kind: str) -> Measure:
        return Measure(name, name, kind, name, "high")

    measures = [measure("storm", "corruption"), measure("corruption", "corruption"),
                measure("printed", "print_attack"), measure("haze", "haze")]  # fmt: skip
    row = results._beside(published.read(figure_pages.PUBLISHED)[:1], measures)[0]
    shown = [cell.text for cell in row.cells[1:]]
    assert shown == ["\N{EN DASH}", "42.30", "42.71", "\N{EN DASH}"]
    assert row.muted and not any(cell.bold for cell in row.cells)


def test_differences_of_the_published_table_are_those_that_the_paper_prints() -> None:
    """As printed: two that carry the paper's argument, the smallest, and the only gain."""
    found = {(r.model, r.language_model): r for r in published.read(figure_pages.PUBLISHED)}
    assert len(found) == 26
    assert found["GLM-4V", "GLM-4-9B-Chat"].difference("print_attack") == -30.0
    assert found["Xcomposer-VL", "InternLM-7B"].difference("adversarial") == -41.12
    assert found["GLM-4V", "GLM-4-9B-Chat"].difference("corruption") == -0.14
    assert found["MiniGPT-4", "Vicuna-7B"].difference("print_attack") == 1.33
    assert found["GPT-4o", ""].built_of == ""
    assert [key for key, row in found.items() if row.white_box] == [("InstructBLIP", "Flan-T5-XL")]


def test_the_published_table_shows_the_best_of_each_column(sources: Sources) -> None:
    drawn = draw("published_results", sources)
    best = {(r["model"], r["measure"]) for r in rows(drawn) if r["best"]}
    assert best == {
        ("GLM-4V", "clean"), ("GLM-4V", "corruption"), ("GLM-4V", "adversarial"),
        ("mPLUG-Owl-2", "print_attack"), ("Xcomposer2-VL", "sq"), ("GLM-4V", "sc"),
    }  # fmt: skip
    assert "(\N{MINUS SIGN}30.00)" in words(drawn.figure)


@pytest.mark.parametrize(("text", "said"), DAMAGES.items())
def test_a_damaged_published_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / published.FILE).write_text(text.replace("HEAD", HEAD))
    with pytest.raises(UserError) as error:
        published.read(tmp_path)
    assert said in str(error.value) and published.FILE in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_published_file_is_one_line(tmp_path: Path, beside: Sources) -> None:
    given = Sources(beside.snapshot, None, tmp_path)
    for name in ("table3_results", "published_results"):
        with pytest.raises(UserError, match=r"dysca_table3\.csv: is missing; restore the file"):
            draw(name, given)
    (tmp_path / published.FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not text"):
        published.read(tmp_path)


def test_the_statistics_are_numbers_too(sources: Sources) -> None:
    found = rows(draw("table2_statistics", sources))
    asked = {
        name: sources.snapshot.asked[name] for name in sources.snapshot.params.scenarios.conditions
    }
    total = sum(len(questions) for questions in asked.values())
    assert found[0]["number"] == total
    for parent in ("Total questions", "Question type"):
        parts = [r for r in found if r["part_of"] == parent]
        assert sum(r["number"] for r in parts) == total
        assert sum(r["share"] for r in parts) == pytest.approx(1)
    assert len(asked) == len([r for r in found if r["part_of"] == "Total questions"])
    assert all(f"{r['number']:,.0f}" in r["value"] for r in found if r["share"] is not None)


def test_without_results_or_questions_the_figures_say_so(tmp_path: Path, sources: Sources) -> None:
    empty = tmp_path / "metrics.parquet"
    tables.write_rows([], empty, tables.METRICS, SNAPSHOT)
    tables.write_rows([], tmp_path / "comparisons.parquet", tables.COMPARISONS, SNAPSHOT)
    given = Sources(replace(sources.snapshot, results=tmp_path), None, sources.published)
    with pytest.raises(NotApplicable):
        draw("table3_results", given)
    snapshot = replace(sources.snapshot)
    snapshot.__dict__["asked"] = {k: v.slice(0, 0) for k, v in sources.snapshot.asked.items()}
    with pytest.raises(NotApplicable):
        draw("table2_statistics", Sources(snapshot, None, sources.published))


def test_without_clean_there_are_no_differences(sources: Sources) -> None:
    given = figure_pages.with_scenarios(sources, "blind", "corruption")
    found = rows(draw("table3_results", given))
    assert {r["measure"] for r in found} == {"blind", "corruption", "sq", "sc"}
    assert {r["difference"] for r in found} == {None}


@pytest.mark.long
def test_the_files_are_the_same_each_time_and_for_any_shards(
    root: Path, beside: Sources, tmp_path: Path
) -> None:
    p = beside.snapshot.params
    other = figure_pages.sources(figure_pages.resharded(root, tmp_path / "other", 5), p)
    for name in NAMES:
        made = []
        for i, given in enumerate((beside, other)):
            folder = tmp_path / f"{name}-{i}"
            write(name, given, folder)
            made.append({path.suffix: path.read_bytes() for path in folder.iterdir()})
        assert made[0] == made[1]
        assert set(made[0]) == {".pdf", ".svg", ".csv", ".json", ".tex"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_stands_on_anything_else(name: str, beside: Sources) -> None:
    assert misplaced(draw(name, beside).figure) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_tabular_is_whole(name: str, beside: Sources) -> None:
    figure_pages.check_tabular(draw(name, beside).tex or "")
