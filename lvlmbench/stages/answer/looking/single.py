"""Reads from the words of a free question which one of several things it asks about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from lvlmbench.scene.answers import COLOR_WORDS

T = TypeVar("T")

COLOR, NUMBER, NAME, LOOK, ODD = "color", "number", "name", "look", "odd"

#: Sort of what is asked for -> what questions for it say; the first that one says counts.
_SORTS = {
    LOOK: r"\b(?:feels?|emotion|does\b.* look)\b",
    ODD: r"\b(?:of (?:these|the) \w+ pictures|which one is it)\b.*\bdifferent\b",
    NUMBER: r"\bhow many\b",
    COLOR: r"\bwhat (?:is (?:its|the) )?colou?r\b|\bthe colou?r of\b",
    NAME: r"\b(?:(?<!in )which|what|more)\b",
}
#: Lists -> what their things are called; "objects" may be anything.
_CALLED = {
    "animal": "animal",
    "plant": "plant",
    "food": "food",
    "landmark": "landmark|famous place",
}
#: Words of questions that cannot be answered by looking at one thing.
_OTHER = re.compile(
    r"\b(?:written|words?|says?|read|time|sum|percent\w*|charts?|tables?|values?|slices?|prices?"
    r"|offers?|pric\w+|countr\w+|where in|style|technique|medium|why|describe|list|should"
    r"|people|everything|of each|could i|would help)\b",
    re.I,
)
#: Ends of the picture -> axis, and whether what is asked for has the most of it.
_ENDS = {
    r"farthest to the left|leftmost": (0, False),
    r"farthest to the right|rightmost": (0, True),
    r"highest|topmost": (1, False),
    r"lowest|bottommost": (1, True),
}
_SIDES = {
    r"to the left of": (0, False),
    r"to the right of": (0, True),
    r"above": (1, False),
    r"below": (1, True),
}
_SIZES = {r"largest|larger|biggest|bigger": True, r"smallest|smaller": False}
_NTH = ("first", "second", "third", "fourth", "fifth")
_IN_ORDER = re.compile(rf"\bfrom (?:left to right|the left)\b.*\b({'|'.join(_NTH)})\b", re.I)
_IN_ORDER_BACK = re.compile(rf"\b({'|'.join(_NTH)}) (?:one )?from the left\b", re.I)
_SAME = re.compile(r"\b(?:same|that) colou?r\b", re.I)
_WITHOUT = re.compile(r"\b(?:left over|are left|remain)\b", re.I)
_EVERYWHERE = re.compile(r"\b(?:in|do) (?:both|all \w+) (?:pictures|images)\b", re.I)
_COLOR = re.compile(rf"\b(?:{'|'.join(COLOR_WORDS)})\b", re.I)


class Mention(NamedTuple):
    """A thing that a text names: start and end of the words, vocabulary list and label."""

    start: int
    end: int
    kind: str
    label: str


@dataclass(frozen=True)
class Single:
    """What is asked for.

    Attributes
    ----------
    sort
        A color, a number, the name of a thing, how somebody looks, or which panel is different.
    subjects
        (list, label) of the things that it is asked of; of none where that is anything.
    anchor
        Another thing that it stands beside, or that has the same color.
    kinds
        Lists that it is of; none where that is not said.
    end, side, size, nth
        Which one of them: at an end of the picture or beside the anchor (axis, and whether it is
        the far end), the largest or the smallest, the one at this place from the left.
    color, same
        The color that it has; whether it has that of the anchor.
    without
        Whether what is left over is asked for.
    everywhere, changes
        Whether it is what all of several pictures show, or in what they differ.
    """

    sort: str
    subjects: tuple[tuple[str, str], ...] = ()
    anchor: tuple[str, str] | None = None
    kinds: tuple[str, ...] = ()
    end: tuple[int, bool] | None = None
    side: tuple[int, bool] | None = None
    size: bool | None = None
    nth: int | None = None
    color: str | None = None
    same: bool = False
    without: bool = False
    everywhere: bool = False
    changes: bool = False


def mentions(text: str, forms: Iterable[tuple[str, str, re.Pattern[str]]]) -> list[Mention]:
    """Return the things that a text names, in its order; of names that overlap the first given.

    Parameters
    ----------
    forms
        (list, label, what finds it), longer forms first.
    """
    found: list[Mention] = []
    for kind, label, pattern in forms:
        for match in pattern.finditer(text):
            taken = any(match.start() < each.end and each.start < match.end() for each in found)
            if not taken and match.group().casefold() not in COLOR_WORDS:
                found.append(Mention(match.start(), match.end(), kind, label))
    return sorted(found)


def single(
    question: str, turns: str, forms: Sequence[tuple[str, str, re.Pattern[str]]]
) -> Single | None:
    """Return what a question about one thing, or about how many, asks; None where it is no such.

    Parameters
    ----------
    turns
        What was asked before it.
    forms
        (list, label, what finds it), longer forms first.
    """
    sort = next((s for s, words in _SORTS.items() if re.search(words, question, re.I)), None)
    if sort is None or _OTHER.search(question):
        return None
    named, before = mentions(question, forms), mentions(turns, forms)
    anchor, side = _anchor(question, named, before)
    same = bool(_SAME.search(question))
    if same and anchor is None:
        anchor = next(iter(named or before), None)
    subjects = [each for each in named if each != anchor]
    if not subjects and sort in (COLOR, NUMBER):
        subjects = [each for each in before if anchor is None or each.label != anchor.label][-1:]
    order = _IN_ORDER.search(question) or _IN_ORDER_BACK.search(question)
    color = _COLOR.search(question)
    found = Single(
        sort,
        tuple(dict.fromkeys((each.kind, each.label) for each in subjects)),
        anchor and (anchor.kind, anchor.label),
        _kinds(question) or _kinds(turns),
        _said(_ENDS, question),
        side,
        _said(_SIZES, question),
        _NTH.index(order.group(1).casefold()) if order else None,
        COLOR_WORDS[color.group().casefold()] if color else None,
        same,
        bool(_WITHOUT.search(question)),
        bool(_EVERYWHERE.search(question)),
        bool(re.search(r"\bdifferences\b", question, re.I)),
    )
    tells = any((found.kinds, found.end, found.side, found.same, found.everywhere))
    return None if sort == NAME and not tells and len(subjects) < 2 else found


def _kinds(text: str) -> tuple[str, ...]:
    """Vocabulary lists whose general word, such as "animal", a text uses."""
    return tuple(k for k, said in _CALLED.items() if re.search(rf"\b(?:{said})s?\b", text, re.I))


def _said(ways: Mapping[str, T], question: str) -> T | None:
    found = (way for words, way in ways.items() if re.search(rf"\b(?:{words})\b", question, re.I))
    return next(found, None)


def _anchor(
    question: str, named: Sequence[Mention], before: Sequence[Mention]
) -> tuple[Mention | None, tuple[int, bool] | None]:
    """The thing that something stands beside, and on which side of it."""
    for words, side in _SIDES.items():
        for match in re.finditer(rf"\b(?:{words}) (the |it\b)?", question, re.I):
            if (match.group(1) or "").casefold() == "it":
                return next(iter((*named, *reversed(before))), None), side
            return next((each for each in named if each.start == match.end()), None), side
    return None, None
