"""``kill -9`` in every stage: the same command again, and the bytes of a run without a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.clone import Clone

pytestmark = pytest.mark.e2e

RULES = {
    *("corpus", "render", "reference_scenes", "filter", "answer", "score"),
    *("consensus", "audit", "metrics", "figures", "report"),
}


@pytest.fixture
def origin(tmp_path: Path) -> Clone:
    (tmp_path / "home").mkdir()
    return Clone.origin(tmp_path / "origin", tmp_path / "home")


def whole(origin: Clone, path: Path) -> dict[str, str]:
    """Hashes of what a run without a kill makes."""
    clone = origin.fresh(path)
    clone.snakemake()
    return clone.artifacts()


def test_a_kill_in_every_stage_changes_no_byte(origin: Clone, tmp_path: Path) -> None:
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
    assert clone.artifacts() == whole(origin, tmp_path / "whole")
    assert clone.snakemake("-n") == {}


def test_killed_training_goes_on_from_its_checkpoint(origin: Clone, tmp_path: Path) -> None:
    origin.set("reference", models=["reference_a"])
    origin.set("filter", filters=[{"name": "clip"}])
    origin.set("answer", models=[{"name": n, "engine": n} for n in ("chance", "reference_a")])
    origin.commit("a reference model")
    clone = origin.fresh(tmp_path / "clone")
    target = "data/seals/reference/reference_a.json"
    killed = clone.killed("snakemake", target, once=lambda: bool(clone.built("training/*")))
    assert killed
    assert not clone.built("data/reference/reference_a/*")
    ran = clone.snakemake()
    print("  after kill -9 in training, snakemake:", ran)
    assert "reference_scenes" not in ran and ran["reference"] == 1
    assert clone.artifacts() == whole(origin, tmp_path / "whole")
