"""JSON lines, images and tasks for inspect_ai."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.bundled import put
from lvlmbench.stages.exports.export import EXPORTS, Source
from lvlmbench.stages.exports.kinds.inspect_ai.guide import guide
from lvlmbench.stages.exports.kinds.inspect_ai.samples import IMAGES, image_path, line

_LOAD = "inspect eval lvlmbench_task.py --model PROVIDER/MODEL"


@EXPORTS.register("inspect_ai", place=5, label="inspect_ai", load=_LOAD)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write samples, images, tasks and how to run them; the number of rows by scenario.

    Raises
    ------
    UserError
        A table is missing or damaged.
    """
    (folder / IMAGES).mkdir()
    rows = {name: _scenario(source, folder, name) for name in source.params.exports.scenarios}
    put("inspect_task", folder / "lvlmbench_task.py")
    put("reading", folder / "reading.py")
    put("inspect_to_answers", folder / "to_answers.py")
    text = guide(source.params, source.snapshot_id, rows)
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
    return rows


def _scenario(source: Source, folder: Path, scenario: str) -> int:
    """The samples of a scenario and the images that they show; how many samples."""
    rows = 0
    with (folder / f"{scenario}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for example in source.examples(scenario):
            path = folder / image_path(example)
            if not path.exists():
                path.write_bytes(example.image)
            file.write(line(example))
            rows += 1
    return rows
