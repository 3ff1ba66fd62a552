"""Descriptions in a form: what a model fills in, how it is asked to, and how a reply is read.

A structured description is one JSON object with up to three lists: things, people, relations. A
:class:`Form` says which fields a suite asks for; its prompt shows them and its schema binds servers
that support schemas. A reply is read leniently (a fence, words around it, trailing commas, names of
numbers) and becomes :class:`Described`; what is no such form is :class:`Unreadable`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.figures.labels import ACTIONS
from lvlmbench.scene.lists import PERSON

#: How one thing stands to another, as the form says it -> the canonical relation.
RELATIONS: Mapping[str, str] = {
    "left of": "left_of",
    "right of": "right_of",
    "above": "above",
    "below": "below",
    "in front of": "in_front_of",
    "behind": "behind",
    "on": "on",
    "inside": "inside",
    "next to": "next_to",
}
#: Parts of the picture that a thing may be in.
PLACES = (
    "left", "right", "top", "bottom", "center",
    "top left", "top right", "bottom left", "bottom right",
)  # fmt: skip
AGES = ("child", "teenager", "adult", "elderly")
GENDERS = ("female", "male")

#: Canonical relation -> how the form says it.
_SAID = {name: said for said, name in RELATIONS.items()}
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
class Field:
    """One field of an entry.

    Attributes
    ----------
    about
        What to write in it, for the prompt.
    example
        A value, for the prompt.
    values
        All values that it may have; empty where any word is one.
    whole
        Whether it is a whole number.
    """

    about: str
    example: Any
    values: tuple[str, ...] = ()
    whole: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of its value; null says that it cannot be told."""
        if self.whole:
            return {"type": ["integer", "null"]}
        if self.values:
            return {"type": ["string", "null"], "enum": [*self.values, None]}
        return {"type": ["string", "null"]}


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


#: Fields of a thing, of a person and of a relation, in the order in which they are asked for.
_OF_THING: Mapping[str, Field] = {
    "id": Field("a number of its own, which relations refer to", 1, whole=True),
    "name": Field(
        "what it is, in one to three words, in the singular, without its color", "teapot"
    ),
    "count": Field(
        "how many there are that look alike, as a number; things that differ are separate entries",
        1,
        whole=True,
    ),
    "color": Field(
        "its main color, in one or two words; null if it has no one main color", "green"
    ),
    "place": Field(f"where it is in the picture: {_listed(PLACES)}", "top left", PLACES),
    "size_rank": Field(
        "its place by the size at which it is drawn: 1 for the largest thing in the picture, 2 for "
        "the next, and so on",
        1,
        whole=True,
    ),
}
_OF_PERSON: Mapping[str, Field] = {
    "age": Field(_listed(AGES), "adult", AGES),
    "gender": Field(_listed(GENDERS), "female", GENDERS),
    "garments": Field(
        "everything that the person wears or carries on the body, from head to foot, each with its "
        "name and its main color",
        [{"name": "scarf", "color": "green"}],
    ),
    "action": Field(f"what the person is doing: {_listed(ACTIONS)}", "waving", ACTIONS),
    "holding": Field("the thing in the person's hands; null if there is none", None),
}
_OF_RELATION: Mapping[str, Field] = {
    "from": Field("the id of a thing", 1, whole=True),
    "is": Field(f"how it stands to the other thing: {_listed([*RELATIONS])}", "left of",
                tuple(RELATIONS)),
    "to": Field("the id of the other thing", 2, whole=True),
}  # fmt: skip
_GARMENT = ("name", "color")


@dataclass(frozen=True)
class Form:
    """What a structured description is to tell.

    Attributes
    ----------
    things, people
        Fields of each thing and of each person; none where the list is not asked for.
    relations
        Whether it tells how things stand to each other.
    """

    things: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    relations: bool = False

    @classmethod
    def of_schema(cls, schema: str) -> Form:
        """Return the form that a schema is of."""
        lists = json.loads(schema)["properties"]
        things, people = (
            tuple(lists[name]["items"]["properties"]) if name in lists else ()
            for name in ("things", "people")
        )
        return cls(things, people, "relations" in lists)

    @property
    def _lists(self) -> Iterator[tuple[str, str, dict[str, Field]]]:
        """Each list with what belongs into it and the fields of its entries."""
        if self.things:
            about = (
                "every thing, animal and plant in the picture; not its background, and not the "
                "parts of a thing"
            )
            yield "things", about, {name: _OF_THING[name] for name in self.things}
        if self.people:
            about = "every person in the picture, from left to right"
            yield "people", about, {name: _OF_PERSON[name] for name in self.people}
        if self.relations:
            about = (
                "how the things stand to each other, one entry for each pair of things, in "
                "the direction that is clearest"
            )
            yield "relations", about, {**_OF_RELATION}

    @cached_property
    def prompt(self) -> str:
        """The request for a description in this form."""
        shown = {
            name: [{key: field.example for key, field in fields.items()}]
            for name, _, fields in self._lists
        }
        lines = [
            "Describe this picture in the form below. Write one JSON object and nothing else.",
            "",
            json.dumps(shown),
        ]
        for name, about, fields in self._lists:
            lines += ["", f"{name}: {about}. Each entry has:"]
            lines += [f"- {key}: {field.about}" for key, field in fields.items()]
        lines += ["", "The values above are examples. Use null for what cannot be told."]
        return "\n".join(lines)

    @cached_property
    def schema(self) -> str:
        """JSON schema of a reply, as text."""
        lists = {}
        for name, _, fields in self._lists:
            entry = {key: field.schema for key, field in fields.items()}
            if "garments" in entry:
                garment = _object({key: {"type": ["string", "null"]} for key in _GARMENT})
                entry["garments"] = {"type": "array", "items": garment}
            lists[name] = {"type": "array", "items": _object(entry)}
        return json.dumps(_object(lists), separators=(",", ":"))


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [*properties],
        "additionalProperties": False,
    }


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


def reference(form: Form, features: Iterable[Feature]) -> str:
    """Return the description in a form that tells all that a picture owes, as JSON.

    Things and people are told with what is known of them, relations where they are owed.
    """
    parts: dict[str, list[Feature]] = {}
    relations, objects = [], []
    for each in features:
        if each.kind == "relation":
            relations.append(each)
        elif each.about is not None:
            parts.setdefault(each.about, []).append(each)
        elif each.kind == "object" and each.source != "listed":
            objects.append(each)
    held = {each.other: each for each in relations if each.relation == "holds"}
    holding = {each.about: each.object for each in held.values()}
    ids: dict[str, int] = {}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name, _, _ in form._lists}
    for each in objects:
        own = parts.get(each.feature, [])
        if each.subject == PERSON and form.people:
            known = {**_known(own), "holding": holding.get(each.feature)}
            found["people"].append({key: known.get(key) for key in form.people})
        elif each.subject != PERSON and form.things and each.feature not in held:
            ids[each.feature] = len(ids) + 1
            known = {**_known(own), "id": ids[each.feature], "name": each.subject, "count": 1}
            found["things"].append({key: known.get(key) for key in form.things})
    if form.relations:
        found["relations"] = [
            {"from": ids[one.about], "is": _SAID[one.relation], "to": ids[one.other]}
            for one in relations
            if not one.optional and one.about in ids and one.other in ids
            and one.relation in _SAID
        ]  # fmt: skip
    return json.dumps(found)


def _known(parts: Iterable[Feature]) -> dict[str, Any]:
    """What is known of a thing or a person, as fields of the form."""
    found: dict[str, Any] = {"garments": []}
    for each in parts:
        if each.kind == "garment" and not each.optional:
            found["garments"].append({"name": each.object, "color": each.value})
        elif each.kind == "rank":
            found["size_rank"] = int(each.value or 0)
        elif each.kind == "action":
            found["action"] = next((a for a in ACTIONS if a in each.forms), each.value)
        elif each.kind == "place":
            found["place"] = each.value
        elif each.kind == "attribute" and each.relation in ("color", "age", "gender"):
            found[each.relation] = each.value
    return found


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
