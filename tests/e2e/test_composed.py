"""Composed scenes through the whole pipeline: one core, two, other shards, killed and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from e2e.clone import Clone
from lvlmbench import tables

pytestmark = [pytest.mark.e2e, pytest.mark.long]

_TABLES = {
    "scenes": tables.SCENES,
    "questions": tables.QUESTIONS,
    "rendered": tables.IMAGES,
    "layouts/clean": tables.LAYOUTS,
    "verdicts/render": tables.VERDICTS,
    "images/other": tables.IMAGES,
    "answers/chance/clean": tables.ANSWERS,
    "scores/chance/clean": tables.SCORES,
    "consensus": tables.CONSENSUS,
}


@pytest.fixture
def clone(origin: Clone, root: Path, tmp_path: Path) -> Clone:
    """The small project with the suite composed alone: each skill at each level, with its twin."""
    clone = origin.fresh(tmp_path / "clone")
    file = clone.path / "params.yaml"
    params = yaml.safe_load(file.read_text())
    own = yaml.safe_load((root / "params.yaml").read_text())["suites"]["composed"]
    own["scenarios"] = params["suites"]["dysca"]["scenarios"]
    own["corpus"]["scenes_per_subtask"] = 6
    params["suites"] = {"composed": own}
    params["render"]["size"] = 256
    file.write_text(yaml.safe_dump(params, sort_keys=False))
    split(clone, 64)
    return clone


def split(clone: Clone, size: int) -> None:
    """Shards of scenes and of images of this size."""
    file = clone.path / "params.yaml"
    params = yaml.safe_load(file.read_text())
    params["suites"]["composed"]["corpus"]["shard_scenes"] = size
    params["render"]["shard_images"] = size
    file.write_text(yaml.safe_dump(params, sort_keys=False))


def rows(clone: Clone) -> dict[str, str | bytes]:
    """Hash of each table's rows, whatever the shards; the metrics."""
    data = clone.path / "data/composed"
    found: dict[str, str | bytes] = {
        name: tables.hash_batches([tables.read(data / name, schema)])[0]
        for name, schema in _TABLES.items()
    }
    for name in ("metrics.json", "comparisons.parquet"):
        found[name] = (clone.path / "results/composed" / name).read_bytes()
    return found


def killed_in(clone: Clone, rule: str) -> bool:
    """``kill -9`` a run once a job of the rule has begun."""
    return clone.killed("snakemake", "--cores", "2", once=lambda: rule in clone.started())


def test_cores_kills_and_shards_change_no_byte(clone: Clone, tmp_path: Path) -> None:
    one, two = clone.copy(tmp_path / "one"), clone.copy(tmp_path / "two")
    one.snakemake("--cores", "1")
    for rule in ("render", "questions", "score"):
        assert killed_in(two, rule)
    two.snakemake("--cores", "2")
    assert two.artifacts() == one.artifacts()
    assert tables.read(one.path / "data/composed/questions", tables.QUESTIONS).num_rows > 120
    split(two, 16)
    assert two.snakemake("--cores", "2")["render"] == 5
    assert rows(two) == rows(one)
