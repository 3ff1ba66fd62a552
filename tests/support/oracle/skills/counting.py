"""Counting."""

from __future__ import annotations

from support.oracle.claims import four
from support.oracle.phrases import NUMBERS, Found, Unread, skill
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


@_COUNTING.reads(
    "How many {things} are there in the four pictures together?",
    "How many {things} can you count in the four pictures together?",
    "What is the number of {things} in all four pictures?",
)
def _how_many_together(picture: Picture, found: Found, option: str) -> Truth:
    if not option.isdigit():
        raise Unread(option)
    return _together(picture, picture.names.plurals[found["things"]], int(option))


@_COUNTING.reads(
    "There are exactly {count} {things} in the four pictures together.",
    "The four pictures together show exactly {count} {things}.",
)
def _exactly_together(picture: Picture, found: Found, option: str) -> Truth:
    said = found["count"]
    if said == "one":
        raise Unread("one of several")
    number = int(said) if said.isdigit() else NUMBERS.index(said)
    return _together(picture, picture.names.plurals[found["things"]], number)


@_COUNTING.reads(
    "There [is|are] exactly one {thing} in the four pictures together.",
    "The four pictures together show exactly one {thing}.",
)
def _one_together(picture: Picture, found: Found, option: str) -> Truth:
    return _together(picture, found["thing"], 1)


def _together(picture: Picture, label: str, number: int) -> Truth:
    four(picture)
    return _is(picture, label, number)
