"""Paired comparisons of models and of scenarios."""

from __future__ import annotations

import pyarrow as pa


def comparison_rows(scores: pa.Table, seed: int, permutations: int) -> list[dict[str, object]]:
    """Rows of the comparisons table from the scores table, in a fixed order."""
    return []
