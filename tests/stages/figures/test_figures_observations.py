"""The paper's observations, computed for made-up models, for a run and for the paper's Table 3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lvlmbench.analysis.comparisons import Comparisons
from lvlmbench.stages.figures import published
from lvlmbench.stages.figures.figure import Drawn, Sources
from lvlmbench.stages.figures.observations import (
    Subject,
    common,
    family,
    own_subjects,
    printed_subjects,
)
from support import figure_pages
from support.figure_pages import draw, misplaced, rows, words

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Vicuna-7B", ("vicuna", 7.0)), ("Llama3-Instruct 8B", ("llama3-instruct", 8.0)),
        ("Flan-T5-XL", ("flan-t5", 3.0)), ("Flan-T5-XXL", ("flan-t5", 4.0)), ("Phi-3", None),
        ("", None),
    ],
)  # fmt: skip
def test_family_and_size(name: str, expected: tuple[str, float] | None) -> None:
    assert family(name) == expected


def _found(subjects: list[Subject]) -> list[str]:
    return [one.found for one in common(subjects, 1, 99)]


def test_numbers_of_made_up_models() -> None:
    subjects = [
        Subject("a", "L-7B", "eye", 50.0, {"blur": -0.5, "push": -30.0}, 1.0, 4.0, ["push"]),
        Subject("b", "L-13B", "eye", 60.0, {"blur": 0.2, "push": -30.0}, 4.0, 3.0),
        Subject("c", "M-13B", "ear", 70.0, {"blur": -2.0, "push": -1.0}, 9.0, 2.0),
    ]
    found = _found(subjects)
    assert found[0] == "best: c 70.00, n = 3"
    assert found[1] == "better in 1 of 1 pairs, by +10.00 to +10.00 points, median +10.00"
    assert "\N{MINUS SIGN}2.00 to +0.20 points; 1 of 3 change by 1 or more, 2 lose" in found[2]
    assert "\N{MINUS SIGN}30.00 to \N{MINUS SIGN}30.00 points (n = 2)" in found[4]
    assert "others \N{MINUS SIGN}1.00 to \N{MINUS SIGN}1.00 (n = 1)" in found[4]
    assert "SQ and clean +1.00" in found[5] and "SC and clean \N{MINUS SIGN}1.00" in found[6]
    assert found[7] == "median difference of the root of SQ 1.0 in a family, 1.5 across"


def test_too_few_models_say_so() -> None:
    found = _found([Subject("a", "", "", 50.0, {}, None, None)])
    assert found[1:] == [
        "not enough pairs (n = 0)", "not enough models (n = 0)", "not enough models (n = 0)",
        "not enough pairs of one family (n = 0)",
    ]  # fmt: skip
    assert common([], 1, 99) == []


def test_the_papers_own_table_contradicts_its_text() -> None:
    found = _found(printed_subjects(published.read(PUBLISHED)))
    assert found[0] == "best: GLM-4V (GLM-4-9B-Chat) 82.09, n = 26"
    # Not all larger models are better: InstructBLIP with Vicuna-13B is not.
    assert found[1].startswith("better in 4 of 5 pairs, by \N{MINUS SIGN}2.65 to +8.79 points")
    assert "+1.57 points; 8 of 26 change by 1 or more" in found[2]
    (others,) = [text for text in found if "with the attacked encoder" in text]
    assert "\N{MINUS SIGN}1.84 points (n = 12)" in others and "(n = 14)" in others


def cut(drawn: Drawn) -> list[str]:
    return [line for line in words(drawn.figure) if "\N{HORIZONTAL ELLIPSIS}" in line]


def test_the_figure_is_the_same_again_and_fits(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    p = given.snapshot.params
    figures = p.figures.model_copy(update={"published": True})
    snapshot = replace(given.snapshot, params=p.model_copy(update={"figures": figures}))
    sources = Sources(snapshot, None, PUBLISHED)
    drawn = draw("paper_observations", sources)
    assert not misplaced(drawn.figure) and not cut(drawn)
    found = rows(drawn)
    assert {r["source"] for r in found} == {"snapshot", "published"}
    assert {r["section"] for r in found} == {"4.1", "4.2 (1)", "4.2 (2)", "4.2 (3)", "4.3"}
    assert rows(draw("paper_observations", Sources(snapshot, None, PUBLISHED))) == found


def test_changes_of_a_run_are_of_the_same_questions(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    paired = Comparisons(given.snapshot)
    subjects = own_subjects(given.snapshot, given.leaderboard)
    changes = {(s.model, name): value for s in subjects for name, value in s.changes.items()}
    assert changes and "print_attack" in {name for _, name in changes}
    for (model, name), value in changes.items():
        told = paired.to_clean(model, name)
        assert told is not None and told.difference == value
