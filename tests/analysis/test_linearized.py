"""Estimates that are made of others, and their intervals."""

from __future__ import annotations

import random

import pytest
from lvlmbench.analysis.linearized import Estimate, harmonic, mean, ratio
from scipy.stats import t

from lvlmbench.core.seeding import generator
from lvlmbench.stats.estimate import wilson
from lvlmbench.stats.ratios import Sums, share
from lvlmbench.stats.ratios import ratio as plain


def scenes(*pairs: tuple[float, float], name: str = "s") -> dict[str, Sums]:
    return {f"{name}{at}": Sums(*pair) for at, pair in enumerate(pairs)}


def estimated(sums: dict[str, Sums], most: float = float("inf")) -> Estimate:
    found = ratio(sums, most)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "counts", [[(1, 2), (3, 4), (5, 9)], [(2, 2), (3, 3)], [(3, 4)], [(0, 5), (9, 9), (0, 1)]]
)
def test_a_share_is_what_ratios_have(counts: list[tuple[int, int]]) -> None:
    known = share(counts)
    found = estimated(scenes(*counts), sum(n for _, n in counts)).bounded()
    assert known is not None
    assert (found.value, found.low, found.high) == pytest.approx(
        (known.value, known.low, known.high)
    )


def test_a_mean_is_what_ratios_have() -> None:
    sums = scenes((3.5, 2), (1.25, 1), (7, 3))
    known, found = plain([*sums.values()]), estimated(sums).unbounded()
    assert known is not None
    assert (found.low, found.high) == pytest.approx((known.low, known.high))
    assert estimated(scenes((3, 2))).unbounded().low is None
    assert ratio({}) is ratio(scenes((0, 0))) is None


def test_where_all_scenes_are_alike_nothing_tells_of_the_error() -> None:
    found = estimated(scenes((3, 1), (3, 1), (3, 1))).unbounded()
    assert (found.value, found.low, found.high) == (3, None, None)


def test_what_is_above_nothing_counts() -> None:
    """E.g. false alarms in an answer without a hallucination."""
    assert estimated(scenes((2, 2), (-1, 0))).value == 0.5


def test_the_mean_of_two_of_other_scenes() -> None:
    one, other = (estimated(scenes((1, 2), (2, 2), (0, 1), name=n)) for n in "ab")
    both = mean([one, other])
    assert both is not None
    assert both.value == one.value == pytest.approx(3 / 5)
    assert both.variance == pytest.approx(one.variance / 2)
    assert both.freedom == 4 and sum(both.weights.values()) == pytest.approx(1)
    low, high = wilson(0.6, 0.24 / both.variance, t.ppf(0.975, 4))
    assert (both.bounded().low, both.bounded().high) == pytest.approx((low, high))


def test_the_mean_of_one_figure_twice_is_no_surer() -> None:
    one = estimated(scenes((1, 2), (2, 2), (0, 1)))
    both = mean([one, one])
    assert both is not None and both.variance == pytest.approx(one.variance)
    assert mean([]) is None and mean([one]) is one


def test_single_scenes_are_as_sure_as_they_are_alike() -> None:
    """Three shares of one scene each: the variance of their mean is that of a sample, over 3."""
    alone = [estimated(scenes((k, 4), name=f"{k}")) for k in (1, 2, 3)]
    found = mean(alone)
    assert found is not None and found.value == 0.5
    assert found.variance == pytest.approx((0.25**2 + 0 + 0.25**2) / 2 / 3)
    assert found.freedom == 2


def test_f1_by_hand() -> None:
    one, other = estimated(scenes((3, 4), (0, 1))), estimated(scenes((1, 4), (1, 1)))
    found = harmonic(one, other)
    assert found.value == pytest.approx(2 * 0.6 * 0.4 / 1.0)
    # d/dF = 2 C^2, d/dC = 2 F^2 (F + C = 1); errors of scenes: residual over one less its leverage
    first = 0.32 * (3 - 2.4) / 5 / 0.2 + 0.72 * (1 - 1.6) / 5 / 0.2
    second = 0.32 * (0 - 0.6) / 5 / 0.8 + 0.72 * (1 - 0.4) / 5 / 0.8
    assert found.variance == pytest.approx(first**2 + second**2)
    nothing = harmonic(one, estimated(scenes((0, 4), (0, 1))))
    assert nothing.value == 0 and nothing.bounded().low == pytest.approx(0, abs=1e-12)
    assert 0 < (nothing.bounded().high or 0) < 1


def test_the_order_changes_no_bit() -> None:
    rng = random.Random(2)
    sums = {f"s{at}": Sums(rng.random(), 1 + rng.random()) for at in range(40)}
    mixed = {name: sums[name] for name in rng.sample([*sums], 40)}
    other = {name: Sums(rng.random(), 2.0) for name in sums}
    for one, again in ((sums, mixed),):
        a, b = estimated(one), estimated(again)
        assert (a.value, a.variance) == (b.value, b.variance)
        f, g = harmonic(a, estimated(other)), harmonic(b, estimated(other))
        assert (f.value, f.variance) == (g.value, g.variance)
        m, n = mean([a, f]), mean([g, b])
        assert m is not None and n is not None and m.bounded() == n.bounded()


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_intervals_of_f1_and_of_means_hold_the_truth(level: float) -> None:
    """A scene's claims hang together, and so do its faithfulness and its coverage."""
    held_f1 = held_mean = 0
    runs = 400
    for run in range(runs):
        subsets = []
        for name in "abc":
            rng = generator(7, "f1", f"{run}{name}{level}")
            size = rng.integers(3, 10, 30)
            own = rng.beta(12 * level, 12 * (1 - level), 30)
            true = rng.binomial(size, own)
            covered = rng.binomial(6, own * 0.8)
            one = estimated({f"{name}{s}": Sums(float(true[s]), float(size[s])) for s in range(30)})
            other = estimated({f"{name}{s}": Sums(float(covered[s]), 6.0) for s in range(30)})
            subsets.append(harmonic(one, other))
        truth = 2 * level * 0.8 * level / (1.8 * level)
        first, all_three = subsets[0].bounded(), mean(subsets)
        assert all_three is not None and first.low is not None and first.high is not None
        held_f1 += first.low <= truth <= first.high
        low, high = all_three.bounded().low, all_three.bounded().high
        assert low is not None and high is not None
        held_mean += low <= truth <= high
    assert 0.925 <= held_f1 / runs <= 0.985
    assert 0.925 <= held_mean / runs <= 0.985
