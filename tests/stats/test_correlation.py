"""Pearson's correlation and its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from lvlmbench.core.seeding import generator
from lvlmbench.stats.correlation import pearson

#: A correlation of 0.8; without one of the four it is 1/2, 13/14, 13/14 and 1/2.
PAIRS = [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]


def test_the_interval_is_the_jackknifes_around_fishers_z() -> None:
    # Fisher's z of 1/2 is ln(3)/2, of 13/14 3 ln(3)/2, of 0.8 ln(3).
    found = pearson(PAIRS, "abcd")
    assert found is not None and found.value == pytest.approx(0.8)
    half = stats.t.ppf(0.975, 3) * math.sqrt(3 / 4 * 4 * (math.log(3) / 2) ** 2)
    assert found.low == pytest.approx(math.tanh(math.log(3) - half))
    assert found.high == pytest.approx(math.tanh(math.log(3) + half))
    assert (found.n, found.clusters) == (4, 4)


def test_pairs_of_one_cluster_count_as_one() -> None:
    once, twice = pearson(PAIRS, "abcd"), pearson(PAIRS * 2, "abcd" * 2)
    alone = pearson(PAIRS * 2, "abcdefgh")
    assert once is not None and twice is not None and alone is not None
    assert (twice.low, twice.high) == (pytest.approx(once.low), pytest.approx(once.high))
    assert alone.width < twice.width


@pytest.mark.parametrize("pairs", [PAIRS[:2], [(0.5, x) for x, _ in PAIRS], []])
def test_what_is_not_defined_is_not_told(pairs: list[tuple[float, float]]) -> None:
    assert pearson(pairs, "abcd"[: len(pairs)]) is None


@pytest.mark.parametrize(
    ("pairs", "clusters"),
    [
        ([(x, -x) for x, _ in PAIRS], "abcd"),  # all on one line
        (PAIRS, "aabb"),  # two clusters
        ([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)], "abcd"),  # one side by one pair alone
    ],
)
def test_without_a_spread_there_is_no_interval(
    pairs: list[tuple[float, float]], clusters: str
) -> None:
    found = pearson(pairs, clusters)
    assert found is not None and found.low is found.high is None
    assert found.value == pytest.approx(stats.pearsonr(*zip(*pairs, strict=True)).statistic)


def test_intervals_of_shares_hold_the_truth() -> None:
    """Three answers a scene of few features, which a judge reads wrongly now and then."""
    rng = generator(1, "tests", "correlation")

    def drawn(scenes: int) -> tuple[list[tuple[float, float]], list[str]]:
        pairs, names = [], []
        for scene, level in enumerate(rng.random(scenes)):
            for _ in range(3):
                people = rng.random(rng.integers(3, 8)) < level
                judge = people ^ (rng.random(len(people)) < 0.2)
                pairs.append((float(judge.mean()), float(people.mean())))
                names.append(str(scene))
        return pairs, names

    truth = float(np.corrcoef(np.array(drawn(5000)[0]).T)[0, 1])
    found = [pearson(*drawn(20)) for _ in range(200)]
    ends = [(each.low, each.high) for each in found if each is not None]
    held = sum(low <= truth <= high for low, high in ends if low is not None and high is not None)
    assert held >= 0.9 * len(found)
