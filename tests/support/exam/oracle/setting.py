"""The setting: where a picture is, in which weather or light, and in which style it is made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from support.exam.oracle.reading import family
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Picture
from support.oracle.truth import Truth, both

_FOLDER = Path(__file__).resolve().parents[4] / "data" / "vocabulary"
#: What an entry tells that may be named before it, or where nobody can tell.
_DOUBTS = ("shows", "depicts", "sometimes", "in_doubt")

Entry = Mapping[str, Any]


@cache
def _entries(file: str) -> dict[str, Entry]:
    """Label -> entry, of those that the pictures' renderer knows."""
    read = yaml.safe_load((_FOLDER / f"{file}.yaml").read_text())
    return {entry["label"]: entry for entry in read["entries"]}


def _group(entry: Entry) -> list[str]:
    return str(entry.get("group", entry["label"])).lower().split("/")


def _may_be(one: Entry, other: Entry) -> bool:
    """Whether somebody may take one for the other."""
    a, b = _group(one), _group(other)
    shared = min(len(a), len(b))
    words = [{*str(each["label"]).lower().split()} for each in (one, other)]
    if a[:shared] == b[:shared] or words[0] <= words[1] or words[1] <= words[0]:
        return True
    pairs = ((one, other), (other, one))
    return any(y["label"] in x.get(key, ()) for x, y in pairs for key in _DOUBTS)


def _is(picture: Picture, file: str, label: str) -> Truth:
    own, entries = picture.setting[file], _entries(file)
    if own == label:
        return True
    return None if own and _may_be(entries[own], entries[label]) else False


def _found(said: str, file: str, how: Mapping[str, str]) -> str:
    if said not in how:
        raise Unread(f"a {file}? {said}")
    return how[said]


def _where(picture: Picture, said: str) -> Truth:
    phrases = {str(e["phrase"]): label for label, e in _entries("background").items()}
    return _is(picture, "background", _found(said, "background", phrases))


def _weather(picture: Picture, said: str) -> Truth:
    """Whether it is so; where a background leaves that in doubt, nobody can tell."""
    phrases = {str(e["phrase"]): label for label, e in _entries("weather").items()}
    label = _found(said, "weather", phrases)
    if picture.setting["background"] in _entries("weather")[label].get("in_doubt", ()):
        return None
    return _is(picture, "weather", label)


def _style(picture: Picture, said: str) -> Truth:
    captions = {
        str(e["caption"]).replace(" of {subject}", "").replace(" {subject}", ""): label
        for label, e in _entries("style").items()
    }
    return _is(picture, "style", _found(said, "style", captions))


@family("setting").reads(
    "Where is this?",
    "Where does this scene take place?",
    "Which of these describes where this is?",
)
def _of_place(picture: Picture, found: Found, option: str) -> Truth:
    return _where(picture, option)


@family("setting").reads(
    "What is the weather or lighting like?",
    "Which of these is true of the weather or lighting in the picture?",
    "What can you say about the weather or lighting in the picture?",
)
def _of_weather(picture: Picture, found: Found, option: str) -> Truth:
    return _weather(picture, option)


@family("setting").reads(
    "What kind of picture is this?",
    "Judging by its style, what kind of picture is this?",
    "Which of these describes the style of the picture?",
)
def _of_style(picture: Picture, found: Found, option: str) -> Truth:
    return _style(picture, option)


@family("setting").reads(
    "Where is this, and what is the weather or lighting like?",
    "Where does this scene take place, and what is the weather or lighting like?",
    "Which of these describes where this is and what the weather or lighting is like?",
)
def _of_place_and_weather(picture: Picture, found: Found, option: str) -> Truth:
    place, _, said = option.rpartition(", and ")
    return both(_where(picture, place), _weather(picture, said[:1].upper() + said[1:]))


@family("setting").reads(
    "Where is this, and how is it shown?",
    "Which place does the picture show, and in what style?",
    "Which of these describes where this is and how it is shown?",
)
def _of_place_and_style(picture: Picture, found: Found, option: str) -> Truth:
    place, _, said = option.rpartition(", shown as ")
    return both(_where(picture, place), _style(picture, said))
