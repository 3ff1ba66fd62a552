"""Bad entries planted in a vocabulary are found by the real pipeline; the benchmark has more."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.audit import judged
from benchmarks.harness.bad_entries import audited, parameters, plant


@pytest.mark.long
def test_planted_entries_are_proposed_and_hardly_any_other(tmp_path: Path) -> None:
    params = parameters(9_200, 70, 512, ("plant", "background", "style"))
    counts = {"label": 3, "background": 2, "style": 1, "shows": 0}
    params, planted = plant(params, tmp_path / "vocabulary", counts, 5)
    rows, told = audited(params, planted)
    assert told["rejected"] and told["questions"]
    there, caught, false = judged(rows, planted)
    assert there.total() == 6 and caught.total() >= 5, (there, caught)
    assert len(false) <= 1, false
    proposed = [row for row in rows if row["proposed"]]
    assert all(row["exclude"].startswith(f"{row['list']}: [") for row in proposed)
