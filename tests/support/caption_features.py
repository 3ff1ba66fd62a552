"""The features of a labelled caption, read from their short form.

``o1 sofa / couch`` is a thing and its synonyms, ``o1.color red``, ``o1.wears hat, black``,
``o1.does ride bicycle``, ``o1.count 3``, ``o1.at top left`` and ``o1.rank 1`` are what it has,
``o1.on.o2`` and ``o1.between.o2.o3`` relations, ``scene.background beach / shore`` the scene's.
Features are parted by ``;`` or lines; ``?`` before one makes it optional; ``*`` after a word of
people adds what the word says.
"""

from __future__ import annotations

import re

from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import RELATIONS, Feature
from support.caption_words import PEOPLE

ATTRIBUTES = (
    "color", "material", "size", "pattern", "shape", "state", "text", "age", "gender",
    "expression", "race", "hair", "beard", "other",
)  # fmt: skip
SCENE = ("background", "style", "weather", "light")
#: Kinds of claims and features by their relation; an object has none.
KIND_OF = {
    **dict.fromkeys(ATTRIBUTES, "attribute"), **dict.fromkeys(RELATIONS, "relation"),
    "wears": "garment", "does": "action", "count": "count", "at": "place", "rank": "rank",
}  # fmt: skip


def read_features(pieces: list[tuple[str, str]]) -> list[Feature]:
    """Return the features of (file:line, short form) pairs.

    Raises
    ------
    UserError
        Where one has a name twice, an unknown relation or an object that is not there.
    """
    found: dict[str, Feature] = {}
    things = [each for each in pieces if "." not in each[1].split()[0]]
    for where, piece in things + [each for each in pieces if each not in things]:
        for feature in _read(where, piece, found):
            if feature.feature in found:
                raise UserError(where, f"'{feature.feature}' is there twice", "name it otherwise")
            found[feature.feature] = feature
    return list(found.values())


def _read(where: str, piece: str, found: dict[str, Feature]) -> list[Feature]:
    """The feature of one short form, and what its word of people adds."""
    optional, piece = piece.startswith("?"), piece.removeprefix("?").strip()
    name, _, words = piece.partition(" ")
    about, *parts = name.split(".")
    if about == "scene":
        return [_scene(where, name, parts, _forms(words), optional)]
    if not re.fullmatch(r"o\d+", about):
        raise UserError(where, f"'{name}' is no name of a feature", "write o1, o1.color, o1.on.o2")
    if not parts:
        return _object(where, name, words, optional)
    if about not in found:
        raise UserError(where, f"no object '{about}'", "list it too")
    subject, relation = found[about].subject, parts[0].rstrip("0123456789")
    kind = KIND_OF.get(relation)
    if kind is None:
        raise UserError(where, f"unknown relation '{relation}'", "take one of docs/claims.md")
    if kind == "relation":
        return [_relation(where, name, found, optional)]
    if kind == "garment":
        thing, _, color = words.partition(",")
        forms = _forms(thing)
        return [Feature(name, kind, subject, relation, forms[0], color.strip() or None,
                        about, None, forms, None, optional)]  # fmt: skip
    forms = _forms(words)
    return [Feature(name, kind, subject, relation, None, forms[0], about, None, forms,
                    None, optional)]  # fmt: skip


def _forms(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split("/"))


def _scene(
    where: str, name: str, parts: list[str], forms: tuple[str, ...], optional: bool
) -> Feature:
    relation = parts[0].rstrip("0123456789") if parts else ""
    if relation not in SCENE:
        raise UserError(where, f"unknown part '{name}' of the scene", f"one of {', '.join(SCENE)}")
    return Feature(name, "scene", forms[0], relation, None, forms[0], None, None, forms,
                   None, optional)  # fmt: skip


def _object(where: str, name: str, words: str, optional: bool) -> list[Feature]:
    forms = _forms(words.replace("*", ""))
    if not forms[0]:
        raise UserError(where, f"'{name}' has no word", "say what it is")
    out = [Feature(name, "object", forms[0], forms=forms, optional=optional)]
    if "*" in words:
        if forms[0] not in PEOPLE:
            raise UserError(where, f"'{forms[0]}' is no word of people", "leave out the *")
        for relation, value in PEOPLE[forms[0]].items():
            out.append(Feature(f"{name}.{relation}", "attribute", forms[0], relation, None, value,
                               name, None, (value,), None, optional))  # fmt: skip
    return out


def _relation(where: str, name: str, found: dict[str, Feature], optional: bool) -> Feature:
    about, relation, *others = name.split(".")
    if len(others) != (2 if relation == "between" else 1):
        raise UserError(where, f"'{name}' has {len(others)} other things", "write o1.on.o2")
    for other in others:
        if other not in found:
            raise UserError(where, f"no object '{other}'", "list it too")
    things = [found[other].subject for other in others]
    value = things[1] if len(things) > 1 else None
    return Feature(name, "relation", found[about].subject, relation, things[0], value, about,
                   others[0], (relation,), None, optional)  # fmt: skip
