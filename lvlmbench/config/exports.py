"""Parameters of the stage ``exports``."""

from __future__ import annotations

from pydantic import Field, field_validator

from lvlmbench.config.section import (
    Name,
    Section,
    each_once,
)

#: What the package itself can write; others register by the entry point group
#: lvlmbench.exports.
FORMATS = ("huggingface", "croissant", "vlmevalkit", "lmms_eval", "inspect_ai", "documents")


class Exports(Section):
    """The snapshot in the forms that other tools read, below results/exports."""

    formats: tuple[Name, ...] = Field(
        FORMATS,
        description="Forms to write: `huggingface` (datasets), `croissant` (JSON-LD, needs "
        "`huggingface`), `vlmevalkit` (TSV), `lmms_eval` (task folder, needs `huggingface`), "
        "`inspect_ai` (JSON lines and task), `documents` (datasheet, licence, credits).",
    )
    scenarios: tuple[Name, ...] = Field(
        ("clean",),
        min_length=1,
        description="Scenarios to write, each a split or a dataset of its own; each repeats its "
        "images.",
    )

    @field_validator("formats", "scenarios")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        each_once("name", value)
        return value
