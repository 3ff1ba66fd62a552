"""What helps with what, what one cooks and wears, where landmarks are: data of ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml

#: Folder of what is known of the world.
FOLDER = "data/world"

T = TypeVar("T")


def _with_hole(said: str) -> str:
    if said.count("{}") != 1:
        raise ValueError("holds {} not once, where the foods are named")
    return said


class Need(Section):
    """A situation that some things help with."""

    said: str = Field(description="What somebody says who is in it.")
    helps: dict[str, str] = Field(
        min_length=2, description='Label of a thing: what one does with it, behind "you can".'
    )


class Course(Section):
    """A course of a meal."""

    said: Annotated[str, AfterValidator(_with_hole)] = Field(
        description="What to make of it; the foods stand for {}."
    )
    foods: frozenset[str] = Field(description="Labels of foods.")


class Climates(Section):
    """Clothes by how it is, and how it is in places."""

    clothes: dict[Literal["cold", "hot"], frozenset[str]] = Field(
        min_length=2, description="Labels of clothes for the cold and for the heat."
    )
    places: dict[str, Literal["cold", "hot"]] = Field(
        description="Labels of backgrounds, and how it is there."
    )


class Place(Section):
    """Of a landmark."""

    country: tuple[str, ...] = Field(
        min_length=1, description="Names of the country that it is in, the usual one first."
    )


@cache
def needs() -> tuple[Need, ...]:
    """Return situations that things help with."""
    return _read("needs.yaml", TypeAdapter(tuple[Need, ...]))


@cache
def meals() -> tuple[Course, ...]:
    """Return the courses of a meal in their order."""
    return _read("meals.yaml", TypeAdapter(tuple[Course, ...]))


@cache
def climates() -> Climates:
    """Return which clothes fit which places."""
    return _read("climates.yaml", TypeAdapter(Climates))


@cache
def places() -> Mapping[str, Place]:
    """Return where landmarks are, by their labels."""
    return _read("landmarks.yaml", TypeAdapter(dict[str, Place]))


def _read(name: str, wanted: TypeAdapter[T]) -> T:
    found = read_yaml(PROJECT_ROOT / FOLDER / name)
    try:
        return wanted.validate_python(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        fix = "write it as the other entries of the file are written"
        raise UserError(f"{FOLDER}/{name}: {where}", first["msg"], fix) from None
