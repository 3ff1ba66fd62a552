"""Parameters of data cleaning (Dysca, section 3.3): filters, model consensus, vocabulary audit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from lvlmbench.config.section import Kinded, Section, a_section, once
from lvlmbench.core.registry import kinds_of


class FilterSpec(Kinded):
    """One filter, and how it judges."""

    registry = "filters"


class Filter(Section):
    """Which images may be asked about (Dysca, section 3.3, data clean, step 2)."""

    filters: tuple[Annotated[FilterSpec, BeforeValidator(a_section)], ...] = Field(
        default_factory=lambda: tuple(
            map(FilterSpec.model_validate, kinds_of("filters").defaults())
        ),
        description="An image stays if all of them keep it.",
    )

    _each_once = field_validator("filters")(once("filter"))

    @field_validator("filters")
    @classmethod
    def _not_render(cls, value: tuple[FilterSpec, ...]) -> tuple[FilterSpec, ...]:
        if "render" in [f.name for f in value]:
            raise ValueError("'render' names the renderer's own verdicts; leave it out")
        return value

    @property
    def names(self) -> list[str]:
        """Names of the filters, in their order."""
        return [f.name for f in self.filters]


class Consensus(Section):
    """Questions that the best models get wrong together (Dysca, section 3.3, step 3)."""

    models: int = Field(
        6,
        ge=1,
        description="Of how many models, the best in the clean scenario, answers are looked at; "
        "fewer where there are fewer. Guessing never counts.",
    )
    wrong: int | None = Field(
        None,
        ge=1,
        description="A question is missed when at least so many of them answer it wrongly or say "
        "that the answer is not among the options; null: all of them. With fewer than two "
        "models nothing is missed. `apply` tells what becomes of it.",
    )

    apply: Literal["auto", "always", "never"] = Field(
        "auto",
        description="`auto` drops a question only where the models are right often enough for a "
        "question that they all miss to be a bad one; `always` is the paper's rule; `never` only "
        "records what it would drop.",
    )
    precision: float = Field(
        0.9,
        gt=0,
        le=1,
        description="With `auto`, the share of bad questions among those dropped that must be "
        "expected, by subtask and question type.",
    )

    @field_validator("wrong")
    @classmethod
    def _can_be_reached(cls, value: int | None, info: ValidationInfo) -> int | None:
        models = info.data.get("models")
        if value is not None and models is not None and value > models:
            raise ValueError(
                f"is more than consensus.models, {models}, and would drop nothing; lower it, or "
                "write null for all of them"
            )
        return value


class Audit(Section):
    """Which entries of the vocabulary make samples that are wrong (section 3.3, step 4)."""

    threshold: float = Field(
        0.1,
        gt=0,
        le=1,
        description="An entry is proposed for exclusion when its rate of wrong samples is above "
        "that of comparable samples by more than this: the lower end of the 95 % interval of the "
        "difference.",
    )
    false_proposals: float = Field(
        0.05,
        gt=0,
        lt=1,
        description="Share of false ones among the proposed entries that the tests hold.",
    )
