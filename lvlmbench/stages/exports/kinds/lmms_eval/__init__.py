"""A task folder for lmms-eval over the Parquet files of the Hugging Face export."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source
from lvlmbench.stages.exports.kinds.huggingface import NAME as NEEDED

_LOAD = "lmms-eval --include_path . --tasks lvlmbench --model MODEL"


@EXPORTS.register("lmms_eval", place=4, label="lmms-eval", load=_LOAD, needs=(NEEDED,))
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write a task for each scenario, their group, and the code that they name."""
    from lvlmbench.stages.exports.kinds.lmms_eval.write import write_all

    return write_all(source, folder)
