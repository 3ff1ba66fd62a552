"""What the leaderboard says of answers that are missing, and of answers that others brought."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from lvlmbench import tables
from lvlmbench.analysis import robustness
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Row, Value
from lvlmbench.analysis.outcomes import outcome_of
from lvlmbench.analysis.readings import readings
from lvlmbench.config import Params
from lvlmbench.config.headline import Headline
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import sensitivity, summary
from lvlmbench.stages.report.formatting import environment, share, warning
from lvlmbench.stages.report.kinds.levels import Line
from lvlmbench.stages.report.page import Truth
from lvlmbench.stages.report.summary import _first, _unplaced
from support.report_pages import read, render, section, shared, words
from support.report_snapshot import params
from support.score_tables import FF


def row(
    n: int, unscored: int, refused: int | None, failed: int | None, kind: Kind = "model"
) -> Row:
    total = Value(50.0, 40.0, 60.0, n, unscored, refused, n_failed=failed)
    return Row("m", "clean", kind, total, {}, {}, None)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (row(8264, 412, 0, 412), "412 of 8,676 requests failed: the number stands on the rest"),
        (row(95, 5, 5, 0), "5 of 100 answers were refusals: the number stands on the rest"),
        (row(39, 1, 1, 0), "1 of 40 answers was a refusal: the number stands on the rest"),
        (row(90, 10, 2, 3), "3 of 100 requests failed, 2 were refusals and 5 could not be read: "
                            "the number stands on the rest"),
        (row(0, 7, 0, 7), "7 of 7 requests failed: nothing is left to score"),
        (row(90, 10, 0, 10, "brought"), "10 of 100 questions have no answer: the number stands on "
                                        "the rest"),
        (row(98, 2, 1, 1), None),
        (row(90, 10, 0, 0), "10 of 100 answers could not be read: the number stands on the rest"),
        (row(90, 10, None, None), "10 of 100 answers could not be read: the number stands on the "
                                  "rest"),
        (row(98, 2, None, None), None),
        (row(0, 0, 0, 0), None),
    ],
)  # fmt: skip
def test_warnings_are_in_words_and_not_for_a_few(given: Row, text: str | None) -> None:
    assert warning(given) == text


def test_models_under_test_without_a_total_are_named() -> None:
    none = replace(row(7, 11, 0, 0), model="a", headline=Value(None, None, None, 7, 11))
    rows = [none, replace(none, model="b"), row(90, 10, 0, 0), replace(none, kind="guesser")]
    (line,) = _unplaced(rows)
    assert line == "a and b have no such number: nothing was scored."
    assert [*_unplaced(rows[2:])] == []


def test_a_warning_says_where_there_is_no_total() -> None:
    given = row(90, 10, 0, 10)
    assert given.headline is not None
    none = replace(given, headline=replace(given.headline, value=None))
    assert warning(none) == "10 of 100 requests failed: the rest is too little for a headline"


def test_shares_are_of_all_that_was_asked() -> None:
    value = Value(50.0, None, None, 75, 25)
    assert share(10, value) == 10.0
    assert share(None, value) is None
    assert share(0, Value(None, None, None, 0, 0)) is None


def brought_params() -> Params:
    """Those of the made-up snapshot, with answers of model-a that its owner brought."""
    models = [m.model_dump(mode="json") for m in params().answer.models]
    models[1] |= {"engine": "answers_file", "endpoint": None}
    return params(answer={"models": models})


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return read(shared(tmp_path_factory), brought_params())


@pytest.fixture(scope="module")
def html(snapshot: Snapshot) -> str:
    return render(snapshot, snapshot.results)


def test_the_best_total_comes_with_what_it_leaves_out() -> None:
    given = replace(row(23, 12, 0, 12), strict=Value(33.3, None, None, 35, 0))
    assert given.headline is not None
    opening = "Of the models tested, m has the highest mark: 50.0% (95% interval 40.0 to 60.0, n"
    of = "mark", Headline()
    (line,) = _first(given, [given], given.headline, *of)
    assert line == (
        f"{opening} 23), though 12 of 35 requests failed: with what has no score counted "
        "as wrong it has 33.3%."
    )
    (line,) = _first(replace(given, strict=None), [given], given.headline, *of)
    assert line == f"{opening} 23), though 12 of 35 requests failed."
    few = row(98, 2, 0, 2)
    assert few.headline is not None
    assert [*_first(few, [few], few.headline, *of)] == [f"{opening} 98)."]


def test_the_tile_of_the_best_total_warns_as_the_results_do(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = environment().get_template("overview.html.j2")
    board = Leaderboard(snapshot)
    best = board.ranked()["clean"][0]
    assert best.headline is not None
    some = replace(best.headline, n_unscored=12, n_refused=0, n_truncated=0, n_failed=12)
    for total, told in ((some, True), (replace(some, n_unscored=0, n_failed=0), False)):
        other = Leaderboard(snapshot)
        rows = {"clean": [replace(best, headline=total)]}
        monkeypatch.setattr(other, "ranked", lambda found=rows: found)
        found = summary.build(
            snapshot, other, None, robustness.build(snapshot, board),
            sensitivity.build(snapshot, board, "clean"), None,
        )  # fmt: skip
        outline = SimpleNamespace(power=None, limits=[])
        page = template.render(summary=found, scenario="clean", counting="", outline=outline)
        tile = page[: page.index("</li>")]
        lost = f"12 of {some.asked:,} questions have no answer"
        assert (f"⚠ </span>{lost}</span>" in tile) == told
        assert (f", though {lost}: with what has no score" in found.sentences[0]) == told


def board(html: str) -> str:
    start = html.index('<section id="leaderboard"')
    return html[start : html.index("</section>", start) + len("</section>")]


def test_brought_answers_are_marked_and_ranked_among_models(snapshot: Snapshot, html: str) -> None:
    rows = Leaderboard(snapshot).ranked()["clean"]
    assert [r.kind for r in rows] == ["brought", "model", "reference", "guesser", "floor", "floor"]
    text = words(board(html))
    assert text.count("answers brought by its owner") == 2  # with and without consensus
    assert "how they came about was not seen here" in text


def test_rates_and_the_strict_total_stand_beside_the_total(snapshot: Snapshot, html: str) -> None:
    (hostile,) = [r for r in Leaderboard(snapshot).ranked()["clean"] if r.model == "hostile"]
    folder = snapshot.data / "scores" / "hostile" / "clean"
    scores = [r for r in tables.read(folder, tables.SCORES).to_pylist() if r["question_type"] != FF]
    failed = sum(r["status"] == "error" for r in scores)
    refused = sum(r["status"] == "refused" or r["parse_method"] == "refusal" for r in scores)
    assert refused > sum(r["status"] == "refused" for r in scores) > 0
    total = hostile.headline
    assert total is not None and (total.n_failed, total.n_refused) == (failed, refused)
    assert total.asked == len(scores)
    text = words(board(html))
    cut = total.n_truncated or 0
    assert (unread := total.n_unscored - failed - refused - cut) > 0
    assert f"{failed} of {len(scores)} requests failed, {refused} were refusals" in text
    assert f"and {unread} could not be read: the rest is too little for a headline" in text
    assert f"{100 * failed / len(scores):.1f}%" in text
    assert hostile.strict is not None and f"strict {hostile.strict.value:.1f}" in text
    assert (
        "leave out answers that could not be scored; strict counts each of these as wrong" in text
    )


def test_scores_of_closed_types_come_with_their_distance_to_chance(
    snapshot: Snapshot, html: str
) -> None:
    text = words(board(html))
    for r in Leaderboard(snapshot).ranked()["clean"][:3]:
        for kind, above in r.above.items():
            assert (above is None) == (kind in ("short_answer", "free_form", "structured"))
            if above is not None and above.value is not None:
                side = "below" if above.value < 0 else "above"
                assert f"{abs(above.value):.1f} {side} chance" in text


def test_a_model_stands_only_where_it_was_asked(snapshot: Snapshot, tmp_path: Path) -> None:
    rows = [
        r for r in snapshot.metrics.to_pylist()
        if r["model"] != "model-a" or r["questions"] == "consensus"
    ]  # fmt: skip
    path = tmp_path / "metrics.parquet"
    tables.write_rows(rows, path, tables.METRICS, "s")
    other = replace(snapshot, results=tmp_path)
    rows_of = Leaderboard(other).ranked()["clean"]
    assert "model-a" not in [r.model for r in rows_of]
    assert "model-a" not in [r.model for r in readings(other, Leaderboard(other))]


def test_readings_name_the_strategy_and_count_what_declines(snapshot: Snapshot, html: str) -> None:
    start = html.index('<section id="readings"')
    text = words(html[start : html.index("</section>", start) + len("</section>")])
    assert "read with the strategy lvlmbench: by what the answer says" in text
    assert "Declined in words" in text and "By probability" not in text
    for r in readings(snapshot, Leaderboard(snapshot)):
        assert r.status.total() == r.total
        folder = snapshot.data / "scores" / r.model / r.scenario
        scores = tables.read(folder, tables.SCORES).to_pylist()
        assert r.declined == sum(s["parse_method"] == "refusal" for s in scores)
        assert r.unscored == sum(not s["scored"] for s in scores)


def test_refused_means_one_thing_in_each_section(snapshot: Snapshot, html: str) -> None:
    """Results count refusals of both sorts; where only the server's are meant, the head says so."""
    board = Leaderboard(snapshot)
    totals = {name: board.value(name, "clean", "total") for name in board.models}
    found = [r for r in readings(snapshot, board) if r.scenario == "clean"]
    assert any(r.declined and r.status["refused"] for r in found)
    for r in found:
        total = totals[r.model]
        assert total is not None and total.n_refused == r.status["refused"] + r.declined
    heads = {
        name: set(re.findall(r">((?:Refused|Declined)[^<]*)</th>", section(html, name)))
        for name in ("leaderboard", "readings", "cost")
    }
    assert heads == {
        "leaderboard": set(),  # a line below those without a score
        "readings": {"Refused by the server", "Declined in words"},
        "cost": {"Refused by the server"},
    }


def test_refusals_are_outcomes_of_their_own() -> None:
    score = {"scored": False, "correct": None, "parse_method": "none"}
    assert outcome_of(score, "answered") == "unscored"
    assert outcome_of(score | {"parse_method": "refusal"}, "answered") == "refused"
    assert outcome_of(None, "refused") == "refused"
    assert outcome_of(None, "timeout") == "failed"
    assert outcome_of(score | {"scored": True, "correct": True}, "answered") == "right"


def test_page_has_a_link_to_every_section(html: str) -> None:
    sections = set(re.findall(r'<section id="([^"]+)"', html))
    linked = set(re.findall(r'<a (?:class="browse" )?href="#([^"]+)"', html))
    assert sections <= linked


DASH, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
#: What else of the page the section shows.
AROUND = {
    "truth": Truth(0, 0, []),
    "without": "",
    "scenario": "clean",
    "counting": "",
}


def test_a_level_without_a_score_says_how_many_answers_have_none() -> None:
    cut = Value(None, None, None, 0, 4, n_truncated=4)
    line = Line("mine", "multiple_choice", [cut, Value(50.0, None, None, 4, 0)], None, None)
    page = environment().get_template("levels.html.j2")
    about = {"levels": ["easy", "hard"], "level_lines": [line], "levels_left_out": False}
    text = words(page.render(**about, **AROUND))
    assert f"{DASH}n 0, 4 unscored (4 truncated)50.0" in text
    # Levels of which one has no score are not compared, and nothing was asked in pairs.
    assert text.rstrip().endswith(f"n 4{DASH}{DASH}")
    apart = replace(line, difference=Value(-1.3, -9.0, 6.5, 8, 0))
    text = words(page.render(**about | {"level_lines": [apart]}, **AROUND))
    assert "Easy less hard" in text and f"{MINUS}1.3{MINUS}9.0 to +6.5" in text
