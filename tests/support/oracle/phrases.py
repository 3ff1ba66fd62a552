"""Reading English: patterns with slots, and which skill's questions they are of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from support.oracle.names import Names
from support.oracle.picture import Nothing, Picture, Unsure
from support.oracle.places import ORDERS, PANELS, PROPS, RELATIONS, SIDES
from support.oracle.truth import Truth


class Unread(Exception):
    """Nobody told the oracle what these words mean."""


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")

#: What was found in a question's slots, by name.
Found = Mapping[str, str]
#: What a question means: whether an option answers it. A statement is given an empty one.
Means = Callable[[Picture, Found, str], Truth]


def _one_of(words: object) -> str:
    return "|".join(re.escape(each) for each in sorted(map(str, words), key=len, reverse=True))  # type: ignore[call-overload]


@dataclass(frozen=True)
class Slots:
    """Kinds of slots, by name: what may stand there, as a regular expression."""

    names: Names

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Name of a slot, without the number behind it -> what fits."""
        relation = _one_of(RELATIONS)
        return {
            "thing": _one_of(self.names.labels),
            "things": _one_of(self.names.plurals),
            "color": _one_of(self.names.colors),
            "relation": f"(?:{relation})",
            "relations": f"(?:{relation})(?: and (?:{relation}))*",
            "side": _one_of(SIDES),
            "way": "left|right",
            "end": "closest to|farthest from",
            "panel": _one_of(PANELS),
            "prop": _one_of(PROPS),
            "order": _one_of(ORDERS),
            "number": _one_of(NUMBERS),
            "count": f"{_one_of(NUMBERS)}|9|[1-9][0-9]",
            "name": r"[^?:]+?",
            "said": r".+?",
            "word": r"[^\"“”]+",
        }


def _compiled(pattern: str, slots: Slots) -> re.Pattern[str]:
    """A pattern: plain text, ``{thing}``, ``{thing2}`` for slots, ``[a|b]`` for either."""
    parts = []
    for text in re.split(r"(\{\w+\}|\[[^\]]*\])", pattern):
        if text.startswith("{"):
            name = text[1:-1]
            parts.append(f"(?P<{name}>{slots.kinds[name.rstrip('0123456789')]})")
        elif text.startswith("["):
            parts.append(f"(?:{'|'.join(map(re.escape, text[1:-1].split('|')))})")
        else:
            parts.append(re.escape(text))
    return re.compile("".join(parts))


def match(pattern: str, text: str, names: Names) -> Found | None:
    """Return what stands in a pattern's slots; None where the text does not fit."""
    key = (pattern, id(names))
    if key not in _PATTERNS:
        _PATTERNS[key] = _compiled(pattern, _slots(names))
    found = _PATTERNS[key].fullmatch(text)
    return found.groupdict() if found else None


_PATTERNS: dict[tuple[str, int], re.Pattern[str]] = {}
_SLOTS: dict[int, Slots] = {}


def _slots(names: Names) -> Slots:
    return _SLOTS.setdefault(id(names), Slots(names))


def read(patterns: tuple[str, ...], text: str, picture: Picture) -> Found:
    """Return what stands in the slots of the first pattern that fits.

    Raises
    ------
    Unread
        None does.
    """
    for pattern in patterns:
        found = match(pattern, text, picture.names)
        if found is not None:
            return found
    raise Unread(text)


@dataclass
class Skill:
    """What the oracle knows of one skill: wordings, each with what it means."""

    name: str
    _known: list[tuple[tuple[str, ...], Means]] = field(default_factory=list)

    def reads(self, *patterns: str) -> Callable[[Means], Means]:
        """Register what questions, or statements, of these wordings mean."""

        def register(means: Means) -> Means:
            self._known.append((patterns, means))
            return means

        return register

    def answers(self, text: str, option: str, picture: Picture) -> Truth:
        """Return whether an option answers a question, or whether a statement holds.

        Raises
        ------
        Unread
            The question or the option has a wording that is not known.
        """
        for patterns, means in self._known:
            for pattern in patterns:
                found = match(pattern, text, picture.names)
                if found is not None:
                    try:
                        return means(picture, found, option)
                    except Unread:  # another pattern fits better
                        continue
                    except Nothing:
                        return False
                    except Unsure:
                        return None
        raise Unread(f"{self.name}: {text}")


SKILLS: dict[str, Skill] = {}


def skill(name: str) -> Skill:
    """Return the skill of this name, a new one if need be."""
    return SKILLS.setdefault(name, Skill(name))
