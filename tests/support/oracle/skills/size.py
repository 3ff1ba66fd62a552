"""Size as it is drawn."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture, Thing, meant
from support.oracle.truth import Truth

_SIZE = skill("size")


def _option(picture: Picture, option: str) -> str:
    return read(("the {thing}",), option, picture)["thing"]


@_SIZE.reads(
    "Which of these things is drawn the largest in the picture?",
    "In the picture, which of these is the largest?",
    "Of these things, which one is drawn the largest?",
)
def _largest(picture: Picture, found: Found, option: str) -> Truth:
    return places.largest(picture, picture.the(_option(picture, option)))


@_SIZE.reads(
    "Which of these things is drawn the smallest in the picture?",
    "In the picture, which of these is the smallest?",
    "Of these things, which one is drawn the smallest?",
)
def _smallest(picture: Picture, found: Found, option: str) -> Truth:
    return places.smallest(picture, picture.the(_option(picture, option)))


@_SIZE.reads(
    "In the picture, the {thing} is the largest thing.",
    "Of all things in the picture, the {thing} is drawn the largest.",
)
def _largest_stated(picture: Picture, found: Found, option: str) -> Truth:
    return places.largest(picture, picture.the(found["thing"]))


@_SIZE.reads(
    "In the picture, the {thing} is the smallest thing.",
    "Of all things in the picture, the {thing} is drawn the smallest.",
)
def _smallest_stated(picture: Picture, found: Found, option: str) -> Truth:
    return places.smallest(picture, picture.the(found["thing"]))


@_SIZE.reads(
    "In the picture, is the {thing} larger or smaller than the {thing2}?",
    "Is the {thing} drawn larger or smaller than the {thing2}?",
)
def _pair(picture: Picture, found: Found, option: str) -> Truth:
    said = read(("{relation} the {thing2}",), option, picture)
    one, other = picture.the(found["thing"]), picture.the(said["thing2"])
    return places.stands(one, said["relation"], other)


@_SIZE.reads(
    "In the picture, the {thing} is {relation} the {thing2}.",
    "The {thing} is drawn {relation} the {thing2}.",
)
def _pair_stated(picture: Picture, found: Found, option: str) -> Truth:
    one, other = picture.the(found["thing"]), picture.the(found["thing2"])
    return places.stands(one, found["relation"], other)


@claims(
    _SIZE,
    "the {color} {thing} is larger than the {color2} {thing2}, "
    "but smaller than the {color3} {thing3}",
)
def _amid(panel: Picture, found: Found) -> Parts:
    def the(at: str) -> Thing:
        colored = {one.number: panel.colored(one, found[f"color{at}"]) for one in panel.things}
        return panel.the(found[f"thing{at}"], colored)

    def told(relation: str, other: str) -> Truth:
        one, two = meant(lambda: the(""), lambda: the(other))
        return places.stands(one, relation, two)

    return [lambda: told("larger than", "2"), lambda: told("smaller than", "3")]
