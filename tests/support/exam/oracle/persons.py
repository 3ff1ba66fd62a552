"""What can be told of a person who is drawn from head to foot, from the words that say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from support.oracle.phrases import Unread
from support.oracle.truth import Truth, every

Person = Mapping[str, Any]

#: What is said of an action -> its name.
DOES = {
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
#: Garments by where they are worn: who wears one wears no other of the same place.
_AT = {
    "trunk": ("T-shirt", "sweater", "jacket", "coat", "dress"),
    "legs": ("trousers", "shorts", "skirt"),
    "feet": ("boots", "sneakers"),
    "head": ("top hat", "cap", "beanie", "headphones"),
    "eyes": ("glasses", "sunglasses"),
    "neck": ("scarf", "tie", "bow tie"),
    "hands": ("gloves",),
    "waist": ("belt",),
    "chest": ("vest",),
    "back": ("backpack", "cape"),
}
_PLACE = {kind: place for place, kinds in _AT.items() for kind in kinds}
#: What is said -> what somebody wears who may be meant as well: a bow tie is a tie, too.
_ALSO = {"glasses": "sunglasses", "tie": "bow tie"}
#: What lies on the trunk's garment, and what lies on bare skin: in its color nobody sees it.
_ON_TRUNK = {"gloves", "scarf", "tie", "bow tie", "belt", "vest"}
_ON_SKIN = {"T-shirt", "dress", "trousers", "shorts", "gloves", "boots", "sneakers"}
_HELD = (
    "balloon", "umbrella", "book", "mug", "flag", "flower", "ball", "suitcase", "bucket", "broom",
)  # fmt: skip
COLORS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "gray", "black", "white",
)  # fmt: skip
#: A word in what is said of hair -> its style.
_HAIR = {
    "no hair": "bald", "bald": "bald", "short": "short", "long": "long", "bob": "bob",
    "curl": "curly", "bun": "bun", "ponytail": "ponytail", "pigtails": "pigtails",
    "mohawk": "mohawk",
}  # fmt: skip
_HATS = ("top hat", "cap", "beanie")
#: Styles of which nothing is seen below a hat.
_UNDER = ("bald", "short", "bun", "mohawk")
_LOOKS = ("neutral", "happy", "sad", "angry")
_HAIR_COLORS = ("black", "brown", "blond", "red", "gray")


def _choice(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_CALLED = {"pants": "trousers"}
_KINDS = ({*_PLACE} - {*_CALLED.values()}) | {*_CALLED}
_GARMENT = re.compile(f"(?:an? )?(?:(?P<color>{_choice(COLORS)}) )?(?P<kind>{_choice(_KINDS)})")
_THING = re.compile(f"an? (?P<thing>{_choice(_HELD)})")
#: Many worn, one pair of them: no article.
_PAIRS = {
    "trousers", "shorts", "boots", "sneakers", "headphones", "glasses", "sunglasses", "gloves"
}  # fmt: skip


def garment(text: str) -> tuple[str | None, str]:
    """Return color and kind of "a red scarf", "glasses"."""
    found = _GARMENT.fullmatch(text)
    if found is None:
        raise Unread(text)
    kind = kind_of(found["kind"])
    if text.startswith(("a ", "an ")) == (kind in _PAIRS):
        raise Unread(text)
    return found["color"], kind


def kind_of(text: str) -> str:
    """Return a kind of garment as it is named without article: "scarf"."""
    if text not in _KINDS:
        raise Unread(text)
    return _CALLED.get(text, text)


def _worn(person: Person) -> dict[str, str]:
    return {each["label"]: each["color"] for each in person["garments"]}


def _doubtful(person: Person) -> set[str]:
    """Places of the body where nobody can be sure what is worn."""
    worn = _worn(person)
    trunk = next((kind for kind in _AT["trunk"] if kind in worn), None)
    hidden = set()
    for kind, color in worn.items():
        bare = kind == "gloves" and trunk in ("T-shirt", "dress")
        if trunk and kind in _ON_TRUNK and color == worn[trunk] and not bare:
            hidden.add(kind)
        if color == "brown" and kind in _ON_SKIN and person["race"] == "dark":
            hidden.add(kind)
    if person["action"] == "arms crossed" and trunk in ("sweater", "jacket"):
        hidden.add(trunk)
    if person["age"] == "child" and person["action"] == "sitting":
        hidden |= {"skirt", "shorts"} & {*worn}
    if person["hair"] in ("long", "pigtails"):
        hidden |= {"backpack"} & {*worn}
    return {_PLACE[kind] for kind in hidden}


def wears(person: Person, color: str | None, kind: str) -> Truth:
    """Return whether somebody wears a garment, of a color if one is told."""
    worn = _worn(person)
    if _PLACE[kind] in _doubtful(person):
        return None
    if kind in worn:
        return color is None or worn[kind] == color
    other = _ALSO.get(kind)
    return None if other in worn and color in (None, worn[other]) else False


def color_of(person: Person, kind: str, color: str) -> Truth:
    """Return whether a garment that somebody wears has a color."""
    if color not in COLORS:
        raise Unread(color)
    if kind not in _worn(person):
        return None
    return wears(person, color, kind)


def wears_color(person: Person, color: str) -> Truth:
    """Return whether any clothes have a color; a backpack is carried."""
    if color not in COLORS:
        raise Unread(color)
    kinds = [kind for kind, own in _worn(person).items() if own == color]
    hidden = _doubtful(person)
    if any(kind != "backpack" and _PLACE[kind] not in hidden for kind in kinds):
        return True
    return None if kinds else False


def holds(person: Person, said: str) -> Truth:
    """Return whether somebody holds "a mug", or "something"."""
    if said == "something":
        return person["held"] is not None
    found = _THING.fullmatch(said)
    if found is None:
        raise Unread(said)
    return bool(person["held"] == found["thing"])


def does(person: Person, said: str) -> Truth:
    """Return whether somebody does what is said: "kneeling"."""
    if said not in DOES:
        raise Unread(said)
    if DOES[said] == person["action"]:
        return True
    upright = person["action"] not in ("running", "sitting", "kneeling")
    return None if said == "standing still" and upright else False


def looks(person: Person, said: str) -> Truth:
    """Return whether somebody's face is "happy"."""
    if said not in _LOOKS:
        raise Unread(said)
    return bool(person["expression"] == said)


def has_hair(person: Person, said: str) -> Truth:
    """Return whether somebody has hair of a style: "a ponytail"."""
    styles = {style for word, style in _HAIR.items() if re.search(rf"\b{word}", said)}
    if len(styles) != 1:
        raise Unread(said)
    if {*_AT["head"]} & {*_worn(person)}:
        return None
    return bool({person["hair"]} == styles)


def hair_is(person: Person, said: str) -> Truth:
    """Return whether somebody's hair has a color."""
    if said not in _HAIR_COLORS:
        raise Unread(said)
    covered = {*_HATS} & {*_worn(person)} and person["hair"] in _UNDER
    if person["hair"] == "bald" or covered:
        return None
    return bool(person["hair_color"] == said)


def is_so(person: Person, said: str) -> Truth:
    """Return whether a fact holds: "wearing a red scarf", "holding a mug", "kneeling"."""
    verb, _, what = said.partition(" ")
    if verb == "wearing":
        return wears(person, *garment(what))
    if verb in ("holding", "carrying"):
        return holds(person, what)
    return does(person, said)


def are_so(person: Person, said: str) -> Truth:
    """Return whether facts joined by "and" all hold; of two garments "wearing" is said once."""
    first, *more = said.split(" and ")
    facts = [first]
    for each in more:
        worn = first.startswith("wearing ") and _GARMENT.fullmatch(each)
        facts.append(f"wearing {each}" if worn else each)
    return every([is_so(person, fact) for fact in facts])
