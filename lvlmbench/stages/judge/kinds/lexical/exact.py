"""Whether an answer gives the one value that is right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.judge.kinds.lexical.deciding import Verdict, decided, strange, told
from lvlmbench.stages.judge.kinds.lexical.deciding.values import Sought

__all__ = ["Verdict", "read_value"]

#: The mark of an entry of a list.
_ENTRY = re.compile(r"^[ \t]*(?:[-*\u2022]|\d+[.)])[ \t]+(?=\S)", re.M)
#: The day of a month.
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
#: A decimal point, and a comma in its place.
_POINT, _COMMA = re.compile(r"\d\.\d"), re.compile(r"(?<=\d),(?=\d{1,2}(?![\d,]))")


def read_value(text: str, question: str, forms: Sequence[str], rivals: Sequence[str]) -> Verdict:
    """Return whether an answer gives a value, another one, or neither clearly.

    What decides is where a value stands: what is announced, boxed or concluded, else what the first
    sentence says that names any. An answer that takes one back, calls it possible, or has several
    without an order cannot be told by rules; one that offers several as equally good is wrong, as
    is one that names none.

    Parameters
    ----------
    forms, rivals
        Forms of the value, and other values of its kind.
    """
    sought = Sought(question, tuple(forms), tuple(rivals))
    names = (question, *sought.forms, *sought.rivals)
    said = told(text, names)
    if any(_ORDINAL.fullmatch(form.strip()) for form in forms):
        said = _ORDINAL.sub(r"\1", said)
    if any(_POINT.search(form) for form in forms):
        said = _COMMA.sub(".", said)
    if not said.strip():
        return Verdict.UNCLEAR if strange(text, names) else Verdict.WRONG
    found = decided(said, sought)
    return Verdict.UNCLEAR if found is Verdict.WRONG and _implied(text, said, sought) else found


def _implied(text: str, said: str, sought: Sought) -> bool:
    """Whether an answer without a value may mean it: it lists so many, or names it in short.

    "The truck" is short for a pickup truck, where no other one that ends so is known.
    """
    named = sought.mentions(said)
    if sought.sort == "number":
        entries = len(_ENTRY.findall(text))
        return entries > 1 and str(entries) in sought.right and all(m.value == "1" for m in named)
    head = sought.forms[0].split()[-1]
    if named or sought.sort != "text" or " " not in sought.forms[0].strip() or head.istitle():
        return False
    word = re.compile(rf"(?<![\w-]){re.escape(head)}(?![\w-])", re.I)
    others = any(word.search(each) for each in (sought.question, *sought.rivals))
    return not others and word.search(said) is not None
