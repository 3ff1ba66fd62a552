"""Existence."""

from __future__ import annotations

from support.oracle.claims import Parts, claims
from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth, no

_EXISTENCE = skill("existence")
_OPTION = ("[a|an] {thing}",)


@_EXISTENCE.reads(
    "Which of these can be seen in the picture?",
    "Which of these does the picture show?",
    "Only one of these is in the picture. Which one?",
)
def _there(picture: Picture, found: Found, option: str) -> Truth:
    return picture.shows(read(_OPTION, option, picture)["thing"])


@_EXISTENCE.reads(
    "Which of these cannot be seen in the picture?",
    "Which of these is missing from the picture?",
    "One of these is not in the picture. Which one?",
)
def _missing(picture: Picture, found: Found, option: str) -> Truth:
    return no(_there(picture, found, option))


@_EXISTENCE.reads(
    "There is [a|an] {thing} in the picture.",
    "The picture shows [a|an] {thing}.",
    "You can see [a|an] {thing} in the picture.",
)
def _stated(picture: Picture, found: Found, option: str) -> Truth:
    return picture.shows(found["thing"])


@claims(
    _EXISTENCE,
    "you can see both [a|an] {thing} and [a|an] {thing2}",
    "can you see both [a|an] {thing} and [a|an] {thing2}",
)
def _both(panel: Picture, found: Found) -> Parts:
    return [lambda: panel.shows(found["thing"]), lambda: panel.shows(found["thing2"])]
