"""What numbers of a text count or measure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.judge.kinds.lexical.deciding.values import Mention, Sort
from lvlmbench.stages.judge.kinds.lexical.deciding.wanted import stems

_NEXT = re.compile(r"[ -](?P<one>[a-z]+)(?: (?P<two>[a-z]+))?(?: (?P<three>[a-z]+))?", re.I)
#: Behind a number: no thing that it counts.
_NO_THING = frozenset(re.findall(r"\w+", (
    "is are was were have has had of in on at to for from with and or as more less times time "
    "cm mm km m kg g l px percent degrees units minutes points that which who they it so look "
    "looks feel feels seem seems would will can left remain apart together than against stand "
    "stands show shows wear wears but while the a an both all if because there altogether value "
    "values total plus minus back over off away ahead now still by thing things difference "
    "differences change changes"
)))  # fmt: skip
_LENGTH = r"(?:cm|mm|km|m|centimet(?:er|re)s?|met(?:er|re)s?|inch(?:es)?|feet)"
#: In a question: it points to something that was told before.
_POINTS = re.compile(
    r"\bhow (?:many|much|far)\b[^?.,]{0,12}\b(?:these|those|them|they|it|that)\b", re.I
)
_UNIT = re.compile(
    rf"\s*(?:(?P<square>(?:{_LENGTH}\s?(?:²|2\b|\^2|squared?\b))|(?:sq(?:uare|\.)? ?{_LENGTH}\b))"
    rf"|(?P<length>{_LENGTH})\b|(?P<share>%|percent\b)|(?P<angle>°(?! ?[CF]\b)|degrees?\b)"
    r"|(?P<weight>(?:kg|g|kilograms?|grams?|tons?|t|l|lit(?:er|re)s?)\b))",
    re.I,
)
#: What is asked for -> units that it cannot have.
_NEVER: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bangles?\b", re.I), frozenset(("square", "length", "share", "weight"))),
    (re.compile(r"\barea\b", re.I), frozenset(("length", "share", "weight", "angle"))),
    (
        re.compile(r"\b(?:perimeter|diameter|radius|how long|how far)\b", re.I),
        frozenset(("square", "share", "weight", "angle")),
    ),
    (
        re.compile(r"\bhow many\b", re.I),
        frozenset(("square", "length", "share", "weight", "angle")),
    ),
)  # fmt: skip


def counted(text: str, found: Sequence[Mention], question: str, sort: Sort) -> list[Mention]:
    """Return numbers without those of things that are not asked for, where others are there."""
    if sort != "number" or len(found) < 2:
        return [*found]
    if _POINTS.search(question):
        return [*found]
    asked = stems(question)
    kept = [each for each in found if not _of_others(text[each.end :], asked)]
    return kept or [*found]


def _of_others(behind: str, asked: frozenset[str]) -> bool:
    """Whether what follows a number is something that is not asked for."""
    match = _NEXT.match(behind)
    if match is None:
        return False
    words = []
    for word in match.groups():
        if word is None or word.casefold() in _NO_THING:
            break
        words.append(word)
    return bool(words) and asked.isdisjoint(stems(" ".join(words)))


def other_unit(behind: str, question: str) -> bool:
    """Return whether a number has a unit that what is asked for cannot have."""
    match = _UNIT.match(behind)
    if match is None:
        return False
    return any(asks.search(question) and match.lastgroup in never for asks, never in _NEVER)
