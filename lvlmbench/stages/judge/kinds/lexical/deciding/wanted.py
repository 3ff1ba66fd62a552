"""Which words of a question say what it asks for."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from lvlmbench.stages.score.stems import SINGULAR

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(re.findall(r"\w+", (
    "a an the is are was be been do does did of in on at to for from with and or as it its this "
    "that these those there here what which who whose how many much where when me please tell i "
    "you one they them their his her by have has had not no than so too also can would will "
    "two three four five six"
)))  # fmt: skip
_ASKS = re.compile(r"\b(?:what|which|who|whose|how|where|when)\b|\bby how\b", re.I)
_ENDINGS = re.compile(r"(?<=\w{3})(?:ies|es|s|ed|ing|e|y)$")


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that mean something, without their endings."""
    words = (SINGULAR.get(word, word) for word in map(str.casefold, _WORD.findall(text)))
    return frozenset(_ENDINGS.sub("", word) for word in words if word not in _STOP)


#: Words that a question has whatever it asks for.
_ANY = stems("person thing look picture image value number color show there")
#: Words of a place or size -> those of the opposite.
_AXES = tuple(
    (stems(one), stems(other))
    for one, other in (
        ("left leftmost", "right rightmost"),
        (
            "top upper uppermost high higher highest above up tallest largest larger bigger most",
            "bottom lower low lowest below down shortest smallest smaller least fewest",
        ),
        ("cheaper cheapest", "expensive dearer pricier costlier"),
    )
)
_PLACED = frozenset(word for sides in _AXES for side in sides for word in side)


@lru_cache(maxsize=4096)
def focus(question: str) -> frozenset[str]:
    """Return the words of what is asked for, without those of what is given."""
    starts = [match.start() for match in _ASKS.finditer(question)]
    parts = [question[a:b] for a, b in pairwise([*starts, len(question)])]
    asked = next((part for part in reversed(parts) if stems(part) - _ANY), question)
    rest = question.replace(asked, " ")
    found = stems(asked) - _ANY
    return (found - stems(rest)) or found or stems(asked)


def nearness(text: str, question: str) -> int:
    """Return how many words of what is asked for a text has, less those that say the opposite."""
    said, whole = stems(text), stems(question)
    found = len((focus(question) & said) - _PLACED)
    for sides in _AXES:
        own, opposite = (bool(whole & side) for side in sides)
        if own != opposite:
            one, other = (bool(said & side) for side in sides)
            found += (one - other) * (own - opposite)
    return found
