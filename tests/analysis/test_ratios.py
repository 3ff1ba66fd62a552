"""Means and shares over scenes, and their intervals."""

from __future__ import annotations

import random

import pytest

from lvlmbench.analysis.ratios import Sums, ratio, share
from lvlmbench.core.seeding import generator
from lvlmbench.core.wilson import wilson


def test_single_trials_have_wilsons_interval() -> None:
    found = share([(1, 1)] * 30 + [(0, 1)] * 10)
    assert found is not None and (found.value, found.n) == (0.75, 40)
    low, high = wilson(0.75, 39)  # one degree of freedom less
    assert (found.low, found.high) == pytest.approx((low, high))


def test_trials_that_hang_together_count_as_one() -> None:
    apart = share([(1, 1)] * 300 + [(0, 1)] * 100)
    together = share([(10, 10)] * 30 + [(0, 10)] * 10)
    assert apart is not None and together is not None
    assert together.high - together.low > 2.5 * (apart.high - apart.low)


def test_without_spread_scenes_count_not_trials() -> None:
    found = share([(10, 10)] * 20)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(wilson(1.0, 20))


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
