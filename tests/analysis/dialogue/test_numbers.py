"""Scores, wins, ties, flips, bias and hallucination of answers beside references, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from lvlmbench.analysis.dialogue.compared import Compared, Scores, standing
from lvlmbench.analysis.dialogue.numbers import Number, common_items, numbers

ABILITIES = {"simple": "description", "species": "recognition"}
RATED = frozenset({"simple"})


def answer(scene: str, *scores: float, task: str = "simple", **more: Any) -> Compared:
    return Compared((f"q-{scene}", None), scene, task, Scores(*scores) if scores else None, **more)


ANSWERS = [
    # as first, reference second, as second, reference first
    answer("a", 9, 5, 7, 7, invented=2.0, true=3, wrong=1),  # better by 2
    answer("b", 6, 5, 4, 5, invented=0.0, true=4, wrong=0),  # a tie that flips with the order
    answer("c", 2, 8, 2, 9),  # worse
    answer("d", 5, 8, 5, 8, task="species", true=9, wrong=9),
    answer("e", task="species"),
]


def found(
    answers: list[Compared] = ANSWERS, *others: list[Compared]
) -> dict[tuple[str, str], Number]:
    """The numbers of the first model's answers beside those of others."""
    common = common_items([answers, *others])
    return {(n.stratum, n.measure): n for n in numbers(answers, ABILITIES, RATED, common)}


@pytest.mark.parametrize(
    ("stratum", "measure", "value", "n", "answers", "unjudged"),
    [
        ("simple", "score", 500.0, 3, 3, 0),  # 8, 5, 2
        ("simple", "reference", 650.0, 3, 3, 0),  # 6, 5, 8.5
        ("simple", "relative", 100 * 15 / 19.5, 3, 3, 0),
        ("simple", "win", 100 / 3, 3, 3, 0),
        ("simple", "tie", 100 / 3, 3, 3, 0),
        ("simple", "loss", 100 / 3, 3, 3, 0),
        ("simple", "win_rate", 50.0, 3, 3, 0),
        ("simple", "bias", (2 + 1 + 0.5) / 3, 3, 3, 0),
        ("simple", "flips", 100 / 3, 3, 3, 0),
        ("simple", "hallucination", 100.0, 2, 3, 1),
        ("simple", "exact_hallucination", 125.0, 8, 3, 1),
        ("description", "score", 500.0, 3, 3, 0),
        ("species", "score", 500.0, 1, 2, 1),
        ("all", "score", 500.0, 4, 5, 1),
        ("all", "loss", 50.0, 4, 5, 1),
        # a task whose answers nobody rates is not among these
        ("all", "hallucination", 100.0, 2, 3, 1),
        ("all", "exact_hallucination", 125.0, 8, 3, 1),
    ],
)
def test_numbers_by_hand(
    stratum: str, measure: str, value: float, n: int, answers: int, unjudged: int
) -> None:
    row = found()[stratum, measure]
    assert row.value == pytest.approx(value)
    assert (row.n, row.answers, row.unjudged) == (n, answers, unjudged)
    assert row.low is None or row.high is None or row.low <= row.value <= row.high


def test_where_nothing_was_scored_there_is_no_value() -> None:
    rows = found([answer("a", task="species"), answer("b", task="species")])
    assert {row.value for row in rows.values()} == {None}
    assert {(row.n, row.answers, row.unjudged) for row in rows.values()} == {(0, 2, 2)}
    assert ("all", "hallucination") not in rows


def test_scores_stay_within_what_judges_give() -> None:
    rows = found([answer("a", 10, 1, 10, 1), answer("b", 10, 1, 8, 1), answer("c", 10, 1, 10, 1)])
    score, reference = rows["all", "score"], rows["all", "reference"]
    assert score.low is not None and score.high is not None and score.value is not None
    assert 100 <= score.low < score.value < score.high <= 1000
    assert reference.value == 100 and rows["all", "win"].value == 100


def test_who_answers_easy_questions_alone_does_not_score_more_on_common_ones() -> None:
    """Of 20 questions one model answers the twelve easy ones, the other all, as well or badly."""
    every = [answer(f"s{n}", *((8, 7, 8, 7) if n < 12 else (3, 7, 3, 7))) for n in range(20)]
    easy = [a if n < 12 else answer(f"s{n}") for n, a in enumerate(every)]
    failed = [answer(f"s{n}") for n in range(20)]  # a model without any score leaves out nothing
    seen, other = found(easy, every, failed), found(every, easy, failed)
    assert seen["all", "score"].value == 800 and other["all", "score"].value == 600
    for rows, unjudged in ((seen, 8), (other, 0)):
        common = rows["all", "common_score"]
        assert (common.value, common.n, common.answers, common.unjudged) == (800, 12, 20, unjudged)
    assert found(failed, easy)["all", "common_score"].value is None
    assert found(easy[:12], every[12:])["all", "common_score"].value is None


def test_who_answers_few_questions_leaves_the_others_theirs() -> None:
    every = [answer(f"s{n}", 8, 7, 8, 7) for n in range(20)]
    few = [a if n < 5 else answer(f"s{n}") for n, a in enumerate(every)]
    assert found(every, few)["all", "common_score"].n == 20
    own = found(few, every)["all", "common_score"]
    assert (own.value, own.n, own.unjudged) == (None, 0, 15)
    assert found(few, few)["all", "common_score"].n == 5  # where all are such


@pytest.mark.parametrize(
    ("leads", "low", "high"),
    [
        # Half a win and half a loss are added: second moments 0.3, 4/15; 160/3 answers of a half.
        ((0, 0, 0, 0), 30.0, 70.0),
        ((2, 2, 2, 2), 26.0, 100.0),  # Wilson's ends for all of 32/9, at three degrees of freedom
        ((-2, -2, -2, -2), 0.0, 74.0),
        ((2, -2, 2, -2), 7.0, 93.0),
        ((2, 0, 0, 0, 0, 0, 0, 0), 40.7, 70.6),  # as for 56 % of 56 answers, seven degrees
        ((0,), 0.4, 99.6),  # one tells next to nothing
    ],
)
def test_wins_and_half_wins_spread_as_they_do(
    leads: tuple[int, ...], low: float, high: float
) -> None:
    rows = found([answer(f"s{n}", 5 + lead, 5, 5 + lead, 5) for n, lead in enumerate(leads)])
    rate = rows["all", "win_rate"]
    assert (rate.low, rate.high) == (pytest.approx(low, abs=0.05), pytest.approx(high, abs=0.05))


def test_answers_of_one_scene_are_one() -> None:
    """Ten answers about two scenes say no more than two of them."""
    apart = [answer(f"s{n}", 5 + n % 2, 5, 5 + n % 2, 5) for n in range(10)]
    together = [answer(f"s{n % 2}", 5 + n % 2, 5, 5 + n % 2, 5) for n in range(10)]

    def width(answers: list[Compared]) -> float:
        row = found(answers)["all", "score"]
        return (row.high or 0) - (row.low or 0)

    assert width(together) > 3 * width(apart)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(7, 7, "tie"), (7.25, 7, "tie"), (7.5, 7, "better"), (6.5, 7, "worse")],
)
def test_half_a_point_decides(one: float, other: float, expected: str) -> None:
    assert standing(one, other) == expected
