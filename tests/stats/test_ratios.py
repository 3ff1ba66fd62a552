"""Means and shares over scenes, and their intervals."""

from __future__ import annotations

import random

import pytest
from scipy.stats import t

from lvlmbench.core.seeding import generator
from lvlmbench.stats.estimate import wilson
from lvlmbench.stats.ratios import Sums, ratio, share


def test_single_trials_have_wilsons_interval() -> None:
    found = share([(1, 1)] * 30 + [(0, 1)] * 10)
    assert found is not None and (found.value, found.n) == (0.75, 40)
    # 30.5 of 41 in the group; the variance is 1/(1 - 40/42²) of p (1 - p).
    low, high = wilson(0.75, 40 * (1 - 40 / 42**2), t.ppf(0.975, 39))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_trials_that_hang_together_count_as_one() -> None:
    apart = share([(1, 1)] * 300 + [(0, 1)] * 100)
    together = share([(10, 10)] * 30 + [(0, 10)] * 10)
    assert apart is not None and together is not None
    assert together.width > 2.5 * apart.width


def test_without_spread_scenes_count_not_trials() -> None:
    """All of 20 scenes' ten trials are right: nothing tells that those of a scene are apart."""
    found = share([(10, 10)] * 20)
    assert found is not None and (found.n, found.clusters) == (200, 20)
    low, high = wilson(1.0, 20, t.ppf(0.975, 19))
    assert found.low == pytest.approx(low, abs=0.01) and found.high == high


@pytest.mark.parametrize(("scenes", "least"), [(3, 0.95), (5, 0.95), (8, 0.94), (30, 0.92)])
def test_shares_of_few_scenes_hold_the_truth(scenes: int, least: float) -> None:
    rng, inside, runs = generator(4, "few", scenes), 0, 1000
    for _ in range(runs):
        own, trials = rng.beta(6.4, 1.6, scenes), rng.integers(5, 30, scenes)
        counts = [(int(rng.binomial(n, p)), int(n)) for n, p in zip(trials, own, strict=True)]
        found = share(counts)
        assert found is not None and found.low is not None and found.high is not None
        inside += found.low <= 0.8 <= found.high
    assert inside / runs >= least


def test_even_scenes_say_no_more_than_their_trials() -> None:
    found = share([(50, 100), (51, 100)])
    assert found is not None and found.low is not None and found.high is not None
    assert found.low < 0.3 and found.high > 0.7


def test_scenes_without_any_change_nothing() -> None:
    counted = [Sums(1, 2), Sums(3, 4), Sums(1, 1)]
    assert ratio([*counted, Sums(0, 0), Sums(0, 0)]) == ratio(counted)


def test_nothing_tried_is_no_share() -> None:
    assert share([]) is share([(0, 0)]) is None
    assert ratio([]) is ratio([Sums(0, 0)]) is None


def test_the_order_changes_no_bit() -> None:
    rng = random.Random(1)
    counts = [(n - (n > 3), n) for n in (rng.randint(1, 9) for _ in range(50))]
    sums = [Sums(rng.random(), rng.random()) for _ in range(50)]
    mixed = rng.sample(range(50), 50)
    assert share([counts[at] for at in mixed]) == share(counts)
    assert ratio([sums[at] for at in mixed]) == ratio(sums)


def test_intervals_of_ratios_hold_the_truth() -> None:
    held = 0
    for run in range(400):
        rng = generator(3, "ratio", str(run))
        sizes = rng.integers(1, 12, 25)
        totals = rng.binomial(sizes, rng.beta(6, 2, 25))
        found = ratio([Sums(float(y), float(n)) for y, n in zip(totals, sizes, strict=True)])
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= 0.75 <= found.high
    assert 0.91 <= held / 400 <= 0.985
