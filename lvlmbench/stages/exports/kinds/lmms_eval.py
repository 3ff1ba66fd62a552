"""A task folder for lmms-eval over the Parquet files of the Hugging Face export."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import (
    Source,
    export,
)

_LOAD = "lmms-eval --include_path . --tasks lvlmbench --model MODEL"


@export("lmms_eval", "lmms-eval", _LOAD, needs=("huggingface",))
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write a task for each scenario, their group, and the code that they name."""
    from lvlmbench.stages.exports.lmms.write import write_all

    return write_all(source, folder)
