"""Reading."""

from __future__ import annotations

from support.oracle.phrases import Found, read, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth

_READING = skill("reading")


@_READING.reads(
    "What does the {thing} say?",
    "Which word is written on the {thing}?",
    "Read the {thing}. Which word is written on it?",
)
def _word(picture: Picture, found: Found, option: str) -> Truth:
    return picture.says(picture.the(found["thing"]), read(("{word}",), option, picture)["word"])


@_READING.reads(
    'On which of these is the word "{word}" written?', 'What is the word "{word}" written on?'
)
def _carrier(picture: Picture, found: Found, option: str) -> Truth:
    label = read(("the {thing}",), option, picture)["thing"]
    return picture.says(picture.the(label), found["word"])


@_READING.reads('The {thing} says "{word}".', 'The word "{word}" is written on the {thing}.')
def _stated(picture: Picture, found: Found, option: str) -> Truth:
    return picture.says(picture.the(found["thing"]), found["word"])
