"""Counting."""

from __future__ import annotations

from support.oracle.phrases import NUMBERS, Found, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth

_COUNTING = skill("counting")


def _is(picture: Picture, label: str, number: int) -> Truth:
    if picture.elsewhere(label) is None:
        return None
    counted = picture.number(label)
    return None if counted is None else counted == number


@_COUNTING.reads(
    "How many {things} are in the picture?",
    "How many {things} can you count in the picture?",
    "What is the number of {things} in the picture?",
)
def _how_many(picture: Picture, found: Found, option: str) -> Truth:
    return _is(picture, picture.names.plurals[found["things"]], int(option))


@_COUNTING.reads(
    "There [is|are] exactly {number} {thing} in the picture.",
    "There [is|are] exactly {number} {things} in the picture.",
    "The picture shows exactly {number} {thing}.",
    "The picture shows exactly {number} {things}.",
    "You can count exactly {number} {thing} in the picture.",
    "You can count exactly {number} {things} in the picture.",
)
def _exactly(picture: Picture, found: Found, option: str) -> Truth:
    label = found.get("thing") or picture.names.plurals[found["things"]]
    return _is(picture, label, NUMBERS.index(found["number"]))
