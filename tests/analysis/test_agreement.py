"""Agreement of examiners: a matrix of models and examiners."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.analysis.agreement import (
    Ranks,
    Variance,
    change,
    influence,
    over_aspects,
    ranks,
    self_preference,
    two_way,
)
from lvlmbench.core.seeding import generator

_FEW = np.array([[1.0, 2.0, 6.0], [3.0, 2.0, 10.0]])


def _matrix(
    random: np.random.Generator, models: int, examiners: int, spread: tuple[float, float, float]
) -> np.ndarray:
    model, examiner, error = spread
    return np.asarray(
        random.normal(0, model, (models, 1))
        + random.normal(0, examiner, (1, examiners))
        + random.normal(0, error, (models, examiners))
    )


def test_by_hand() -> None:
    found = two_way(_FEW)
    assert (found.model, found.examiner, found.error) == pytest.approx((6, 48, 4))
    assert sum(found.shares) == pytest.approx(1)
    # mean squares 6, 24 and 2: (6 - 2) / 3 of 4/3 + (24 - 2) / 2 + 2
    assert found.icc == pytest.approx((4 / 3) / (4 / 3 + 11 + 2))


def test_the_example_of_shrout_and_fleiss() -> None:
    """Six targets, four judges: their table 4 has .29."""
    ratings = np.array(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    )
    assert round(two_way(ratings.astype(float)).icc or 0, 2) == 0.29


def test_equal_scores_have_no_icc() -> None:
    found = two_way(np.ones((4, 3)))
    assert found.icc is None and found.icc_interval(generator(1, "icc", "")) is None
    assert found.shares == (0, 0, 0)


@pytest.mark.parametrize("scores", [np.ones((1, 3)), np.ones((3, 1)), np.full((3, 3), np.nan)])
def test_what_cannot_be_analyzed(scores: np.ndarray) -> None:
    with pytest.raises(ValueError, match="two models"):
        two_way(scores)


@pytest.mark.parametrize(
    ("models", "examiners", "spread"),
    [(6, 3, (1.0, 0.5, 0.7)), (11, 3, (0.5, 1.0, 1.0)), (20, 8, (1.0, 0.3, 0.5))],
)
def test_the_icc_is_recovered_and_its_interval_covers(
    models: int, examiners: int, spread: tuple[float, float, float]
) -> None:
    random = generator(5, "icc", f"{models}")
    truth = spread[0] ** 2 / sum(each**2 for each in spread)
    held, found = 0, []
    runs = 1500
    for _ in range(runs):
        one = two_way(_matrix(random, models, examiners, spread))
        interval = one.icc_interval(random, 600)
        assert interval is not None and one.icc is not None
        held += interval[0] <= truth <= interval[1]
        found.append(one.icc)
    assert np.median(found) == pytest.approx(truth, abs=0.05)
    assert 0.93 <= held / runs <= 0.97


def test_the_icc_of_many_models_and_examiners() -> None:
    found = two_way(_matrix(generator(6, "icc", "many"), 400, 300, (1.0, 0.5, 0.7)))
    truth = 1 / (1 + 0.25 + 0.49)
    assert found.icc == pytest.approx(truth, abs=0.04)
    interval = found.icc_interval(generator(7, "icc", "many"))
    assert interval is not None and interval[0] < truth < interval[1]


def test_influence_is_baseline_less_without() -> None:
    found = influence(_FEW)
    for at in range(3):
        without = np.delete(_FEW, at, axis=1).mean(axis=1)
        assert found[at] == pytest.approx(change(_FEW.mean(axis=1).tolist(), without.tolist()))
    assert found[2] > 0 > found[1]  # the third gives the most, so it is lenient
    assert found.sum() == pytest.approx(0)


def test_self_preference() -> None:
    scores = np.add.outer([0.5, 0.6, 0.7], [0.0, 0.1, -0.1])
    assert self_preference(scores, [0, 1, 2]) == pytest.approx(0, abs=1e-12)
    scores[1, 1] += 0.09
    assert self_preference(scores, [0, 1, 2])[1] == pytest.approx(0.09 * 4 / 9)


def test_ranks() -> None:
    assert ranks([3, 2, 1], [30, 20, 10]) == Ranks(pytest.approx(1), pytest.approx(1), 0)
    assert ranks([3, 2, 1], [10, 20, 30]) == Ranks(pytest.approx(-1), pytest.approx(-1), 2)
    assert ranks([1, 1, 1], [1, 2, 3]) == Ranks(None, None, 1)
    assert ranks([4, 3, 2, 1], [4, 3, 1, 2]).spearman == pytest.approx(0.8)


def _examined(random: np.random.Generator, aspects: int) -> np.ndarray:
    """Scores of five models by three examiners of (0.1, 0, -0.1) beyond their mean."""
    lenient = np.array([0.1, 0.0, -0.1])
    mild = random.normal(0, 0.1, (aspects, 1, 3))
    return 0.5 + lenient + mild + random.normal(0, 0.15, (aspects, 5, 3))


def test_intervals_over_aspects_hold_the_truth() -> None:
    random, runs, held = generator(9, "aspects", ""), 1000, 0
    for _ in range(runs):
        found = over_aspects(_examined(random, 24), lambda m: influence(m)[:, 0], random, 1000)
        assert found is not None
        held += found[0] <= 0.05 <= found[1]
    assert 0.93 <= held / runs <= 0.97


def test_intervals_take_any_figure() -> None:
    scores = _examined(generator(9, "aspects", "one"), 24)
    random = generator(9, "aspects", "two")

    def alike(drawn: np.ndarray) -> list[float | None]:
        return [ranks(one[:, 0].tolist(), one[:, 1].tolist()).spearman for one in drawn]

    found = over_aspects(scores, alike, random, 50)
    assert found is not None and -1 <= found[0] <= found[1] <= 1
    assert over_aspects(scores, lambda drawn: np.full(len(drawn), np.nan), random, 10) is None
    assert over_aspects(scores[:1], lambda drawn: np.ones(len(drawn)), random, 10) is None


def test_nothing_is_random_but_by_the_seed() -> None:
    one = Variance(6, 3, 0.0204, 0.0118, 0.0138)
    first, second = (one.icc_interval(generator(1, "icc", "same")) for _ in range(2))
    assert first == second
