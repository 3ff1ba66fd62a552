"""Parameters of the stage ``examiner``: which models write questions, and how they are asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator, model_validator

from lvlmbench.config.models import Model
from lvlmbench.config.section import Name, Section, inside, once


class Examiners(Section):
    """Which models write questions about drawn pictures; by default none (docs/autodavis.md)."""

    examiners: tuple[Model, ...] = Field(
        (),
        description="Models that write questions; each takes the same section as under "
        "`answer.models`. Several share the pictures, in turn.",
    )
    planners: tuple[Name, ...] = Field(
        (),
        max_length=1,
        description="Which of them plans, too: pictures of aspects that no embedded family asks "
        "about, and aspects where a suite wants them of a model (AutoDavis, sections 2.1 and 2.2). "
        "By default nobody.",
    )
    adjust: int = Field(
        3,
        ge=0,
        le=3,
        description="How many wrong options of a question are to be replaced by harder ones, which "
        "the examiner gives when it is told that the right answer is wrong (AutoDavis, section "
        "2.4).",
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
        description="Folder of the prompts that examiners are asked with, relative to the "
        "project's root. It may hold only what differs from `data/prompts/default`.",
    )

    _each_once = field_validator("examiners")(once("examiner"))

    @model_validator(mode="after")
    def _known(self) -> Examiners:
        names = [model.name for model in self.examiners]
        for name in self.planners:
            if name not in names:
                known = ", ".join(names) or "none"
                raise ValueError(f"planners: '{name}' is no examiner; listed are: {known}")
        return self
