"""The section on answers beside references: its numbers are the table's, and tasks that have none
are told."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench.analysis.dialogue.results import Results
from lvlmbench.analysis.hallucinated import Number
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import published_touchstone
from lvlmbench.stages.report import talked
from lvlmbench.stages.report.kinds import dialogue
from lvlmbench.stages.report.talked import Sides, Talked
from lvlmbench.suites.dialogue import ABILITIES, TASKS
from support import report_dialogue
from support.report_dialogue import ALL, ASKED, JUDGES, PEOPLE, REFERENCE, SCORED
from support.report_pages import Outline, beside, render, section, words

WITH_NOISE = True
FIRST = JUDGES[0]


@pytest.fixture(scope="module")
def compared(snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return report_dialogue.laid_over(snapshot, tmp_path_factory.mktemp("compared"), published=True)


@pytest.fixture(scope="module")
def built(compared: Snapshot, leaderboard: Leaderboard) -> tuple[list[Talked], Sides]:
    found, sides = talked.build(compared, leaderboard)
    assert sides is not None
    return found, sides


@pytest.fixture(scope="module")
def part(compared: Snapshot, snapshot: Snapshot) -> str:
    return section(render(compared, snapshot.results), "dialogue")


def test_scenes_that_are_not_asked_about_are_told(compared: Snapshot, part: str) -> None:
    asked = set(compared.asked[compared.first_scenario]["scene_id"].to_pylist())
    assert len(asked) < len(compared.scenes)
    told = f"{len(asked):,} of {len(compared.scenes):,} planned scenes are asked about"
    assert told in " ".join(words(part).split())


def test_every_number_is_that_of_the_table(built: tuple[list[Talked], Sides]) -> None:
    count = 0
    for seen in built[0]:
        for grid in (seen.overall, seen.abilities, seen.ranking, seen.position):
            for row in grid.rows:
                model = REFERENCE if row.model == talked.REFERENCES else row.model
                for column, number in zip(grid.columns, row.numbers, strict=True):
                    key = (seen.judge, model, "clean", column.stratum, ALL, column.measure)
                    assert number is not None and number.value == report_dialogue.number(*key)
                    assert (number.n, number.answers, number.unjudged) == (1234, 57, 4)
                    count += 1
    assert count > 100
    assert [seen.judge for seen in built[0]] == [*JUDGES]


def test_other_conditions_have_the_numbers_of_their_own(
    built: tuple[list[Talked], Sides], compared: Snapshot
) -> None:
    seen = built[0][0]
    [row] = [r for r in seen.conditions.rows if (r.model, r.about) == ("model-a", "Blind")]
    key = (FIRST, "model-a", "blind", ALL, ALL, "score")
    assert row.numbers[0] is not None and row.numbers[0].value == report_dialogue.number(*key)
    shown = {row.about for row in seen.conditions.rows}
    assert "Clean" not in shown and len(shown) == len(compared.params.scenarios.names) - 2


def test_all_27_tasks_are_told_and_those_without_a_score_say_why(
    built: tuple[list[Talked], Sides], part: str
) -> None:
    seen = built[0][0]
    lines = [line for of in seen.tasks.values() for line in of]
    assert [line.task for line in lines] == [*TASKS.values()]
    for name, line in zip(TASKS, lines, strict=True):
        if name in SCORED:
            assert not line.why_not and line.unjudged == (4 * 4, 57 * 4)
            for model, number in zip(seen.models, line.numbers, strict=True):
                key = (FIRST, model, "clean", name, ALL, "score")
                assert number is not None and number.value == report_dialogue.number(*key)
        else:
            asked = name in ASKED
            assert (line.asked > 0) == asked
            why = "needs an LLM judge" if asked else "not drawn: no scene shows it"
            assert line.why_not == why
    text = words(part)
    assert text.count("needs an LLM judge") >= 2 * 7 and "not drawn: no scene shows it" in text
    assert all(words in text for words in ABILITIES.values())
    assert "14 of the 27 tasks have no score: 7 not drawn, 7 for an LLM judge alone." in text


def test_references_stand_among_the_ranked_models(built: tuple[list[Talked], Sides]) -> None:
    ranking = built[0][0].ranking
    ranks = [number.value or 0.0 for row in ranking.rows if (number := row.numbers[0])]
    assert ranks == sorted(ranks) and len(ranks) == 5
    assert talked.REFERENCES in [row.model for row in ranking.rows]


def test_the_best_model_and_the_first_place_are_told(
    built: tuple[list[Talked], Sides], part: str
) -> None:
    seen = built[0][0]
    best = seen.overall.rows[0].model
    score, bias = (
        report_dialogue.number(FIRST, best, "clean", ALL, ALL, name)
        for name in ("common_score", "bias")
    )
    assert re.match(
        rf"Of the [\d,]+ questions that every model has a score for, {best} scores {score:,.0f} \(",
        seen.finding[0],
    )
    assert f"stands first {bias:.2f} (95 %" in seen.finding[2]
    models = len(seen.overall.rows)
    missing, of = 4 * models, 57 * models
    told = f"4 of its 57 answers have no score, {missing} of {of} of all models."
    assert seen.finding[1] == told
    for sentence in seen.finding:
        assert sentence in words(part)


def _answered(numbers: dict[str, dict[str, tuple[float, int]]]) -> Results:
    """Results of judge ``j`` by model and measure: value and answers of 20 without a score."""
    found = Results.__new__(Results)
    found.judges, found.models, found.scenarios = ["j"], [*numbers], ["clean"]
    found._numbers = {
        ("j", model, "clean", ALL, ALL, measure): Number(value, None, None, 20 - gone, 20, gone)
        for model, measures in numbers.items()
        for measure, (value, gone) in measures.items()
    }
    return found


EASY = {"score": (800.0, 15), "common_score": (700.0, 15), "relative": (90.0, 15)}
ALL_20 = {"score": (425.0, 0), "common_score": (750.0, 0), "relative": (60.0, 0)}


@pytest.mark.parametrize(
    ("numbers", "first", "columns"),
    [
        (
            {"model-a": EASY, "model-b": ALL_20},
            "Of the 20 questions that every model has a score for, model-b scores 750 (n 20)",
            ["score", "common_score", "relative"],
        ),
        (
            {"model-b": {**ALL_20, "common_score": (425.0, 0)}},
            "model-b scores 425 (n 20) of 1,000, 60.0 % of what the references score.",
            ["score", "relative"],
        ),
    ],
)
def test_who_answers_easy_questions_alone_is_not_called_best(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    numbers: dict[str, dict[str, tuple[float, int]]],
    first: str,
    columns: list[str],
) -> None:
    seen = talked._Judge(_answered(numbers), "j", snapshot, leaderboard).seen(Counter())
    assert seen.finding[0].startswith(first)
    assert [column.measure for column in seen.overall.columns] == columns
    assert [row.model for row in seen.overall.rows] == sorted(numbers)[::-1]
    missing = "0 of its 20 answers have no score, 15 of 40 of all models." in seen.finding
    assert missing == ("model-a" in numbers)


def test_judges_stand_side_by_side(built: tuple[list[Talked], Sides], part: str) -> None:
    sides = built[1]
    assert [column.words for column in sides.scores.columns] == [*JUDGES]
    for row in sides.scores.rows:
        for judge, number in zip(JUDGES, row.numbers, strict=True):
            key = (judge, row.model, "clean", ALL, ALL, "score")
            assert number is not None and number.value == report_dialogue.number(*key)
    pairs = [row.about for row in sides.agreement.rows]
    assert pairs == [f"{FIRST} and {JUDGES[1]}", f"{FIRST} and {PEOPLE}", f"{JUDGES[1]} and people"]
    kappa = sides.agreement.rows[1].numbers[1]
    assert kappa is not None
    assert kappa.value == report_dialogue.number(FIRST, ALL, "clean", ALL, PEOPLE, "kappa")


def test_names_are_text(part: str) -> None:
    assert "<b>second" not in part and "&lt;b&gt;second" in part
    Outline(part)


def test_published_scores_stand_beside_on_request(
    part: str, compared: Snapshot, snapshot: Snapshot, tmp_path: Path
) -> None:
    text = words(part)
    for row in published_touchstone.read(beside(tmp_path).published):
        assert row.model in text and f"{row.score:.1f}" in text
    for sentence in published_touchstone.CONTRADICTIONS:
        assert sentence in text
    without = report_dialogue.laid_over(snapshot, tmp_path)
    found = dialogue.values(without, beside(tmp_path), {"leaderboard": Leaderboard(without)})
    assert found["talked"] and not found["talked_published"]


def test_a_suite_without_references_has_no_such_section(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    assert talked.build(snapshot, leaderboard) == ([], None)
    assert 'id="dialogue"' not in html


@pytest.mark.parametrize("name", [published_touchstone.FILE, published_touchstone.REPOSITORY])
@pytest.mark.parametrize(
    "text",
    ["", "model,touchstone_score\n,1\n", "model,touchstone_score,hallucination_score\nx,nan,1\n",
     "model,touchstone_score,hallucination_score\nx,1001,1\n", "model\nx\n"],
)  # fmt: skip
def test_a_damaged_table_of_the_paper_is_named(name: str, text: str, tmp_path: Path) -> None:
    for path in beside(tmp_path).published.glob("touchstone*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert len(published_touchstone.read(tmp_path)) == 11
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=name):
        published_touchstone.read(tmp_path)


def test_scores_of_the_repository_are_told_apart(tmp_path: Path) -> None:
    rows = published_touchstone.read(beside(tmp_path).published)
    scores = {row.named: (row.score, row.hallucination) for row in rows}
    assert scores["Qwen-VL"] == (645.2, 504.5)
    assert scores["Qwen-VL (repository)"] == (711.6, None)


def test_tasks_in_which_no_model_has_a_point_are_told() -> None:
    values = {
        ("one", "touchstone_text"): 100.0, ("other", "touchstone_text"): 100.0,
        ("one", "touchstone_math"): 100.0, ("other", "touchstone_math"): 325.0,
        ("one", "touchstone_chart"): None, ("other", "touchstone_chart"): 100.0,
    }  # fmt: skip

    def number(judge: str, model: str, scenario: str, measure: str, task: str) -> Any:
        assert (judge, scenario, measure) == (FIRST, "clean", "score")
        return SimpleNamespace(value=values.get((model, task)))

    params = validate({"suite": "touchstone", "kind": "touchstone"})
    snapshot: Any = SimpleNamespace(params=params, first_scenario="clean")
    found: Any = SimpleNamespace(models=["one", "other"], number=number)
    labels = [TASKS[f"touchstone_{name}"].label for name in ("text", "chart")]
    assert {*talked.floored(snapshot, found, FIRST)} == {
        f"In 2 of the 3 scored tasks ({', '.join(labels)}) no model here answers anything: each "
        "has 100, the least there is"
    }
    values["one", "touchstone_text"] = values["one", "touchstone_chart"] = 100.1
    assert not [*talked.floored(snapshot, found, FIRST)]
