"""Distances between sets of vectors against a direct double sum, and what p-values say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from lvlmbench.core.seeding import generator
from lvlmbench.stages.distances.kmmd import kmmd, median_distance, squared_distances

F64 = NDArray[np.float64]


def points(name: str, n: int, shift: float = 0.0, d: int = 5) -> F64:
    return generator(0, "test/kmmd", name).standard_normal((n, d)) + shift


def directly(a: F64, b: F64, paired: bool = False) -> tuple[float, float]:
    """(squared discrepancy, bandwidth) by the definition, one pair of points after the other."""
    pooled = [*a, *b]
    apart = [
        math.dist(pooled[i], pooled[j])
        for i in range(len(pooled))
        for j in range(i)
        if (pooled[i] != pooled[j]).any()
    ]
    width = float(np.median(apart))

    def k(x: F64, y: F64) -> float:
        return math.exp(-(math.dist(x, y) ** 2) / (2 * width**2))

    def within(s: F64) -> float:
        n = len(s)
        found = [k(s[i], s[j]) for i in range(n) for j in range(n) if i != j]
        return math.fsum(found) / (n * (n - 1))

    across = [k(x, y) for i, x in enumerate(a) for j, y in enumerate(b) if not (paired and i == j)]
    return within(a) + within(b) - 2 * math.fsum(across) / len(across), width


@pytest.mark.parametrize(
    ("sizes", "paired"),
    [((2, 2), False), ((7, 4), False), ((12, 12), False), ((2, 2), True), ((12, 12), True)],
)
def test_is_the_double_sum(sizes: tuple[int, int], paired: bool) -> None:
    a, b = points("a", sizes[0]), points("b", sizes[1], 0.4)
    found = kmmd(a, b, generator(0, "t", ""), 99, paired=paired)
    value, width = directly(a, b, paired)
    assert found.mmd2 == pytest.approx(value, abs=1e-9)
    assert found.bandwidth == pytest.approx(width, abs=1e-9)


def test_equal_points_do_not_count_for_the_bandwidth() -> None:
    a, b = np.repeat(points("a", 3), 4, axis=0), points("b", 6)
    assert kmmd(a, b, generator(0, "t", ""), 99).mmd2 == pytest.approx(directly(a, b)[0], abs=1e-9)
    assert median_distance(squared_distances(np.ones((4, 3)))) == 0


def test_far_from_the_origin_nothing_is_lost() -> None:
    a, b = points("a", 20), points("b", 20, 0.5)
    near, far = (kmmd(a + s, b + s, generator(0, "t", ""), 99) for s in (0.0, 1e4))
    assert far.mmd2 == pytest.approx(near.mmd2, abs=1e-8)


def test_all_points_equal_are_no_distance_apart() -> None:
    found = kmmd(np.ones((3, 2)), np.ones((4, 2)), generator(0, "t", ""), 99)
    assert (found.mmd2, found.bandwidth, found.p) == (0.0, 0.0, 1.0)


def test_halves_of_a_set_are_alike() -> None:
    """Zero lies within the interval, and so do nine values of ten that chance gives."""
    inside = []
    for number in range(40):
        both = points(f"halves {number}", 120)
        found = kmmd(both[:60], both[60:], generator(0, "t", str(number)), 199)
        assert found.null_low < 0 < found.null_high
        inside.append(found.null_low <= found.mmd2 <= found.null_high)
    assert sum(inside) >= 35


def test_grows_with_the_shift() -> None:
    a, b = points("a", 150), points("b", 150)
    found = [kmmd(a, b + s, generator(0, "t", ""), 199) for s in (0.0, 0.2, 0.5, 1.0)]
    values = [each.mmd2 for each in found]
    assert values == sorted(values)
    assert found[0].p > 0.05
    assert found[1].p < found[0].p
    assert found[3].p == 1 / 200


def test_p_values_are_even_where_nothing_differs() -> None:
    """Of 200 pairs of like sets about one in ten has a p of at most 0.1; so it is of paired ones,
    whose rows are alike as two images of one scene are."""
    for paired in (False, True):
        hits = 0
        for number in range(200):
            scene = points(f"{number}", 24, d=3) if paired else np.zeros((24, 3))
            a, b = (scene + 0.3 * points(f"{side}{number}", 24, d=3) for side in "ab")
            found = kmmd(a, b, generator(0, "t", str(number)), 99, paired=paired)
            hits += found.p <= 0.1
        assert 8 <= hits <= 34, paired


def test_pairs_show_a_change_that_sets_hide() -> None:
    """The same small change of every scene drowns among scenes, unless each is held against
    itself."""
    scenes = points("scenes", 60, d=3)
    changed = scenes + np.array([0.15, 0, 0])
    apart = kmmd(scenes, changed, generator(0, "t", ""), 499)
    paired = kmmd(scenes, changed, generator(0, "t", ""), 499, paired=True)
    assert paired.p < 0.01 < apart.p


def test_repeats_itself() -> None:
    a, b = points("a", 30), points("b", 20, 0.2)
    assert kmmd(a, b, generator(0, "t", "x"), 99) == kmmd(a, b, generator(0, "t", "x"), 99)


@pytest.mark.parametrize(
    ("a", "b", "paired"),
    [
        (np.ones((1, 2)), np.ones((3, 2)), False),
        (np.ones((2, 2)), np.ones((3, 2)), True),
        (np.array([[0.0, np.nan], [0, 0]]), np.ones((3, 2)), False),
    ],
)
def test_says_what_cannot_be_compared(a: F64, b: F64, paired: bool) -> None:
    with pytest.raises(ValueError, match="vector"):
        kmmd(a, b, generator(0, "t", ""), 99, paired=paired)
