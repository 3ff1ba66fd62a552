"""Reading."""

from __future__ import annotations

from support.oracle.phrases import NUMBERS, Found, read, skill
from support.oracle.picture import Picture
from support.oracle.truth import Truth

_READING = skill("reading")


@_READING.reads(
    "What does the {thing} say?",
    "What word is written on the {thing}?",
    "Read the {thing}. What word is written on it?",
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


def _how_often(picture: Picture, word: str, number: int) -> Truth:
    said = [picture.says(thing, word) for thing in picture.clear()]
    return None if None in said else said.count(True) == number


@_READING.reads(
    'On how many objects in the picture is the word "{word}" written?',
    'How many objects in the picture have the word "{word}" on them?',
)
def _number(picture: Picture, found: Found, option: str) -> Truth:
    return _how_often(picture, found["word"], int(option))


@_READING.reads(
    'The word "{word}" is written on exactly {number} [object|objects] in the picture.',
    'In the picture, exactly {number} [object has|objects have] the word "{word}" on [it|them].',
)
def _number_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _how_often(picture, found["word"], NUMBERS.index(found["number"]))
