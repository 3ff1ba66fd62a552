"""What an option says that goes into the hole of a program: "above the pig" is ``above``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.scene.answers import NUMBER_WORDS
from lvlmbench.scene.programs import HOLE
from lvlmbench.scene.sets import Program, Value

#: What is said -> relations, in the order in which they are joined; whole words.
_RELATIONS = {
    "above": "above",
    "below": "below",
    "left": "left_of",
    "right": "right_of",
    "in front": "in_front_of",
    "behind": "behind",
    "larger": "larger",
    "smaller": "smaller",
    "closer": "nearer",
    "farther": "farther",
}
_CHANGES = {
    "missing": "missing",
    "new": "new",
    "color": "color",
    "place": "moved",
    "other way": "mirrored",
    "larger": "larger",
    "smaller": "smaller",
}
_COMPARED = {"as many": "as_many", "more": "more", "fewer": "fewer"}
_PANELS = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}
_PLACES = ("on", "inside")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.I)
_THING = re.compile(r" (?:than|of) the |(?<=behind) the |(?<=above) the |(?<=below) the ")
_COLORED = re.compile(r"^the (.+) one$")
_NUMBERS = ("no", *NUMBER_WORDS[1:])

#: Heads whose last part is a number.
COUNTING = ("count", "panels", "differ")


def hole_of(program: Program) -> str | None:
    """Return the head, or the attribute, that a hole belongs to; None where there is no hole."""
    if HOLE in program:
        head = str(program[0])
        return str(program[1]) if head in ("with", "is") else head
    inner = (hole_of(part) for part in program if isinstance(part, list))
    return next((found for found in inner if found), None)


def _said(words: dict[str, str], option: str) -> list[str]:
    return [
        value for said, value in words.items() if re.search(rf"\b{re.escape(said)}\b", option, re.I)
    ]


def _colored(option: str, colors: Sequence[str]) -> Value | None:
    """Colors in the order in which they are said: "a red car and a blue ball"."""
    any_color = "|".join(re.escape(each) for each in colors)
    found = re.findall(rf"(?:^|and )an? ({any_color})\b", option)
    return "+".join(found) if len(found) > 1 else None


def _number(option: str) -> Value | None:
    words = option.split()
    for word in words:
        if word.isdecimal():
            return int(word)
        if word.casefold() in _NUMBERS:
            return _NUMBERS.index(word.casefold())
    return None


def _label(option: str) -> str:
    return _ARTICLE.sub("", option)


def _before(option: str) -> str:
    """What stands in front of the thing: a label may hold words of relations."""
    return _THING.split(option)[0]


def value_of(option: str, hole: str, colors: Sequence[str]) -> Value | None:
    """Return what an option puts into a hole; None where that is not understood."""
    if hole == "label":
        return _label(option)
    if hole == "color":
        color = _COLORED.sub(r"\1", option)
        return color if color in colors else None
    if hole in COUNTING:
        return _number(option)
    if hole == "are":
        return _colored(option, colors)
    if hole == "direction":
        return "+".join(_said(_RELATIONS, _before(option))) or None
    if hole == "compared":
        return next(iter(_said(_COMPARED, option)), None)
    if hole in ("odd", "panel"):
        return next((at for said, at in _PANELS.items() if said in option), None)
    if hole == "place":
        way, _, label = option.partition(" the ")
        return f"{way}+{label}" if way in _PLACES else None
    if hole == "change":
        thing, *rest = re.split(r" (?:is|has|faces) ", option, maxsplit=1)
        how = _said(_CHANGES, rest[0]) if rest else []
        return f"{how[0]}+{_label(thing)}" if how else None
    return None
