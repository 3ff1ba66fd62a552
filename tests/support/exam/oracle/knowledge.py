"""What is known of things, by the catalogue's table of facts, and how questions say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from support.exam.oracle.reading import (
    a_label,
    called,
    conditions,
    family,
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
        ("What is the purpose of {said}?", "Look at {said}. What do people use it for?"),
        "is used for ",
    ),
    "class": (
        (
            "What kind of animal is {said}?",
            "Look at {said}. What kind of animal is it?",
            "What is {said}?",
            "Look at {said}. Which of these is it?",
        ),
        "is ",
    ),
    "habitat": (
        ("Where would you expect {said} to live?", "Look at {said}. Where does it live?"),
        "lives ",
    ),
    "found_in": (
        (
            "In real life, where would you most likely find {said}?",
            "Look at {said}. Where would you most likely find it in real life?",
        ),
        "is usually found ",
    ),
    "worn_on": (
        (
            "Where on the body is {said} worn?",
            "Look at {said}. Where on the body do people wear it?",
        ),
        "is worn ",
    ),
    "origin": (
        (
            "Where does {said} come from?",
            "Look at {said}. Which of these is true of this kind of food?",
        ),
        "",
    ),
    "legs": (
        (
            "In real life, how many legs does {said} have?",
            "Look at {said}. How many legs does this kind of animal have?",
        ),
        "has ",
    ),
    "covered_with": (
        (
            "What covers the body of {said}?",
            "Look at {said}. What is its body covered with?",
        ),
        "is covered with ",
    ),
    "used_by": (
        ("Who works with {said}?", "Look at {said}. Who works with it?"),
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
        value = option.removeprefix("It ") if what == "origin" else option
        if value not in _values(what) or (what == "origin") != option.startswith("It "):
            raise Unread(option)
        return _so(referred(picture, found["said"]).label, what, value)


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
    "Which {name} in the picture {said}?",
    "One {name} in the picture {said}. What is it?",
)
def _shown(picture: Picture, found: Found, option: str) -> Truth:
    label = a_label(option, picture)
    called(label, found["name"], picture)
    return both(picture.shows(label), _so(label, *_said(found["said"])))


@family("fact_seen").reads(
    "Which {name} {relation} {said}?",
    "One {name} {relation} {said}. Which one is it?",
)
def _placed(picture: Picture, found: Found, option: str) -> Truth:
    label, words = the_label(option, picture), f"{found['relation']} {found['said']}"
    called(label, found["name"], picture)
    for parted in re.finditer(" ", words):
        try:
            fact = _said(words[parted.end() :])
        except Unread:  # it begins farther on
            continue
        told = conditions(words[: parted.start()], picture)
        return both(_so(label, *fact), stands(the(picture, label), told, picture))
    raise Unread(words)
