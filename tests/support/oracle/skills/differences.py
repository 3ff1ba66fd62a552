"""Differences between panels."""

from __future__ import annotations

from itertools import combinations

from support.oracle import places
from support.oracle.phrases import NUMBERS, Found, read, skill
from support.oracle.picture import Nothing, Picture, Thing
from support.oracle.truth import Truth, every, no, some

_DIFFERENCES = skill("differences")

#: Left upper corners of panels, in shares of the side, by how many there are.
_CORNERS = {
    2: ((0.0, 0.0), (0.512, 0.0)),
    4: ((0.0, 0.0), (0.512, 0.0), (0.0, 0.512), (0.512, 0.512)),
}
_CHANGED = (
    "the {thing} is missing",
    "the {thing} is a different color",
    "the {thing} is in a different place",
    "the {thing} is facing the other way",
    "the {thing} is larger",
    "the {thing} is smaller",
)
#: Share of a thing that must be seen for its facing to be told.
_WHOLE = 0.85
_ALL = "of the 8 animals and objects"
_WAYS = "color, size, position, or the direction they face"


def _in(picture: Picture, label: str, panel: int) -> Thing | None:
    """The thing of this name in a panel; None where there is none."""
    try:
        return picture.the(label, panel=panel)
    except Nothing:
        return None


def _recolored(one: Thing, other: Thing) -> Truth:
    return None if None in (one.color, other.color) else one.color != other.color


def _turned(one: Thing, other: Thing) -> Truth:
    if min(one.visible, other.visible) < _WHOLE or None in (one.facing, other.facing):
        return False if one.facing is other.facing is None else None
    return one.facing != other.facing


def _moved(picture: Picture, one: Thing, other: Thing) -> Truth:
    return places.moved(one, other, _CORNERS[picture.panels])


def _differs(picture: Picture, one: Thing, other: Thing) -> Truth:
    """Whether a thing is not the same in two panels."""
    recolored = one.color != other.color
    grown, shrunk = places.grown(one, other), places.grown(other, one)
    return some([recolored, _turned(one, other), _moved(picture, one, other), grown, shrunk])


def _changed(picture: Picture, said: str) -> Truth:
    """Whether the right picture shows this change against the left one."""
    label = read(_CHANGED, said, picture)["thing"]
    one, other = (_in(picture, label, panel) for panel in (0, 1))
    if said.endswith("is missing"):
        return one is not None and other is None
    if one is None or other is None:
        return False
    if said.endswith("is a different color"):
        return _recolored(one, other)
    if said.endswith("is facing the other way"):
        return _turned(one, other)
    if said.endswith(("is larger", "is smaller")):
        small, large = (one, other) if said.endswith("is larger") else (other, one)
        return places.grown(small, large)
    return _moved(picture, one, other)


@_DIFFERENCES.reads(
    "Compare the two pictures. What is different in the right one?",
    "What has changed in the right picture compared with the left one?",
    "How does the right picture differ from the left one?",
)
def _what(picture: Picture, found: Found, option: str) -> Truth:
    return _changed(picture, option)


def _stated(said: str) -> None:
    than = "" if "missing" in said or "facing" in said else " than in the left one"

    @_DIFFERENCES.reads(
        f"In the right picture, {said}{than}.",
        f"The right picture differs from the left one: {said}.",
    )
    def _holds(picture: Picture, found: Found, option: str) -> Truth:
        return _changed(picture, said.format(**found))


for _each in _CHANGED:
    _stated(_each)


def _differing(picture: Picture, a: int, b: int) -> list[Truth]:
    """Of each thing, whether two panels differ in it."""
    labels = {thing.label for thing in picture.things if thing.panel in (a, b)}
    pairs = [(_in(picture, label, a), _in(picture, label, b)) for label in sorted(labels)]
    found: list[Truth] = []
    for one, other in pairs:
        if one is None or other is None:
            found.append(one is not other)
        else:
            found.append(_differs(picture, one, other))
    return found


def _alike(picture: Picture, a: int, b: int) -> Truth:
    """Whether two panels show the same."""
    return no(some(_differing(picture, a, b)))


def _number(picture: Picture, number: int) -> Truth:
    """Whether the two panels differ in so many things."""
    found = _differing(picture, 0, 1)
    least = found.count(True)
    if not least <= number <= least + found.count(None):
        return False
    return None if None in found else True


@_DIFFERENCES.reads(
    f"How many {_ALL} differ between the two pictures in {_WAYS}?",
    f"Compare the two pictures. How many {_ALL} differ in {_WAYS}?",
)
def _how_many(picture: Picture, found: Found, option: str) -> Truth:
    return _number(picture, int(option))


@_DIFFERENCES.reads(
    f"Exactly {{number}} {_ALL} [differ|differs] between the two pictures in {_WAYS}.",
    f"Between the two pictures, exactly {{number}} {_ALL} [differ|differs] in {_WAYS}.",
)
def _so_many(picture: Picture, found: Found, option: str) -> Truth:
    return _number(picture, NUMBERS.index(found["number"]))


def _odd(picture: Picture, place: str) -> Truth:
    """Whether the panel at a place differs from the others, and they do not differ."""
    odd = places.PANELS.index(place)
    rest = [panel for panel in range(4) if panel != odd]
    return every(
        [
            *(no(_alike(picture, odd, panel)) for panel in rest),
            *(_alike(picture, a, b) for a, b in combinations(rest, 2)),
        ]
    )


@_DIFFERENCES.reads(
    "Three of the four pictures are the same. Which one is different?",
    "Which of the four pictures is different from the others?",
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    return _odd(picture, option.removeprefix("the one "))


def _odd_stated(place: str) -> None:
    @_DIFFERENCES.reads(
        f"The picture {place} is different from the other three.",
        f"Of the four pictures, the one {place} is different.",
    )
    def _holds(picture: Picture, found: Found, option: str) -> Truth:
        return _odd(picture, place)


for _each in places.PANELS:
    _odd_stated(_each)
