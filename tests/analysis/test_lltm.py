"""Explained difficulties of questions, on answers that were made by known weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lvlmbench.analysis.lltm import Answers, fit, hold_out, informative
from lvlmbench.core.seeding import generator
from support.simulated_difficulty import WEIGHTS, Questions, coverage, likeness


def _answers(questions: Questions, name: str = "one") -> Answers:
    return questions.draw(generator(3, "lltm", name))


def test_weights_are_recovered() -> None:
    answers = _answers(Questions(scenes=1500, models=6))
    found = fit(answers)
    assert likeness(found.weights, answers) >= 0.95
    assert np.sign(found.weights).tolist() == np.sign(WEIGHTS).tolist()
    spread = answers.properties.std(axis=0)
    assert found.weights * spread == pytest.approx(WEIGHTS * spread, abs=0.2)
    assert np.diff(found.abilities) == pytest.approx(0.4, abs=0.2)


def test_intervals_cover() -> None:
    """Over all weights; each for itself in many runs, where it takes long."""
    found = coverage(Questions(scenes=120), 150, 4)
    assert 0.93 <= found.mean() <= 0.97


@pytest.mark.long
@pytest.mark.parametrize(
    "questions",
    [
        Questions(),
        Questions(scenes=80, models=2),
        Questions(per_scene=4, models=3, unexplained=0.3),
        Questions(scenes=600, per_scene=1, chance=0.0),
    ],
    ids=["usual", "few", "unexplained", "short answers"],
)
def test_intervals_of_each_weight_cover(questions: Questions) -> None:
    found = coverage(questions, 1000, 5)
    assert found.min() >= 0.93 and found.max() <= 0.97


@pytest.mark.long
def test_weights_are_recovered_in_many_runs() -> None:
    drawn = (_answers(Questions(scenes=1500, models=6), str(run)) for run in range(100))
    assert min(likeness(fit(answers).weights, answers) for answers in drawn) >= 0.95


def test_what_is_unexplained_shrinks_weights_and_turns_none() -> None:
    answers = _answers(Questions(scenes=2000, per_scene=1, models=6, unexplained=1.0))
    ratios = fit(answers).weights / WEIGHTS
    assert 0.6 < np.median(ratios) < 1.0
    assert likeness(fit(answers).weights, answers) >= 0.95


def test_it_is_the_greatest_likelihood() -> None:
    """A search by scipy from elsewhere ends at the same place."""
    from scipy.optimize import minimize

    answers = _answers(Questions(models=3))
    found = fit(answers)

    def loss(at: np.ndarray) -> float:
        reach = at[:3, None] - answers.properties @ at[3:]
        p = 0.25 + 0.75 / (1 + np.exp(-reach))
        each = np.where(answers.right > 0, np.log(p), np.log1p(-p))
        return -float(each[np.isfinite(answers.right)].sum())

    own = np.concatenate([found.abilities, found.weights])
    best = minimize(loss, own + 0.02, method="BFGS")
    assert loss(own) == pytest.approx(best.fun, abs=0.01)  # the prior weighs a little
    assert own == pytest.approx(best.x, abs=0.06)


def test_units_and_order_change_nothing() -> None:
    answers = _answers(Questions())
    found = fit(answers)
    tens = answers.properties * np.array([1, 1, 10, 1, 1, 1])
    assert fit(replace(answers, properties=tens)).weights[2] == pytest.approx(found.weights[2] / 10)
    order = generator(1, "lltm", "order").permutation(len(answers.scene))
    mixed = fit(answers.at(order))
    assert mixed.weights == pytest.approx(found.weights, abs=1e-8)
    assert mixed.interval(0).width == pytest.approx(found.interval(0).width)
    again = fit(answers)
    assert again.weights.tobytes() == found.weights.tobytes()


def test_what_does_not_vary_on_its_own_has_no_weight() -> None:
    answers = _answers(Questions())
    double = answers.properties.copy()
    double[:, 1] = 2 * double[:, 0] + 1
    double[:, 4] = 1
    same = replace(answers, properties=double)
    assert same.varies.tolist() == [True, False, True, True, False, True]
    assert fit(same).weights[[1, 4]].tolist() == [0, 0]


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_answers_that_are_all_alike_give_finite_numbers(right: float) -> None:
    answers = _answers(Questions(scenes=60, models=2))
    found = fit(replace(answers, right=np.full_like(answers.right, right)))
    assert np.isfinite(found.weights).all() and np.isfinite(found.abilities).all()
    assert np.isfinite(found.covariance).all()


def test_answers_that_one_factor_separates_give_finite_numbers() -> None:
    answers = _answers(Questions(chance=0.0, missing=0.0))
    split = (answers.properties[:, 4] < 1).astype(float)
    found = fit(replace(answers, right=np.tile(split, (len(answers.right), 1))))
    assert np.isfinite(found.weights).all() and found.weights[4] > 1


def _groups(answers: Answers, n: int) -> np.ndarray:
    return np.asarray(answers.scene % n)


def test_held_out_groups_are_predicted() -> None:
    answers = _answers(Questions(scenes=300))
    found = hold_out(answers, _groups(answers, 24))
    assert found is not None and found.groups == 24
    assert found.gain.low is not None and found.gain.low > 0
    assert found.gain.value == pytest.approx(found.without - found.with_properties)


def test_factors_that_mean_nothing_help_nothing() -> None:
    answers = _answers(Questions(scenes=300))
    mixed = answers.properties[generator(2, "lltm", "mixed").permutation(len(answers.scene))]
    found = hold_out(replace(answers, properties=mixed), _groups(answers, 24))
    assert found is not None and found.gain.low is not None and found.gain.low < 0


def test_what_is_shared_counts_on_both_sides() -> None:
    """Only the last factor matters, and it is known to both."""
    answers = _answers(Questions(scenes=300))
    found = hold_out(answers, _groups(answers, 12), shared=6)
    assert found is not None and found.gain.value == pytest.approx(0, abs=1e-9)


def test_two_groups_are_too_few() -> None:
    answers = _answers(Questions(scenes=60))
    assert hold_out(answers, _groups(answers, 2)) is None


@pytest.mark.parametrize("chance", [0.0, 0.25, 0.5])
def test_items_count_by_how_much_of_the_most_they_tell(chance: float) -> None:
    """Against information from differences of the likelihood, over a grid of difficulties."""
    hard = np.linspace(-6, 6, 481)[:, None]
    answers = Answers(
        np.ones((1, len(hard))), np.full(len(hard), chance), hard, np.arange(len(hard))
    )
    found = replace(fit(_answers(Questions(scenes=60))), abilities=np.zeros(1), weights=np.ones(1))

    def right(ability: float) -> np.ndarray:
        free = 1 / (1 + np.exp(hard[:, 0] - ability))
        return np.asarray(chance + (1 - chance) * free)

    slope = (right(1e-4) - right(-1e-4)) / 2e-4
    told = slope**2 / (right(0) * (1 - right(0)))
    assert informative(answers, found) == pytest.approx((told / told.max()).sum(), rel=1e-3)
    at = int(told.argmax())
    assert informative(answers.at(np.array([at])), found) == pytest.approx(1, abs=1e-3)
    assert informative(answers.at(np.array([0, -1])), found) < 0.1


def test_more_models_tell_no_more_items_than_there_are() -> None:
    answers = _answers(Questions(scenes=300, models=6))
    count = informative(answers, fit(answers))
    assert 0.2 * len(answers.scene) < count < len(answers.scene)
