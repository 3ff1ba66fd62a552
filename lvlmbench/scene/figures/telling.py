"""What holds of a person who is drawn from head to foot, in three values."""

from __future__ import annotations

from functools import lru_cache

from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.figures.rules import unclear
from lvlmbench.scene.graph import Person

#: Attributes of a person by name -> what a figure calls them.
_OF_FIGURE = {
    "age": "age",
    "gender": "gender",
    "skin": "skin",
    "expression": "expression",
    "hair": "hair",
    "hair_color": "hair_color",
    "action": "action",
}

#: What is held, whatever it is.
SOMETHING = "something"

#: What a garment of a kind is colored: ``color of scarf``.
COLOR_OF = "color of "


@lru_cache(maxsize=4096)
def _figure(person: Person) -> tuple[Figure, frozenset[str]] | None:
    figure = figure_of(person)
    return None if figure is None else (figure, unclear(figure))


def clear(person: Person, attribute: str) -> bool:
    """Return whether an attribute, or whether a kind of garment is worn, can be told."""
    found = _figure(person)
    return found is not None and attribute not in found[1]


def has(person: Person, attribute: str, value: str) -> bool | None:
    """Return whether a person has a value of an attribute; None where that cannot be told.

    Beside those of a figure there are ``wears`` (a kind of garment), ``wears colored`` ("red
    scarf"), ``wears color`` (of any garment), ``color of scarf``, ``held`` and ``color held``.
    """
    found = _figure(person)
    if found is None:
        return None
    figure, doubtful = found
    if attribute == "held":
        if value == SOMETHING:
            return figure.held is not None
        return figure.held is not None and figure.held[0] == value
    if attribute == "color held":
        return None if figure.held is None else figure.held[1] == value
    if attribute == "wears color":
        return _wears_color(figure, doubtful, value)
    if attribute in ("wears", "wears colored"):
        color, kind = split(value) if attribute == "wears colored" else ("", value)
        if kind in doubtful:
            return None
        worn = figure.color_of(kind)
        return worn == color if color else worn is not None
    if attribute.startswith(COLOR_OF):
        kind = attribute.removeprefix(COLOR_OF)
        worn = figure.color_of(kind)
        return None if worn is None or kind in doubtful else worn == value
    if attribute in doubtful:
        return None
    held = getattr(figure, _OF_FIGURE[attribute])
    if attribute == "action" and value == "standing" and held in phrases.ALSO_STANDING:
        return None
    return bool(held == value)


def _wears_color(figure: Figure, doubtful: frozenset[str], color: str) -> bool | None:
    """Whether a garment has a color; a backpack is carried rather than worn."""
    kinds = [kind for kind, own in figure.garments if own == color]
    if any(kind not in doubtful and kind != "backpack" for kind in kinds):
        return True
    return None if kinds else False


def split(value: str) -> tuple[str, str]:
    """Return color and kind of "red bow tie"."""
    color, _, kind = value.partition(" ")
    return color, kind


def outfit(person: Person) -> list[tuple[str, str]]:
    """Return the garments, as (kind, color), that can be told of a person."""
    found = _figure(person)
    if found is None:
        return []
    return [(kind, color) for kind, color in found[0].garments if kind not in found[1]]


def colored(person: Person, kind: str) -> bool:
    """Return whether the color of a garment shows, even where its kind cannot be told."""
    hidden = kind == "backpack" and person.age == "child" and person.hair == "long"
    return _figure(person) is not None and not hidden


def colors() -> tuple[str, ...]:
    """Return the colors of garments and held things."""
    return tuple(labels.COLORS)
