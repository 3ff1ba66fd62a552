"""Corrections of p-values for their number."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number (Holm, Scandinavian Journal of Statistics 6, 1979):
    rejecting those below a level errs anywhere in the family at most that often. None stays
    None and does not count."""
    known = sorted((value, i) for i, value in enumerate(p) if value is not None)
    found: list[float | None] = [None] * len(p)
    most = 0.0
    for rank, (value, i) in enumerate(known):
        most = max(most, min(1.0, (len(known) - rank) * value))
        found[i] = most
    return found
