"""Parameters of the stage ``check``: which models hold pictures against their descriptions."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator, model_validator

from lvlmbench.config.models import Model
from lvlmbench.config.section import Name, Section, inside, once


class Validators(Section):
    """Which models check drawn pictures; by default none (docs/autodavis.md).

    They are asked and measured. Those that `deciding` names decide which pictures are drawn anew.
    """

    validators: tuple[Model, ...] = Field(
        (),
        description="Models that check pictures; each takes the same section as under "
        "`answer.models`, and each is asked all checks of all pictures.",
    )
    deciding: tuple[Name, ...] = Field(
        (),
        description="Which of them look at pictures while these are drawn: what most of them do "
        "not see as described is drawn anew, as often as the suite's `attempts` says. By default "
        "nobody where pictures are measured, and all where a text describes them.",
    )
    planted: int = Field(
        1,
        ge=0,
        le=24,
        description="Checks of each picture that are planted: asked of another one, which is known "
        "to show something else, or asked the other way round. How many of such faults a validator "
        "finds is its recall.",
    )
    repairs: int = Field(
        3,
        ge=0,
        le=3,
        description="How often a reply that breaks the rules is asked for again: to be mended, "
        "then afresh, then to be mended.",
    )
    prompts: Annotated[str, AfterValidator(inside)] = Field(
        "data/prompts/default",
        description="Folder of the prompt that validators are asked with, relative to the "
        "project's root. It may hold only what differs from `data/prompts/default`.",
    )

    _each_once = field_validator("validators", "deciding")(once("validator"))

    @model_validator(mode="after")
    def _known(self) -> Validators:
        names = [model.name for model in self.validators]
        for name in self.deciding:
            if name not in names:
                known = ", ".join(names) or "none"
                raise ValueError(f"deciding: '{name}' is no validator; listed are: {known}")
        return self
