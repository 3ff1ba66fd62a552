"""Depth: what hides a part of what."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth

_DEPTH = skill("depth")


def _option(picture: Picture, option: str) -> str:
    return read(("the {thing}",), option, picture)["thing"]


@_DEPTH.reads(
    "Which of these is partly hidden by the {thing}?",
    "What does the {thing} hide a part of?",
    "Which thing is behind the {thing}, partly covered by it?",
)
def _hidden(picture: Picture, found: Found, option: str) -> Truth:
    return places.hides(picture.the(found["thing"]), picture.the(_option(picture, option)))


@_DEPTH.reads(
    "Which of these hides a part of the {thing}?",
    "What covers a part of the {thing}?",
    "Which thing is in front of the {thing}, covering a part of it?",
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
    "The {thing} hides a part of the {thing2}.",
    "A part of the {thing2} is covered by the {thing}.",
)
def _hides_stated(picture: Picture, found: Found, option: str) -> Truth:
    return places.hides(picture.the(found["thing"]), picture.the(found["thing2"]))


@claims(_DEPTH, "the {thing} is {order} the {thing2} and the {thing3} is {order2} the {thing4}")
def _orders(panel: Picture, found: Found) -> Parts:
    return [
        lambda: places.told(panel, found["thing"], found["order"], found["thing2"]),
        lambda: places.told(panel, found["thing3"], found["order2"], found["thing4"]),
    ]
