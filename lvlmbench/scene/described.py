"""Structured descriptions as they were given: read leniently out of parsed JSON.

A fence and words around it are left out before. Here keys may be spelled otherwise, numbers may be
words, and what was not told is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lvlmbench.scene.structured import RELATIONS

#: Words that stand for no value.
_NOTHING = frozenset(("", "none", "null", "n/a", "na", "unknown", "unclear", "-"))
_NUMBERS = {
    word: at for at, word in enumerate((
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ))
}  # fmt: skip
#: Words and keys of which it is kept what they are.
_KEPT = 1 << 14
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)


class Unreadable(Exception):
    """A reply is not in the form; the message says where and why, in one line."""


@dataclass(frozen=True)
class Thing:
    """An entry of things; what was not told is None."""

    name: str
    id: str | None = None
    count: int | None = None
    color: str | None = None
    place: str | None = None
    size_rank: int | None = None


@dataclass(frozen=True)
class Person:
    """An entry of people; garments are (name, color)."""

    id: str | None = None
    age: str | None = None
    gender: str | None = None
    garments: tuple[tuple[str, str | None], ...] = ()
    action: str | None = None
    holding: str | None = None


@dataclass(frozen=True)
class Standing:
    """An entry of relations: ids of two entries, and how the first stands to the second."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True)
class Described:
    """What a structured description tells."""

    things: tuple[Thing, ...] = ()
    people: tuple[Person, ...] = ()
    relations: tuple[Standing, ...] = ()

    @classmethod
    def of(cls, found: Any) -> Described:
        """Return what parsed JSON tells; a list by itself is one of things.

        Raises
        ------
        Unreadable
            It is not in the form.
        """
        if isinstance(found, list):
            found = {"things": found}
        if not isinstance(found, Mapping):
            raise Unreadable("the reply is no JSON object")
        lists = _keyed(found)
        if not lists.keys() & {"things", "people", "relations"}:
            raise Unreadable("the reply has none of the lists things, people and relations")
        return cls(
            tuple(_thing(each, at) for each, at in _entries(lists, "things")),
            tuple(_person(each, at) for each, at in _entries(lists, "people")),
            tuple(_standing(each, at) for each, at in _entries(lists, "relations")),
        )


def _keyed(entry: Mapping[Any, Any]) -> dict[str, Any]:
    """An object with its keys in lower case, words joined by underscores."""
    return {_key(str(key)): value for key, value in entry.items()}


@lru_cache(maxsize=_KEPT)
def _key(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip().lower())


def _entries(lists: Mapping[str, Any], name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The entries of a list, each with where it stands; an entry may be a name alone."""
    found = lists.get(name) or []
    if isinstance(found, Mapping):
        found = [found]
    if not isinstance(found, list):
        raise Unreadable(f"{name} is no list")
    for at, each in enumerate(found):
        place = f"{name}[{at}]"
        if isinstance(each, str) and name == "things":
            each = {"name": each}
        if not isinstance(each, Mapping):
            raise Unreadable(f"{place} is no object")
        yield _keyed(each), place


def _thing(entry: Mapping[str, Any], place: str) -> Thing:
    name = _word(entry.get("name"), f"{place}.name")
    if name is None:
        raise Unreadable(f"{place} has no name")
    words = (_word(entry.get(key), f"{place}.{key}") for key in ("color", "place"))
    color, where = words
    return Thing(
        name,
        _id(entry, place),
        _whole(entry.get("count"), f"{place}.count"),
        color,
        where and _place(where),
        _whole(entry.get("size_rank"), f"{place}.size_rank"),
    )


def _person(entry: Mapping[str, Any], place: str) -> Person:
    garments = []
    for each, at in _entries({"garments": entry.get("garments")}, "garments"):
        name = _word(each.get("name"), f"{place}.{at}.name")
        if name is None:
            raise Unreadable(f"{place}.{at} has no name")
        garments.append((name, _word(each.get("color"), f"{place}.{at}.color")))
    words = {key: _word(entry.get(key), f"{place}.{key}")
             for key in ("age", "gender", "action", "holding")}  # fmt: skip
    return Person(id=_id(entry, place), garments=tuple(garments), **words)


def _standing(entry: Mapping[str, Any], place: str) -> Standing:
    found = []
    for key in ("from", "is", "to"):
        word = _word(entry.get(key), f"{place}.{key}")
        if word is None:
            raise Unreadable(f"{place} has no '{key}'")
        found.append(word)
    how = " ".join(re.sub(r"^to the (?=left|right)", "", found[1]).split())
    return Standing(found[0], RELATIONS.get(how, how), found[2])


def _id(entry: Mapping[str, Any], place: str) -> str | None:
    return _word(entry.get("id"), f"{place}.id")


def _word(value: Any, place: str) -> str | None:
    """A value as a word in lower case, without an article; None where it says nothing."""
    if isinstance(value, bool) or not (value is None or isinstance(value, str | int | float)):
        raise Unreadable(f"{place} is no single value")
    return None if value is None else _plain(str(value))


@lru_cache(maxsize=_KEPT)
def _plain(text: str) -> str | None:
    word = " ".join(_ARTICLE.sub("", text.strip()).replace("_", " ").split()).lower().rstrip(".")
    return None if word in _NOTHING else word


def _whole(value: Any, place: str) -> int | None:
    """A whole number, in digits or as a word."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    word = _word(value, place)
    if word is None:
        return None
    if word in _NUMBERS:
        return _NUMBERS[word]
    if not _INTEGER.fullmatch(word):
        raise Unreadable(f"{place} is no whole number")
    return int(word)


def _place(word: str) -> str:
    """A part of the picture in the words of the form."""
    parts = set(re.split(r"[\s-]+", word.replace("upper", "top").replace("lower", "bottom")))
    parts -= {"side", "corner", "of", "the", "picture", "part", "edge", "at", "in"}
    parts = {"center" if each in ("middle", "centre") else each for each in parts}
    if len(parts) > 1:
        parts -= {"center"}
    return " ".join(sorted(parts, key=lambda each: (each not in ("top", "bottom"), each)))
