"""What helps with what, what one cooks and wears, where landmarks are: data of ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, TypeVar

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
        raise ValueError("holds {} not once, where the thing is named")
    return said


class Things(Section):
    """What stories, poems and ideas know of things."""

    objects: dict[str, dict[str, str]] = Field(
        description='Sort of objects -> label -> what one does with it, behind "to".'
    )
    animals: dict[str, tuple[str, str]] = Field(
        description="Label of an animal -> what it is known for, and how it comes along."
    )

    def sort(self, label: str) -> str:
        """Return of which sort an object is."""
        return next(sort for sort, uses in self.objects.items() if label in uses)

    def use(self, label: str) -> str:
        """Return what one does with an object."""
        return self.objects[self.sort(label)][label]


class Wanted(Section):
    """What ideas are wanted for."""

    wanted: str = Field(description="Behind a number.")
    ideas: dict[str, str] = Field(description="Sort of objects -> an idea for such a thing.")


Three = Annotated[tuple[str, ...], Field(min_length=3, max_length=3)]


class Letter(Section):
    """An occasion to write an email."""

    wanted: tuple[str, ...] = Field(min_length=2, description="Ways to ask for it.")
    subject: str = Field(description="Of the email.")
    greeting: str = Field(description="Its first line.")
    openings: Three = Field(description="Ways to begin, with what is shown.")
    requests: Three = Field(description="Ways to ask for an answer.")


class Letters(Section):
    """Emails, and how they end."""

    letters: tuple[Letter, ...] = Field(min_length=8, description="The occasions.")
    closings: tuple[str, ...] = Field(min_length=2, description="Above the name.")


class Look(Section):
    """A style of pictures."""

    look: str = Field(description='By what one can tell, behind "by".')
    effect: str = Field(description="What it does to a picture, in a sentence.")


class Styles(Section):
    """Styles, and ways to tell of one."""

    frames: tuple[str, ...] = Field(min_length=8, description="Ways to tell of a style.")
    styles: dict[str, Look] = Field(description="By the labels of styles.")


class Need(Section):
    """A situation that some things help with."""

    said: str = Field(description="What somebody says who is in it.")
    helps: dict[str, Annotated[str, AfterValidator(_with_hole)]] = Field(
        min_length=2, description="Label of a thing: what to do with it, in the order of the steps."
    )


class Needs(Section):
    """Situations, and ways to tell what helps."""

    openings: tuple[str, ...] = Field(min_length=2, description="Before the steps.")
    closings: tuple[str, ...] = Field(min_length=2, description="Of what does not help.")
    needs: tuple[Need, ...] = Field(min_length=8, description="The situations.")


class Occasion(Section):
    """An occasion to cook for."""

    wanted: tuple[str, ...] = Field(min_length=2, description="Ways to ask for a meal.")
    opening: str = Field(description="How the recommendation begins.")
    closing: str = Field(description="How it ends.")


class Course(Section):
    """A course of a meal."""

    start: str = Field(description="How it is begun.")
    foods: dict[str, Annotated[str, AfterValidator(_with_hole)]] = Field(
        description="Labels of foods, and what to do with each."
    )


class Meals(Section):
    """Occasions to cook for, and the courses of a meal in their order."""

    occasions: tuple[Occasion, ...] = Field(min_length=2, description="The occasions.")
    courses: tuple[Course, ...] = Field(min_length=2, description="The courses.")


class Climate(Section):
    """A place that a background shows."""

    there: str = Field(description='What it is like, behind "where".')
    wear: dict[str, str] = Field(description='Labels of clothes, and why, behind "which".')
    leave: tuple[str, ...] = Field(description="Labels of clothes that do not fit.")
    because: str = Field(description='What is wrong with those, with "would".')


class Climates(Section):
    """What to wear where."""

    wanted: tuple[str, ...] = Field(min_length=2, description="Ways to ask what to wear.")
    openings: tuple[str, ...] = Field(min_length=2, description="Ways to say what it is like.")
    closings: tuple[str, ...] = Field(min_length=2, description="How it ends.")
    places: dict[str, Climate] = Field(description="By the labels of backgrounds.")


class Place(Section):
    """Of a landmark."""

    about: str = Field(description="What it is, in a sentence.")
    country: tuple[str, ...] = Field(
        (),
        description="Names of its country, the usual one first; none of what is lost.",
    )


@cache
def things() -> Things:
    """Return what one does with objects, and what animals are known for."""
    return _read("things.yaml", TypeAdapter(Things))


@cache
def stories() -> Mapping[str, tuple[str, ...]]:
    """Return the parts of stories: openings, plots, closings."""
    return _read("stories.yaml", TypeAdapter(dict[str, tuple[str, ...]]))


@cache
def poems() -> Mapping[str, tuple[str, ...]]:
    """Return first and second stanzas of poems."""
    return _read("poems.yaml", TypeAdapter(dict[str, tuple[str, ...]]))


@cache
def ideas() -> tuple[Wanted, ...]:
    """Return what ideas may be wanted for."""
    return _read("ideas.yaml", TypeAdapter(tuple[Wanted, ...]))


@cache
def letters() -> Letters:
    """Return the emails."""
    return _read("letters.yaml", TypeAdapter(Letters))


@cache
def styles() -> Styles:
    """Return by what styles can be told."""
    return _read("styles.yaml", TypeAdapter(Styles))


@cache
def needs() -> Needs:
    """Return situations that things help with."""
    return _read("needs.yaml", TypeAdapter(Needs))


@cache
def meals() -> Meals:
    """Return what can be cooked."""
    return _read("meals.yaml", TypeAdapter(Meals))


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
