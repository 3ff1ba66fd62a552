"""A package beside the project adds a kind of each sort; no tracked file changes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from e2e.clone import Clone
from lvlmbench import tables
from lvlmbench.stages.scenario.pixels import decode

pytestmark = pytest.mark.e2e

PACKAGE = Path(__file__).resolve().parents[1] / "support" / "outside"

CONFIG = {
    "suites": {
        "dysca": {
            "corpus": {"subtasks": ["animal", "vehicle"], "scenes_per_subtask": 2},
            "scenarios": {
                "names": ["clean", "dark"],
                "noisy": [
                    {
                        "name": "dark",
                        "kind": "corruption",
                        "corruption": {"kinds": ["negative"], "severities": [5]},
                    }
                ],
            },
        },
        "sights": {
            "corpus": {
                "subtasks": ["vehicle"],
                "scenes_per_subtask": 3,
            },
            "scenarios": {"names": ["clean"], "noisy": []},
        },
    },
    "render": {"size": 128},
    "filter": {"filters": [{"name": "integrity"}, {"name": "bright", "bright": {"least": 5}}]},
    "answer": {
        "models": [
            {"name": "chance", "engine": "chance"},
            {"name": "polly", "engine": "parrot", "parrot": {"says": "(B)"}},
        ]
    },
    "figures": {"names": ["funnel", "question_lengths"]},
    "exports": {"formats": ["lines"]},
}


class Beside(Clone):
    """A clone that runs with the package on its path."""

    @property
    def environment(self) -> dict[str, str]:
        """With the package, as if it were installed."""
        return super().environment | {"PYTHONPATH": str(PACKAGE)}


@pytest.fixture(scope="module")
def run(origin: Clone, tmp_path_factory: pytest.TempPathFactory) -> Beside:
    """A clone in which both suites were run to a report."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(origin.path / "data/vocabulary", folder / "vocabulary")
    shutil.copy(PACKAGE / "outside_kinds/vehicle.yaml", folder / "vocabulary")
    config = CONFIG | {"vocabulary": {"folder": str(folder / "vocabulary")}}
    (folder / "params.yaml").write_text(yaml.safe_dump(config))
    clone = Beside(origin.fresh(folder / "clone").path, origin.home)
    clone.snakemake("--cores", "2", "--configfile", str(folder / "params.yaml"))
    return clone


def test_outside(run: Beside) -> None:
    assert run.run("git", "status", "--porcelain") == ""
