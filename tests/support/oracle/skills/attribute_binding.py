"""Attribute binding: which things have which colors."""

from __future__ import annotations

from support.oracle import places
from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture, meant
from support.oracle.truth import Truth, both, every, some

_BINDING = skill("attribute_binding")


def _shows(picture: Picture, color: str, label: str) -> Truth:
    """Whether anything of this name and color is there."""
    found = [
        both(picture.called(thing, label), picture.colored(thing, color))
        for thing in picture.things
    ]
    return some([*found, picture.elsewhere(label)])


@_BINDING.reads(
    "Which of these is {color} in the picture?",
    "In the picture, which of these is {color}?",
    "Only one of these is {color} in the picture. Which one?",
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    return _shows(picture, found["color"], read(("the {thing}",), option, picture)["thing"])


_BOTH = "[a|an] {color} {thing} and [a|an] {color2} {thing2}"


def _pair(picture: Picture, found: Found) -> Truth:
    return every(_shows(picture, found[f"color{at}"], found[f"thing{at}"]) for at in ("", "2"))


@_BINDING.reads(
    "Which of these pairs does the picture show?",
    "Which of these pairs can be seen in the picture?",
    "Only one of these pairs is in the picture. Which one?",
)
def _which_pair(picture: Picture, found: Found, option: str) -> Truth:
    return _pair(picture, read((_BOTH,), option, picture))


@_BINDING.reads(f"The picture shows {_BOTH}.", f"There is {_BOTH} in the picture.")
def _pair_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _pair(picture, found)


@_BINDING.reads(
    "The {thing} in the picture is {color}.", "There is [a|an] {color} {thing} in the picture."
)
def _stated(picture: Picture, found: Found, option: str) -> Truth:
    return _shows(picture, found["color"], found["thing"])


@claims(
    _BINDING,
    "the {color} object is {side} the {color2} object",
    "is the {color} object {side} the {color2} object",
)
def _sides(panel: Picture, found: Found) -> Parts:
    def stands() -> Truth:
        one, other = meant(
            lambda: panel.the_colored(found["color"]), lambda: panel.the_colored(found["color2"])
        )
        return places.stands(one, found["side"], other)

    return [stands]
