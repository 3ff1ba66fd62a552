"""Parameters of the models under test: which they are, and how they are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from pydantic import Field, model_validator

from lvlmbench.config.section import Made, Name, Section
from lvlmbench.core.registry import kinds_of


class Model(Made):
    """One model under test."""

    registry = "models"
    noun = "engine"
    #: Keys that tables show, and that change no answer.
    shown: ClassVar[tuple[str, ...]] = ("language_model", "visual_encoder", "family")

    engine: Name = Field(description="Registered engine that answers.")
    language_model: str | None = Field(
        None,
        min_length=1,
        description="Its language model, e.g. Vicuna-7B. The table of results is "
        "grouped by it and the image encoder; a change asks no model again.",
    )
    visual_encoder: str | None = Field(
        None,
        min_length=1,
        description="Its image encoder, for the same table, and to tell which models an attack on "
        "an encoder has seen (`scenarios.noisy[].adversarial.visual_encoder`). Encoders whose "
        "weights differ need different names.",
    )
    family: Name | None = Field(
        None,
        description="Family that it belongs to, e.g. `gpt`. What an examiner of its own family "
        "asked does not count in its `accuracy_independent`; where a validator of it decides or a "
        "planner of it plans, nothing does. A change asks no model again.",
    )

    @property
    def built_of(self) -> str:
        """Language model and visual encoder, where they are known."""
        return ", ".join(p for p in (self.language_model, self.visual_encoder) if p)

    @classmethod
    def kind_in(cls, value: Mapping[str, Any]) -> Any:
        """Return the name of the engine."""
        return value.get("engine")


def _default() -> tuple[Model, ...]:
    return tuple(map(Model.model_validate, kinds_of("models").defaults()))


def guessing(models: Iterable[Model]) -> set[str]:
    """Return the models that answer without looking."""
    kinds = ((model.name, model.made_by()) for model in models)
    return {name for name, kind in kinds if kind is not None and kind.guesses}


def requested(models: Iterable[Model]) -> list[str]:
    """Return the models that requests go to: those that are served, or weights of their own.

    Models of the pipeline itself, and those whose owner brings the answers, are not among them.
    """
    kinds = ((model.name, model.made_by()) for model in models)
    return [
        name
        for name, kind in kinds
        if kind is not None and (kind.called or kind.server or kind.priced or kind.served)
    ]


class Answer(Section):
    """Which models answer."""

    models: tuple[Model, ...] = Field(
        default_factory=_default,
        min_length=1,
        description="Models under test. One that guesses is the floor that every table shows.",
    )

    @model_validator(mode="after")
    def _names_unique(self) -> Answer:
        names = [m.name for m in self.models]
        twice = sorted(name for name, n in Counter(names).items() if n > 1)
        if twice:
            raise ValueError(f"two models are called '{twice[0]}'; give each its own name")
        taken = {"all": "all of them", "reference": "the references beside answers"}
        for name in taken.keys() & {*names}:
            raise ValueError(f"no model is called '{name}': {taken[name]}; write another name")
        return self
