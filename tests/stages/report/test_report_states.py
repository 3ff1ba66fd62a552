"""Pages of snapshots in several states: ordinary, all filtered out, one model, no answer at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis import robustness
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.analysis.robustness import Change, Robustness
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import audit, robustness_words, sensitivity, summary
from lvlmbench.stages.report.robustness_words import span
from lvlmbench.stages.report.section import SECTIONS
from support import report_snapshot
from support.report_flaws import flaws
from support.report_pages import read, render, words
from support.report_snapshot import build, noisy_params

WITH_NOISE = True
#: What a page without questions is left with.
LEFT = ["funnel", "cleaning", "exports", "run", "parameters"]


def sections(html: str) -> list[str]:
    """Names of the sections of a page."""
    return re.findall(r'<section id="([a-z_]+)"', html)


def kept(snapshot: Snapshot, folder: Path, keep: Callable[[Any], bool]) -> Snapshot:
    """A snapshot with some of its metrics and comparisons."""
    for table, rows in (
        (tables.METRICS, snapshot.metrics),
        (tables.COMPARISONS, snapshot.comparisons),
    ):
        found = [row for row in rows.to_pylist() if keep(row)]
        tables.write_rows(found, folder / f"{table.name}.parquet", table, "s")
    for name in ("vocabulary_audit.csv", "hallucination.parquet", "costs.parquet"):
        (folder / name).write_bytes((snapshot.results / name).read_bytes())
    return replace(snapshot, results=folder)


def only(snapshot: Snapshot, folder: Path, *models: str) -> Snapshot:
    """A snapshot of some of its models."""
    asked = tuple(m for m in snapshot.params.answer.models if m.name in models)
    answer = snapshot.params.answer.model_copy(update={"models": asked})
    cut = replace(snapshot, params=snapshot.params.model_copy(update={"answer": answer}))
    return kept(
        cut,
        folder,
        lambda row: row["model"] in models and row.get("baseline_model") in (None, *models),
    )


@pytest.fixture(scope="module")
def gone(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A snapshot all of whose images a filter removed."""
    root = tmp_path_factory.mktemp("gone")
    with pytest.MonkeyPatch.context() as patch:
        none = {"keep": False, "reason": "too dark"}
        patch.setattr(report_snapshot, "_ruling", lambda *about: none)
        build(root, noisy_params())
    return read(root, noisy_params())


def test_an_ordinary_page_has_no_flaw(html: str) -> None:
    assert list(flaws(html)) == []


def test_a_page_without_questions_says_why_once_and_shows_what_is_there(
    gone: Snapshot, made: Path
) -> None:
    html = render(gone, made / "results" / "dysca")
    text = words(html)
    assert list(flaws(html)) == []
    assert sections(html) == LEFT
    assert text.count("o question could be asked") == 1
    (notice,) = re.findall(r'<p class="notice">(No question .*?)</p>', html)
    assert "lost at &#39;Filter: Integrity&#39; (too dark)" in notice and 'href="#funnel"' in notice
    names = "Clean, Corruption, Print attack, Adversarial attack, "
    assert f"Scenarios {names}" in re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html))
    for wrong in (
        "Only the clean",
        "0 questions",
        "0 models",
        "Nothing to compare",
        "in sections of",
    ):
        assert wrong not in text
    assert 'id="browser' not in html and "Nobody has labelled" not in text
    assert "None was kept that could stand beside them." in text and "none of this kind" not in text


def test_pages_of_one_model_and_of_none_have_no_flaw(
    snapshot: Snapshot, made: Path, tmp_path: Path
) -> None:
    html = render(only(snapshot, tmp_path, "model-a"), made / "results" / "dysca")
    assert list(flaws(html)) == []
    assert "asked of 1 model;" in words(html)
    html = render(kept(snapshot, tmp_path, lambda row: False), made / "results" / "dysca")
    assert list(flaws(html)) == []
    assert sections(html) == LEFT and "No answer to " in words(html)


def changed(found: Robustness, low: dict[str, float]) -> Robustness:
    """The section with these scenarios alone; differences of all models are -10 points, their
    intervals from 10 points below that to ``low``."""
    shown = [c for c in found.conditions if c.name in low]
    lines = [
        replace(line, changes={
            c.name: Change(None, None, Value(-10.0, -20.0, low[c.name], 9, 0)) for c in shown
        })
        for line in found.lines
    ]  # fmt: skip
    return replace(found, conditions=shown, lines=lines, controls={}, kinds=None, highest={})


def test_an_entry_that_nothing_compares_with_does_not_come_closest(snapshot: Snapshot) -> None:
    row = next(row for row in snapshot.audit if int(row["n_wrong"])) | {"proposed": "false"}
    for compared, listed in (("0.25", [25.0]), ("", [])):
        cut = replace(snapshot)
        cut.__dict__["audit"] = [row | {"rate_comparable": compared}]
        assert [entry.others for entry in audit.build(cut).entries] == listed


#: A loss that is shown, in words.
LOST = span(Value(-10.0, -20.0, -2.0, 9, 0))


@pytest.mark.parametrize(
    ("low", "overview", "sentence"),
    [
        (
            {"corruption": 5.0, "print_attack": 5.0, "blind": -2.0},
            ["No loss is shown for it under corruption (up to 20.0 points are not ruled out) and "
             "print attack (up to 20.0 points are not ruled out).",
             "Where it cannot see what it is asked about it loses: "
             f"{LOST} in the control blind."],
            "For model-a no difference is shown under corruption (up to 20.0 points are not ruled "
            "out) and print attack (up to 20.0 points are not ruled out).",
        ),
        (
            {"corruption": -2.0, "blind": 5.0},
            [f"It loses under corruption: {LOST}.",
             "No loss is shown for it in the control blind (up to 20.0 points are not ruled out): "
             "this run does not show that it uses the pictures."],
            f"model-a loses under corruption: {LOST}.",
        ),
        (
            {"corruption": -2.0, "print_attack": 5.0},
            [f"Of the noisy scenarios, it loses most under corruption: {LOST}."],
            f"Of the noisy scenarios, model-a loses most under corruption: {LOST}; "
            "no difference is shown under print attack (up to 20.0 points are not ruled out).",
        ),
    ],
)  # fmt: skip
def test_losses_name_the_scenarios_that_they_are_about(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    low: dict[str, float],
    overview: list[str],
    sentence: str,
) -> None:
    found = changed(robustness.build(snapshot, leaderboard), low)
    spread = sensitivity.build(snapshot, leaderboard, "clean")
    made = summary.build(snapshot, leaderboard, None, found, spread, None)
    assert [s for s in made.sentences if " los" in s] == overview
    assert sentence in robustness_words.sentences(found, [])


def test_flaws_are_found() -> None:
    for html, part in (
        ("<p>1 questions</p>", "1 questions"),
        ("<p>; in sections</p>", "punctuation"),
        ("<p>0 of 0 answers</p>", "share of nothing"),
        ("<td>nan</td>", "none"),
        ("<table><tbody></tbody></table>", "<tbody>"),
        ("<details><summary>Numbers</summary></details>", "<details>"),
        ('<a href="#gone">there</a>', "#gone"),
    ):
        assert any(part in flaw for flaw in flaws(html)), html
    assert list(flaws('<p id="a">1 question, <a href="#a">1 is</a> there.</p>')) == []


def test_a_section_that_is_not_there_says_why(snapshot: Snapshot, made: Path) -> None:
    """Each section that a page may lack has a reason; each that it lacks gives it."""
    every = SECTIONS.ordered()
    assert all(bool(each.missing) == (each.when is not None) for each in every)
    html = render(snapshot, made / "results" / "dysca")
    there, text = sections(html), words(html)
    lacking = [each for each in every if each.name not in there]
    assert lacking and "sections that this page lacks, and why" in text
    for each in lacking:
        assert each.title + each.missing in text
    assert not [each for each in every if each.missing and each.name in there
                and each.title + each.missing in text]  # fmt: skip
