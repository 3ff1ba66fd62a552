"""Documents for people: a datasheet; licence and credits come with every form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source


@EXPORTS.register(
    "documents", place=6, label="Datasheet, licence, credits", load="less DATASHEET.md"
)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """DATASHEET.md, counted from the tables."""
    from lvlmbench.stages.exports.facts import facts
    from lvlmbench.stages.exports.kinds.documents.datasheet import datasheet

    counted = facts(source)
    text = datasheet(source.params, counted)
    (folder / "DATASHEET.md").write_text(text, encoding="utf-8")
    return {name: asked.questions for name, asked in counted.scenarios.items()}
