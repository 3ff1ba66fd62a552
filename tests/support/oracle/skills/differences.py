"""Differences between panels."""

from __future__ import annotations

from itertools import combinations

from support.oracle import places
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Nothing, Picture, Thing
from support.oracle.truth import Truth, both, every, no

_DIFFERENCES = skill("differences")

#: Left upper corners of panels, in shares of the side, by how many there are.
_CORNERS = {
    2: ((0.0, 0.0), (0.512, 0.0)),
    4: ((0.0, 0.0), (0.512, 0.0), (0.0, 0.512), (0.512, 0.512)),
}
_PLACES = ("at the top left", "at the top right", "at the bottom left", "at the bottom right")
_CHANGED = (
    "the {thing} is missing",
    "the {thing} has another color",
    "the {thing} is in another place",
)


def _in(picture: Picture, label: str, panel: int) -> Thing | None:
    """The thing of this name in a panel; None where there is none."""
    try:
        return picture.the(label, panel=panel)
    except Nothing:
        return None


def _recolored(one: Thing, other: Thing) -> Truth:
    return None if None in (one.color, other.color) else one.color != other.color


def _changed(picture: Picture, said: str) -> Truth:
    """Whether the right picture shows this change against the left one."""
    label = read(_CHANGED, said, picture)["thing"]
    one, other = (_in(picture, label, panel) for panel in (0, 1))
    if said.endswith("is missing"):
        return one is not None and other is None
    if one is None or other is None:
        return False
    if said.endswith("has another color"):
        return _recolored(one, other)
    return places.moved(one, other, _CORNERS[picture.panels])


@_DIFFERENCES.reads(
    "Compare the two pictures. What is different in the right one?",
    "What has changed in the right picture, compared with the left one?",
    "How does the right picture differ from the left one?",
)
def _what(picture: Picture, found: Found, option: str) -> Truth:
    return _changed(picture, option)


def _stated(said: str) -> None:
    @_DIFFERENCES.reads(
        f"Compared with the left picture, {said} in the right one.",
        f"In the right picture, {said}, compared with the left one.",
    )
    def _holds(picture: Picture, found: Found, option: str) -> Truth:
        return _changed(picture, said.format(**found))


for _each in _CHANGED:
    _stated(_each)


def _alike(picture: Picture, a: int, b: int) -> Truth:
    """Whether two panels show the same."""
    labels = {thing.label for thing in picture.things if thing.panel in (a, b)}
    pairs = [(_in(picture, label, a), _in(picture, label, b)) for label in sorted(labels)]
    found: list[Truth] = []
    for one, other in pairs:
        if one is None or other is None:
            found.append(one is other)
        else:
            still = no(places.moved(one, other, _CORNERS[picture.panels]))
            found.append(both(no(_recolored(one, other)), still))
    return every(found)


def _odd(picture: Picture, place: str) -> Truth:
    """Whether the panel at a place differs from the others, and they do not differ."""
    odd = _PLACES.index(place)
    rest = [panel for panel in range(4) if panel != odd]
    return every(
        [
            *(no(_alike(picture, odd, panel)) for panel in rest),
            *(_alike(picture, a, b) for a, b in combinations(rest, 2)),
        ]
    )


@_DIFFERENCES.reads(
    "Three of the four pictures are the same. Which one is different?",
    "Which of the four pictures is not like the others?",
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    return _odd(picture, option.removeprefix("the one "))


def _odd_stated(place: str) -> None:
    @_DIFFERENCES.reads(
        f"The picture {place} is different from the other three.",
        f"Of the four pictures, the one {place} is unlike the others.",
    )
    def _holds(picture: Picture, found: Found, option: str) -> Truth:
        return _odd(picture, place)


for _each in _PLACES:
    _odd_stated(_each)
