"""Figures about answers beside references: what stands in them is what the table holds."""

from __future__ import annotations

import dataclasses
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from lvlmbench import tables
from lvlmbench.stages.figures import published_touchstone
from lvlmbench.stages.figures.figure import FIGURES, NotApplicable, Sources
from lvlmbench.stages.figures.plotting import encode, settings
from lvlmbench.suites.dialogue import ABILITIES, TASKS
from support import figure_pages, report_dialogue
from support.report_dialogue import ALL, JUDGES, PEOPLE, SCORED

OWN = [name for name in FIGURES.names() if name.startswith("dialogue_")]
FIRST = JUDGES[0]
#: What rests on other tables, or has a judge beside another.
OTHERS = ("dialogue_judges", "dialogue_exam")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    return figure_pages.sources(figure_pages.noisy(tmp_path_factory))


@pytest.fixture(scope="module")
def sources(plain: Sources, tmp_path_factory: pytest.TempPathFactory) -> Sources:
    folder = tmp_path_factory.mktemp("compared")
    laid = report_dialogue.laid_over(plain.snapshot, folder, published=True)
    return dataclasses.replace(plain, snapshot=laid)


def test_there_are_seven() -> None:
    assert len(OWN) == 7


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
def test_nothing_is_drawn_where_nobody_has_compared(name: str, plain: Sources) -> None:
    with pytest.raises(NotApplicable, match="No answer was compared"):
        figure_pages.draw(name, plain)


@pytest.mark.parametrize(
    "name", [name for name in OWN if name not in ("dialogue_judges", "dialogue_exam")]
)
def test_numbers_are_those_of_the_table(name: str, sources: Sources) -> None:
    seen = 0
    for row in figure_pages.rows(figure_pages.draw(name, sources)):
        if row["measure"] in report_dialogue.RANGES and row.get("source") != "touchstone_paper":
            key = (row["judge"], row["model"], "clean", row["stratum"], ALL, row["measure"])
            assert row["value"] == report_dialogue.number(*key)
            assert (row["n"], row["answers"], row["unjudged"]) == (1234, 57, 4)
            seen += 1
    assert seen >= 8


@pytest.mark.parametrize("at", range(len(JUDGES)))
def test_corners_lie_at_their_scores_for_each_judge(at: int, sources: Sources) -> None:
    web = figure_pages.draw("dialogue_radar", sources).figure.axes[2 * at]
    lengths = sorted(
        1000 * (line.get_xdata()[0] ** 2 + line.get_ydata()[0] ** 2) ** 0.5
        for line in web.lines
        if line.get_marker() not in ("None", "")
    )
    models = [model.name for model in sources.snapshot.params.answer.models]
    scores = (
        report_dialogue.number(JUDGES[at], model, "clean", name, ALL, "score")
        for model in models
        for name in ABILITIES
    )
    assert lengths == pytest.approx(sorted(scores))


def test_all_tasks_are_told_and_those_without_a_score_say_why(sources: Sources) -> None:
    words = figure_pages.words(figure_pages.draw("dialogue_tasks", sources).figure)
    assert {task.label for task in TASKS.values()} <= {*words}
    assert words.count("not drawn") == 7 and words.count("needs an LLM judge") == 7
    for name, judge in product(SCORED, JUDGES):
        value = report_dialogue.number(judge, "model-a", "clean", name, ALL, "score")
        assert f"{value:.0f}" in words


def test_means_by_place_are_those_of_the_pairs(sources: Sources) -> None:
    rows = figure_pages.rows(figure_pages.draw("dialogue_positions", sources))
    names = {"judge": FIRST, "model": "model-a", "scenario": "clean"}
    pairs = sources.snapshot.read(tables.PAIRWISE, None, **names).to_pylist()
    for place in ("as_first", "as_second"):
        known = [row[place] for row in pairs if row["status"] == "judged"]
        [mine] = [r for r in rows if (r["model"], r["measure"]) == ("model-a", place)]
        assert (mine["value"], mine["n"]) == (pytest.approx(fmean(known)), len(known))


def test_judges_are_held_against_one_another_and_people(sources: Sources) -> None:
    drawn = figure_pages.draw("dialogue_judges", sources)
    rows = figure_pages.rows(drawn)
    assert {(row["judge"], row["beside"]) for row in rows} == {
        (FIRST, JUDGES[1]), (JUDGES[1], FIRST), (FIRST, PEOPLE), (JUDGES[1], PEOPLE),
        (PEOPLE, PEOPLE),
    }  # fmt: skip
    assert {row["stratum"] for row in rows} == {ALL, *ABILITIES}
    for row in rows:
        key = (row["judge"], row["model"], "clean", row["stratum"], row["beside"], row["measure"])
        assert row["value"] == report_dialogue.number(*key)
    agreement = report_dialogue.number(FIRST, ALL, "clean", ALL, PEOPLE, "agreement")
    assert any(text.startswith(f"{agreement:.0f} %") for text in figure_pages.words(drawn.figure))


def test_published_rows_stand_below_on_request(sources: Sources, plain: Sources) -> None:
    drawn = figure_pages.draw("dialogue_results", sources)
    given = published_touchstone.read(sources.published)
    told = [r for r in figure_pages.rows(drawn) if r["source"] == "touchstone_paper"]
    scores = {row["model"]: row["value"] for row in told if row["measure"] == "score"}
    assert scores == {row.named: row.score for row in given}
    assert published_touchstone.PUBLISHED in figure_pages.words(drawn.figure)
    assert drawn.tex is not None
    figure_pages.check_tabular(drawn.tex)


def test_a_note_tells_scenes_that_are_not_asked_about(sources: Sources) -> None:
    """Those that no renderer drew, or that a filter removed."""
    given = sources.snapshot
    asked = set(given.asked[given.first_scenario]["scene_id"].to_pylist())
    assert len(asked) < len(given.scenes)
    told = " ".join(figure_pages.words(figure_pages.draw("dialogue_results", sources).figure))
    assert f"{len(asked):,} of {len(given.scenes):,} planned scenes are asked about." in told


def test_published_rows_are_absent_unless_asked_for(plain: Sources, tmp_path: Path) -> None:
    laid = report_dialogue.laid_over(plain.snapshot, tmp_path)
    drawn = figure_pages.draw("dialogue_results", dataclasses.replace(plain, snapshot=laid))
    assert {row["source"] for row in figure_pages.rows(drawn)} == {"snapshot"}


def test_the_exam_stands_as_it_is_corrected_and_true(sources: Sources) -> None:
    """Of planted answers that the exam has corrected; the snapshot's exam has one sort."""
    rows = figure_pages.rows(figure_pages.draw("dialogue_exam", sources))
    exam = sources.snapshot.read(tables.JUDGE_EXAM).to_pylist()
    known = {(row["judge"], row["treatment"], row["kind"], row["measure"]): row["value"]
             for row in exam if row["way"] == "text"}  # fmt: skip
    assert {row["measure"] for row in rows} == {
        "faithfulness", "corrected_faithfulness", "true_faithfulness",
    }  # fmt: skip
    for row in rows:
        key = (row["judge"], row["treatment"], row["kind"], row["measure"])
        assert row["value"] == 100 * known[key]


def test_another_judge_counts_where_the_first_has_read_no_claims(
    sources: Sources, tmp_path: Path
) -> None:
    """Its rows say whose count it is."""
    table = tables.DIALOGUE
    rows = tables.read([table.folder(sources.snapshot.results)], table).to_pylist()
    for row in rows:
        if (row["judge"], row["measure"]) == (FIRST, "exact_hallucination"):
            row |= {"value": None, "low": None, "high": None, "n": 0}
    for path in sources.snapshot.results.iterdir():
        if path.name != table.place:
            (tmp_path / path.name).symlink_to(path)
    tables.write_rows(rows, table.folder(tmp_path), table, "s")
    other = dataclasses.replace(sources.snapshot, results=tmp_path)
    drawn = figure_pages.draw("dialogue_hallucination", Sources(other, None, sources.published))
    told = {(row["judge"], row["measure"]) for row in figure_pages.rows(drawn)}
    assert told == {(FIRST, "hallucination"), (JUDGES[1], "exact_hallucination")}
