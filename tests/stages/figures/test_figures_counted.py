"""Which questions tables and figures count: ``statistics.questions``, and which scenarios."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.analysis import statistics
from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.kept import WITHOUT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import FIGURES, Drawn, NotApplicable, Sources
from lvlmbench.stages.figures.kinds import clusters
from lvlmbench.stages.figures.observations import of_run
from lvlmbench.stages.figures.run import draw as write
from lvlmbench.stages.figures.subjects import own_subjects
from lvlmbench.stages.metrics.comparisons import write_comparisons
from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
from support import figure_pages, report_pages
from support.figure_pages import draw, rows, words
from support.report_snapshot import noisy_params

#: The paper's scenarios.
CONDITIONS = ["clean", "corruption", "print_attack", "adversarial"]
#: Why figures of exams and of dialogue show nothing of another suite.
OF_OTHERS = (
    "No examiner planned the pictures|No scene was drawn again in another style"
    "|No answer was compared with a reference|No scenario asked with the options as they were"
    "|No scenario put all right options|Fewer than two examiners asked"
    "|No other suite of this run"
)
#: What counts questions and is of exams alone.
OF_AN_EXAM = ("request_ranks", "request_scores")
DATA, RESULTS = Path("data/dysca"), Path("results/dysca")


def counting(which: str) -> Params:
    return noisy_params(statistics={"resamples": 200, "questions": which},
                        figures={"intra_task": "style"})  # fmt: skip


def computed(root: Path, p: Params) -> Snapshot:
    """The results of the tables in ``root``, computed with other parameters."""
    data, results = root / DATA, root / RESULTS
    scores, voted, scenes = (
        sorted((data / "scores").glob("*/*/*.parquet")),
        [*(data / "consensus").iterdir()],
        sorted((data / "scenes").iterdir()),
    )
    write_metrics(
        p,
        scores=scores,
        consensus=voted,
        questions=sorted((data / "questions").iterdir()),
        scenes=scenes,
        out_parquet=results / "metrics.parquet",
        out_json=root / "metrics.json",
    )
    write_costs(p, data, results / "costs.parquet")
    out = results / "comparisons.parquet"
    asked = sorted((data / "questions").iterdir())
    write_comparisons(p, scores=scores, consensus=voted, questions=asked, scenes=scenes, out=out)
    return Snapshot(p, data, results)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = figure_pages.noisy(tmp_path_factory)
    return Snapshot(counting("all"), root / DATA, root / RESULTS)


@pytest.fixture(scope="module")
def agreed(every: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The same tables, counted without what the consensus dropped."""
    root = tmp_path_factory.mktemp("agreed") / "root"
    shutil.copytree(every.data.parents[1], root)
    return computed(root, counting("consensus"))


@pytest.fixture(scope="module")
def never(every: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A run in which nobody was ever asked what the consensus drops."""
    root = tmp_path_factory.mktemp("never") / "root"
    shutil.copytree(every.data.parents[1], root)
    gone = every.dropped.to_pylist()
    assert gone
    for folder, table in (("scores", tables.SCORES), ("questions", tables.QUESTIONS)):
        for path in (root / DATA / folder).rglob("*.parquet"):
            kept = [
                r for r in tables.read([path], table).to_pylist() if r["question_id"] not in gone
            ]
            path.unlink()
            tables.write_rows(kept, path, table, "s")
    return computed(root, counting("all"))


def as_exam(given: Snapshot, root: Path) -> Snapshot:
    """The same, had an examiner planned its scenes, each at a level."""
    scenes = dict(zip(*(given.scenes[n].to_pylist() for n in ("scene_id", "subtask")), strict=True))
    level = {scene: LEVELS[i % len(LEVELS)] for i, scene in enumerate(sorted(scenes))}
    own = {"level": lambda row, i: level[row["scene_id"]]}
    figure_pages.rewritten(given.data.parents[1], root, "questions", tables.QUESTIONS, **own)
    plan = {"general_no": 0, "general": "all", "fine_no": 0, "aspect": "any", "called": "any",
            "number": 0, "examiner": "rules", "status": "made"}  # fmt: skip
    planned = [
        plan | {"scene_id": scene, "subtask": subtask, "level": level[scene]}
        for scene, subtask in scenes.items()
    ]
    shutil.rmtree(folder := tables.DESCRIPTIONS.folder(root / DATA), ignore_errors=True)
    tables.write_rows(planned, folder / tables.part_name(0), tables.DESCRIPTIONS, "s")
    return computed(root, given.params)


@pytest.fixture(scope="module")
def validity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("validity")
    report_pages.write_beside(root)
    return root / RESULTS / "validity"


@pytest.fixture(autouse=True)
def few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries with few answers are clustered, too: the made-up snapshot has no others."""
    monkeypatch.setattr(clusters, "_enough", lambda grid, models, least: grid.groups)


def sources(snapshot: Snapshot, validity: Path | None = None) -> Sources:
    return Sources(snapshot, validity, figure_pages.PUBLISHED)


def names(counted: bool) -> list[str]:
    return [kind.name for kind in FIGURES.ordered() if kind.counted is counted]


#: What depends on how many scenes were drawn from, or on random samples of them.
_INTERVALS = ("low", "high", "noise", "found", "joins_at")


#: How those of the paper's statements begin that are held against numbers without intervals.
_NO_INTERVALS = (
    "all scores are", "corruption changes each", "models with the attacked", "landmarks and",
    "commercial models", "of animals",
)  # fmt: skip


def bare(drawn: Drawn) -> list[dict[str, Any]]:
    """Rows without intervals: these are drawn over the scenes of all that was asked."""
    return [{k: v for k, v in row.items() if k not in _INTERVALS} for row in rows(drawn)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "name",
    [n for n in names(True) if "correlations" not in n and n not in (*OF_AN_EXAM, "style_levels")],
)
def test_what_is_dropped_is_as_if_it_had_never_been_asked(
    name: str, every: Snapshot, agreed: Snapshot, never: Snapshot
) -> None:
    mine, theirs = (bare(draw(name, sources(each))) for each in (agreed, never))
    assert mine == theirs
    assert rows(draw(name, sources(agreed))) != rows(draw(name, sources(every)))


@pytest.mark.long
@pytest.mark.parametrize("figure", OF_AN_EXAM)
def test_what_is_dropped_is_as_if_an_exam_had_never_asked_it(
    figure: str, every: Snapshot, agreed: Snapshot, never: Snapshot, tmp_path: Path
) -> None:
    before, mine, theirs = (
        draw(figure, sources(as_exam(each, tmp_path / name)))
        for name, each in (("every", every), ("agreed", agreed), ("never", never))
    )
    # A cell of which no question counts is a dash; one of which none was asked is not there.
    assert [row for row in bare(mine) if row["n"] or row.get("n_unscored")] == bare(theirs)
    assert rows(mine) != rows(before)
    with pytest.raises(NotApplicable, match=OF_OTHERS):
        draw(figure, sources(agreed))


def test_observations_have_the_numbers_of_the_questions_that_count(
    every: Snapshot, agreed: Snapshot, never: Snapshot
) -> None:
    def told(snapshot: Snapshot) -> list[object]:
        """Numbers without the intervals, which are drawn over the scenes of all that was asked."""
        board = sources(snapshot).leaderboard
        subjects = [
            (
                each.model, each.clean, each.changes, each.before, each.sq, each.sc,
                {m: (t.difference, t.n) for m, t in each.against.items()},
                {n: {k: a.points for k, a in of.items()} for n, of in each.guessed.items()},
            )
            for each in own_subjects(snapshot, board)
        ]  # fmt: skip
        said = [one for one in of_run(snapshot, board) if one.says.startswith(_NO_INTERVALS)]
        by_task = [one for one in said if one.place == "4.3"]
        assert subjects and by_task and len(said) > len(by_task)
        return [subjects, by_task, [one for one in said if one.place != "4.3"]]

    assert told(agreed) == told(never)
    assert all(a != b for a, b in zip(told(agreed), told(every), strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [n for n in names(False) if n != "image_distances"])
def test_what_does_not_say_so_shows_no_such_number(
    name: str, every: Snapshot, agreed: Snapshot
) -> None:
    try:
        mine, theirs = (draw(name, sources(each)) for each in (agreed, every))
    except NotApplicable:  # it is of an exam: of either there is no number to show
        for each in (agreed, every):
            with pytest.raises(NotApplicable, match=OF_OTHERS):
                draw(name, sources(each))
        return
    if name == "pipeline_overview":  # a single total, which says so beside it
        (told,) = [row for row in rows(mine) if row["item"] == "Score"]
        assert WITHOUT in told["sample"] or "no total" in told["sample"]
        return
    assert rows(mine) == rows(theirs)


def test_comparisons_are_of_the_questions_that_count(agreed: Snapshot, never: Snapshot) -> None:
    assert agreed.comparisons.equals(never.comparisons)


@pytest.mark.long
def test_every_figure_that_leaves_questions_out_says_so(
    every: Snapshot, agreed: Snapshot, validity: Path, tmp_path: Path
) -> None:
    for name in names(True):
        for snapshot, is_told in ((agreed, True), (every, False)):
            write(name, sources(snapshot, validity), tmp_path)
            about = json.loads((tmp_path / f"{name}.json").read_text())
            tex = (tmp_path / f"{name}.tex").read_text()
            if about["why_not"] is not None:  # it is of an exam, which this suite is none
                assert re.search(OF_OTHERS, about["why_not"]), name
                continue
            assert (WITHOUT in about["title"]) == is_told, name
            assert (WITHOUT in tex.lower()) == is_told, name


@pytest.mark.long
def test_the_words_stand_below_the_figure(agreed: Snapshot, every: Snapshot) -> None:
    from lvlmbench.stages.figures import plotting

    for name in ("subtask_scores", "radar", "table3_results"):
        drawn, before = (draw(name, sources(each)) for each in (agreed, agreed))
        plotting.foot(drawn.figure, "Without.")
        assert "Without." in words(drawn.figure) and "Without." not in words(before.figure)
        (wide, high), (_, low) = (each.figure.get_size_inches() for each in (drawn, before))
        assert high == pytest.approx(low + 0.2)
        drawn.figure.draw_without_rendering()
        (line,) = [t for t in drawn.figure.texts if t.get_text() == "Without."]
        box = line.get_window_extent()
        for ax in drawn.figure.axes:
            bottom = ax.get_tightbbox()
            if name == "subtask_scores" and bottom is not None:
                assert bottom.y0 >= box.y1 - 1
        assert box.x0 >= 0 and box.x1 <= wide * drawn.figure.dpi and box.y0 >= 0


def test_table2_is_of_the_scenarios_that_the_paper_counts(every: Snapshot) -> None:
    drawn = draw("table2_statistics", sources(every))
    found = rows(drawn)
    labels = [r["statistic"] for r in found if r["part_of"] == "Total questions"]
    assert labels == ["Clean", "Corruption", "Print attack", "Adversarial attack"]
    assert found[0]["number"] == sum(len(every.asked[name]) for name in CONDITIONS)
    rest = {n: len(every.asked[n]) for n in ("blind", "other_image", "corruption_curve")}
    note = " ".join(words(drawn.figure))
    for label, name in (("Blind", "blind"), ("Other image", "other_image"),
                        ("Corruption curve", "corruption_curve")):  # fmt: skip
        assert f"{label} {rest[name]:,}" in note
        assert f"{label} {rest[name]:,}" in (drawn.tex or "")


def test_table1_has_the_same_total_and_says_the_same(every: Snapshot) -> None:
    drawn = draw("table1_benchmarks", sources(every))
    assert rows(drawn)[-1]["questions"] == statistics.table2(every)[0].number
    (note,) = statistics.notes(every)
    assert note in " ".join((drawn.tex or "").split())


def test_what_the_consensus_dropped_is_counted_in_the_note(agreed: Snapshot) -> None:
    asked = [agreed.asked[name]["question_id"] for name in CONDITIONS]
    lost = sum(pc.sum(pc.is_in(ids, value_set=agreed.dropped)).as_py() for ids in asked)
    total = sum(map(len, asked))
    assert f"dropped {lost:,} of {total:,} questions" in statistics.notes(agreed)[-1]
    assert statistics.table2(agreed)[0].number == total - lost


def test_an_image_of_one_question_counts_where_that_question_does(agreed: Snapshot) -> None:
    hashes: set[str] = set()
    for name in CONDITIONS:
        asked = agreed.counted(agreed.asked[name])
        questions = set(asked["question_id"].to_pylist())
        scenes = set(asked["scene_id"].to_pylist())
        for image in agreed.images[name].to_pylist():
            own = image["question_id"]
            if own in questions or (own is None and image["scene_id"] in scenes):
                hashes.add(image["sha256"])
    (found,) = [one for one in statistics.table2(agreed) if one.label == "Unique images"]
    assert found.number == len(hashes)


def test_controls_curves_and_other_styles_are_no_conditions() -> None:
    def told(specs: Iterable[dict[str, Any]]) -> dict[str, bool]:
        found = map(ScenarioSpec.model_validate, specs)
        return {spec.name: spec.condition for spec in found}

    plain = told({"name": kind.name} for kind in kinds_of("scenarios").ordered())
    assert {name for name, counts in plain.items() if counts} == {*CONDITIONS}
    curve = {"name": "curve", "kind": "corruption", "corruption": {"every": True}}
    again = {"name": "x", "kind": "restyled"}
    assert told([curve, again]) == {"curve": False, "x": False}


def test_without_a_condition_nothing_is_counted(every: Snapshot) -> None:
    given = figure_pages.with_scenarios(sources(every), "blind")
    for name in ("table1_benchmarks", "table2_statistics"):
        with pytest.raises(NotApplicable):
            draw(name, given)
