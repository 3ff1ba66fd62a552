"""Parameters of the scenario ``corruption``."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config.section import Known, Section, no_truth_value, once
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of

Severity = Literal[1, 2, 3, 4, 5]
SEVERITIES: tuple[Severity, ...] = (1, 2, 3, 4, 5)


#: The numbers of one severity; one alone may stand without brackets.
Number = Annotated[float, BeforeValidator(no_truth_value)]
Strength = Number | tuple[Number, ...]


def first_kinds() -> tuple[str, ...]:
    """Return our set after MMCBench's (Zhang et al., 2024), without what hides the content.

    The paper takes that set and removes hard kinds, too (Dysca, section 3.3); what its published
    code keeps are these eleven. Another kind joins where it is named.
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
    strengths: dict[str, tuple[Strength, ...]] = Field(
        default_factory=dict,
        description="Numbers of single kinds in place of the table's, e.g. `jpeg_compression: "
        "[50]`: of each severity, or one entry for all; lists where a kind has several numbers.",
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

    @field_validator("strengths")
    @classmethod
    def _fit(cls, value: dict[str, tuple[Strength, ...]]) -> dict[str, tuple[Strength, ...]]:
        for name, rows in value.items():
            try:
                kind = kinds_of("corruptions").get(name, "")
            except UserError as error:
                raise ValueError(f"{error.what}; {error.fix}") from None
            if len(rows) not in (1, len(SEVERITIES)):
                raise ValueError(f"{name} has {len(rows)} entries; give 1 or {len(SEVERITIES)}")
            wanted = kind.columns
            for row in map(numbers_of, rows):
                if len(row) != len(wanted):
                    given = f"{len(wanted)} number{'s'[: len(wanted) > 1]}"
                    raise ValueError(f"{name} takes {', '.join(wanted)}: {given} each")
                for column, each, (low, high) in zip(wanted, row, kind.ranges, strict=True):
                    if not low <= each <= high or math.isinf(each):
                        ends = f"from {low:g}" + ("" if math.isinf(high) else f" to {high:g}")
                        raise ValueError(f"{name}: {column} is {each:g}; it goes {ends}")
        return value

    def strength(self, kind: str, severity: Severity) -> tuple[float, ...] | None:
        """Return the numbers that are written for a kind at a severity; None where none are."""
        rows = self.strengths.get(kind)
        return None if rows is None else numbers_of(rows[(severity - 1) % len(rows)])


def numbers_of(strength: Strength) -> tuple[float, ...]:
    """Return the numbers of one severity as a tuple."""
    return strength if isinstance(strength, tuple) else (strength,)
