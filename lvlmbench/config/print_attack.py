"""Parameters of the scenario ``print_attack``."""

from __future__ import annotations

from pydantic import Field

from lvlmbench.config.base import Section


class PrintAttack(Section):
    """A wrong option, printed on the image; docs/print-attack.md tells how it is drawn."""

    font: str | None = Field(
        None,
        min_length=1,
        description="Path of a TrueType or OpenType font; null for DejaVu Sans Bold, which comes "
        "with matplotlib.",
    )
