"""Whether voters are good enough to drop questions: bad ones planted among simulated answers."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lvlmbench.config.cleaning import Consensus
from lvlmbench.config.models import Model
from lvlmbench.stages.consensus import voters
from lvlmbench.stages.consensus.consensus import consensus_rows
from lvlmbench.stages.consensus.voters import AGAINST, RIGHT, Ballot, Vote, reliability
from support.consensus_rows import MC, Row, question, questions, said, scores

OPTIONS = 4


def answered(
    accuracies: list[float], n: int, bad: int, seed: int, hard: float = 0.0, key: bool = True
) -> list[Row]:
    """Rows of the consensus; the first ``bad`` questions are bad.

    Of a wrong key (``key``) voters choose the truth as often as they are right elsewhere; of a
    question that nobody can answer they choose anything. A ``hard`` share is hard for all alike:
    they guess.
    """
    rng = np.random.default_rng(seed)
    asked = [question(i) | {"chance": 1 / OPTIONS} for i in range(n)]
    is_hard = rng.random(n) < hard
    rows = []
    for m, accuracy in enumerate(accuracies):
        for i, about in enumerate(asked):
            truth = i % OPTIONS
            knows = rng.random() < (
                1 / OPTIONS if is_hard[i] or (i < bad and not key) else accuracy
            )
            wrong = [option for option in range(OPTIONS) if option != truth]
            option = truth if knows else wrong[rng.integers(OPTIONS - 1)]
            answer = (truth + 1) % OPTIONS if i < bad and key else truth
            rows.append(said(f"m{m}", about, bool(option == answer)) | {"parsed_index": option})
    models = [Model(name=f"m{m}", engine="reference_a") for m in range(len(accuracies))]  # type: ignore[call-arg]
    set_up = Consensus.model_validate({})
    return consensus_rows(scores(rows), questions(asked), models, set_up)  # type: ignore[return-value]


def verdicts(rows: list[Row], verdict: str) -> set[int]:
    return {int(row["question_id"][1:]) for row in rows if row["verdict"] == verdict}


@pytest.mark.parametrize("voters", [2, 3, 6])
def test_good_voters_drop_bad_questions(voters: int) -> None:
    """97 % accuracy, 5 % of the questions with a wrong key: nearly all that goes is bad."""
    gone: list[int] = []
    applied = 0
    for seed in range(10):
        found = answered([0.97] * voters, 400, 20, seed)
        gone += verdicts(found, "dropped")
        applied += not verdicts(found, "unreliable")
    assert applied >= {2: 5, 3: 8, 6: 10}[voters]
    assert sum(i < 20 for i in gone) / len(gone) >= 0.95
    assert sum(i < 20 for i in gone) >= 0.8 * applied * 20


@pytest.mark.parametrize("voters", [2, 3, 6])
def test_what_nobody_can_answer_looks_like_a_hard_question(voters: int) -> None:
    """Answers alone do not tell them apart, so nothing is dropped."""
    for seed in range(5):
        found = answered([0.97] * voters, 400, 60, seed, key=False)
        assert not verdicts(found, "dropped") and verdicts(found, "unreliable")


@pytest.mark.parametrize("accuracies", [[0.6, 0.6], [0.6] * 3, [0.97, 0.5], [0.3] * 6])
def test_weak_voters_drop_nothing(accuracies: list[float]) -> None:
    for seed in range(5):
        found = answered(accuracies, 200, 10, seed)
        assert not verdicts(found, "dropped") and verdicts(found, "unreliable")
        assert all(row["keep"] for row in found)


@pytest.mark.parametrize("voters", [2, 3, 6])
def test_questions_hard_for_all_drop_nothing(voters: int) -> None:
    """One in six is guessed by all, none is bad: what they miss together is no evidence."""
    for seed in range(5):
        found = answered([0.97] * voters, 300, 0, seed, hard=1 / 6)
        assert not verdicts(found, "dropped") and verdicts(found, "unreliable")


def test_the_numbers_by_hand() -> None:
    """Three voters, 20 questions: two missed by all, one by the first alone."""
    missed = [Vote(AGAINST, 1)] * 3
    alone = [Vote(AGAINST, 1), Vote(RIGHT), Vote(RIGHT)]
    ballots = [Ballot(("animal", MC), 0.25, votes) for votes in (missed, missed, alone)]
    ballots += [Ballot(("animal", MC), 0.25, [Vote(RIGHT)] * 3)] * 17
    (voters,) = reliability(ballots, 3, 3).values()
    # Errors (1.5, 0.5, 0.5) / 19 of 18 questions; all who miss together meet on one option.
    good = 20 * (1.5 / 19) * (0.5 / 19) ** 2
    assert voters.expected_bad == round(1 - good / 2, 6)
    # 18 of 20 right: the Wilson interval begins at 0.698966.
    assert voters.above_guessing[1] == pytest.approx((0.698966 - 0.25) / 0.75, abs=1e-5)
    assert voters.reliable(0.9)


@pytest.mark.parametrize(("apply", "verdict"), [("always", "dropped"), ("never", "off")])
def test_the_parameter_decides(apply: str, verdict: str) -> None:
    asked = [question(i) | {"chance": 0.25} for i in range(3)]
    models = [Model(name=name, engine="reference_a") for name in "ab"]  # type: ignore[call-arg]
    rows = [said(model.name, about, i > 0) for model in models for i, about in enumerate(asked)]
    set_up = Consensus.model_validate({"apply": apply})
    found: list[Any] = consensus_rows(scores(rows), questions(asked), models, set_up)
    assert [row["verdict"] for row in found] == [verdict, "kept", "kept"]
    assert [row["keep"] for row in found] == [verdict == "off", True, True]


@pytest.mark.parametrize("dependence", [0.0, 0.3, 4.0])
def test_the_rate_is_the_sum_over_all_choices_of_voters(dependence: float) -> None:
    errors = [0.3, 0.02, 0.5, 0.11, 0.25]
    for enough in range(1, 6):
        direct = 0.0
        for some in combinations(sorted(errors), enough):
            one = 1.0
            for i, error in enumerate(some):
                one *= (error + i * dependence) / (1 + i * dependence)
            direct += one
        assert voters._missed_together(errors, enough, dependence) == pytest.approx(
            direct, rel=1e-12
        )
    assert voters._missed_together([0.5] * 60, 30, 0.0) == pytest.approx(
        math.comb(60, 30) * 0.5**30
    )
