"""Short answers: all that could be said instead, and which forms of an answer are its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.oracle.phrases import Unread
from support.oracle.picture import Picture

_NUMBERS = range(41)
_COLORS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "gray", "black", "white",
)  # fmt: skip
#: Other words for a color.
_ALSO = {
    "gray": {"grey", "silver"}, "purple": {"violet", "indigo", "lavender"}, "blue": {"navy"},
    "red": {"crimson", "scarlet"}, "green": {"lime"},
}  # fmt: skip
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = (
    "zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
#: How a question says that it wants a number, a color or a word.
_SAYS = {
    "number": (
        *("How many ", "how many ", "How often ", "number", "total", "sum", "add up", "How long "),
        *("length", "How large ", "area", "perimeter", "diameter", "radius", "differ", "value"),
        *("angle", "degrees", "distance", "far apart", "How wide "),
    ),
    "color": ("color",),
    "word": ("What word ", "what word "),
}


def others(answer: str, picture: Picture) -> list[str]:
    """Return what an answer could be instead: another number, color, or word of the picture."""
    kind = _kind(answer)
    if kind == "number":
        return [str(number) for number in _NUMBERS if str(number) != answer]
    if kind == "color":
        return [color for color in _COLORS if color != answer]
    found = {thing.word for thing in picture.things if thing.word not in (None, answer)}
    return sorted(map(str, found))


def faults(question: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a row, beside its truth.

    Raises
    ------
    Unread
        The question does not say what it wants.
    """
    answer, accepted = question["answer"], question["accepted"]
    kind = _kind(answer)
    if not any(words in question["question"] for words in _SAYS[kind]):
        raise Unread(f"a {kind}? {question['question']}")
    found = [] if accepted[0] == answer else ["the answer is not accepted"]
    if any(not _same(answer, form) for form in accepted):
        found.append("something else is accepted")
    if question["options"] or question["answer_index"] is not None or question["chance"] != 0:
        found.append("a short answer with options")
    return found


def _kind(answer: str) -> str:
    if answer.removeprefix("-").isdigit():
        return "number"
    return "color" if answer in _COLORS else "word"


def _same(answer: str, form: str) -> bool:
    if answer == form:
        return True
    if answer.isdigit():
        return int(answer) == _number(form)
    if answer.removeprefix("-").isdigit():
        return form.startswith("minus ") and _same(answer[1:], form[6:])
    return form in _ALSO.get(answer, ())


def _number(words: str) -> int | None:
    """A number below a hundred that is written in words."""
    if words in _SMALL:
        return _SMALL.index(words)
    tens, _, ones = words.partition("-")
    if tens not in _TENS[2:] or (ones and ones not in _SMALL[1:10]):
        return None
    return 10 * _TENS.index(tens) + (_SMALL.index(ones) if ones else 0)
