"""What is known of things, by the catalogue's table of facts, and how questions say it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from support.exam.oracle.reading import (
    a_label,
    conditions,
    family,
    fits,
    referred,
    stands,
    the,
    the_label,
)
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Picture
from support.oracle.truth import Truth, both

FACTS = Path(__file__).resolve().parents[4] / "data" / "aspects" / "facts.yaml"

#: Property -> how it is asked for, and what is said behind "a thing that".
_WORDINGS = {
    "used_for": (
        ("What is {said} used for?", "Look at {said}. What do people use such a thing for?"),
        "is used for ",
    ),
    "class": (("What kind of thing is {said}?", "Look at {said}. Which of these is it?"), "is "),
    "habitat": (
        ("Where in the world is {said} at home?", "Look at {said}. Where is it at home?"),
        "is at home ",
    ),
    "found_in": (
        (
            "Where would you most likely find {said}?",
            "Look at {said}. Where would you expect it?",
        ),
        "is most likely found ",
    ),
    "worn_on": (
        ("Where is {said} worn?", "Look at {said}. Where do people wear such a thing?"),
        "is worn ",
    ),
    "origin": (
        (
            "Which of these tells where food such as {said} comes from?",
            "Look at {said}. Where does such food come from?",
        ),
        "",
    ),
    "legs": (
        (
            "How many legs does an animal such as {said} have?",
            "Look at {said}. How many legs does such an animal have?",
        ),
        "has ",
    ),
    "covered_with": (
        (
            "What is the body of {said} covered with?",
            "Look at {said}. What covers the body of such an animal?",
        ),
        "is covered with ",
    ),
    "used_by": (
        ("Who uses {said} at work?", "Look at {said}. Who works with such a thing?"),
        "is used at work by ",
    ),
}


@cache
def facts() -> Mapping[str, Mapping[str, str]]:
    """Return the table: property -> label -> what is so."""
    found: dict[str, dict[str, str]] = yaml.safe_load(FACTS.read_text())["facts"]
    return found


def _values(what: str) -> set[str]:
    return {*facts()[what].values()}


def _so(label: str, what: str, value: str) -> Truth:
    """Whether something is known of a kind of thing; None of what nothing is known."""
    known = facts()[what].get(label)
    return None if known is None else known == value


def _register(what: str) -> None:
    @family("fact").reads(*_WORDINGS[what][0])
    def _fact(picture: Picture, found: Found, option: str) -> Truth:
        if option not in _values(what):
            raise Unread(option)
        return _so(referred(picture, found["said"]).label, what, option)


for _each in _WORDINGS:
    _register(_each)


def _said(words: str) -> tuple[str, str]:
    """Property and value of what is said behind "a thing that"."""
    found = [
        (what, value)
        for what, (_, says) in _WORDINGS.items()
        for value in sorted(_values(what))
        if words == says + value
    ]
    if len(found) != 1:
        raise Unread(words)
    return found[0]


@family("fact_seen").reads(
    "Which thing that {said} can be seen in the picture?",
    "One thing in the picture {said}. Which is it?",
)
def _shown(picture: Picture, found: Found, option: str) -> Truth:
    label = a_label(option, picture)
    return both(picture.shows(label), _so(label, *_said(found["said"])))


_PLACED = r"(?P<fact>.+) is (?P<where>SIDE .+)"


@family("fact_seen").reads(
    "Which thing that {said}?",
    "One thing that {said}. Which one?",
)
def _placed(picture: Picture, found: Found, option: str) -> Truth:
    said = fits(_PLACED, found["said"], picture)
    if said is None:
        raise Unread(found["said"])
    fact, told = _said(said["fact"]), conditions(said["where"], picture)
    label = the_label(option, picture)
    return both(_so(label, *fact), stands(the(picture, label), told, picture))
