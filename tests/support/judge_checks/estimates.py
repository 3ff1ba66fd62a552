"""Checks of corrected estimates."""

from __future__ import annotations

from collections.abc import Iterator

from support.judge_checks.asked import Asked, Line
from support.simulated_scores import Population, simulate


def ppi(asked: Asked) -> Iterator[Line]:
    """Corrected intervals hold the truth as often as they say, and are no wider than gold's."""
    found = simulate(Population(), asked.runs, asked.seed)
    figure = f"{found.corrected:.2%} of {asked.runs:,} hold the truth"
    yield Line("ppi, corrected", figure, 0.935 <= found.corrected <= 0.965)
    yield Line("ppi, raw", f"{found.raw:.2%} hold the truth", found.raw < 0.10)
    figure = f"{found.width:.4f}, gold alone {found.gold_width:.4f}"
    yield Line("ppi, mean width", figure, found.width <= found.gold_width)
    useless = simulate(Population(false=0.5, missed=0.5), asked.runs, asked.seed)
    figure = f"{useless.corrected:.2%} hold, width {useless.width:.4f}, {useless.gold_width:.4f}"
    fine = 0.935 <= useless.corrected <= 0.965 and useless.width <= useless.gold_width
    yield Line("ppi, useless judge", figure, fine)


CHECKS = {"ppi": ppi}
