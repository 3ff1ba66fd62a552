"""People: what each wears, holds and does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from support.oracle.phrases import NUMBERS, Found, Unread, skill
from support.oracle.picture import Nothing, Picture, Unsure
from support.oracle.truth import Truth, every, some

_PEOPLE = skill("people")

#: Share of a person from which on all that is worn can be seen.
_WHOLE = 0.9
#: What is said of an action -> its name.
_DOES = {
    "standing still": "standing",
    "waving": "waving",
    "raising both arms": "arms raised",
    "stretching both arms out to the sides": "arms stretched out",
    "standing with hands on hips": "hands on hips",
    "standing with arms crossed": "arms crossed",
    "running": "running",
    "sitting on a stool": "sitting",
    "kneeling": "kneeling",
    "standing on one leg": "standing on one leg",
}
#: Garments that are worn at one place of the body: who wears one wears none of the others.
_PLACES = (
    ("T-shirt", "sweater", "jacket", "coat", "dress"), ("trousers", "shorts", "skirt"),
    ("boots", "sneakers"), ("top hat", "cap", "beanie", "headphones"), ("glasses", "sunglasses"),
    ("scarf", "tie", "bow tie"), ("gloves",), ("belt",), ("vest",), ("backpack", "cape"),
)  # fmt: skip
_KINDS = [kind for place in _PLACES for kind in place]
_HANDS = (
    "balloon", "umbrella", "book", "mug", "flag", "flower", "ball", "suitcase", "bucket", "broom",
)  # fmt: skip
_COLORS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "gray", "black", "white",
)  # fmt: skip


def _choice(words: object) -> str:
    return "|".join(sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


#: What a garment is called otherwise than in a scene.
_CALLED = {"pants": "trousers"}
_GARMENT = re.compile(
    f"(?:an? )?(?:(?P<color>{_choice(_COLORS)}) )?(?P<kind>{_choice([*_KINDS, *_CALLED])})"
)
_THING = re.compile(f"an? (?P<thing>{_choice(_HANDS)})")

Person = Mapping[str, Any]


def _people(picture: Picture) -> list[Person]:
    """All people; of each, all but a bit must be seen: what is hidden may be a scarf."""
    shown = [one for one in picture.things if one.there is not False and one.person is not None]
    if any(one.visible < _WHOLE for one in shown):
        raise Unsure("somebody is partly hidden")
    return [one.person for one in shown if one.person is not None]


def _garment(text: str) -> tuple[str | None, str]:
    found = _GARMENT.fullmatch(text)
    if found is None:
        raise Unread(text)
    return found["color"], _CALLED.get(found["kind"], found["kind"])


def _wears(person: Person, color: str | None, kind: str) -> Truth:
    """Whether somebody wears a garment, of a color if one is told."""
    for one in person["garments"]:
        if one["label"] == kind:
            return color is None or one["color"] == color
    return False


def _who(picture: Picture, text: str) -> Person:
    """The one person who wears what is said."""
    color, kind = _garment(text)
    found = [person for person in _people(picture) if _wears(person, color, kind)]
    if not found:
        raise Nothing(text)
    if len(found) > 1:
        raise Unsure(text)
    return found[0]


def _does(person: Person, said: str) -> Truth:
    if said not in _DOES:
        raise Unread(said)
    if _DOES[said] == person["action"]:
        return True
    upright = person["action"] not in ("running", "sitting", "kneeling")
    return None if said == "standing still" and upright else False


def _has(person: Person, said: str) -> Truth:
    found = _THING.fullmatch(said)
    if found is None:
        raise Unread(said)
    return bool(person["held"] == found["thing"])


@_PEOPLE.reads(
    "What is the person wearing {said} doing?",
    "Look at the person wearing {said}. What is this person doing?",
)
def _doing(picture: Picture, found: Found, option: str) -> Truth:
    return _does(_who(picture, found["said"]), option)


@_PEOPLE.reads(
    "What is the person wearing {said} holding?",
    "Look at the person wearing {said}. What is this person holding?",
)
def _holding(picture: Picture, found: Found, option: str) -> Truth:
    return _has(_who(picture, found["said"]), option)


@_PEOPLE.reads(
    "The person wearing {said} is holding {said2}.",
    "In the picture, the person wearing {said} is holding {said2}.",
)
def _holding_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _has(_who(picture, found["said"]), found["said2"])


@_PEOPLE.reads(
    "The person wearing {said} is {said2}.", "In the picture, the person wearing {said} is {said2}."
)
def _doing_stated(picture: Picture, found: Found, option: str) -> Truth:
    return _does(_who(picture, found["said"]), found["said2"])


@_PEOPLE.reads(
    "What color [is|are] the {said} that one of the people is wearing?",
    "One person is wearing {said2}. What color [is|are] the {said}?",
)
def _colored(picture: Picture, found: Found, option: str) -> Truth:
    _, kind = _garment(found["said"])
    if option not in _COLORS:
        raise Unread(option)
    wearers = [person for person in _people(picture) if _wears(person, None, kind)]
    if len(wearers) > 1:
        return None
    return every(_wears(person, option, kind) for person in wearers) if wearers else False


@_PEOPLE.reads("One of the people is wearing {said}.", "The picture shows a person wearing {said}.")
def _colored_stated(picture: Picture, found: Found, option: str) -> Truth:
    color, kind = _garment(found["said"])
    return some(_wears(person, color, kind) for person in _people(picture))


#: Whose hair is not seen, or has no color.
_COVERED = ("top hat", "cap", "beanie")
_SHORT = ("short", "bun", "mohawk")
_SOMETHING = re.compile(f"wearing something (?P<color>{_choice(_COLORS)})")
_HAIRED = re.compile("with (?P<color>black|brown|blond|red|gray) hair")
_KIN = {"a top hat, a cap, or a beanie": _COVERED, "glasses or sunglasses": _PLACES[4]}


def _shares(person: Person, said: str) -> Truth:
    """Whether somebody is one of those ... , as in "wearing something red"."""
    if said == "in the picture":
        return True
    if said == "holding something":
        return person["held"] is not None
    if said.startswith("who are "):
        return _does(person, said.removeprefix("who are "))
    something, haired = _SOMETHING.fullmatch(said), _HAIRED.fullmatch(said)
    if something is not None:
        worn = [g["label"] for g in person["garments"] if g["color"] == something["color"]]
        return any(kind != "backpack" for kind in worn) or (None if worn else False)
    if haired is not None:
        hats = {g["label"] for g in person["garments"]} & {*_COVERED}
        if person["hair"] == "bald" or (hats and person["hair"] in _SHORT):
            return None
        return bool(person["hair_color"] == haired["color"])
    worn = said.removeprefix("wearing ")
    if worn in _KIN:
        return some(_wears(person, None, kind) for kind in _KIN[worn])
    return some(_wears(person, *_garment(each)) for each in worn.split(" or "))


def _number_is(picture: Picture, number: int, *facts: str) -> Truth:
    found = [every(_shares(person, fact) for fact in facts) for person in _people(picture)]
    return None if None in found else found.count(True) == number


@_PEOPLE.reads(
    "How many of the people {said} are wearing {said2}?",
    "Look at all the people {said}. How many of them are wearing {said2}?",
)
def _number(picture: Picture, found: Found, option: str) -> Truth:
    return _number_is(picture, int(option), found["said"], f"wearing {found['said2']}")


@_PEOPLE.reads(
    "Exactly {number} of the people {said} [is|are] wearing {said2}.",
    "Of all the people {said}, exactly {number} [is|are] wearing {said2}.",
)
def _number_stated(picture: Picture, found: Found, option: str) -> Truth:
    number = NUMBERS.index(found["number"])
    return _number_is(picture, number, found["said"], f"wearing {found['said2']}")
