"""Figures about free answers: what stands in them is what the tables hold."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from lvlmbench import tables
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.plotting import encode, settings
from lvlmbench.stages.figures.published_valor import PUBLISHED
from support import figure_pages, report_hallucinated

OWN = (
    "hallucination_results", "faithfulness_coverage", "claim_verdicts", "association_effects",
    "hallucination_comparators",
)  # fmt: skip
JUDGE, ALL = "lexical", "all"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    return figure_pages.sources(figure_pages.noisy(tmp_path_factory))


@pytest.mark.parametrize("name", OWN)
def test_each_is_drawn_and_the_same_again_and_nothing_overlaps(name: str, sources: Sources) -> None:
    first, again = (figure_pages.draw(name, sources) for _ in range(2))
    assert len(first.table) and first.table == again.table
    with settings():
        assert encode(first.figure, "svg") == encode(again.figure, "svg")
        first.figure.set_dpi(720)
        FigureCanvasAgg(first.figure).draw()  # legends find their place only then
    assert figure_pages.misplaced(first.figure) == []


@pytest.mark.parametrize("name", OWN)
def test_nothing_is_drawn_where_nobody_has_counted(
    name: str, sources: Sources, tmp_path: Path
) -> None:
    for path in sources.snapshot.results.iterdir():
        if path.name != tables.HALLUCINATION.place:
            (tmp_path / path.name).symlink_to(path)
    bare = dataclasses.replace(sources.snapshot, results=tmp_path)
    with pytest.raises(NotApplicable, match="No free answer"):
        figure_pages.draw(name, dataclasses.replace(sources, snapshot=bare))


def test_no_effect_is_drawn_without_triplets(sources: Sources, tmp_path: Path) -> None:
    table = tables.HALLUCINATION
    rows = tables.read([table.folder(sources.snapshot.results)], table).to_pylist()
    few = [row for row in rows if not row["measure"].startswith("assoc")]
    for path in sources.snapshot.results.iterdir():
        if path.name != table.place:
            (tmp_path / path.name).symlink_to(path)
    tables.write_rows(few, table.folder(tmp_path), table, "s")
    bare = dataclasses.replace(sources.snapshot, results=tmp_path)
    with pytest.raises(NotApplicable, match="triplet"):
        figure_pages.draw("association_effects", dataclasses.replace(sources, snapshot=bare))


def test_numbers_of_the_table_are_those_of_the_report(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("hallucination_results", sources))
    assert {row["subtask"] for row in rows} == {ALL, *report_hallucinated.SUBTASKS}
    for row in rows:
        key = (JUDGE, row["model"], "clean", row["subtask"], ALL, row["measure"])
        assert row["value"] == report_hallucinated.number(*key)
        assert (row["n"], row["answers"], row["unjudged"]) == (1234, 57, 4)


def test_points_lie_at_their_numbers(sources: Sources) -> None:
    drawn = figure_pages.draw("faithfulness_coverage", sources)
    at: dict[str, list[int]] = {}
    for row in figure_pages.rows(drawn):
        stratum = ALL if row["claims"] is None else str(row["claims"])
        key = (JUDGE, row["model"], "clean", ALL, stratum, row["measure"])
        assert row["value"] == report_hallucinated.number(*key)
        if row["claims"] is not None:
            at.setdefault(row["model"], []).append(row["claims"])
    assert set(map(tuple, at.values())) == {(1, 2, 3, 5, 8, 13)}
    plane = drawn.figure.axes[0]
    markers = {(round(line.get_xdata()[0], 1), round(line.get_ydata()[0], 1))
               for line in plane.lines if line.get_marker() not in ("None", "")}  # fmt: skip
    assert markers == {
        tuple(
            report_hallucinated.number(JUDGE, model, "clean", ALL, ALL, measure)
            for measure in ("coverage", "faithfulness")
        )
        for model in at
    }


def test_claims_are_counted_by_verdict(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("claim_verdicts", sources))
    snapshot, seen = sources.snapshot, 0
    for model in {row["model"] for row in rows}:
        names = {"judge": JUDGE, "model": model, "scenario": "clean"}
        found = snapshot.read(tables.MATCHES, ["verdict"], **names)["verdict"].to_pylist()
        counts = Counter(verdict for verdict in found if verdict != "true_denial")
        mine = {row["verdict"]: row["claims"] for row in rows if row["model"] == model}
        assert mine == dict(counts)
        assert {row["of"] for row in rows if row["model"] == model} == {counts.total()}
        seen += counts.total()
    assert seen > 100


def test_effects_stand_beside_their_arms(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("association_effects", sources))
    arms = {row["arm"] for row in rows if row["measure"] == "associated_claims"}
    assert arms == {"untypical", "unassociated", "typical", "random"}
    for row in rows:
        key = (JUDGE, row["model"], "clean", ALL, row["arm"] or ALL, row["measure"])
        assert row["value"] == report_hallucinated.number(*key)


def test_published_rows_stand_below_on_request(sources: Sources) -> None:
    figures = sources.snapshot.params.figures.model_copy(update={"published": True})
    params = sources.snapshot.params.model_copy(update={"figures": figures})
    given = dataclasses.replace(
        sources, snapshot=dataclasses.replace(sources.snapshot, params=params)
    )
    drawn = figure_pages.draw("hallucination_results", given)
    words = figure_pages.words(drawn.figure)
    assert PUBLISHED in words and "InternLM-XComposer2" in words and "67.1" in words
    assert figure_pages.misplaced(drawn.figure) == []
    assert drawn.tex is not None
    figure_pages.check_tabular(drawn.tex)
    rows = figure_pages.rows(drawn)
    theirs = [row for row in rows if row["source"] == "valor_eval"]
    assert len(theirs) == 10 * 2 * 6
    without = figure_pages.rows(figure_pages.draw("hallucination_results", sources))
    assert [row for row in rows if row["source"] == "snapshot"] == without


def test_what_a_closed_list_finds_stands_above_what_the_judge_finds(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("hallucination_comparators", sources))
    table = tables.HALLUCINATION
    known = {
        (r["model"], r["subtask"], r["measure"], r["stratum"]): r
        for r in tables.read([table.folder(sources.snapshot.results)], table).to_pylist()
        if r["judge"] == rows[0]["judge"] and r["scenario"] == "clean"
    }
    measures = {
        ("chair", "Faithful"): ("chair_i", ALL), ("chair", "Covered"): ("amber_cover", ALL),
        ("judge", "Faithful"): ("faithfulness", ALL), ("judge", "Covered"): ("coverage", ALL),
        ("chair", "Acc(F)"): ("acc_f", "chair"), ("judge", "Acc(F)"): ("acc_f", "judge"),
        ("chair", "Acc(C)"): ("acc_c", "chair"), ("judge", "Acc(C)"): ("acc_c", "judge"),
    }  # fmt: skip
    assert {(row["way"], row["column"]) for row in rows} >= {*measures} - {
        key for key in measures if key[1].startswith("Acc")
    }
    for row in rows:
        measure, stratum = measures[row["way"], row["column"]]
        value = known[row["model"], row["subtask"], measure, stratum]["value"]
        assert row["value"] == (100 - value if measure == "chair_i" else value)


def test_features_are_counted_by_subset_and_kind(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("hallucination_features", sources))
    snapshot = sources.snapshot
    asked = snapshot.asked[snapshot.first_scenario].to_pylist()
    subset = {r["scene_id"]: r["subtask"] for r in asked if r["question_type"] == "free_form"}
    truth = snapshot.read(tables.TRUTH, ["scene_id", "optional"]).to_pylist()
    owed = [r for r in truth if not r["optional"] and r["scene_id"] in subset]
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row["subtask"]] += row["features"]
        assert row["images"] == [*subset.values()].count(row["subtask"])
    assert counted == Counter(subset[r["scene_id"]] for r in owed)  # all kinds are of the scope
