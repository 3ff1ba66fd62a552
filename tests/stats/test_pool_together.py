"""Answers that hang together: about one scene, of two groups, about twins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import F64, CellSums, Pool
from support.pooled import GAP, ends, gap, mean, pool


def stderr(found: Estimate) -> float:
    assert found.stderr is not None
    return found.stderr


def coins(n: int, name: str = "coins") -> list[float]:
    return [float(side) for side in generator(3, "pool", name).integers(0, 2, n)]


def test_an_answer_that_is_given_again_makes_nothing_surer() -> None:
    once = coins(60)
    again = pool(np.repeat(once, 4).tolist(), scene=np.repeat(np.arange(60), 4).tolist())
    one, four = mean(pool(once)), mean(again)
    assert (one.value, one.n, four.n, one.clusters) == (four.value, 60, 240, four.clusters)
    assert stderr(four) == pytest.approx(stderr(one), rel=0.03)
    assert ends(four) == pytest.approx(ends(one), abs=0.01)
    # As answers about scenes of their own they would count four times.
    assert stderr(mean(pool(np.repeat(once, 4).tolist()))) < 0.55 * stderr(one)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.6])
def test_the_variance_is_that_of_answers_that_correlate(rho: float) -> None:
    """p (1 - p) (1 + (m - 1) rho) / n, of 1000 scenes with three answers each."""
    rng, p, m = generator(1, "pool", str(rho)), 0.7, 3
    own = np.full(1000, p)
    if rho:
        own = rng.beta(p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho, 1000)
    values = (rng.random((1000, m)) < own[:, None]).astype(float).ravel().tolist()
    found = mean(pool(values, scene=np.repeat(np.arange(1000), m).tolist()))
    expected = math.sqrt(p * (1 - p) * (1 + (m - 1) * rho) / 3000)
    assert stderr(found) == pytest.approx(expected, rel=0.07)


@pytest.mark.parametrize("each", [1, 2])
def test_answers_of_two_groups_about_a_scene_hang_together(each: int) -> None:
    """Also where a scene has one answer of each group, so that no pair is of one group."""
    once = coins(80)
    values = np.tile(np.repeat(once, each), 2).tolist()
    scene = np.tile(np.repeat(np.arange(80), each), 2).tolist()
    cell = [0] * 80 * each + [1] * 80 * each
    made = pool(values, scene, cell=cell, group=(0, 1))
    assert stderr(mean(made, 0.5, 0.5)) == pytest.approx(stderr(mean(pool(once))), rel=0.05)
    # About other scenes they are two samples.
    apart = [at + 80 * of for at, of in zip(scene, cell, strict=True)]
    two = pool(values, apart, cell=cell, group=(0, 1))
    assert stderr(mean(two, 0.5, 0.5)) < 0.75 * stderr(mean(made, 0.5, 0.5))


def test_answers_that_make_up_for_each_other_are_surer_together() -> None:
    """Two answers of each of two groups about a scene: where one group is right the other errs."""
    once = np.array(coins(80))
    values = np.concatenate([np.repeat(once, 2), np.repeat(1 - once, 2)]).tolist()
    scene, cell = np.tile(np.repeat(np.arange(80), 2), 2).tolist(), [0] * 160 + [1] * 160
    made = pool(values, scene, cell=cell, group=(0, 1))
    both, one = mean(made, 0.5, 0.5), mean(made, 1.0, 0.0)
    assert stderr(both) < 0.2 * stderr(one)


@pytest.mark.parametrize("scenes", [2, 3])
def test_twins_and_triplets_that_are_answered_alike_count_as_one(scenes: int) -> None:
    once = coins(50)
    values = np.repeat(once, scenes).tolist()
    cluster = np.repeat(np.arange(50), scenes).tolist()
    together, apart = mean(pool(values, cluster=cluster)), mean(pool(values))
    assert (together.clusters, apart.clusters) == (50, 50 * scenes)
    assert stderr(together) == pytest.approx(stderr(mean(pool(once))), rel=0.03)
    assert stderr(apart) < 1.05 * stderr(together) / math.sqrt(scenes)
    # So it is with differences, and their p.
    for better in (0.7, 0.95):
        drawn = generator(4, "twins", str(better)).random(50)
        gaps = np.repeat(np.where(drawn < better, 1.0, 0.0), scenes).tolist()
        wide, narrow = gap(pool(gaps, cluster=cluster, ends=GAP)), gap(pool(gaps, ends=GAP))
        assert wide.width > 1.2 * narrow.width
        assert wide.p is not None and narrow.p is not None and wide.p >= narrow.p


def test_twins_that_are_answered_independently_change_little() -> None:
    values, cluster = coins(200, "independent"), np.repeat(np.arange(100), 2).tolist()
    together, apart = mean(pool(values, cluster=cluster)), mean(pool(values))
    assert stderr(apart) <= stderr(together) < 1.15 * stderr(apart)


def test_cells_that_a_number_leaves_out_add_nothing_to_it() -> None:
    """A number of one cell is as sure beside another whose scenes are its own."""
    once, more = coins(60), coins(60, "more")
    cell, scene = [0] * 60 + [1] * 60, [*range(60), *range(60, 120)]
    found = mean(pool(once + more, scene, cell=cell, group=(0, 1)), 1.0, 0.0)
    alone = mean(pool(once))
    assert (found.n, found.clusters, found.value) == (60, 60, alone.value)
    assert ends(found) == pytest.approx(ends(alone), abs=0.003)  # more degrees of freedom


def _drawn(rng: np.random.Generator, cells: int, each: int, p: float) -> tuple[CellSums, float]:
    """Answers of two groups about twins; scenes of a pair share how hard they are, cells differ."""
    scenes = cells * each
    pair = np.repeat(rng.beta(4 * p, 4 * (1 - p), scenes // 2), 2)
    level = np.clip(p + np.linspace(-0.1, 0.1, cells), 0, 1)[np.arange(scenes) % cells]
    truth = np.clip(pair + level - p, 0, 1)
    values = (rng.random((2, scenes)) < truth).astype(float).ravel()
    scene, cell = np.tile(np.arange(scenes), 2), np.tile(np.arange(scenes) % cells, 2)
    cell[scenes:] += cells
    group = [0] * cells + [1] * cells
    return CellSums.of(values, scene, scene // 2, cell, group), p


def _truth(cells: int, p: float) -> float:
    """What many scenes give."""
    rng = generator(9, "truth", f"{cells}/{p}")
    pair = rng.beta(4 * p, 4 * (1 - p), 200_000)[:, None]
    return float(np.clip(pair + np.linspace(-0.1, 0.1, cells), 0, 1).mean())


@pytest.mark.parametrize("p", [0.5, 0.85])
@pytest.mark.parametrize(("cells", "each"), [(2, 6), (6, 4), (4, 20)])
def test_intervals_of_means_hold_the_truth(cells: int, each: int, p: float) -> None:
    truth, held, runs = _truth(cells, p), 0, 300
    weights: F64 = np.full(2 * cells, 0.5 / cells)
    for run in range(runs):
        sums, _ = _drawn(generator(7, "pool", f"{cells}/{each}/{p}/{run}"), cells, each, p)
        found = Pool(sums).mean_of(weights)
        assert found is not None
        low, high = ends(found)
        held += low <= truth <= high
    assert 0.925 <= held / runs <= 0.995


@pytest.mark.parametrize(("lost", "won"), [(0.01, 0.0), (0.05, 0.05), (0.3, 0.1)])
def test_intervals_of_differences_hold_the_truth(lost: float, won: float) -> None:
    """Closed questions that seldom differ, and captions that always do a little."""
    held, runs, n = 0, 300, 100
    scene, cell = np.tile(np.arange(n), 2).tolist(), [0] * n + [1] * n
    for run in range(runs):
        rng = generator(8, "gaps", f"{lost}/{run}")
        drawn, captions = rng.random(n), rng.normal(0.01, 0.02, n)
        closed = np.where(drawn < lost, -1.0, np.where(drawn < lost + won, 1.0, 0.0))
        values = [*closed.tolist(), *captions.tolist()]
        low, high = ends(gap(pool(values, scene, cell=cell, group=(0, 1), ends=GAP), 0.5, 0.5))
        held += low <= (won - lost + 0.01) / 2 <= high
    assert held / runs >= 0.93


def test_as_many_differences_are_found_as_chance_allows_where_there_are_none() -> None:
    found, runs = 0, 500
    for run in range(runs):
        rng = generator(5, "nothing", str(run))
        values = rng.choice([-1.0, 0.0, 1.0], 40, p=[0.2, 0.6, 0.2]).tolist()
        p = gap(pool(values, cluster=[at // 2 for at in range(40)], ends=GAP)).p
        found += p is not None and p < 0.05
    assert 0.02 <= found / runs <= 0.075


def test_spread_that_cancels_within_scenes_does_not_make_a_number_sure() -> None:
    """Two scenes, each right in one of two questions; and a third that is wrong in its one."""
    for answers, scene in (([1, 0, 0, 1], [0, 0, 1, 1]), ([1, 0, 0, 1, 0], [0, 0, 1, 1, 2])):
        assert mean(pool(answers, scene)).width > 0.5
