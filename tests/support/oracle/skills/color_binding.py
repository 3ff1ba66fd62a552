"""Color binding."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, skill
from support.oracle.picture import Picture, Thing
from support.oracle.truth import Truth

_COLOR = skill("color_binding")


def _meant(picture: Picture, found: Found) -> Thing:
    """The thing that is named, where there are several of its kind by where it is."""
    if "relation" not in found:
        return picture.the(found["thing"])
    other = picture.the(found["thing2"])
    told = {
        one.number: one.edges is not None and places.stands(one, found["relation"], other)
        for one in picture.things
    }
    return picture.the(found["thing"], told)


@_COLOR.reads(
    "What color is the {thing}?",
    "What is the color of the {thing}?",
    "Look at the {thing}. What color is it?",
    "What color is the {thing} {relation} the {thing2}?",
    "What is the color of the {thing} {relation} the {thing2}?",
    "Look at the {thing} {relation} the {thing2}. What color is it?",
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    return picture.colored(_meant(picture, found), option)


@_COLOR.reads(
    "The {thing} is {color}.",
    "In the picture, the {thing} is {color}.",
    "The {thing} {relation} the {thing2} is {color}.",
    "In the picture, the {thing} {relation} the {thing2} is {color}.",
)
def _stated(picture: Picture, found: Found, option: str) -> Truth:
    return picture.colored(_meant(picture, found), found["color"])


@claims(
    _COLOR,
    "the {thing} is {color} and the {thing2} is {color2}",
    "is the {thing} {color} and the {thing2} {color2}",
)
def _both(panel: Picture, found: Found) -> Parts:
    return [
        lambda: panel.colored(panel.the(found["thing"]), found["color"]),
        lambda: panel.colored(panel.the(found["thing2"]), found["color2"]),
    ]
