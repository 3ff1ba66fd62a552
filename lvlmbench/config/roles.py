"""The roles that models have beside that of being tested, and the parameters of who fills one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from lvlmbench.config.models import Model
from lvlmbench.config.section import Made, Name
from lvlmbench.core.registry import Joined, Kinds, kinds_of

#: An examiner plans aspects, descriptions and questions, a validator answers checks about an
#: image, a judge reads claims, matches them and compares answers.
Role: TypeAlias = Literal["examiner", "validator", "judge"]


@cache
def _joined(*names: str) -> Joined:
    return Joined(*names)


class Filled(Made):
    """One that has a role: an engine made for it, which needs no model, or any engine of models.

    A section for a role names the ``registry`` of the engines that are made for it, if there is
    one.
    """

    noun = "engine"

    role: ClassVar[Role]

    engine: Name = Field(description="Registered engine that fills the role.")

    @classmethod
    def kind_in(cls, value: Mapping[str, Any]) -> Any:
        """Return the name of the engine."""
        return value.get("engine")

    @classmethod
    def kinds(cls) -> Kinds[Any]:
        """Return what may fill the role; an engine made for it goes before a model's."""
        return _joined(cls.registry, "models") if cls.registry else kinds_of("models")

    def as_model(self) -> Model:
        """Return the same as a model, for an engine of models."""
        given = {**(self.__pydantic_extra__ or {}), "name": self.name, "engine": self.engine}
        return Model.model_validate(given)
