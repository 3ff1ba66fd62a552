"""Parameters of the stage ``judge``: who judges free answers, and how judges are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_validator, model_validator

from lvlmbench.config.models import Model
from lvlmbench.config.section import Made, Name, Section, inside, once
from lvlmbench.core.registry import Kinds, either, kinds_of

#: Planted answers of each treatment and kind, at most.
MOST_PLANTED = 100_000
#: How messages call the model that lists claims for a judge.
EXTRACTOR = "{}: extractor"


class Judge(Made):
    """One judge: an embedded one, or any model that can be asked."""

    registry = "judges"
    behind = "models"
    noun = "engine"

    engine: Name = Field(
        description="Registered judge, or registered engine of a model that judges. A model takes "
        "the same section as under `answer.models`."
    )
    extractor: Model | None = Field(
        None,
        description="Model that lists the claims of answers, where another than the judge is to do "
        "so; the judge then matches them with what the picture shows, and compares and rates.",
    )
    leaves: tuple[Name, ...] = Field(
        (),
        description="Models whose answers it leaves `unjudged`, e.g. the one that it is itself, "
        "which the report marks.",
    )

    @classmethod
    def kinds(cls) -> Kinds[Any]:
        """Return the judges, and behind them the engines of models."""
        return either(cls.registry, cls.behind)

    @classmethod
    def kind_in(cls, value: Mapping[str, Any]) -> Any:
        """Return the name of the engine."""
        return value.get("engine")

    @model_validator(mode="after")
    def _only_models_are_split(self) -> Judge:
        if self.extractor is not None and self.model is None:
            raise ValueError(
                f"'{self.engine}' reads and matches claims itself; leave 'extractor' out, or name "
                "a model as judge"
            )
        return self

    @property
    def models(self) -> dict[str, Model]:
        """What is asked, by what it is called in messages; nothing of an embedded judge."""
        found = {self.name: self.model, EXTRACTOR.format(self.name): self.extractor}
        return {called: model for called, model in found.items() if model is not None}

    @property
    def model(self) -> Model | None:
        """The model that judges; None for an embedded judge."""
        if kinds_of("judges").find(self.engine) is not None:
            return None
        return Model(name=self.name, engine=self.engine, **(self.__pydantic_extra__ or {}))


def _default() -> tuple[Judge, ...]:
    return tuple(map(Judge.model_validate, kinds_of("judges").defaults()))


class Judging(Section):
    """Who judges free answers: what they say, and what of it is true (docs/judges.md)."""

    judges: tuple[Judge, ...] = Field(
        default_factory=_default,
        description="Judges, each of which judges all free answers. Tables and sheets that show "
        "one judge show the first.",
    )
    pairs: bool = Field(
        False,
        description="Whether each answer is compared with its reference, too, in both orders.",
    )
    repairs: int = Field(
        2,
        ge=0,
        le=5,
        description="How often a judge's reply that breaks the rules is asked for again.",
    )
    prompts: Annotated[str, AfterValidator(inside)] = Field(
        "data/prompts/default",
        description="Folder of the prompts that judges are asked with, relative to the project's "
        "root. It may hold only what differs from `data/prompts/default`.",
    )
    exam: int = Field(
        4,
        ge=0,
        le=MOST_PLANTED,
        description="Planted answers of each treatment and kind that each judge is examined with; "
        "0: none. `lvlmbench judge exam` takes more.",
    )

    def beside(self, engines: Sequence[str]) -> Judging:
        """Return these parameters with embedded judges that a suite adds, before all others."""
        listed = {judge.engine for judge in self.judges}
        new = [{"name": each, "engine": each} for each in engines if each not in listed]
        if not new:
            return self
        judges = (*map(Judge.model_validate, new), *self.judges)
        return self.model_copy(update={"judges": judges})

    _each_once = field_validator("judges")(once("judge"))

    @field_validator("judges")
    @classmethod
    def _none_is_all(cls, value: tuple[Judge, ...]) -> tuple[Judge, ...]:
        if any(judge.name == "all" for judge in value):
            raise ValueError("no judge is called 'all', which is all of them; write another name")
        if any(judge.name == "people" for judge in value):
            raise ValueError("no judge is called 'people', who label; write another name")
        for judge in value:
            if judge.engine != judge.name and kinds_of("judges").find(judge.name) is not None:
                raise ValueError(
                    f"'{judge.name}' is the name of an embedded judge, and this is another engine; "
                    "write another name"
                )
        return value
