"""Short answers: what is accepted beside the answer itself, and of which kind it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

#: A number, a color, or any other word or name.
Sort: TypeAlias = Literal["number", "color", "text"]

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

#: Numbers in words, from zero to ninety-nine.
NUMBER_WORDS = (
    *_ONES,
    *(f"{tens}-{one}" if at else tens for tens in _TENS for at, one in enumerate(_ONES[:10])),
)

#: Largest number that a short answer is held against, whatever is counted.
LARGEST = 40

_COLORS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "gray", "black", "white",
    "cyan", "teal", "turquoise", "magenta", "beige", "tan", "navy", "maroon", "gold", "silver",
    "lime", "olive", "crimson", "scarlet", "indigo", "lavender", "cream", "khaki", "peach", "blond",
)  # fmt: skip
#: Words for colors -> the color that is meant; what no palette has stands for itself.
COLOR_WORDS = {
    **{name: name for name in _COLORS},
    "grey": "gray",
    "violet": "purple",
    "blonde": "blond",
    "golden": "gold",
    "crimson": "red",
    "scarlet": "red",
    "navy": "blue",
    "indigo": "purple",
    "lavender": "purple",
    "silver": "gray",
    "lime": "green",
}


_ASKS_COLOR = re.compile(r"\bcolou?rs?\b", re.I)
_WORD = re.compile(r"\b(?:which|what) (?:word|name|text)\b|\b(?:say|read)\?", re.I)


def wanted(question: str) -> Sort:
    """Return which kind of short answer a question sounds like asking for: a number by default."""
    if re.search(r"\bhow (?:many|often)\b", question, re.I):
        return "number"
    if _WORD.search(question):
        return "text"
    return "color" if _ASKS_COLOR.search(question) else "number"


def sort_of(accepted: Sequence[str]) -> Sort:
    """Return of which kind a short answer is, by its accepted forms."""
    if any(form.strip().removeprefix("-").isdecimal() for form in accepted):
        return "number"
    return "color" if any(form.casefold() in COLOR_WORDS for form in accepted) else "text"


def accepted(answer: str, *also: str) -> list[str]:
    """Return the forms of a short answer that are right, the answer itself first.

    Numbers are accepted in words too, gray as grey, purple as violet; ``also`` are other names.
    """
    forms = [answer, *also]
    digits = answer.removeprefix("-")
    if digits.isdecimal() and int(digits) < len(NUMBER_WORDS):
        forms.append("minus " * (digits != answer) + NUMBER_WORDS[int(digits)])
    forms += [word for word, meant in COLOR_WORDS.items() if meant == answer.casefold()]
    return list({form.casefold(): form for form in reversed(forms)}.values())[::-1]
