"""Parameters of the scenario ``print_attack``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from lvlmbench.config.section import Section, no_truth_value, once
from lvlmbench.stages.scenario.kinds.print_attack.colors import NAMES, Color

Position = Literal[
    "top_left",
    "top",
    "top_right",
    "left",
    "center",
    "right",
    "bottom_left",
    "bottom",
    "bottom_right",
]
POSITIONS: tuple[Position, ...] = Position.__args__  # type: ignore[attr-defined]

#: Black or white stands out from every color by at least this much (the root of 21 is 4.58), so
#: that an outline can always bring it about.
MOST_CONTRAST = 4.5

Size = Annotated[float, BeforeValidator(no_truth_value), Field(gt=0, le=0.5)]
Opacity = Annotated[float, BeforeValidator(no_truth_value), Field(gt=0, le=1)]
Offset = Annotated[float, BeforeValidator(no_truth_value), Field(ge=-0.5, le=0.5)]
Angle = Annotated[int, BeforeValidator(no_truth_value), Field(ge=-180, le=180)]


class PrintAttack(Section):
    """A wrong option, printed on the image; docs/scenarios.md tells how it is drawn.

    Of each list every image gets one entry, all equally likely.
    """

    true_false: Literal["option", "label"] = Field(
        "option",
        description="For true-or-false questions print the other truth value (`option`), or the "
        "claimed label where the statement is false and another label of its vocabulary list where "
        "it is true (`label`).",
    )
    sizes: tuple[Size, ...] = Field(
        (0.05, 0.07, 0.09, 0.12),
        min_length=1,
        description="Font sizes, as parts of the image's height. Text that would not fit is "
        "broken into lines and made smaller.",
    )
    smallest: int = Field(
        10, ge=6, le=512, description="The least font size, in pixels; no text is made smaller."
    )
    colors: tuple[Color, ...] = Field(
        NAMES,
        min_length=1,
        description=f"Colors of the text: {', '.join(f'`{name}`' for name in NAMES)}, or any as "
        '`"#rrggbb"`.',
    )
    opacities: tuple[Opacity, ...] = Field(
        (0.25, 0.5, 0.75, 1.0), min_length=1, description="Opacities of the text."
    )
    angles: tuple[Angle, ...] = Field(
        (-45, -30, -15, 0, 15, 30, 45),
        min_length=1,
        description="Degrees that the text is turned by, counterclockwise.",
    )
    positions: tuple[Position, ...] = Field(
        POSITIONS, min_length=1, description="Where on the image the text stands."
    )
    offsets: tuple[Offset, ...] = Field(
        (),
        description="Instead of `positions`: how far the middle of the text lies from the "
        "image's, as parts of its width and of its height, one entry drawn for each. Text that "
        "would leave the image is moved back.",
    )
    contrast: float = Field(
        MOST_CONTRAST,
        ge=1,
        le=MOST_CONTRAST,
        description="Contrast ratio (WCAG 2.2) of each letter with what is around it, below which "
        "the text gets a black or white outline.",
    )
    font: str | None = Field(
        None,
        min_length=1,
        description="Path of a TrueType or OpenType font, absolute or from the project's root; "
        "null for DejaVu Sans Bold, which comes with matplotlib.",
    )

    _each_once = field_validator("sizes", "colors", "opacities", "angles", "positions", "offsets")(
        once("entry")
    )

    @model_validator(mode="after")
    def _one_way_to_place(self) -> PrintAttack:
        if self.offsets and self.positions != POSITIONS:
            raise ValueError("'positions' and 'offsets' exclude each other; drop one")
        return self
