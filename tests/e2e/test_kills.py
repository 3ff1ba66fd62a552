"""``kill -9`` in every stage: the same command again, and the bytes of a run without a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.clone import Clone

pytestmark = [pytest.mark.e2e, pytest.mark.long]

RULES = {
    *("scenes", "questions", "render", "reference_scenes", "filter", "scenario", "answer", "judge"),
    *("examine", "score", "consensus", "audit", "metrics", "comparisons", "validity", "distances"),
    *("hallucination", "dialogue", "figure", "figures_unpacked", "export", "exports_index"),
    "report",
}


def test_a_kill_in_every_stage_changes_no_byte(origin: Clone, made: Clone, tmp_path: Path) -> None:
    """Each run is killed as soon as a rule begins that had not begun before."""
    clone = origin.fresh(tmp_path / "clone")
    killed_in = []
    seen: set[str] = set()
    while clone.killed("snakemake", once=lambda: not clone.started() <= seen):
        killed_in.append(sorted(clone.started() - seen))
        seen.update(clone.started())
        assert not (clone.path / "data" / "seals").exists(), "published half-made"
    print("  killed in:", killed_in)
    assert seen == RULES
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}
