"""Spatial relations."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth, both, no

_SPATIAL = skill("spatial")

_STANDS = "{relations} the {thing2}"
_TWO = "{relation} the {thing2} and {relation2} the {thing3}"
_SAME = "{relation} both the {thing2} and the {thing3}"
_NOT = "{relation} the {thing2} but not {relation2} the {thing3}"
_NEAREST, _FARTHEST = "closest to the {thing2}", "farthest from the {thing2}"
_BETWEEN = "between the {thing2} and the {thing3}"
_ON, _INSIDE = "on the {prop}", "inside the {prop}"
#: What may stand behind "is", and how to tell its kind.
_SAID = (_STANDS, _TWO, _SAME, _NOT, _NEAREST, _FARTHEST, _BETWEEN, _ON, _INSIDE)


def _holds(picture: Picture, found: Found, label: str, said: str) -> Truth:
    """Whether the thing of this name is so; ``said`` is the kind of what is said of it."""
    if said in (_ON, _INSIDE):
        return _at(picture, label, said, found["prop"])
    one, other = picture.the(label), picture.the(found["thing2"])
    if said == _STANDS:
        return places.stands(one, found["relations"], other)
    if said in (_NEAREST, _FARTHEST):
        return places.most_distant(one, other, picture.clear(), said == _NEAREST)
    third = picture.the(found["thing3"])
    if said == _BETWEEN:
        return places.between(one, other, third)
    second = places.stands(one, found.get("relation2", found["relation"]), third)
    return both(
        places.stands(one, found["relation"], other), no(second) if said == _NOT else second
    )


def _at(picture: Picture, label: str, said: str, prop: str) -> Truth:
    return places.told(picture, label, "on" if said == _ON else "inside", prop)


def _option(picture: Picture, option: str) -> str:
    return read(("the {thing}",), option, picture)["thing"]


def _register(said: str) -> None:
    @_SPATIAL.reads(f"Which of these is {said}?", f"In the picture, which of these is {said}?")
    def _which(picture: Picture, found: Found, option: str) -> Truth:
        return _holds(picture, found, _option(picture, option), said)

    @_SPATIAL.reads(f"The {{thing}} is {said}.", f"In the picture, the {{thing}} is {said}.")
    def _stated(picture: Picture, found: Found, option: str) -> Truth:
        return _holds(picture, found, found["thing"], said)


for _each in _SAID:
    _register(_each)


@_SPATIAL.reads(
    "Where is the {thing} in relation to the {thing2}?",
    "In the picture, where is the {thing} in relation to the {thing2}?",
)
def _where(picture: Picture, found: Found, option: str) -> Truth:
    said = read((_STANDS,), option, picture)
    return places.stands(
        picture.the(found["thing"]), said["relations"], picture.the(said["thing2"])
    )


@_SPATIAL.reads(
    "Where is the {thing}?",
    "Where in the picture is the {thing}?",
    "Which of these describes where the {thing} is?",
)
def _at_which(picture: Picture, found: Found, option: str) -> Truth:
    said = _ON if option.startswith("on ") else _INSIDE
    return _at(picture, found["thing"], said, read((said,), option, picture)["prop"])


@_SPATIAL.reads(
    "Which of these is facing {way}?", "In the picture, which of these is facing {way}?"
)
def _which_faces(picture: Picture, found: Found, option: str) -> Truth:
    return picture.faces(picture.the(_option(picture, option)), found["way"])


@_SPATIAL.reads("The {thing} is facing {way}.", "In the picture, the {thing} is facing {way}.")
def _faces(picture: Picture, found: Found, option: str) -> Truth:
    return picture.faces(picture.the(found["thing"]), found["way"])


@_SPATIAL.reads(
    "Which way is the {thing} facing, left or right?",
    "In the picture, is the {thing} facing left or right?",
)
def _which_way(picture: Picture, found: Found, option: str) -> Truth:
    way = read(("{way}",), option, picture)["way"]
    return picture.faces(picture.the(found["thing"]), way)


def _claimed(where: str) -> None:
    @claims(_SPATIAL, f"the {{thing}} is {where}", f"is the {{thing}} {where}")
    def _sides(panel: Picture, found: Found) -> Parts:
        second = found.get("side2", found["side"])
        return [
            lambda: places.told(panel, found["thing"], found["side"], found["thing2"]),
            lambda: places.told(panel, found["thing"], second, found["thing3"]),
        ]


for _each in (
    "{side} the {thing2} and {side2} the {thing3}",
    "{side} both the {thing2} and the {thing3}",
):
    _claimed(_each)
