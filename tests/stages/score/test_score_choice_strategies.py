"""The ways of reading a choice by name: ours, the paper's own rule, the likeliest letter."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from rapidfuzz.distance import Levenshtein

from lvlmbench.config.sections import Score
from lvlmbench.core.errors import UserError
from lvlmbench.stages.score.choice import Choice, extract_choice
from lvlmbench.stages.score.strategy import STRATEGIES, fits_nothing, read_choice

FOUR = ["gray wolf", "red fox", "barn owl", "hedgehog"]
TRUTH = ["True", "False"]


def dysca(answer: str, options: list[str] = FOUR) -> Choice:
    return read_choice("dysca", answer, options)


def test_the_parameters_take_every_registered_strategy() -> None:
    assert [Score(strategy=name).strategy for name in STRATEGIES] == list(STRATEGIES)
    with pytest.raises(ValidationError, match="'dyska' is not known; did you mean 'dysca'"):
        Score(strategy="dyska")


def test_an_unknown_strategy_is_an_error() -> None:
    with pytest.raises(UserError, match="'guess' is not known"):
        read_choice("guess", "B", FOUR)


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("B", 1),
        ("(C)", 2),
        ("B. red fox", 1),
        ("The answer is (D) hedgehog.", 3),
        # The first letter by itself counts, whatever is said of it.
        ("A nice cat", 0),
        ("(A) or (B)", 0),
        ("It is not (A) but (C).", 0),
        ("I think it is (B). A nice cat", 1),
    ],
)
def test_the_papers_rule_takes_a_letter_by_regular_expression(answer: str, index: int) -> None:
    assert dysca(answer) == Choice(index, "letter")


@pytest.mark.parametrize(
    ("answer", "options", "index"),
    [
        # No letter by itself: those of words, small ones and those of no option do not count.
        ("red fox", FOUR, 1),
        ("it is a barn owl", FOUR, 2),
        ("E", FOUR, 1),  # 7 to "red fox", the shortest
        # However far: 20 to each. An empty answer means the shortest.
        ("zzzzzzzzzzzzzzzzzzzz", FOUR, 0),
        ("", FOUR, 1),
        ("", TRUTH, 0),
        ("false", TRUTH, 1),  # 1 and 4
        # The first of equals; case counts.
        ("b", FOUR, 1),  # 7 to "red fox" and, since it holds the letter, to "barn owl"
        ("yes", TRUTH, 0),  # 4 and 4
        ("bat", ["cat", "rat"], 0),
        ("RED FOX", ["REX", "red fox"], 0),
    ],
)
def test_the_papers_rule_takes_the_nearest_option_otherwise(
    answer: str, options: list[str], index: int
) -> None:
    distances = [Levenshtein.distance(answer, option) for option in options]
    assert dysca(answer, options) == Choice(distances.index(min(distances)), "edit_distance")
    assert dysca(answer, options).index == index


@pytest.mark.parametrize(
    ("answer", "ours"),
    [
        ("A nice cat", Choice(None, "none")),
        ("(A) or (B)", Choice(None, "none")),
        ("It is not (A) but (C).", Choice(2, "letter")),
        ("", Choice(None, "none")),
        ("a photo of an airplane", Choice(None, "none")),
        ("I'm sorry, but I can't help with that.", Choice(None, "refusal")),
        ("None of the above", Choice(None, "none_of_options")),
        ("(b)", Choice(1, "letter")),
    ],
)
def test_where_the_papers_rule_and_ours_differ(answer: str, ours: Choice) -> None:
    assert read_choice("lvlmbench", answer, FOUR) == extract_choice(answer, FOUR) == ours
    assert dysca(answer) != ours and dysca(answer).index is not None


@settings(deadline=None)
@given(st.text(max_size=80), st.lists(st.text(max_size=12), min_size=1, max_size=26), st.booleans())
def test_the_papers_rule_always_chooses(answer: str, options: list[str], lettered: bool) -> None:
    last = chr(ord("A") + len(options) - 1)
    answer = f"{answer} ({last})" if lettered else answer
    choice = dysca(answer, options)
    assert choice.index in range(len(options))
    if choice.method == "edit_distance":
        assert not lettered
        distances = [Levenshtein.distance(answer, option) for option in options]
        assert choice.index == distances.index(min(distances))


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("(A) or (C)", 2),
        ("(b)", 1),
        ("The picture (A) shows it, so (d).", 3),
        # Without brackets the last capital, wherever it stands.
        ("A nice cat, I think: B", 1),
        ("B. I see a Dog", 3),
        ("ABC", 2),
    ],
)
def test_the_codes_rule_takes_the_last_letter(answer: str, index: int) -> None:
    assert read_choice("dysca_code", answer, FOUR) == Choice(index, "letter")


@pytest.mark.parametrize(
    ("answer", "options", "index"),
    [
        ("red fox", FOUR, 1),
        ("", TRUTH, 0),
        ("", ["cat", "rat", "horse"], 1),  # 7 to each of two, of which the last counts
        ("horse", ["cat", "rat", "horse"], 2),
        # A letter of no option stands for all of the answer: one of its own letters saves it.
        ("hedgehog. Yes", FOUR, 1),  # 11 of "(B) red fox"
        ("barn owl (z)", ["Zebra Zoo", "ox", "cat"], 1),
        ("barn owl (z)", ["Zoo", "owls", "cats"], 0),
        ("yes", TRUTH, 1),  # 8 to "(A) True" and 8 to "(B) False"
    ],
)
def test_the_codes_rule_takes_the_last_of_the_nearest_otherwise(
    answer: str, options: list[str], index: int
) -> None:
    assert read_choice("dysca_code", answer, options) == Choice(index, "edit_distance")


@settings(deadline=None)
@given(st.text(max_size=80), st.lists(st.text(max_size=12), min_size=1, max_size=26))
def test_the_codes_rule_always_chooses(answer: str, options: list[str]) -> None:
    choice = read_choice("dysca_code", answer, options)
    assert choice.index in range(len(options))
    if not any("A" <= c <= "Z" or "a" <= c <= "z" for c in answer):
        assert choice.method == "edit_distance"
    assert read_choice("dysca_code", "A", []) == Choice(None, "none")


@pytest.mark.parametrize("strategy", sorted(STRATEGIES.names()))
def test_which_answers_say_that_no_option_fits(strategy: str) -> None:
    reads = read_choice(strategy, "None of the above", FOUR).index is not None
    assert fits_nothing(strategy, "None of the above", FOUR) == reads or strategy == "logprobs"
    assert not fits_nothing(strategy, "(B) red fox", FOUR)
    assert not fits_nothing(strategy, "None of the above", TRUTH), "one of the two is right"


@pytest.mark.parametrize(
    ("logprobs", "expected"),
    [
        ([-3.0, -0.1, -4.0, -9.0], Choice(1, "logprobs")),
        ([None, None, -7.5, None], Choice(2, "logprobs")),
        ([-math.inf, -2.0, None, -5.0], Choice(1, "logprobs")),
        # Not known, or two are likeliest: as the words say.
        (None, Choice(3, "letter")),
        ([None, None, None, None], Choice(3, "letter")),
        ([-1.0, -1.0, -4.0, None], Choice(3, "letter")),
        ([-math.inf, -math.inf, None, None], Choice(3, "letter")),
        ([math.nan, -2.0, None, None], Choice(1, "logprobs")),
    ],
)
def test_the_likeliest_letter(logprobs: Any, expected: Choice) -> None:
    assert read_choice("logprobs", "The answer is (D).", FOUR, logprobs) == expected
    # The other strategies do not look at them.
    assert read_choice("lvlmbench", "(D)", FOUR, logprobs) == Choice(3, "letter")
    assert read_choice("dysca", "(D)", FOUR, logprobs) == Choice(3, "letter")


def test_logprobs_of_other_options_are_an_error() -> None:
    with pytest.raises(ValueError, match="2 logprobs for 4 options"):
        read_choice("logprobs", "B", FOUR, [-1.0, -2.0])
