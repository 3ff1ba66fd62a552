"""TSV files for VLMEvalKit, one for each scenario and type of question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source


@EXPORTS.register("vlmevalkit", place=3, label="VLMEvalKit", load="cp *.tsv ~/LMUData/")
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write the files, what maps their rows to items, a configuration and how to run it."""
    from lvlmbench.stages.exports.kinds.vlmevalkit.write import write_all

    return write_all(source, folder)
