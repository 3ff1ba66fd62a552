"""Shares of sums: claims of answers that differ in how much they say."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.stages.metrics.intervals import ratio_figure


def test_by_hand() -> None:
    """1 of 2 and 3 of 4: 4 of 6, with the spread of the two scenes around that share."""
    figure = ratio_figure(np.array([1.0, 3.0, 0.0]), np.array([2.0, 4.0, 0.0]))
    assert figure is not None
    share = 4 / 6
    left = np.array([1 - 2 * share, 3 - 4 * share]) / 6
    assert figure.value == pytest.approx(100 * share)
    assert figure.stderr == pytest.approx(100 * np.sqrt(2 * (left**2).sum()))


def test_nothing_is_no_share() -> None:
    assert ratio_figure(np.zeros(2), np.zeros(2)) is None


def test_one_scene_has_no_interval() -> None:
    figure = ratio_figure(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    assert figure is not None and figure.interval() == (None, None)


def test_the_interval_covers_the_truth() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        wholes = rng.integers(1, 9, 60).astype(float)
        parts = rng.binomial(wholes.astype(int), rng.beta(6, 4, 60)).astype(float)
        figure = ratio_figure(parts, wholes)
        assert figure is not None
        low, high = figure.interval()
        held += low <= 60 <= high
    assert 0.92 <= held / 400 <= 0.98
