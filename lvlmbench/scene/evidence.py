"""What somebody says of a picture as single facts, and whether the picture shows them.

A fact is a subject, a predicate of a closed list, and an object. Subjects are ids of the scene's
objects, or :data:`SCENE` for what holds of the scene as a whole. Of an object that is there several
times, what is said must hold of each.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from typing import NamedTuple

from lvlmbench.scene.relations import BINARY, CELLS
from lvlmbench.scene.sets import Truth, all_of, has
from lvlmbench.scene.world import Instance, World

#: What stands for the scene as a whole, and what can be said of it.
SCENE = "scene"
OF_SCENE = ("background", "weather", "light", "style")
#: What can be said of things, and of people; ``is`` names a thing by its label.
OF_THING = ("is", "color", "text", "facing")
OF_PERSON = (
    "age", "gender", "expression", "hair", "hair_color", "action", "wears", "wears colored", "held",
)  # fmt: skip
#: All predicates, the relations last; ``at`` names one of nine parts of the picture.
PREDICATES = (*OF_SCENE, *OF_THING, "count", "at", *OF_PERSON, *BINARY, "between")


class Fact(NamedTuple):
    """One thing that is said of a picture."""

    subject: str
    predicate: str
    object: str

    def __str__(self) -> str:
        return " ".join(self)


def mistake(fact: Fact, ids: Collection[str]) -> str | None:
    """Return what is wrong with the form of a fact; None where it can be looked up.

    Parameters
    ----------
    ids
        Of the scene's objects.
    """
    subject, predicate, value = fact
    if predicate not in PREDICATES:
        return f"there is no predicate '{predicate}'"
    if (subject == SCENE) != (predicate in OF_SCENE):
        return f"'{predicate}' is said of {'the ' + SCENE if subject != SCENE else 'things'}"
    if subject != SCENE and subject not in ids:
        return f"there is no object '{subject}'"
    if predicate == "count" and not (value.isascii() and value.isdigit() and len(value) < 4):
        return f"'count' needs a number in digits, not '{value}'"
    if predicate == "at" and value not in CELLS:
        return f"'at' needs one of: {', '.join(CELLS)}"
    others = value.split() if predicate == "between" else [value] if predicate in BINARY else []
    if predicate == "between" and len(others) != 2:
        return "'between' needs two ids with a space between them"
    if unknown := next((each for each in others if each not in ids), None):
        return f"there is no object '{unknown}'"
    return None


def holds(fact: Fact, world: World) -> Truth:
    """Return whether a picture shows a fact that has no :func:`mistake`; None where unclear."""
    subject, predicate, value = fact
    if subject == SCENE:
        said = getattr(world.graph.setting, predicate) or "none"
        return bool(said.casefold() == value.casefold())
    own = _drawn(world, subject)
    if predicate == "count":
        there = [one.there for one in own]
        return None if None in there else there.count(True) == int(value)
    if not own:
        return False
    if predicate in BINARY or predicate == "between":
        others = [_drawn(world, each) for each in value.split()]
        if not all(others):
            return False
        rows = itertools.product(own, *others)
        return all_of(world.stands(predicate, *(one.number for one in row)) for row in rows)
    if predicate == "at":
        return all_of(world.stands(value, one.number) for one in own)
    return all_of(all_of((one.there, _has(one, predicate, value, world))) for one in own)


def _drawn(world: World, name: str) -> list[Instance]:
    """All of an object that was drawn."""
    return [one for one in world.instances if one.object.id == name]


def _has(one: Instance, predicate: str, value: str, world: World) -> Truth:
    """Whether a thing has a value; labels, colors and the like are equal in whatever case."""
    if predicate == "is":
        same = one.object.label.casefold() == value.casefold()
        return has(one, "label", one.object.label if same else value, world)
    if predicate == "text":
        return has(one, "text", value, world)
    if predicate in OF_PERSON and one.object.person is None:
        return False
    return has(one, predicate, value.casefold(), world)
