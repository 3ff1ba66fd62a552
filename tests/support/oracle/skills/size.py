"""Size as it is drawn."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, Unread, read, skill
from support.oracle.picture import Picture, Thing, meant
from support.oracle.truth import Truth

_SIZE = skill("size")


def _option(picture: Picture, option: str) -> str:
    return read(("the {thing}",), option, picture)["thing"]


def _colored(picture: Picture, label: str, color: str) -> Thing:
    """The one thing of a kind that has a color."""
    return picture.the(label, {one.number: picture.colored(one, color) for one in picture.things})


def _end(picture: Picture, one: Thing, end: str) -> Truth:
    return (places.largest if end == "largest" else places.smallest)(picture, one)


def _register(end: str) -> None:
    more = {"largest": "larger", "smallest": "smaller"}[end]

    @_SIZE.reads(
        f"Which of these is the {end} in the picture?",
        f"In the picture, which of these is the {end}?",
        f"Going by how they are drawn, which of these is the {end}?",
    )
    def _which(picture: Picture, found: Found, option: str) -> Truth:
        return _end(picture, picture.the(_option(picture, option)), end)

    @_SIZE.reads(
        f"Which of the {{things}} is the {end} in the picture?",
        f"In the picture, which of the {{things}} is the {end}?",
        f"Going by how they are drawn, which of the {{things}} is the {end}?",
    )
    def _which_color(picture: Picture, found: Found, option: str) -> Truth:
        color = read(("the {color} one",), option, picture)["color"]
        return _end(picture, _alike(picture, found["things"], color), end)

    @_SIZE.reads(
        f"The {{thing}} is {more} than everything else in the picture.",
        f"Not counting the background, the {{thing}} is {more} than everything else in the "
        "picture.",
        f"Nothing in the picture is {more} than the {{thing}}.",
        f"Not counting the background, nothing in the picture is {more} than the {{thing}}.",
    )
    def _stated(picture: Picture, found: Found, option: str) -> Truth:
        return _end(picture, picture.the(found["thing"]), end)

    @_SIZE.reads(
        f"The {{color}} one is {more} than all the other {{things}} in the picture.",
        f"None of the {{things}} in the picture is {more} than the {{color}} one.",
    )
    def _color_stated(picture: Picture, found: Found, option: str) -> Truth:
        return _end(picture, _alike(picture, found["things"], found["color"]), end)


def _alike(picture: Picture, things: str, color: str) -> Thing:
    """The thing of a color, of those of one kind: all that are there."""
    label = picture.names.plurals[things]
    if any(one.label != label for one in picture.clear()):
        raise Unread(f"not all are {things}")
    return _colored(picture, label, color)


for _each in ("largest", "smallest"):
    _register(_each)


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


def _two(picture: Picture, label: str, color: str, relation: str, other: str) -> Truth:
    one, two = (_colored(picture, label, each) for each in (color, other))
    return places.stands(one, relation, two)


@_SIZE.reads(
    "In the picture, is the {color} {thing} larger or smaller than the {color2} one?",
    "Is the {color} {thing} drawn larger or smaller than the {color2} one?",
)
def _pair_of_a_kind(picture: Picture, found: Found, option: str) -> Truth:
    said = read(("{relation} the {color2} one",), option, picture)
    return _two(picture, found["thing"], found["color"], said["relation"], said["color2"])


@_SIZE.reads(
    "In the picture, the {color} {thing} is {relation} the {color2} one.",
    "The {color} {thing} is drawn {relation} the {color2} one.",
)
def _pair_of_a_kind_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _two(picture, found["thing"], found["color"], found["relation"], found["color2"])


_AMID = "larger than the {color2} one but smaller than the {color3} one"


@claims(_SIZE, f"the {{color}} {{thing}} is {_AMID}", f"is the {{color}} {{thing}} {_AMID}")
def _amid(panel: Picture, found: Found) -> Parts:
    def told(relation: str, other: str) -> Truth:
        one, two = meant(
            lambda: _colored(panel, found["thing"], found["color"]),
            lambda: _colored(panel, found["thing"], found[f"color{other}"]),
        )
        return places.stands(one, relation, two)

    return [lambda: told("larger than", "2"), lambda: told("smaller than", "3")]
