"""Snakemake knows how many jobs of local weights may run at once where there are GPUs: to ask a
model, or to draw."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from e2e.clone import Clone

pytestmark = pytest.mark.e2e


def provided(clone: Clone) -> str:
    """What Snakemake says of the resources that it gives out."""
    said = clone.run(
        *("snakemake", "--workflow-profile", "none", "--scheduler", "greedy", "--cores", "2"),
        *("--nolock", "--until", "scenes", "--forcerun", "scenes"),
    )
    return next((line for line in said.splitlines() if "Provided resources" in line), "")


@pytest.mark.long
def test_gpus_in_sight_are_given_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "bin" / "nvidia-smi"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 'GPU-1, 9.0'\necho 'GPU-2, 9.0'\necho 'GPU-3, 9.0'\n")
    tool.chmod(0o755)
    (tmp_path / "home").mkdir()
    clone = Clone.origin(tmp_path / "project", tmp_path / "home")
    model = {"name": "w", "engine": "transformers_vlm", "transformers": {"model": "owner/name"}}
    clone.set("answer", models=[model])
    clone.set("corpus", shard_scenes=100)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert "gpu" not in provided(clone), "no limit of nothing, or no such job could be planned"
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,2")
    assert re.search(r"gpu\D+2\b", provided(clone))
    clone.set("answer", models=[{"name": "chance", "engine": "chance"}])
    clone.set("render", renderer="diffusion", diffusion={"model": "owner/name"})
    assert re.search(r"gpu\D+2\b", provided(clone))
