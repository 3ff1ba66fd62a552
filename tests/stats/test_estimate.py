"""Numbers with intervals, and the intervals' own formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t

from lvlmbench.stats.estimate import Estimate, Z, quantile, share, student, two_sided, wilson


def test_wilson_by_hand() -> None:
    # 10 of 10: the upper end is 1, the lower n/(n + z²).
    assert wilson(1.0, 10) == pytest.approx((10 / (10 + Z * Z), 1.0))
    assert wilson(0.0, 10) == pytest.approx((0.0, Z * Z / (10 + Z * Z)))
    # Ends are where the score test just rejects: |p - end| = z sqrt(end (1 - end)/n).
    for end in wilson(0.3, 25, 2.5):
        assert abs(0.3 - end) == pytest.approx(2.5 * math.sqrt(end * (1 - end) / 25))


@given(st.floats(0, 1), st.floats(0.01, 1e7), st.floats(0.1, 13))
def test_wilson_holds_the_share_and_never_collapses(p: float, n: float, z: float) -> None:
    low, high = wilson(p, n, z)
    assert 0 <= low <= p <= high <= 1 and low < high


def test_a_share_of_independent_trials() -> None:
    found = share(3, 4)
    assert found is not None and (found.value, found.n, found.method) == (0.75, 4, "wilson")
    assert (found.low, found.high) == wilson(0.75, 4)
    assert share(0, 0) is None


def test_quantiles_and_p_values() -> None:
    assert pytest.approx(norm.ppf(0.975)) == Z
    assert student(0) == student(-1) == Z
    assert student(3) == pytest.approx(t.ppf(0.975, 3))
    assert two_sided(1.5, 0) == pytest.approx(2 * norm.sf(1.5))
    assert two_sided(-1.5, 3) == pytest.approx(2 * t.sf(1.5, 3))
    for freedom in (0, 1, 7):
        assert two_sided(student(freedom), freedom) == pytest.approx(0.05)
    assert two_sided(0.0, 0) == two_sided(0.0, 5) == 1.0


def test_scaling_and_limits() -> None:
    found = Estimate(0.5, 0.2, 0.9, 0.1, 20, 10, "wilson", 0.3)
    assert found.scaled(100.0, -25.0) == Estimate(
        25.0, -5.0, 65.0, pytest.approx(10.0), 20, 10, "wilson", 0.3
    )
    assert found.within(0.3, 0.6) == Estimate(0.5, 0.3, 0.6, 0.1, 20, 10, "wilson", 0.3)
    assert found.width == pytest.approx(0.7)


def test_where_nothing_tells_how_sure_a_number_is() -> None:
    found = Estimate(0.5, None, None)
    assert found.width == math.inf and found.within(0.6, 0.7) == found
    assert found.scaled(2.0) == Estimate(1.0, None, None)


@pytest.mark.parametrize("freedom", [0, 1, 5, 40])
@given(statistic=st.floats(-6, 6), times=st.floats(1, 60))
def test_a_corrected_interval_leaves_0_out_where_the_corrected_p_is_small(
    freedom: int, statistic: float, times: float
) -> None:
    half, p = student(freedom), two_sided(statistic, freedom)
    found = Estimate(statistic, statistic - half, statistic + half, 1.0, p=p, freedom=freedom)
    wide = found.corrected(times)
    assert wide.low is not None and wide.high is not None and wide.p == p
    assert wide.width == pytest.approx(2 * quantile(1 - 0.05 / times, freedom))
    if abs(times * p - 0.05) > 1e-9:
        assert (wide.low > 0 or wide.high < 0) == (times * p < 0.05)
    unknown = Estimate(1.0, None, None)
    assert found.corrected(1.0) == found and unknown.corrected(3.0) == unknown


def test_a_difference_by_what_clusters_add() -> None:
    """Four clusters: their squares and one over five squared; three degrees of freedom."""
    found = Estimate.from_influence(0.1, [0.02, -0.04, 0.01, 0.01], 12)
    stderr = math.sqrt(0.0004 + 0.0016 + 0.0002 + 1 / 25)
    half = t.ppf(0.975, 3) * stderr
    assert (found.low, found.high) == pytest.approx((0.1 - half, 0.1 + half))
    assert (found.n, found.clusters, found.freedom) == (12, 4, 3)
    assert found.p == pytest.approx(2 * t.sf(0.1 / stderr, 3))
    alike = Estimate.from_influence(0.0, [0.0] * 99, 99)
    assert alike.stderr == 0.01 and alike.p == 1


def test_an_interval_that_would_tell_nothing_is_withheld() -> None:
    wide = Estimate(-3.97, -8.94, 1.0, 1.2, 9, 4, "student")
    assert (wide.no_wider(2.0).low, wide.no_wider(2.0).high) == (None, None)
    assert wide.no_wider(2.0).value == -3.97 and wide.no_wider(10.0) == wide
