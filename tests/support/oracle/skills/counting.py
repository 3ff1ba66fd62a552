"""Counting."""

from __future__ import annotations

from support.oracle.claims import four
from support.oracle.phrases import NUMBERS, Found, Unread, skill
from support.oracle.picture import Picture
from support.oracle.places import PANELS
from support.oracle.truth import Truth

_COUNTING = skill("counting")


def _is(picture: Picture, label: str, number: int) -> Truth:
    if picture.elsewhere(label) is None:
        return None
    counted = picture.number(label)
    return None if counted is None else counted == number


@_COUNTING.reads(
    "How many {things} are there in the picture?",
    "How many {things} can you count in the picture?",
    "How many {things} does the picture show?",
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
    "How many {things} are there in the picture {panel}?",
    "Look at the picture {panel}. How many {things} can you count in it?",
)
def _how_many_in_one(picture: Picture, found: Found, option: str) -> Truth:
    panel = four(picture)[PANELS.index(found["panel"])]
    return _is(panel, picture.names.plurals[found["things"]], int(option))


@_COUNTING.reads(
    "There [is|are] exactly {number} {thing} in the picture {panel}.",
    "There [is|are] exactly {number} {things} in the picture {panel}.",
    "The picture {panel} shows exactly {number} {thing}.",
    "The picture {panel} shows exactly {number} {things}.",
)
def _exactly_in_one(picture: Picture, found: Found, option: str) -> Truth:
    panel = four(picture)[PANELS.index(found["panel"])]
    label = found.get("thing") or picture.names.plurals[found["things"]]
    return _is(panel, label, NUMBERS.index(found["number"]))


@_COUNTING.reads(
    "How many {things} are there altogether, counting all four pictures?",
    "Count the {things} in all four pictures. How many are there in total?",
)
def _how_many_together(picture: Picture, found: Found, option: str) -> Truth:
    if not option.isdigit():
        raise Unread(option)
    return _together(picture, picture.names.plurals[found["things"]], int(option))


@_COUNTING.reads(
    "Counting all four pictures, there are exactly {count} {things} altogether.",
    "In total, the four pictures show exactly {count} {things}.",
)
def _exactly_together(picture: Picture, found: Found, option: str) -> Truth:
    said = found["count"]
    if said == "one":
        raise Unread("one of several")
    number = int(said) if said.isdigit() else NUMBERS.index(said)
    return _together(picture, picture.names.plurals[found["things"]], number)


@_COUNTING.reads(
    "Counting all four pictures, there [is|are] exactly one {thing} altogether.",
    "In total, the four pictures show exactly one {thing}.",
)
def _one_together(picture: Picture, found: Found, option: str) -> Truth:
    return _together(picture, found["thing"], 1)


def _together(picture: Picture, label: str, number: int) -> Truth:
    four(picture)
    return _is(picture, label, number)
