"""Rank correlations against scipy and by hand; intervals that do not claim too much."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.stages.validity.ranks import (
    RHO,
    Normal,
    associations,
    average_ranks,
    kendall,
    spearman,
)


def scores(name: str, n: int) -> np.ndarray:
    return generator(0, "test/ranks", name).standard_normal(n)


@pytest.mark.parametrize("n", [3, 8, 26])
@pytest.mark.parametrize("digits", [0, 6], ids=["ties", "no ties"])
def test_are_those_of_scipy(n: int, digits: int) -> None:
    from scipy import stats

    x = np.round(scores("x", n) * 2, digits) if n > 3 else np.array([1.0, 2, 2])
    y = np.round(scores("y", n) * 2, digits)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)


def test_average_ranks() -> None:
    assert average_ranks(np.array([5.0, 1, 5, 3])).tolist() == [3.5, 1, 3.5, 2]


def test_p_of_five_models_is_exact() -> None:
    """Two of the 120 orders are as extreme as full agreement."""
    x = np.arange(5.0)
    found = associations(x, x, generator(0, "t", ""), 999)
    assert found is not None
    assert [one.p for one in found] == pytest.approx([2 / 120, 2 / 120])


def test_p_of_few_models_is_that_of_all_orders() -> None:
    x, y = np.array([1.0, 2, 3, 3]), np.array([1.0, 3, 2, 4])
    found = associations(x, y, generator(0, "t", ""), 999)
    assert found is not None
    all_ = [float(spearman(x, y[list(o)])) for o in itertools.permutations(range(4))]
    share = np.mean([abs(v) >= abs(found[0].value) - 1e-9 for v in all_])
    assert found[0].p == pytest.approx(share)


def test_p_of_many_models_is_near_that_of_scipy() -> None:
    from scipy import stats

    x = scores("x", 20)
    y = 0.5 * x + scores("z", 20)
    found = associations(x, y, generator(0, "t", ""), 4999)
    assert found is not None
    assert found[0].p == pytest.approx(stats.spearmanr(x, y).pvalue, abs=0.01)
    assert found[1].p == pytest.approx(stats.kendalltau(x, y).pvalue, abs=0.01)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_two_models_tell_nothing(n: int) -> None:
    assert associations(np.arange(float(n)), np.arange(float(n)), generator(0, "t", ""), 99) is None


def test_equal_scores_have_no_order() -> None:
    x = np.arange(4.0)
    assert associations(x, np.ones(4), generator(0, "t", ""), 99) is None
    assert associations(np.ones(4), x, generator(0, "t", ""), 99) is None


def test_full_agreement_of_few_is_no_certainty() -> None:
    """A bootstrap would give an interval without width; three models in one order say little."""
    lows = []
    for n in (3, 5, 10, 26):
        found = associations(np.arange(float(n)), np.arange(float(n)), generator(0, "t", ""), 999)
        assert found is not None
        assert found[0].value == found[0].high == found[1].value == found[1].high == 1
        lows.append(found[0].low)
    assert lows == sorted(lows)
    assert lows[0] < -0.3 and lows[1] < 0.6 and lows[3] < 1


def test_disagreement_mirrors_agreement() -> None:
    x, y = np.arange(8.0), scores("m", 8)
    up, down = (associations(x, s * y, generator(0, "t", ""), 4999) for s in (1, -1))
    assert up is not None and down is not None
    for one, other in zip(up, down, strict=True):
        assert (one.value, one.p) == (-other.value, other.p)
        assert one.low == pytest.approx(-other.high, abs=0.05)


@pytest.mark.parametrize("true", [0.0, 0.8])
def test_intervals_hold_the_truth(true: float) -> None:
    """Nineteen of twenty intervals of 6 models, drawn from a population whose rho is known."""
    r = 2 * math.sin(true * math.pi / 6)
    normal = Normal(6, 499, generator(0, "test/normal", ""))
    known: dict[float, tuple[float, float]] = {}
    held = 0
    for number in range(200):
        x, noise = generator(0, "test/cover", f"{true} {number}").standard_normal((2, 6))
        seen = round(float(spearman(x, r * x + math.sqrt(1 - r * r) * noise)), 9)
        if seen not in known:
            known[seen] = normal.interval(RHO, seen)
        low, high = known[seen]
        held += low <= true <= high
    assert held >= 184
