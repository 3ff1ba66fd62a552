"""JSON lines, images and tasks for inspect_ai."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source

_LOAD = "inspect eval lvlmbench_task.py --model PROVIDER/MODEL"


@EXPORTS.register("inspect_ai", place=5, label="inspect_ai", load=_LOAD)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write samples by scenario, the images that they show, and the tasks."""
    from lvlmbench.stages.exports.kinds.inspect_ai.write import write_all

    return write_all(source, folder)
