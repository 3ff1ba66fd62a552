"""Parameters of the scenario ``corruption``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config.section import Known, Section, no_truth_value, once
from lvlmbench.core.registry import kinds_of

Severity = Literal[1, 2, 3, 4, 5]
SEVERITIES: tuple[Severity, ...] = (1, 2, 3, 4, 5)


def first_kinds() -> tuple[str, ...]:
    """Return the paper's set after its removals (Dysca, section 3.3 and appendix F).

    Another kind joins where it is named.
    """
    return tuple(k.name for k in kinds_of("corruptions").ordered() if k.slot is not None)


class Corruption(Section):
    """Damage as cameras, channels and scanners do it; docs/scenarios.md has the severities."""

    kinds: tuple[Annotated[str, Known("corruptions")], ...] = Field(
        default_factory=first_kinds,
        min_length=1,
        description="Kinds of damage, of which each image gets one.",
    )
    severities: tuple[Annotated[Severity, BeforeValidator(no_truth_value)], ...] = Field(
        SEVERITIES, min_length=1, description="Severities, of which each image gets one."
    )
    every: bool = Field(
        False,
        description="Show each image with every kind at every severity instead, for robustness "
        "curves.",
    )
    scenes_per_subtask: int | None = Field(
        None,
        ge=1,
        description="Only the first so many scenes of each subtask; null: all of them.",
    )

    _each_once = field_validator("kinds", "severities")(once("entry"))
