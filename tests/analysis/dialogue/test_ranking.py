"""Strengths of models whose strengths were planted."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.analysis.dialogue.compared import Compared, Scores
from lvlmbench.analysis.dialogue.ranking import Strength, strengths
from lvlmbench.core.seeding import generator


def answer(at: int, own: float, reference: float = 7.0) -> Compared:
    scores = Scores(own, reference, own, reference)
    return Compared((f"q{at}", "i"), f"s{at // 2}", "simple", scores)


def found(models: dict[str, list[Compared]], draws: int = 60) -> dict[str, Strength]:
    return strengths(models, generator(1, "dialogue", "test"), draws)


def of_strength(worth: dict[str, float], questions: int) -> dict[str, list[Compared]]:
    """Answers that win as Bradley and Terry have it: Gumbel noise on what they are worth."""
    rng = np.random.default_rng(7)
    points = {
        name: value + rng.gumbel(size=questions) for name, value in (*worth.items(), ("ref", 0.0))
    }
    beside = 100 * points["ref"]
    return {
        name: [answer(at, 100 * points[name][at], beside[at]) for at in range(questions)]
        for name in worth
    }


def test_planted_strengths_are_found() -> None:
    worth = {"a": 1.0, "b": 0.5, "c": -0.5, "d": -1.0}
    given = strengths(of_strength(worth, 3000), generator(1, "dialogue", "test"), 100)
    middle = sum(worth.values()) / 5
    for name, value in {**worth, "reference": 0.0}.items():
        each = given[name].strength
        assert each.value == pytest.approx(value - middle, abs=0.1)
        assert each.low is not None and each.high is not None
        assert each.low < each.value < each.high < each.low + 0.3
    assert [given[name].rank.value for name in ("a", "b", "reference", "c", "d")] == [1, 2, 3, 4, 5]


def test_equals_share_a_rank_and_ties_count_half() -> None:
    given = found(
        {"a": [answer(at, 7.25) for at in range(6)], "b": [answer(at, 7) for at in range(6)]}
    )
    assert {each.strength.value for each in given.values()} == {0.0}
    assert {each.rank.value for each in given.values()} == {2.0}
    assert {each.n for each in given.values()} == {12}


def test_who_never_wins_has_a_bound_and_who_was_never_compared_has_nothing() -> None:
    unscored = Compared(("q0", "i"), "s0", "simple")
    given = found({"a": [answer(at, 1) for at in range(40)], "b": [unscored]})
    assert {*given} == {"a", "reference"}
    value, low, high = given["a"].strength
    assert value is None and low is None and high is not None and -4 < high < 0
    beside = given["reference"].strength
    assert beside.value is None and beside.low == -high and beside.high is None
    assert given["a"].rank.value == 2.0
    assert not found({"b": [unscored]})


def test_models_are_compared_where_both_have_scores() -> None:
    """One that was asked easier questions is not better for it."""
    given = found(
        {"a": [answer(at, 3) for at in range(4)], "b": [answer(at, 9, 9) for at in range(4, 8)]}
    )
    assert given["a"].n == given["b"].n == 4


def test_who_leaves_hard_questions_out_is_not_stronger_for_it() -> None:
    easy = [answer(at, 8) for at in range(5)]
    hard = [answer(at, 3) for at in range(5, 20)]
    given = found({"a": easy, "b": [*easy, *hard]})
    assert given["a"].strength.value == given["b"].strength.value
    assert given["a"].rank.value == given["b"].rank.value == 1.5


def test_more_scenes_without_a_win_bound_more() -> None:
    few, many = (
        found({"a": [answer(at, 1) for at in range(n)]})["a"].strength.high for n in (4, 400)
    )
    assert few is not None and many is not None and many < few - 2


def test_of_two_that_win_nothing_none_is_better() -> None:
    given = found({name: [answer(at, 1) for at in range(6)] for name in ("a", "b")})
    assert given["a"].strength.value is not None  # they tie with each other
    apart = {"a": [answer(at, 1) for at in range(6)], "b": [answer(at, 1) for at in range(6, 12)]}
    given = found(apart)
    assert {name: each.rank.value for name, each in given.items()} == {
        "a": None, "b": None, "reference": 1.0,
    }  # fmt: skip


def test_one_scene_has_no_interval() -> None:
    given = found({"a": [answer(0, 8), answer(1, 6)]})
    assert given["a"].strength.low is None and given["a"].rank.high is None


def test_the_order_of_answers_changes_nothing() -> None:
    models = of_strength({"a": 1.0, "b": -1.0}, 40)
    assert found(models) == found({name: answers[::-1] for name, answers in models.items()})
