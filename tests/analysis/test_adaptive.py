"""Difficulties that answers tell, and abilities from a few questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lvlmbench.analysis.adaptive import ENOUGH, Ability, Chooser, in_random_order
from lvlmbench.analysis.calibration import Bank, calibrate
from lvlmbench.analysis.lltm import Answers
from lvlmbench.analysis.session import Session, replay
from lvlmbench.core.seeding import generator
from support.adaptive_snapshot import said, simulated

ABILITIES = np.linspace(-0.5, 2.0, 6)


def _calibrated(scenes: int, name: str) -> tuple[Bank, np.ndarray, Answers]:
    drawn, hard = simulated(scenes, name)
    right = [said(hard, ability, f"{name} {n}") for n, ability in enumerate(ABILITIES)]
    answers = replace(drawn, right=np.array(right))
    return calibrate(answers), hard, answers


@pytest.fixture(scope="module")
def known() -> tuple[Bank, np.ndarray, Answers]:
    return _calibrated(700, "known")


def test_difficulties_are_recovered(known: tuple[Bank, np.ndarray, Answers]) -> None:
    bank, hard, answers = known
    assert np.corrcoef(bank.difficulty, hard)[0, 1] >= 0.9
    slope, shift = np.polyfit(bank.difficulty, hard, 1)
    assert slope == pytest.approx(1, abs=0.15)
    assert shift + slope * bank.middle == pytest.approx(ABILITIES.mean(), abs=0.3)
    # What one knows of a question's own part makes it better than what its properties say.
    bare = calibrate(replace(answers, properties=np.zeros((len(hard), 0))))
    own = calibrate(replace(answers, right=answers.right * np.nan))
    assert np.corrcoef(bare.difficulty, hard)[0, 1] > 0.6
    assert own.steep.max() < bank.steep.min() < 1


def test_order_and_questions_nobody_answered(known: tuple[Bank, np.ndarray, Answers]) -> None:
    _, hard, answers = known
    order = generator(4, "adaptive", "order").permutation(len(hard))
    holes = answers.right.copy()
    holes[:, :3] = np.nan
    first = calibrate(replace(answers, right=holes))
    mixed = calibrate(replace(answers, right=holes).at(order))
    assert mixed.difficulty == pytest.approx(first.difficulty[order], abs=0.01)
    assert np.isfinite(first.difficulty).all()
    assert first.steep[:3].max() < np.median(first.steep[3:])  # known by their properties alone


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_answers_that_are_all_alike_give_finite_numbers(right: float) -> None:
    drawn, _ = simulated(60)
    bank = calibrate(replace(drawn, right=np.full((2, len(drawn.scene)), right)))
    assert np.isfinite(bank.difficulty).all() and (bank.steep > 0).all()


def _exact(questions: int, chance: float = 0.25) -> Bank:
    """A bank of which all is known, one question a scene."""
    hard = generator(1, "adaptive", "exact").normal(0, 1.5, questions)
    ones = np.ones(questions)
    return Bank(hard, ones, chance * ones, np.arange(questions), 0.0)


def test_intervals_cover() -> None:
    bank = _exact(400)
    held = 0
    for run in range(400):
        ability = float(generator(2, "adaptive", str(run)).uniform(-1, 2.5))
        session = Session(bank.scene, np.ones(400), generator(3, "adaptive", str(run)), bank)
        assert replay(session, said(bank.difficulty, ability, f"cover {run}"), batch=8)
        assert session.ability is not None and session.ability.error <= ENOUGH
        low, high = session.ability.interval
        held += low <= ability <= high
    assert 0.925 <= held / 400 <= 0.975


def test_the_most_telling_questions_are_enough_sooner() -> None:
    bank = _exact(1000)
    for ability, most in ((0.0, 0.75), (3.5, 0.45)):
        right = said(bank.difficulty, ability, f"sooner {ability}")
        session = Session(bank.scene, np.ones(1000), generator(3, "adaptive", "s"), bank)
        assert replay(session, right, batch=1)
        random = in_random_order(bank, right, generator(3, "adaptive", "r"))
        assert random is not None and len(session.asked) <= most * random


def test_a_bank_that_is_too_small_says_so() -> None:
    bank = _exact(20)
    right = said(bank.difficulty, 0.0, "small")
    session = Session(bank.scene, np.ones(20), generator(3, "adaptive", "s"), bank)
    assert not replay(session, right) and sorted(session.asked) == list(range(20))
    assert in_random_order(bank, right, generator(3, "adaptive", "r")) is None


def test_no_scene_comes_again_before_all_others() -> None:
    bank = replace(_exact(60), scene=np.arange(60) // 3)
    chooser = Chooser(bank, np.ones(60, dtype=bool), generator(3, "adaptive", "c"))
    chosen = [chooser.next(0.0) for _ in range(60)]
    assert chooser.next(0.0) is None and sorted(chosen) == list(range(60))  # type: ignore[type-var]
    for begin in range(0, 60, 20):
        assert len({int(bank.scene[n]) for n in chosen[begin : begin + 20]}) == 20


def test_choice_goes_for_information_and_differs_by_draw() -> None:
    bank = _exact(500)
    told = bank.information(1.0)
    best = set(np.argsort(-told)[:5].tolist())
    first = {
        Chooser(bank, np.ones(500, dtype=bool), generator(n, "adaptive", "e")).next(1.0)
        for n in range(40)
    }
    assert first == best


def test_information_is_that_of_the_curve() -> None:
    bank = replace(_exact(50), steep=np.linspace(0.5, 1, 50))
    low, p, high = (bank.probability(np.array([a]))[:, 0] for a in (0.3 - 1e-5, 0.3, 0.3 + 1e-5))
    slope = (high - low) / 2e-5
    assert bank.information(0.3) == pytest.approx(slope**2 / (p * (1 - p)), rel=1e-4)


def test_unscored_answers_tell_nothing() -> None:
    bank = _exact(50)
    ability = Ability(bank)
    before = ability.error
    ability.add(3, float("nan"))
    assert ability.error == before and ability.answers == 0
    ability.add(3, 1.0)
    assert ability.error < before and ability.value > 0
