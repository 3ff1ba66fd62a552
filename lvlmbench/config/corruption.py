"""Parameters of the scenario ``corruption``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config.section import (
    Section,
    each_once,
    no_truth_value,
)

CorruptionKind = Literal[
    "gaussian_noise",
    "shot_noise",
    "speckle_noise",
    "salt_and_pepper_noise",
    "motion_blur",
    "gaussian_blur",
    "jpeg_compression",
    "spatter",
    "coarse_dropout",
    "rotation",
    "shear",
]

#: The paper's set after its removals (Dysca, section 3.3 and appendix F).
KINDS: tuple[CorruptionKind, ...] = CorruptionKind.__args__  # type: ignore[attr-defined]
Severity = Literal[1, 2, 3, 4, 5]
SEVERITIES: tuple[Severity, ...] = (1, 2, 3, 4, 5)


class Corruption(Section):
    """Damage as cameras, channels and scanners do it; docs/scenarios.md has the severities."""

    kinds: tuple[CorruptionKind, ...] = Field(
        KINDS, min_length=1, description="Kinds of damage, of which each image gets one."
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

    @field_validator("kinds", "severities")
    @classmethod
    def _each_once(cls, value: tuple[object, ...]) -> tuple[object, ...]:
        each_once("entry", map(str, value))
        return value
