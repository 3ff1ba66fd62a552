"""Marking: which claims agree, and what counts as found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lvlmbench.scene.claims import Claim, Match, Truth, Verdict
from lvlmbench.stages.judge.exam.marking import Accepted, Counts, mark_held, mark_read, paired
from lvlmbench.stages.judge.exam.planted import Expected, Planted

CAR = Expected(
    Claim(0, "object", "car", start=2, end=5), "matched", "o1", frozenset(("car", "automobile"))
)
LEFT = Expected(
    Claim(1, "relation", "car", "left_of", "tree", start=10, end=20),
    "contradicted",
    "o1.right_of.o2",
    frozenset(("car", "automobile")),
    frozenset(("tree",)),
)


def answer(*expected: Expected) -> Planted:
    numbered = tuple(
        replace(each, claim=replace(each.claim, number=n)) for n, each in enumerate(expected)
    )
    return Planted("scene", "perfect", "all", 0, "plain", "x" * 50, numbered, Truth(()))


@pytest.mark.parametrize(
    ("claim", "same"),
    [
        (Claim(0, "relation", "car", "left_of", "tree"), True),
        (Claim(0, "relation", "automobile", "left_of", "trees"), True),
        (Claim(0, "relation", "tree", "right_of", "the car"), True),
        (Claim(0, "relation", "tree", "left_of", "car"), False),
        (Claim(0, "relation", "car", "right_of", "tree"), False),
        (Claim(0, "relation", "car", "left_of", "house"), False),
        (Claim(0, "relation", "car", "left_of", "tree", negated=True), False),
        (Claim(0, "place", "car", "at", None, "left"), False),
    ],
)
def test_claims_agree_in_other_words_and_the_other_way_round(claim: Claim, same: bool) -> None:
    assert Accepted.of(LEFT).agrees(claim) is same


def test_as_many_are_paired_as_can_be() -> None:
    wide = replace(CAR, subjects=frozenset(("car", "jeep")))
    narrow = replace(CAR, claim=Claim(1, "object", "jeep"), subjects=frozenset(("jeep",)))
    claims = [Claim(7, "object", "jeep"), Claim(8, "object", "car")]
    assert paired([wide, narrow], claims) == {0: 8, 1: 7}


def test_of_claims_that_say_the_same_those_in_one_place_are_paired() -> None:
    later = replace(CAR, claim=Claim(1, "object", "car", start=30, end=33))
    claims = [Claim(5, "object", "car", start=30, end=33), Claim(6, "object", "car", 2, end=5)]
    claims[1] = replace(claims[1], relation=None, start=2, end=5)
    assert paired([CAR, later], claims) == {0: 6, 1: 5}


def test_nothing_is_paired_with_nothing() -> None:
    assert paired([], [Claim(0, "object", "car")]) == paired([CAR], []) == {}


def matches(*verdicts: Verdict) -> list[Match]:
    return [Match(number, None, verdict, "test") for number, verdict in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("verdict", "caught"),
    [
        ("contradicted", 1), ("hallucinated", 1), ("false_denial", 1), ("matched", 0),
        ("broader", 0), ("unverifiable", 0), ("true_denial", 0),
    ],
)  # fmt: skip
def test_what_is_wrong_is_caught_by_verdicts_that_say_so(verdict: Verdict, caught: int) -> None:
    marks = mark_held(answer(CAR, LEFT), matches("matched", verdict))
    assert marks["relation"] == Counts(said=1, read=1, wrong=1, caught=caught)
    assert marks["object"] == Counts(said=1, read=1, right=1)


def test_what_is_right_and_called_wrong_is_an_alarm() -> None:
    marks = mark_held(answer(CAR), matches("hallucinated"))
    assert marks["object"] == Counts(said=1, read=1, right=1, alarms=1)


def test_what_is_not_known_examines_nobody() -> None:
    marks = mark_held(answer(replace(CAR, verdict=None)), matches("hallucinated"))
    assert marks["object"] == Counts(said=1, read=1)


def test_what_was_not_read_is_not_caught() -> None:
    marks = mark_read(answer(CAR, LEFT), [replace(CAR.claim, number=3)], matches("matched"))
    assert marks["relation"] == Counts(said=1, wrong=1)
    assert marks["object"] == Counts(said=1, read=1, right=1)


def test_what_nobody_said_is_counted_apart_from_words_of_what_is_wrong() -> None:
    claims = [
        Claim(0, "object", "dog", start=40, end=43),
        Claim(1, "object", "leaf", start=12, end=16),
        Claim(2, "object", "sun", start=44, end=47),
    ]
    marks = mark_read(answer(CAR, LEFT), claims, matches("hallucinated", "hallucinated", "matched"))
    assert marks["object"] == Counts(said=1, right=1, extra=3, outside=2, invented=1)
