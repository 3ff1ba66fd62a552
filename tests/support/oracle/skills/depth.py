"""Depth: what hides a part of what, and what stands nearer on ground."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, Unread, read, skill
from support.oracle.picture import Picture, Thing
from support.oracle.truth import Truth

_DEPTH = skill("depth")


def _option(picture: Picture, option: str) -> str:
    return read(("the {thing}",), option, picture)["thing"]


@_DEPTH.reads(
    "Which of these is partly hidden by the {thing}?",
    "Which of these is behind the {thing} and partly covered by it?",
    "The {thing} hides part of one of these. Which one?",
)
def _hidden(picture: Picture, found: Found, option: str) -> Truth:
    return places.hides(picture.the(found["thing"]), picture.the(_option(picture, option)))


@_DEPTH.reads(
    "Which of these hides part of the {thing}?",
    "Which of these is in front of the {thing} and partly covers it?",
    "Part of the {thing} is hidden by one of these. Which one?",
)
def _hides(picture: Picture, found: Found, option: str) -> Truth:
    return places.hides(picture.the(_option(picture, option)), picture.the(found["thing"]))


@_DEPTH.reads(
    "Is the {thing} in front of the {thing2} or behind it?",
    "Where is the {thing}: in front of the {thing2} or behind it?",
)
def _order(picture: Picture, found: Found, option: str) -> Truth:
    said = read(("{relation} the {thing2}",), option, picture)
    one, other = picture.the(found["thing"]), picture.the(said["thing2"])
    return places.stands(one, said["relation"], other)


@_DEPTH.reads(
    "The {thing} is {relation} the {thing2}.",
    "In the picture, the {thing} is {relation} the {thing2}.",
)
def _stated(picture: Picture, found: Found, option: str) -> Truth:
    one, other = picture.the(found["thing"]), picture.the(found["thing2"])
    return places.stands(one, found["relation"], other)


@_DEPTH.reads(
    "The {thing} hides part of the {thing2}.",
    "Part of the {thing2} is hidden behind the {thing}.",
)
def _hides_stated(picture: Picture, found: Found, option: str) -> Truth:
    return places.hides(picture.the(found["thing"]), picture.the(found["thing2"]))


@claims(
    _DEPTH,
    "the {thing} is {order} the {thing2} and the {thing3} is {order2} the {thing4}",
    "is the {thing} {order} the {thing2} and the {thing3} {order2} the {thing4}",
)
def _orders(panel: Picture, found: Found) -> Parts:
    return [
        lambda: places.told(panel, found["thing"], found["order"], found["thing2"]),
        lambda: places.told(panel, found["thing3"], found["order2"], found["thing4"]),
    ]


def _colored(picture: Picture, label: str, color: str) -> Thing:
    """The one thing of a kind that has a color."""
    told = {one.number: picture.colored(one, color) for one in picture.things}
    return picture.the(label, told)


def _at_an_end(picture: Picture, label: str, color: str, end: str) -> Truth:
    alike = [one for one in picture.clear() if one.label == label]
    return places.farthest(_colored(picture, label, color), alike, end == "closest to")


@_DEPTH.reads(
    "Which of the {things} is {end} the viewer?",
    "Look at how far away the {things} are. Which one is {end} the viewer?",
)
def _extreme(picture: Picture, found: Found, option: str) -> Truth:
    color = read(("the {color} one",), option, picture)["color"]
    return _at_an_end(picture, picture.names.plurals[found["things"]], color, found["end"])


@_DEPTH.reads("Of the {things} in the picture, the {color} one is {end} the viewer.")
def _extreme_of_all(picture: Picture, found: Found, option: str) -> Truth:
    label = picture.names.plurals[found["things"]]
    return _at_an_end(picture, label, found["color"], found["end"])


@_DEPTH.reads("The {color} {thing} is the one {end} the viewer.")
def _extreme_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _at_an_end(picture, found["thing"], found["color"], found["end"])


@_DEPTH.reads(
    "Is the {color} {thing} closer to the viewer or farther away than the {color2} one?",
    "Look at how far away the {color} {thing} and the {color2} one are. Is the {color3} one "
    "closer or farther away?",
)
def _distance(picture: Picture, found: Found, option: str) -> Truth:
    said = read(("{relation} the {color2} one",), option, picture)
    if found["color"] != found.get("color3", found["color"]):
        raise Unread("which of the two?")
    one, other = (
        _colored(picture, found["thing"], each["color" + at])
        for each, at in ((found, ""), (said, "2"))
    )
    return places.stands(one, said["relation"], other)


@_DEPTH.reads(
    "The {color} {thing} is {relation} the {color2} one.",
    "In the picture, the {color} {thing} is {relation} the {color2} one.",
)
def _distance_stated(picture: Picture, found: Found, option: str) -> Truth:
    one, other = (_colored(picture, found["thing"], found["color" + at]) for at in ("", "2"))
    return places.stands(one, found["relation"], other)
