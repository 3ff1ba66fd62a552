"""Overview, sensitivity, validity, exports: what they say, and what they let through."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.analysis import comparisons, robustness
from lvlmbench.analysis.funnel import nothing_asked
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.exports.export import INDEX
from lvlmbench.stages.report import item_pages, page, sensitivity, summary, validity
from lvlmbench.stages.report.formatting import duration, significant, size
from lvlmbench.stages.report.kinds import run
from lvlmbench.stages.report.sensitivity import Spread
from lvlmbench.stages.validity.files import COLUMNS, encode
from support.report_pages import (
    EXPORTS,
    HOSTILE_NAME,
    VALIDITY,
    Outline,
    beside,
    correlation,
    head,
    read,
    section,
    words,
)
from support.report_snapshot import noisy_params

WITH_NOISE = True


def overview(snapshot: Snapshot, leaderboard: Leaderboard, folder: Path | None) -> summary.Summary:
    return summary.build(
        snapshot, leaderboard, comparisons.build(snapshot, leaderboard),
        robustness.build(snapshot, leaderboard), sensitivity.build(snapshot, leaderboard, "clean"),
        validity.build(folder),
    )  # fmt: skip


def test_overview_names_the_best_model_under_test(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    found = overview(snapshot, leaderboard, None)
    best = leaderboard.ranked()["clean"][0]
    assert best.model == "model-a" and best.headline is not None
    assert found.sentences[0].startswith(
        "Of the models tested, model-a has the highest accuracy on closed questions: "
        f"{best.headline.value:.1f}% (95% "
    )
    assert any(
        s.startswith("Of the noisy scenarios, it loses most under corruption: ")
        for s in found.sentences
    )
    tiles = {t.label: (t.value, t.note) for t in found.tiles}
    assert tiles["Models"] == ("4", "2 of them reference or guessing")
    assert tiles["Questions"][0] == str(len(snapshot.asked["clean"]))
    totals = [r.headline for r in leaderboard.ranked()["clean"][:3]]
    lost, asked = (sum(getattr(t, k) for t in totals if t) for k in ("n_unscored", "asked"))
    assert tiles["Unscored"] == (
        f"{100 * lost / asked:.1f}%",
        f"{lost:,} of {asked:,} answers of models that look",
    )
    text = words(section(html, "overview"))
    for sentence in found.sentences:
        assert sentence in text
    assert "chance has" not in text


def test_failures_count_whether_the_question_does_or_not(snapshot: Snapshot) -> None:
    statistics = snapshot.params.statistics.model_copy(update={"questions": "consensus"})
    params = snapshot.params.model_copy(update={"statistics": statistics})
    cut = replace(snapshot, params=params)
    found = {t.label: t for t in overview(cut, Leaderboard(cut), None).tiles}["Unscored"]
    every = {t.label: t for t in overview(snapshot, Leaderboard(snapshot), None).tiles}["Unscored"]
    assert (found.value, found.note) == (every.value, f"{every.note}, to all questions")
    less, more = (
        [r.headline.asked for r in Leaderboard(each).ranked()["clean"] if r.headline]
        for each in (cut, snapshot)
    )
    assert less < more, "the consensus drops some"


def test_overview_without_any_headline_says_so(snapshot: Snapshot, tmp_path: Path) -> None:
    from lvlmbench import tables

    rows = [r for r in snapshot.metrics.to_pylist() if not r["metric"].startswith("headline")]
    path = tmp_path / "metrics.parquet"
    tables.write_rows(rows, path, tables.METRICS, "s")
    tables.write_rows([], tmp_path / "comparisons.parquet", tables.COMPARISONS, "s")
    other = replace(snapshot, results=tmp_path)
    found = overview(other, Leaderboard(other), None)
    (line,) = found.sentences
    label, why = "accuracy on closed questions", "none: no closed question was asked"
    assert line == f"No model that looks has a number ({label}): {why}."
    assert found.tiles[0].value == "\N{EN DASH}"


def test_where_filters_keep_no_image_that_is_why_nothing_was_asked(snapshot: Snapshot) -> None:
    assert nothing_asked(snapshot) == ""
    name, verdicts = next(iter(snapshot.filtered.items()))
    n = len(verdicts)
    no, why = pa.array([False] * n), pa.array(["too dark"] * n)
    all_gone = verdicts.drop_columns(["keep", "reason"])
    all_gone = all_gone.append_column("keep", no).append_column("reason", why)
    empty = replace(snapshot)
    empty.__dict__["filtered"] = {name: all_gone}
    empty.__dict__["asked"] = {s: asked.slice(0, 0) for s, asked in snapshot.asked.items()}
    planned = len(snapshot.scenes)
    assert nothing_asked(empty) == (
        f"no question could be asked about {planned} planned scenes: "
        f"{sum(snapshot.rendered['keep'].to_pylist())} lost at 'Filter: Integrity' (too dark)"
    )


@pytest.mark.parametrize(("guessed", "told"), [(99.0, True), (1.0, False)])
def test_overview_tells_where_guessing_is_no_worse(
    snapshot: Snapshot, tmp_path: Path, guessed: float, told: bool
) -> None:
    from lvlmbench import tables

    rows = [
        row | {"value": guessed} if (row["model"], row["metric"]) == ("chance", "headline") else row
        for row in snapshot.metrics.to_pylist()
    ]
    tables.write_rows(rows, tmp_path / "metrics.parquet", tables.METRICS, "s")
    tables.write_rows([], tmp_path / "comparisons.parquet", tables.COMPARISONS, "s")
    other = replace(snapshot, results=tmp_path)
    found = overview(other, Leaderboard(other), None).sentences
    assert ("chance, which only guesses, has 99.0%, no less." in found) == told
    first = "Of the models tested, model-a has the highest accuracy on closed questions"
    assert found[0].startswith(first)


@pytest.mark.parametrize(("p", "told"), [(0.4, 1), (0.001, 0)])
def test_overview_tells_where_guessing_may_do_as_well(
    snapshot: Snapshot, leaderboard: Leaderboard, p: float, told: int
) -> None:
    found = comparisons.build(snapshot, leaderboard)
    assert found is not None
    pairs = {(pair.model, pair.baseline): pair for pair in found.pairs}
    guess = pairs["model-a", "chance"]
    guess = replace(guess, overall=replace(guess.overall, p_holm=p))
    other = replace(found, pairs=[guess], neighbours=[pairs["model-a", "reference_a"]])
    made = summary.build(
        snapshot, leaderboard, other, robustness.build(snapshot, leaderboard),
        sensitivity.build(snapshot, leaderboard, "clean"), None,
    )  # fmt: skip
    said = [line for line in made.sentences if "which only guesses" in line]
    assert len(said) == told
    assert all(line.endswith("%: no difference from it is shown.") for line in said)
    # Where no model stands below it, it is held against guessing, wherever that stands.
    other = replace(found, pairs=[guess], neighbours=[guess])
    made = summary.build(
        snapshot, leaderboard, other, robustness.build(snapshot, leaderboard),
        sensitivity.build(snapshot, leaderboard, "clean"), None,
    )  # fmt: skip
    assert not any(", the next" in line for line in made.sentences)
    assert sum("guessing by chance" in line for line in made.sentences) == 1


NONE = "no difference shown"


@pytest.mark.parametrize(
    ("low", "noise", "words"),
    [
        (1.6, 12.0, "they differ by 2.5 to 17.1 points"),  # the noise is out of it already
        (0.0, 4.0, f"{NONE}: they differ by at most 17.1 points"),
        (0.0, None, f"{NONE}: they differ by at most 17.1 points"),
        (None, 4.0, "not known"),
        (5.0, None, "they differ by 4.5 to 17.1 points"),
    ],
)
def test_a_spread_is_told_by_the_interval_of_the_true_one(
    low: float | None, noise: float | None, words: str
) -> None:
    assert Spread(Value(21.9, low, 73.5, 200, 0), noise).words == words
    assert Spread(Value(21.9, low, 73.5, 7, 0), noise).words == "too few to tell"
    assert Spread(None, noise).above is None
    assert Spread(None, noise).words == ""


def test_sensitivities_are_those_of_the_metrics(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    found = sensitivity.build(snapshot, leaderboard, "clean")
    values = {m: leaderboard.value(m, "clean", "sq") for m in leaderboard.models}
    known = {m: value for m, value in values.items() if value and value.value is not None}
    assert {line.model: line.sq.value for line in found.lines} == known
    for line in found.lines:
        noise = leaderboard.value(line.model, "clean", "sq_noise")
        assert line.sq.noise == (noise.value if noise else None)
        assert 0 <= found.position(line.sq.value and line.sq.value.value) <= 100
    part = section(html, "sensitivity")
    assert part.count("<tr") == len(found.lines) + 1
    assert "SC ↓" not in words(part) + words(section(html, "leaderboard"))


def within(high: float | None, p: float | None, low: float | None = 0.0) -> sensitivity.Within:
    """Styles within scenes of a model, whose true variance lies between two ends."""
    corrected = Value(0.0, low, high, 154, 0)
    return sensitivity.Within("m", "model", 2.6, 2.6, corrected, p, 20, 154, 31)


def test_styles_within_scenes_are_told_in_points() -> None:
    assert within(10.95, 0.65).words == "styles differ by at most 3.3 points"
    assert within(36.0, 0.01, 4.0).words == "styles differ by 2.0 to 6.0 points"
    assert within(None, 1.0, None).words == "no answer to 154 questions differs between styles"
    assert within(10.95, None).words == "how much styles differ cannot be measured at this size"


def test_validity_shows_every_correlation_and_distance(html: str) -> None:
    part = section(html, "validity")
    text = words(part)
    assert "+0.50\N{MINUS SIGN}0.10 to +0.60p 0.20" in text
    assert "2 models in common, fewer than 3" in text
    assert "animal, TV show: multiple choice" in text
    assert "Of 2 pairs, 1 lies apart" in text
    assert "0.0123" in text and "< 0.001" not in text
    assert HOSTILE_NAME.split("\u202e")[0] in text
    assert "<img" not in part and "\u202e" not in part
    assert Outline(part).stack == []
    assert len(VALIDITY["distances.csv"]) == 2


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([], "No published ranking has three models in common with this one."),
        ([correlation("A", "all", 2, None)],
         "No published ranking has three models in common with this one."),
        ([correlation("A", "all", 4, 0.9), correlation("B", "all", 9, 0.7)],
         "Moderate agreement with the ranking of B: Spearman's rho 0.70 (95% interval 0.10 to "
         "0.80), over 9 models."),
        ([correlation("A", "all", 3, 0.5)],
         "No agreement could be shown with the ranking of A: Spearman's rho 0.50 (95% interval "
         "\N{MINUS SIGN}0.10 to 0.60), over 3 models."),
        ([correlation("A-b", "realistic", 4, 0.9), correlation("A-b", "all", 4, -0.3)],
         "No agreement with the ranking of A-b: Spearman's rho \N{MINUS SIGN}0.30 (95% interval "
         "\N{MINUS SIGN}0.90 to \N{MINUS SIGN}0.20), over 4 models."),
    ],
)  # fmt: skip
def test_validity_in_one_line(tmp_path: Path, rows: list[dict[str, Any]], line: str) -> None:
    for name, schema in COLUMNS.items():
        table = pa.Table.from_pylist(rows if name == "correlations.csv" else [], schema=schema)
        (tmp_path / name).write_bytes(encode(name, table))
    found = validity.build(tmp_path)
    assert found is not None and found.line == line


def test_damaged_validity_and_exports_are_one_line(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "results/dysca/validity", tmp_path / "validity")
    (tmp_path / "validity" / "rankings.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UserError, match=r"rankings.csv: is missing or damaged; run the stage"):
        validity.build(tmp_path / "validity")
    for text in (None, "{", "[]", '{"exports": [{"name": "x"}]}'):
        if text is not None:
            (tmp_path / run.INDEX).write_text(text)
        with pytest.raises(UserError, match=r"index.json: is missing or damaged; run the stage"):
            run.build(tmp_path)


def test_exports_tell_how_to_open_each_and_its_size(html: str, tmp_path: Path) -> None:
    assert run.INDEX == INDEX
    part = section(html, "exports")
    text = words(part)
    for export in EXPORTS:
        assert export["title"] in text and export["load"] in text
        assert f'href="dysca/exports/{export["name"]}/"' in part
    for said in ("12.3 MB", "2.0 kB", "Clean 1,041", "refers to huggingface beside it"):
        assert said in text
    (tmp_path / INDEX).write_text(json.dumps({"exports": []}))
    assert run.build(tmp_path) == []


@pytest.mark.long
def test_a_report_of_submitted_models_has_no_exports_files_or_run(made: Path) -> None:
    around = replace(beside(made / "results/dysca"), exports=None)
    html = page.render(read(made, noisy_params()), around)
    for name in ("exports", "run"):
        assert f'<section id="{name}"' not in html and f'href="#{name}"' not in html
    for link in ('href="figures/', 'href="run.html', 'href="dysca/exports/'):
        assert link not in html
    assert "before models were submitted" in words(section(html, "validity"))
    none = page.render(read(made, noisy_params()), replace(around, validity=None))
    assert '<section id="validity"' not in none and 'href="#validity"' not in none


@pytest.mark.long
def test_a_page_too_large_leaves_room_for_no_item_but_is_whole(made: Path) -> None:
    small = noisy_params(report={"megabytes": 0.1})
    html = page.render(read(made, small), beside(made / "results/dysca"))
    assert Outline(html).stack == []
    assert len(html.encode()) < 2_500_000


def test_pages_of_all_items_are_written_on_request_alone(snapshot: Snapshot) -> None:
    assert list(item_pages.render(snapshot)) == []
    report = snapshot.params.report.model_copy(update={"full": True})
    full = replace(snapshot, params=snapshot.params.model_copy(update={"report": report}))
    found = dict(item_pages.render(full))
    assert list(found) == ["part-00000.html"]
    (html,) = found.values()
    assert Outline(html).stack == []
    asked = {q["scene_id"] for q in snapshot.asked["clean"].to_pylist()}
    assert {item["id"] for item in head(html)["items"]} == asked
    assert "../report.html" in html


@pytest.mark.long
def test_a_browser_without_items_says_why_and_one_with_pages_leads_to_them(
    snapshot: Snapshot, made: Path
) -> None:
    def told(alone: bool = False, **report: object) -> str:
        changed = snapshot.params.report.model_copy(update=report)
        params = snapshot.params.model_copy(update={"report": changed})
        lies = beside(made / "results/dysca")
        lies = replace(lies, exports=None) if alone else lies
        return page.render(replace(snapshot, params=params), lies)

    none = told(items=0, full=True)
    assert Outline(none).stack == []
    assert "is shown here. report.items says how many are." in words(section(none, "browser"))
    assert 'id="browser-app"' not in none
    assert 'href="dysca/report_items/part-00000.html"' in none
    small = words(section(told(megabytes=0.1), "browser"))
    assert "leaves no room for one within 0.1 MB (report.megabytes)" in small
    submitted = told(alone=True, full=True)  # nobody writes pages beside it
    assert "report_items/part" not in section(submitted, "browser")
    assert all("part" not in item for item in head(submitted)["items"])


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "\N{EN DASH}"), (4.25, "4.25 s"), (59.9, "59.9 s"), (200.4, "3 min 20 s"),
     (18_420.0, "5 h 07 min"), (3_600_000.0, "1,000 h 00 min")],
)  # fmt: skip
def test_times_of_any_length(value: float | None, text: str) -> None:
    assert duration(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "\N{EN DASH}"), (1, "1 byte"), (999, "999 bytes"), (2048, "2.0 kB"),
     (3_400_000, "3.4 MB"), (12 * 10**9, "12.0 GB")],
)  # fmt: skip
def test_sizes(value: int | None, text: str) -> None:
    assert size(value) == text


def test_small_numbers_keep_their_digits() -> None:
    assert significant(0.000123456) == "0.000123"
    assert significant(-12.0) == "\N{MINUS SIGN}12"
    assert significant(None) == "\N{EN DASH}"
