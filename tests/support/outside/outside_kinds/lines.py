"""The export ``lines``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source


@EXPORTS.register("lines", label="Lines", load="cat clean.txt")
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write a line a question."""
    rows = {}
    for scenario in source.params.exports.scenarios:
        found = [f"{e.item_id} {e.question}" for e in source.examples(scenario)]
        (folder / f"{scenario}.txt").write_text("".join(f"{line}\n" for line in found))
        rows[scenario] = len(found)
    return rows
