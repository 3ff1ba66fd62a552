"""Pools of answers: small cases by hand, and what must hold of all of them."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from lvlmbench.stats.estimate import FEWEST, Z, wilson
from lvlmbench.stats.pool import CellSums, Pool, Row
from lvlmbench.stats.ratios import Sums, ratio
from support.pooled import GAP, ends, gap, mean, pool


def test_a_share_by_hand() -> None:
    """Three of four: their group 3.5/5, the cell (3 + 1.4)/6 = 11/15; variance 44/225 * 9/8."""
    found = mean(pool([1, 1, 1, 0]))
    assert (found.value, found.n, found.clusters, found.method) == (0.75, 4, 4, "wilson")
    assert found.stderr == pytest.approx(math.sqrt(0.22 / 4))
    # 11/15 * 4/15 / (0.22 / 4) = 32/9 answers; four clusters leave three degrees of freedom.
    assert ends(found) == pytest.approx(wilson(0.75, 32 / 9, t.ppf(0.975, 3)))


def test_cells_take_in_answers_of_their_group() -> None:
    """Two of two, and one of four: the group has 3.5/7, so that cells have 3/4 and 1/3."""
    values, cell = [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]
    found = mean(pool(values, cell=cell, group=(0, 0)), 0.5, 0.5)
    spread = F(1, 4) * (F(3, 16) / F(14, 16) / 2 + F(2, 9) / F(8, 9) / 4)
    assert (found.value, found.stderr) == (0.625, pytest.approx(math.sqrt(spread)))
    smoothed = (F(3, 4) + F(1, 3)) / 2
    answers = smoothed * (1 - smoothed) / spread
    assert ends(found) == pytest.approx(wilson(0.625, float(answers), t.ppf(0.975, 4)))
    # As groups of their own each has half an answer at each end of its own only.
    apart = mean(pool(values, cell=cell, group=(0, 1)), 1.0, 0.0)
    g, m = F(5, 6), (2 + 2 * F(5, 6)) / 4
    assert g == F(5, 2) / 3
    assert apart.stderr == pytest.approx(math.sqrt(m * (1 - m) / F(14, 16) / 2))


def test_a_difference_by_hand() -> None:
    """Two better, one worse, two alike."""
    found = gap(pool([1, 1, -1, 0, 0], ends=GAP))
    first, second = (1 + 2 * F(1, 6)) / 7, (3 + 2 * F(4, 6)) / 7
    answers = 5 * (1 - F(5, 49))
    assert (found.value, found.n, found.method) == (pytest.approx(0.2), 5, "paired")
    assert found.stderr == pytest.approx(math.sqrt((second - first**2) / answers))
    middle = F(1, 5) * answers / (answers + 1)
    sure = ((F(3, 5) * answers + 1) / (answers + 1) - middle**2) / (answers + 1)
    half = t.ppf(0.975, 4) * math.sqrt(sure)
    assert ends(found) == pytest.approx((middle - half, middle + half))
    assert found.p == pytest.approx(2 * t.sf(float(middle) / math.sqrt(sure), 4))


@pytest.mark.parametrize(
    ("cells", "group", "freedom"),
    [(1, 1, 23), (4, 1, 20), (4, 2, 22), (20, 1, 12), (24, 1, 12)],
)
def test_each_cell_of_a_group_takes_a_degree_of_freedom(
    cells: int, group: int, freedom: int
) -> None:
    """Of 24 clusters, half of which are left at least."""
    cell = [at % cells for at in range(24)]
    made = pool([1, 0, 0] * 8, cell=cell, group=[at % group for at in range(cells)])
    found = mean(made, *[1 / cells] * cells)
    assert made.freedom == found.freedom == freedom
    unbounded = made.unbounded(np.full(cells, 1 / cells))
    assert unbounded is not None and unbounded.stderr is not None
    assert unbounded.width == pytest.approx(2 * t.ppf(0.975, freedom) * unbounded.stderr)


@pytest.mark.parametrize("n", [1, 2, 7, 40, 3600])
@pytest.mark.parametrize("right", [0, 1])
def test_all_right_and_all_wrong_are_not_certain(n: int, right: int) -> None:
    found = mean(pool([right] * n))
    low, high = ends(found)
    assert found.value == right and low <= right <= high
    assert found.stderr is not None and found.stderr > 0
    assert high - low >= wilson(right, n)[1] - wilson(right, n)[0]


@pytest.mark.parametrize("n", [1, 2, 7, 40, 3600])
def test_pairs_that_are_all_alike_are_not_certain(n: int) -> None:
    alike, better = (gap(pool([value] * n, ends=GAP)) for value in (0, 1))
    # Half an answer better and half worse, of about one more than there are.
    assert ends(alike) == pytest.approx((-ends(alike)[1], ends(alike)[1]))
    assert Z / (n + 1) <= ends(alike)[1] and alike.p == 1
    assert better.value == 1 <= ends(better)[1] and ends(better)[0] <= 1 - 2 / (n + 1)


def test_a_cell_without_spread_among_others_is_not_certain() -> None:
    """Its own answers tell nothing of its spread; those of its group do."""
    others = [1, 0] * 30
    values, cell = [*others, 1, 1, 1], [0] * 60 + [1] * 3
    found = mean(pool(values, cell=cell, group=(0, 0)), 0.0, 1.0)
    assert found.value == 1.0 and ends(found)[0] < 0.6
    sure = mean(pool([1] * 60 + [1, 1, 1], cell=cell, group=(0, 0)), 0.0, 1.0)
    assert sure.stderr is not None and found.stderr is not None
    assert found.stderr > 2 * sure.stderr
    # In a mean of both it counts with its variance, too.
    both = mean(pool(values, cell=cell, group=(0, 0)), 0.5, 0.5)
    alone = mean(pool(values, cell=cell, group=(0, 0)), 1.0, 0.0)
    assert both.stderr is not None and alone.stderr is not None
    assert both.stderr**2 == pytest.approx(alone.stderr**2 / 4 + found.stderr**2 / 4)


def test_continuous_differences_beside_them_make_closed_ones_no_surer() -> None:
    """No pair of 100 differs in the first cell: captions say nothing of that."""
    alone = gap(pool([0] * 100, ends=GAP))
    values, cell = [0.0] * 100 + [0.01, 0.02] * 50, [0] * 100 + [1] * 100
    beside = pool(values, cell=cell, group=(0, 1), ends=GAP)
    assert ends(gap(beside, 1.0, 0.0)) == pytest.approx(ends(alone), rel=0.01)
    # Nor of its half in a mean of both.
    half = gap(beside, 0.5, 0.5)
    assert half.width >= alone.width / 2
    # Captions themselves are as sure as they spread.
    captions = gap(beside, 0.0, 1.0)
    stderr = captions.stderr or 0
    assert ends(captions) == pytest.approx(
        (0.015 - t.ppf(0.975, 199) * stderr, 0.015 + t.ppf(0.975, 199) * stderr)
    )


def test_one_answer_and_one_scene_say_next_to_nothing() -> None:
    for found in (mean(pool([1])), mean(pool([1] * 50, scene=[0] * 50))):
        assert ends(found)[0] < 0.01 and found.clusters == 1
    assert ends(mean(pool([1, 1, 0, 0], scene=[0] * 4))) == pytest.approx((0, 1), abs=0.01)
    assert gap(pool([1], ends=GAP)).within(-1, 1).width == 2
    assert (gap(pool([1] * 50, scene=[0] * 50, ends=GAP)).p or 0) > 0.05


def test_an_empty_cell_has_no_mean() -> None:
    made = pool([1, 0], group=(0, 0))
    for weights in (np.array([0.5, 0.5]), np.array([0.0, 1.0]), np.zeros(2)):
        assert made.mean_of(weights) is None
        assert made.difference_of(weights) is None
        assert made.unbounded(weights) is None
    assert made.mean_of(np.array([1.0, 0.0])) is not None
    assert Pool(CellSums.named([], [0])).mean_of(np.ones(1)) is None
    assert Pool(CellSums.named([], [])).mean_of(np.zeros(0)) is None


def test_numbers_without_bounds() -> None:
    found = pool([3.0, 4.0, 8.0, 9.0], ends=(3.0, 9.0)).unbounded(np.ones(1))
    assert found is not None and found.stderr is not None
    assert found.value == 6.0 and found.method == "student"
    half = t.ppf(0.975, 3) * found.stderr
    assert ends(found) == pytest.approx((6 - half, 6 + half))
    assert found.p == pytest.approx(2 * t.sf(6 / found.stderr, 3))
    # Where all are alike and nothing tells what else they could be, nothing tells how sure it is.
    alike = pool([2.0] * 9, ends=(2.0, 2.0)).unbounded(np.ones(1))
    assert alike is not None and (alike.value, alike.low, alike.high, alike.p) == (2, *[None] * 3)


def test_two_clusters_give_a_number_without_bounds_no_interval() -> None:
    """Student's quantile of two is 12.7: such an interval once went from -894 to 100 percent."""
    two = pool([-1.0, 1.0], ends=(-9.0, 1.0)).unbounded(np.ones(1))
    assert two is not None and (two.value, two.low, two.high) == (0.0, None, None)
    three = pool([-1.0, 0.0, 1.0], ends=(-9.0, 1.0)).unbounded(np.ones(1))
    assert three is not None and three.low is not None
    found = ratio([Sums(1.0, 1.0), Sums(-3.0, 1.0)])
    assert found is not None and (found.value, found.low, found.high) == (-1.0, None, None)


def test_a_scale_changes_nothing_but_the_unit() -> None:
    values = [0.0, 0.25, 1.0, 0.5, 0.75, 0.75]
    one = mean(pool(values)).scaled(9.0, 1.0)
    other = mean(pool([1 + 9 * value for value in values], ends=(1.0, 10.0)))
    assert (one.value, one.low, one.high, one.stderr) == pytest.approx(
        (other.value, other.low, other.high, other.stderr)
    )


def test_influence_by_hand() -> None:
    """Of three answers, each of a cluster: (answer - mean)/3, grown by sqrt(3/2)."""
    made = pool([1, 0, 0, 1], cell=[0, 0, 0, 1], group=(0, 0))
    found = made.influence(np.array([1.0, 0.0]), 4)
    assert found == pytest.approx(np.array([2 / 3, -1 / 3, -1 / 3, 0]) / 3 * math.sqrt(1.5))
    assert (found**2).sum() == pytest.approx(np.var([1, 0, 0], ddof=1) / 3)


_ROW = st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 2), st.integers(1, 6), st.floats(0, 1))


def _rows(drawn: list[tuple[str, int, int, float]]) -> list[Row]:
    """Each of a scene and cell, in pairs of scenes; squares as of shares."""
    once = {(scene, cell): (n, part) for scene, cell, n, part in drawn}
    return [
        Row(scene, cell, "aabbccdd"["abcdefgh".index(scene)], n, part * n, part * n)
        for (scene, cell), (n, part) in once.items()
    ]


@settings(deadline=None)
@given(st.lists(_ROW, min_size=1, max_size=24), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_bit(
    drawn: list[tuple[str, int, int, float]], shuffler: random.Random
) -> None:
    rows = _rows(drawn)
    mixed = shuffler.sample(rows, len(rows))
    there = np.array([any(row.cell == cell for row in rows) for cell in range(3)]) * 1.0
    weights = there / there.sum()
    one, other = (Pool(CellSums.named(some, [0, 0, 1])) for some in (rows, mixed))
    assert one.mean_of(weights) == other.mean_of(weights)
    assert one.unbounded(weights) == other.unbounded(weights)
    found = one.mean_of(weights)
    assert found is not None
    low, high = ends(found)
    assert 0 <= low <= found.value + 1e-12 and found.value - 1e-12 <= high <= 1 and low < high


_GAP = st.tuples(st.sampled_from([-1.0, 0.0, 1.0, 0.3]), st.integers(0, 9), st.integers(0, 1))


@settings(deadline=None)
@given(st.lists(_GAP, min_size=2, max_size=40), st.sampled_from([(1.0, 0.0), (0.5, 0.5)]))
def test_the_interval_leaves_0_out_exactly_where_p_is_below_5_percent(
    drawn: list[tuple[float, int, int]], weights: tuple[float, float]
) -> None:
    given_weights = np.array(weights)
    values, scene, cell = zip(*[*drawn, (0.0, 0, 0), (1.0, 1, 1)], strict=True)
    made = pool(values, scene, [at // 2 for at in scene], cell, (0, 1), GAP)
    for found in (made.difference_of(given_weights), made.unbounded(given_weights)):
        assert found is not None
        if found.p is None:  # of fewer clusters than give an interval
            assert (found.low, found.high) == (None, None) and found.clusters < FEWEST
            continue
        low, high = ends(found)
        if abs(found.p - 0.05) > 1e-9:
            assert (low > 0 or high < 0) == (found.p < 0.05)
