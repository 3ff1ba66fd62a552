"""Facts about the world and text templates, read from ``data/world``."""

from __future__ import annotations

from collections.abc import Callable
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


#: Texts of which one or the other is taken; three of them; one with a hole for a thing.
Texts = tuple[str, ...]
Three = Annotated[Texts, Field(min_length=3, max_length=3)]
Holed = Annotated[str, AfterValidator(_with_hole)]


class Things(Section):
    """Sort of objects -> label -> its use; animal -> what it is known for, and how it comes."""

    objects: dict[str, dict[str, str]]
    animals: dict[str, tuple[str, str]]

    def sort(self, label: str) -> str:
        """Return of which sort an object is."""
        return next(sort for sort, uses in self.objects.items() if label in uses)

    def use(self, label: str) -> str:
        """Return what one does with an object."""
        return self.objects[self.sort(label)][label]


class Wanted(Section):
    """What ideas are wanted for, and an idea for each sort of objects."""

    wanted: str
    ideas: dict[str, str]


class Letter(Section):
    """An occasion to write an email: ways to ask for it, and its parts."""

    wanted: Texts
    subject: str
    greeting: str
    openings: Three
    requests: Three


class Letters(Section):
    """Emails, and how they end."""

    letters: tuple[Letter, ...]
    closings: Texts


class Look(Section):
    """By what a style can be told, and what it does to a picture."""

    look: str
    effect: str


class Styles(Section):
    """Ways to tell of a style, and styles by their labels."""

    frames: Texts
    styles: dict[str, Look]


class Need(Section):
    """What somebody says who is in a situation, and what to do with what helps."""

    said: str
    helps: dict[str, Holed]


class Needs(Section):
    """Situations, and what is said before and behind the steps."""

    openings: Texts
    closings: Texts
    needs: tuple[Need, ...]


class Occasion(Section):
    """An occasion to cook for: ways to ask, and how the answer begins and ends."""

    wanted: Texts
    opening: str
    closing: str


class Course(Section):
    """How a course of a meal begins, and what to do with each food."""

    start: str
    foods: dict[str, Holed]


class Meals(Section):
    """Occasions to cook for, and the courses of a meal in their order."""

    occasions: tuple[Occasion, ...]
    courses: tuple[Course, ...]


class Climate(Section):
    """What a place is like, what to wear there, what to leave at home, and why."""

    there: str
    wear: dict[str, str]
    leave: Texts
    because: str


class Climates(Section):
    """Ways to ask what to wear and to answer, and places by the labels of backgrounds."""

    wanted: Texts
    openings: Texts
    closings: Texts
    places: dict[str, Climate]


class Place(Section):
    """What a landmark is, and names of its country, the usual one first; none of what is lost."""

    about: str
    country: Texts = ()


def _known(name: str, wanted: type[T]) -> Callable[[], T]:
    """What reads a file once."""

    @cache
    def read() -> T:
        found = read_yaml(PROJECT_ROOT / FOLDER / name)
        try:
            return TypeAdapter(wanted).validate_python(found)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            fix = "write it as the other entries of the file are written"
            raise UserError(f"{FOLDER}/{name}: {where}", first["msg"], fix) from None

    return read


things = _known("things.yaml", Things)
stories = _known("stories.yaml", dict[str, Texts])
poems = _known("poems.yaml", dict[str, Texts])
ideas = _known("ideas.yaml", tuple[Wanted, ...])
letters = _known("letters.yaml", Letters)
styles = _known("styles.yaml", Styles)
needs = _known("needs.yaml", Needs)
meals = _known("meals.yaml", Meals)
climates = _known("climates.yaml", Climates)
places = _known("landmarks.yaml", dict[str, Place])
