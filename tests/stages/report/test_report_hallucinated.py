"""The section on hallucination: its numbers are the table's, and what is not comparable is said."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.hallucinated import ALL, Hallucination, Number
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import KINDS, Scope
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import published_valor
from lvlmbench.stages.report import hallucinated
from lvlmbench.stages.report.grids import Column
from lvlmbench.stages.report.hallucinated import Seen
from support import report_hallucinated
from support.report_pages import ROOT, SUITE, beside, render, section, words

WITH_NOISE = True
JUDGE = "lexical"
PROBED = ("Drawn at random", "What is frequent", "What goes with it")


@pytest.fixture(scope="module")
def seen(snapshot: Snapshot, leaderboard: Leaderboard) -> Seen:
    [found] = hallucinated.build(snapshot, leaderboard)
    return found


@pytest.fixture(scope="module")
def part(html: str) -> str:
    return section(html, "hallucination")


def _about(words_of: str) -> str:
    return words_of.lower().replace(" ", "_")


def test_every_number_is_that_of_the_table(seen: Seen) -> None:
    """By model, subtask and stratum; the tables that differ in scenarios are looked at below."""
    count = 0
    for grid in (seen.overall, seen.subsets, seen.kinds, seen.verbosity, seen.order, seen.effects,
                 seen.comparators, seen.released):  # fmt: skip
        assert grid.rows
        for row in grid.rows:
            for column, number in zip(grid.columns, row.numbers, strict=True):
                key = (JUDGE, row.model, "clean", _about(row.about) if row.about else ALL,
                       column.stratum, column.measure)  # fmt: skip
                assert number is not None
                assert number.value == report_hallucinated.number(*key)
                assert (number.n, number.answers, number.unjudged) == (1234, 57, 4)
                count += 1
    assert count > 200
    for row in seen.probes.rows:
        for column, number in zip(seen.probes.columns, row.numbers, strict=True):
            negatives = dict(zip(PROBED, report_hallucinated.NEGATIVES, strict=True))
            key = (ALL, row.model, "clean", ALL, negatives[row.about], column.measure)
            assert number is not None and number.value == report_hallucinated.number(*key)


def test_models_are_ranked_by_f1_and_who_guesses_is_last(seen: Seen) -> None:
    models = [row.model for row in seen.overall.rows]
    f1 = {m: report_hallucinated.number(JUDGE, m, "clean", ALL, ALL, "f1") for m in models}
    tested = [m for m in models if m in ("model-a", "hostile")]
    assert tested == sorted(tested, key=lambda m: -f1[m]) and models[:2] == tested
    assert models[2:] == ["reference_a", "chance"]


def test_kinds_and_numbers_of_claims_stand_in_their_order(seen: Seen) -> None:
    assert [column.stratum for column in seen.kinds.columns] == ["object", "attribute", "relation"]
    lengths = [column.stratum for column in seen.verbosity.columns]
    assert lengths == ["1", "2", "3", "5", "8", "13"]
    assert [c.words for c in seen.verbosity.columns][:2] == ["1 claim", "2 claims"]


def test_the_judges_own_error_stands_beside(seen: Seen, part: str) -> None:
    """Of the exam: 75 % of false claims found, and 25 % of true ones called false."""
    first, *others = seen.errors
    assert others == [None, None]
    assert first is not None and first.found is not None and first.alarms is not None
    assert (first.found.value, first.found.low, first.found.high) == (75.0, 50.0, 87.5)
    assert (first.alarms.value, first.alarms.low, first.alarms.high) == (25.0, 12.5, 50.0)
    assert "false claims that it finds" in words(part)


def test_the_first_sentence_says_what_is_made_up_and_left_out(seen: Seen, part: str) -> None:
    best = seen.overall.rows[0].model
    true, covered = (
        report_hallucinated.number(JUDGE, best, "clean", ALL, ALL, name)
        for name in ("faithfulness", "coverage")
    )
    first = seen.finding[0]
    made_up = f"{best} makes up {100 - true:.1f} % of what it says (mean of "
    assert first.startswith(made_up) and " subsets, 95 % interval " in first
    assert f" and leaves out {100 - covered:.1f} % of what it should say (" in first
    assert "n 1,234" in first and first in words(part)


def test_where_all_models_guess_the_first_sentence_says_so(
    snapshot: Snapshot, leaderboard: Leaderboard, tmp_path: Path
) -> None:
    path = tables.HALLUCINATION.folder(snapshot.results)
    all_rows = tables.read([path], tables.HALLUCINATION).to_pylist()
    mine = [row for row in all_rows if row["model"] == "chance"]
    tables.write_rows(mine, tables.HALLUCINATION.folder(tmp_path), tables.HALLUCINATION, "s")
    [found] = hallucinated.build(replace(snapshot, results=tmp_path), leaderboard)
    assert found.finding[0].startswith("chance, which guesses, makes up ")


def test_other_conditions_are_told_as_differences_over_the_same_scenes(
    seen: Seen, snapshot: Snapshot
) -> None:
    found = Hallucination(snapshot)
    points = [i for i, column in enumerate(seen.scenarios.columns) if column.signed]
    assert len(points) == 2 and seen.scenarios.rows
    names = {row.about for row in seen.scenarios.rows}
    assert "Blind" in names and not names & {"Clean", "Corruption curve"}
    changed = found.change(JUDGE, "model-a", "blind", "coverage")
    assert changed is not None and changed.value == pytest.approx(
        100 * (_micro(snapshot, "blind", found) - _micro(snapshot, "clean", found, "blind"))
    )


def _micro(snapshot: Snapshot, scenario: str, found: Hallucination, also: str = "clean") -> float:
    """Mean over subtasks of coverage, over scenes judged in both, by hand."""

    def rows(name: str) -> list[dict[str, Any]]:
        names = {"judge": JUDGE, "model": "model-a", "scenario": name}
        table = snapshot.read(tables.JUDGEMENTS, None, **names).to_pylist()
        return [row for row in table if row["status"] == "judged"]

    scenes = {row["scene_id"] for row in rows(also)}
    sums: dict[str, list[int]] = {}
    for row in rows(scenario):
        if row["scene_id"] in scenes:
            of = sums.setdefault(row["subtask"], [0, 0])
            of[0] += row["covered"]
            of[1] += row["owed"]
    shares = [over / under for over, under in sums.values() if under]
    assert len(shares) > 3
    return sum(shares) / len(shares)


def test_arms_have_the_claims_of_their_scenes(seen: Seen, snapshot: Snapshot) -> None:
    assert {row.about for row in seen.arms.rows} == {
        "Shown: something else", "Shown: what it goes with", "Shown: both", "Random pictures",
    }  # fmt: skip
    designs = tables.read(snapshot.folder(tables.DESIGNS), tables.DESIGNS).to_pylist()
    arms = {row["scene_id"]: row["arm"] for row in designs}
    names = {"judge": JUDGE, "model": "model-a", "scenario": "clean"}
    judged = snapshot.read(tables.JUDGEMENTS, None, **names).to_pylist()
    mine = [r for r in judged if r["status"] == "judged" and arms[r["scene_id"]] == "random"]
    true, wrong = (sum(row[f"{name}_claims"] for row in mine) for name in ("true", "wrong"))
    [row] = [r for r in seen.arms.rows if (r.model, r.about) == ("model-a", "Random pictures")]
    number = row.numbers[0]
    asked = [r for r in judged if arms[r["scene_id"]] == "random"]
    assert row.told is not None and row.told.answers == len(asked)
    assert row.told.unjudged == len(asked) - len(mine)
    assert number is not None and number.n == true + wrong > 20
    assert number.value == pytest.approx(100 * true / (true + wrong))
    assert number.low is not None and number.high is not None
    assert number.low < number.value < number.high


def test_what_is_not_comparable_is_said(part: str) -> None:
    told = words(part)
    assert "Not comparable with any other number here." in told
    assert "29.8 % faithfulness and 48.1 % coverage" in told
    assert "These numbers come from the same claims and the same truth" in told
    assert "What VALOR-Eval publishes" not in told


def test_words_about_order_stand_where_its_columns_do(
    snapshot: Snapshot, made: Path, part: str, tmp_path: Path
) -> None:
    assert "Numbers and order" in words(part) and "Order by size" in words(part)
    results = made / "results" / SUITE
    for path in results.iterdir():
        if path.name != tables.HALLUCINATION.place:
            (tmp_path / path.name).symlink_to(path)
    rows = tables.read([tables.HALLUCINATION.folder(results)], tables.HALLUCINATION).to_pylist()
    rows = [row for row in rows if not row["measure"].startswith("order_")]
    tables.write_rows(rows, tables.HALLUCINATION.folder(tmp_path), tables.HALLUCINATION, "s")
    told = words(section(render(replace(snapshot, results=tmp_path), tmp_path), "hallucination"))
    assert "Numbers of things:" in told
    assert "Numbers and order" not in told and "Order by size" not in told


def test_wide_intervals_of_the_judges_errors_are_explained(part: str) -> None:
    assert "intervals are as wide as so few scenes leave them" in words(part)


def test_hostile_names_stay_text(part: str) -> None:
    assert "<script" not in part and "onerror=" not in re.sub(r"&[^;]+;", "", part)


def test_published_results_stand_beside_on_request(snapshot: Snapshot, made: Path) -> None:
    figures = snapshot.params.figures.model_copy(update={"published": True})
    params = snapshot.params.model_copy(update={"figures": figures})
    told = words(section(render(replace(snapshot, params=params), made / "results" / SUITE),
                         "hallucination"))  # fmt: skip
    assert "What VALOR-Eval publishes of ten models" in told
    with (ROOT / "data/published/valor_table3.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert row["model"] in told and f"{float(row['mean_coverage']):.1f}" in told


def test_without_numbers_there_is_no_section(
    snapshot: Snapshot, made: Path, tmp_path: Path
) -> None:
    for path in (made / "results" / SUITE).iterdir():
        if path.name != tables.HALLUCINATION.place:
            (tmp_path / path.name).symlink_to(path)
    bare = replace(snapshot, results=tmp_path)
    assert not Hallucination(bare)
    assert 'id="hallucination"' not in render(bare, tmp_path)
    submitted = replace(beside(made / "results" / SUITE), exports=None)
    assert submitted.submitted


def test_a_number_that_is_not_there_is_a_dash_and_not_zero(
    snapshot: Snapshot, leaderboard: Leaderboard, tmp_path: Path
) -> None:
    rows = [
        {
            "judge": JUDGE, "model": "model-a", "scenario": "clean", "subtask": ALL,
            "stratum": ALL, "measure": measure, "value": value, "low": None, "high": None, "n": n,
            "answers": 3, "unjudged": 3,
        }
        for measure, value, n in (("faithfulness", None, 0), ("coverage", 0.0, 12))
    ]  # fmt: skip
    other = {"model": "hostile", "value": 50.0, "n": 2, "unjudged": 0}
    rows += [row | other for row in rows if row["measure"] == "faithfulness"]
    tables.write_rows(rows, tables.HALLUCINATION.folder(tmp_path), tables.HALLUCINATION, "s")
    [found] = hallucinated.build(replace(snapshot, results=tmp_path), leaderboard)
    assert found.overall.columns[0] == Column("Faithfulness ↑", "faithfulness")
    [mine] = [row for row in found.overall.rows if row.model == "model-a"]
    assert mine.numbers[0] == Number(None, None, None, 0, 3, 3)
    assert not found.kinds and not found.effects and not found.released


@pytest.mark.parametrize(
    ("kinds", "subset"),
    [
        (("object",), "object"),
        (("attribute",), "attribute_object"),
        (("attribute", "garment", "action"), "attribute_people"),
        (("relation", "place"), "relation_positional"),
        (("rank", "relation"), "relation_comparative"),
        (("scene",), None),
        (KINDS, None),
    ],
)
def test_a_subset_is_known_by_what_it_asks_about(kinds: tuple[str, ...], subset: str) -> None:
    assert published_valor.subset_of(Scope(kinds)) == subset


@pytest.mark.parametrize("text", [None, "model\nx\n", "model,object_faithfulness\nx,101\n"])
def test_a_damaged_published_file_is_one_line(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / published_valor.FILE).write_text(text)
    with pytest.raises(UserError) as error:
        published_valor.read(tmp_path)
    assert "\n" not in str(error.value) and published_valor.FILE in str(error.value)


def test_the_section_stands_in_the_menu_of_results(html: str) -> None:
    assert '<a href="#hallucination">Hallucination</a>' in html
