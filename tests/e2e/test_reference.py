"""A reference model in the DAG: trained, killed in training, taken away again."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.clone import Clone

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The project with a small reference model that filters and answers; nothing was ever run."""
    home = tmp_path_factory.mktemp("home")
    clone = Clone.origin(tmp_path_factory.mktemp("origin") / "project", home)
    clone.set("reference", models=["reference_a"])
    clone.set("filter", filters=[{"name": "integrity"}, {"name": "clip"}])
    clone.set("answer", models=[{"name": n, "engine": n} for n in ("chance", "reference_a")])
    clone.commit("a reference model")
    return clone


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, origin: Clone) -> Clone:
    """A clone in which Snakemake has run."""
    clone = origin.fresh(tmp_path_factory.mktemp("made") / "clone")
    ran = clone.snakemake()
    print("  snakemake:", ran)
    assert ran["reference"] == 1 and ran["filter"] == 4 and ran["answer"] == 4
    return clone


def test_killed_training_goes_on_from_its_checkpoint(
    origin: Clone, made: Clone, tmp_path: Path
) -> None:
    clone = origin.fresh(tmp_path / "clone")
    assert clone.killed("snakemake", once=lambda: bool(clone.built("training/[!.]*")))
    assert not clone.built("data/reference/reference_a/*.safetensors")
    assert not (clone.path / "data/reference").exists(), "published half-made"
    ran = clone.snakemake()
    print("  after kill -9 in training, snakemake:", ran)
    assert "reference_scenes" not in ran and ran["reference"] == 1
    (log, *_) = clone.built("log/reference-reference_a.log")
    assert "reference_a: goes on from step " in log.read_text()
    assert clone.artifacts() == made.artifacts()


def test_removed_reference_model_leaves_nothing(made: Clone, tmp_path: Path) -> None:
    clone = made.copy(tmp_path / "clone")
    clone.run("dvc", "commit", "-f")
    clone.set("reference", models=[])
    clone.set("filter", filters=[{"name": "integrity"}])
    clone.set("answer", models=[{"name": "chance", "engine": "chance"}])
    ran = clone.dvc_repro()
    print("  without the model, dvc repro:", ran)
    assert "reference" not in ran
    assert [path.name for path in (clone.path / "data/reference").iterdir()] == ["scenes"]
    assert not any("reference_a" in name or "/clip/" in name for name in clone.artifacts())
    status = clone.run("dvc", "status").strip()
    assert status == "Data and pipelines are up to date."
    assert clone.snakemake("-n") == {}
