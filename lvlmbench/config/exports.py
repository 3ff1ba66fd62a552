"""Parameters of the stage ``exports``."""

from __future__ import annotations

from pydantic import Field, field_validator

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.section import Name, Section, once
from lvlmbench.core.registry import kinds_of


def _formats() -> tuple[str, ...]:
    """Return what the package itself can write, less what must be asked for by name."""
    kinds = kinds_of("exports")
    ours = (kind for kind in kinds.ordered() if kind.name in kinds.ours())
    return tuple(kind.name for kind in ours if not kind.on_request)


class Exports(Section):
    """The snapshot in the forms that other tools read, below results/<suite>/exports."""

    formats: tuple[Name, ...] = Field(
        default_factory=_formats,
        description="Forms to write; docs/exports.md has what each is, and which refer to others.",
    )
    scenarios: tuple[Name, ...] = Field(
        (CLEAN,),
        min_length=1,
        description="Scenarios to write, each a split or a dataset of its own; each repeats its "
        "images.",
    )

    _each_once = field_validator("formats", "scenarios")(once("name"))
