"""A reference model in the DAG: trained, killed in training, taken away again."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.clone import Clone
from lvlmbench import tables

pytestmark = [pytest.mark.e2e, pytest.mark.long]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The project with a small reference model that filters and answers; nothing was ever run."""
    home = tmp_path_factory.mktemp("home")
    clone = Clone.origin(tmp_path_factory.mktemp("origin") / "project", home)
    clone.set("reference", models=["reference_a"])
    clone.set("filter", filters=[{"name": "integrity"}, {"name": "clip"}])
    clone.set("answer", models=[{"name": n, "engine": n} for n in ("chance", "reference_a")])
    names = ["corruption", "print_attack", "adversarial", "blind"]
    clone.set("scenarios", names=["clean", *names], noisy=[{"name": n} for n in names])
    clone.set("render", size=160, shard_images=12)  # one shard: each job here loads torch
    clone.commit("a reference model")
    return clone


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, origin: Clone) -> Clone:
    """A clone in which Snakemake has run."""
    clone = origin.fresh(tmp_path_factory.mktemp("made") / "clone")
    ran = clone.snakemake()
    print("  snakemake:", ran)
    assert ran["reference"] == 1 and ran["filter"] == 2
    assert ran["scenario"] == 5 and ran["answer"] == 10
    return clone


def test_every_scenario_has_its_images(made: Clone) -> None:
    clean = tables.read(made.path / "data/dysca/images/clean", tables.IMAGES).to_pylist()
    kinds = {}
    for name in ("corruption", "print_attack", "adversarial", "blind"):
        rows = tables.read(made.path / f"data/dysca/images/{name}", tables.IMAGES).to_pylist()
        assert {row["scene_id"] for row in rows} == {row["scene_id"] for row in clean}
        assert all(row["scenario"] == name for row in rows)
        kinds[name] = {row["perturbation"]["kind"] for row in rows}
        if name != "blind":
            shown = {row["sha256"] for row in rows}
            assert not shown & {row["sha256"] for row in clean}
    assert kinds["print_attack"] == {"print_attack"} and kinds["blind"] == {"no_image"}
    assert len(kinds["corruption"]) > 2
    metrics = tables.read([made.path / "results/dysca/metrics.parquet"], tables.METRICS).to_pylist()
    differences = {
        (row["model"], row["scenario"]) for row in metrics if row["metric"] == "difference"
    }
    assert differences == {(m, n) for m in ("chance", "reference_a") for n in kinds}


@pytest.mark.long
def test_killed_training_goes_on_from_its_checkpoint(
    origin: Clone, made: Clone, tmp_path: Path
) -> None:
    """The model is the same, so what is made with it, which is not made here, is the same too."""
    clone = origin.fresh(tmp_path / "clone")
    seal = "data/seals/reference/reference_a.json"
    assert clone.killed("snakemake", seal, once=lambda: bool(clone.built("training/[!.]*")))
    assert not clone.built("data/reference/reference_a/*.safetensors")
    assert not (clone.path / "data/reference").exists(), "published half-made"
    ran = clone.snakemake(seal)
    print("  after kill -9 in training, snakemake:", ran)
    assert ran == {"reference": 1}
    (log, *_) = clone.built("log/reference-reference_a.log")
    assert "reference_a: goes on from step " in log.read_text()
    folders = ("data/reference/", "results/reference/", "data/seals/reference")
    expected = {n: h for n, h in made.artifacts().items() if n.startswith(folders)}
    assert any(name.endswith(".safetensors") for name in expected)
    assert clone.artifacts() == expected


@pytest.mark.long
def test_removed_reference_model_leaves_nothing(made: Clone, tmp_path: Path) -> None:
    clone = made.copy(tmp_path / "clone")
    clone.run("dvc", "commit", "-f")
    clone.set("reference", models=[])
    clone.set("filter", filters=[{"name": "integrity"}])
    clone.set("answer", models=[{"name": "chance", "engine": "chance"}])
    clone.set("scenarios", names=["clean"], noisy=[])
    ran = clone.dvc_repro()
    print("  without the model, dvc repro:", ran)
    assert "reference" not in ran
    assert [path.name for path in (clone.path / "data/reference").iterdir()] == ["scenes"]
    assert not any("reference_a" in name or "/clip/" in name for name in clone.artifacts())
    status = clone.run("dvc", "status").strip()
    assert status == "Data and pipelines are up to date."
    assert clone.snakemake("-n") == {}
