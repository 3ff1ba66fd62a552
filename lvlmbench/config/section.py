"""What every section of the parameters is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

#: Names become parts of paths, and of keys in tables.
NAME = r"^[a-z0-9][a-z0-9_.-]{0,62}$"
NAME_IN_WORDS = "should be small letters, digits, '_', '.' or '-', a letter or digit first"
Name = Annotated[str, Field(pattern=NAME)]


def no_truth_value(value: object) -> object:
    """YAML's true, yes and on would otherwise be taken for the number 1."""
    if isinstance(value, bool):
        raise ValueError("true and false mean nothing here")
    return value


def each_once(what: str, names: Iterable[str]) -> None:
    seen = list(names)
    for name in seen:
        if seen.count(name) > 1:
            raise ValueError(f"the {what} '{name}' is listed twice; list it once")


Count = Annotated[int, BeforeValidator(no_truth_value), Field(ge=1, le=1_000_000)]
Price = Annotated[float, BeforeValidator(no_truth_value), Field(ge=0, allow_inf_nan=False)]


class Section(BaseModel):
    """A section of params.yaml: unknown keys are errors, values never change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _numbers_are_numbers(cls, value: object, info: ValidationInfo) -> object:
        field = cls.model_fields[info.field_name or ""]
        return value if field.annotation is bool else no_truth_value(value)


class Kinded(Section):
    """An item of a list, made by what is registered under a name: a filter, a scenario.

    A kind may have settings in a section that is called after it; such an item has that section
    also where none is written, and no other.
    """

    #: Kinds that have a section of their own.
    kinds_with_settings: ClassVar[tuple[str, ...]] = ()

    name: Name = Field(description="Name in tables, paths and the report; unique.")
    kind: Name | None = Field(None, description="Registered kind; null: the one called `name`.")

    @model_validator(mode="before")
    @classmethod
    def _settings_are_there(cls, value: Any) -> Any:
        if isinstance(value, dict):
            kind = value.get("kind") or value.get("name")
            if kind in cls.kinds_with_settings and value.get(kind) is None:
                return {**value, kind: {}}
        return value

    @model_validator(mode="after")
    def _settings_fit(self) -> Kinded:
        for section in self.kinds_with_settings:
            if getattr(self, section) is not None and self.registered != section:
                raise ValueError(f"'{section}' is of no use to the kind '{self.registered}'")
        return self

    @property
    def registered(self) -> str:
        """Name that the kind is registered under."""
        return self.kind or self.name


def a_section(value: object) -> object:
    """For items that people write as a bare name."""
    if isinstance(value, str):
        raise ValueError(f"write '- name: {value}'")
    return value
