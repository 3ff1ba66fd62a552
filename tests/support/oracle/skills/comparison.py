"""Comparison of numbers."""

from __future__ import annotations

from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, Unread, match, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth

_COMPARISON = skill("comparison")
_HOW = (
    "more {things} than {things2}",
    "fewer {things} than {things2}",
    "just as many {things} as {things2}",
)


def _holds(picture: Picture, found: Found, said: str) -> Truth:
    """Whether numbers compare so; ``said`` is one of the above."""
    labels = [picture.names.plurals[found[name]] for name in ("things", "things2")]
    if None in map(picture.elsewhere, labels):
        return None
    one, two = map(picture.number, labels)
    if one is None or two is None:
        return None
    if said.startswith("just as many"):
        return one == two
    return one > two if said.startswith("more") else one < two


@_COMPARISON.reads(
    "Are there more {things} or more {things2} in the picture, or the same number of each?",
    "Count the {things} and the {things2} in the picture. Which statement is true?",
    "Which statement about the {things} and the {things2} in the picture is true?",
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    for said in _HOW:
        slots = match(f"there are {said}", option, picture.names)
        if slots is not None:
            return _holds(picture, slots, said)
    raise Unread(option)


def _register(said: str) -> None:
    @_COMPARISON.reads(f"There are {said} in the picture.", f"The picture shows {said}.")
    def _stated(picture: Picture, found: Found, option: str) -> Truth:
        return _holds(picture, found, said)

    @claims(_COMPARISON, f"there are {said}", f"are there {said}")
    def _claimed(panel: Picture, found: Found) -> Parts:
        yield lambda: _holds(panel, found, said)


for _each in _HOW:
    _register(_each)
