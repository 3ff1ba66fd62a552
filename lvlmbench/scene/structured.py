"""Descriptions in a form: what a model fills in, how it is asked to, and the right description.

A structured description is one JSON object with up to three lists: things, people, relations. A
:class:`Form` says which fields a suite asks for; its prompt shows them and its schema binds servers
that support schemas. A reply is read by :mod:`lvlmbench.scene.described`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
    return f"{', '.join(words[:-1])}{',' * (len(words) > 2)} or {words[-1]}"


#: Fields of a thing, of a person and of a relation, in the order in which they are asked for.
_OF_THING: Mapping[str, Field] = {
    "id": Field("a number of its own, which the relations refer to", 1, whole=True),
    "name": Field(
        "what it is, in one to three words, in the singular, without its color", "teapot"
    ),
    "count": Field(
        "how many identical ones there are, as a number; those that look different are "
        "separate entries",
        1,
        whole=True,
    ),
    "color": Field(
        "its main color, in one or two words; null if no one color is the main one", "green"
    ),
    "place": Field(f"where it is in the picture: {_listed(PLACES)}", "top left", PLACES),
    "size_rank": Field(
        "its rank by how large it is in the picture: 1 for the largest thing, 2 for the next, and "
        "so on",
        1,
        whole=True,
    ),
}
_OF_PERSON: Mapping[str, Field] = {
    "age": Field(_listed(AGES), "adult", AGES),
    "gender": Field(_listed(GENDERS), "female", GENDERS),
    "garments": Field(
        "every piece of clothing, accessory, and bag that the person wears, from head to foot, "
        "each with its name and its main color",
        [{"name": "scarf", "color": "green"}],
    ),
    "action": Field(
        f"which of these says best what the person is doing: {_listed(ACTIONS)}", "waving", ACTIONS
    ),
    "holding": Field("the thing in the person's hands; null if there is none", None),
}
_OF_RELATION: Mapping[str, Field] = {
    "from": Field("the id of a thing", 1, whole=True),
    "is": Field(f"where it is in relation to the other: {_listed([*RELATIONS])}", "left of",
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
                "every object, animal, and plant in the picture, but not its background or the "
                "parts of a thing"
            )
            yield "things", about, {name: _OF_THING[name] for name in self.things}
        if self.people:
            about = "every person in the picture, from left to right"
            yield "people", about, {name: _OF_PERSON[name] for name in self.people}
        if self.relations:
            about = (
                "where the things are in relation to each other, one entry for each pair of "
                "things, in the direction that is clearest"
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
        lines += ["", "The entries above only show the form. Use null for what you cannot tell."]
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
