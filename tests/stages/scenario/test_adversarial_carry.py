"""The way back to the full-size image: whole levels within the bound, seen as the proxy sees."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench.stages.scenario.kinds.adversarial.carry import (
    Norm,
    Resizing,
    blocks,
    carried,
    norm_of,
    whole_levels,
    within,
)
from lvlmbench.stages.scenario.pixels import encode

SIZES = st.tuples(
    st.tuples(st.integers(12, 40), st.integers(12, 40)),
    st.tuples(st.integers(3, 12), st.integers(3, 12)),
)
EPSILONS = st.one_of(st.sampled_from([1 / 255, 8 / 255, 0.05, 1.0]), st.floats(1 / 255, 1))


def _resizing(full: tuple[int, int], low: tuple[int, int]) -> Resizing:
    return Resizing.between(full, low, Image.Resampling.BICUBIC)


@given(SIZES, EPSILONS, st.sampled_from(["Linf", "L2"]), st.integers(0, 3), st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_the_stored_bytes_keep_the_bound(
    sizes: tuple[tuple[int, int], tuple[int, int]], epsilon: float, norm: Norm, of: int, seed: int
) -> None:
    full, low = sizes
    draw = np.random.default_rng(seed)
    grounds = [
        np.zeros((*full, 3), np.uint8),
        np.full((*full, 3), 255, np.uint8),
        draw.integers(0, 256, (*full, 3), dtype=np.uint8),
        draw.integers(0, 2, (*full, 3), dtype=np.uint8) * 255,
    ]
    # More than the bound allows in every direction: what comes out must keep it all the same.
    delta = draw.uniform(-2 * epsilon, 2 * epsilon, (*low, 3)).astype(np.float32)
    resizing = _resizing(full, low)
    levels = whole_levels(delta, norm, epsilon, resizing.shares)
    png = encode(carried(grounds[of], levels, resizing))
    stored = np.asarray(Image.open(io.BytesIO(png))).astype(int)
    reached = norm_of(stored - grounds[of], norm, low)
    assert within(reached, epsilon)
    assert (levels * delta >= 0).all()  # nowhere against what the attack has found
    if norm == "Linf":
        assert np.abs(stored - grounds[of]).max() <= np.floor(epsilon * 255 + 1e-9)


@pytest.mark.parametrize("epsilon", [8 / 255, 8.4 / 255, 8.99 / 255])
def test_what_is_within_the_bound_is_kept_but_for_rounding(epsilon: float) -> None:
    delta = np.random.default_rng(0).uniform(-epsilon, epsilon, (16, 16, 3)).astype(np.float32)
    shares = _resizing((64, 64), (16, 16)).shares
    levels = whole_levels(delta, "Linf", epsilon, shares)
    assert np.abs(levels).max() == 8
    assert np.abs(levels - delta * 255).max() <= max(0.5, epsilon * 255 - 8) + 1e-3


@pytest.mark.parametrize("epsilon", [1 / 255, 0.1, 1.0])
@pytest.mark.parametrize("full", [64, 60])
def test_l2_uses_its_bound(epsilon: float, full: int) -> None:
    delta = np.random.default_rng(0).normal(size=(16, 16, 3)).astype(np.float32)
    delta *= epsilon / np.linalg.norm(delta)
    resizing = _resizing((full, full), (16, 16))
    levels = whole_levels(delta, "L2", epsilon, resizing.shares)
    turned = np.ascontiguousarray(delta.transpose(2, 0, 1)).transpose(1, 2, 0)
    assert (whole_levels(turned, "L2", epsilon, resizing.shares) == levels).all()
    grey = np.full((full, full, 3), 128, np.uint8)
    reached = norm_of(carried(grey, levels, resizing).astype(int) - 128, "L2", (16, 16))
    assert within(reached, epsilon)
    assert reached > epsilon * (0.999 if full == 64 or epsilon > 0.5 else 0.8)


def test_values_that_were_cut_most_get_their_level_back_first() -> None:
    delta = np.array([[[1.6, -2.9, 2.1]]], np.float32) / 255
    bound = float(np.sqrt(1 + 9 + 4)) / 255  # room for one level more than 1, 2, 2
    assert whole_levels(delta, "L2", bound, np.ones((1, 1, 1))).ravel().tolist() == [1, -3, 2]


@given(st.integers(1, 300), st.integers(1, 300))
def test_blocks_are_in_order_and_nearly_equal(full: int, low: int) -> None:
    low = min(full, low)
    counts = np.bincount(blocks(full, low), minlength=low)
    assert (np.diff(blocks(full, low)) >= 0).all() and counts.sum() == full
    assert counts.max() - counts.min() <= 1 and counts.min() >= 1


@pytest.mark.parametrize("full", [(96, 96), (70, 90)])
@pytest.mark.parametrize("resample", [Image.Resampling.BICUBIC, Image.Resampling.BILINEAR])
def test_the_map_is_what_pillow_makes_of_a_perturbation(
    full: tuple[int, int], resample: Image.Resampling
) -> None:
    low = (16, 20)
    resizing = Resizing.between(full, low, resample)
    levels = np.random.default_rng(1).integers(-8, 9, (*low, 3)).astype(np.int16)
    clean = np.random.default_rng(2).integers(100, 150, (*full, 3)).astype(np.uint8)

    def small(pixels: np.ndarray) -> np.ndarray:
        picture = Image.fromarray(pixels)
        return np.asarray(picture.resize(low[::-1], resample)).astype(float)

    seen = small(carried(clean, levels, resizing)) - small(clean)
    expected = np.einsum("ij,jkc,lk->ilc", resizing.seen_rows, levels, resizing.seen_columns)
    assert np.abs(seen - expected).max() <= 2  # Pillow rounds each of them twice
    assert np.abs(expected - levels).max() > 2  # it is no identity: resizing smooths
