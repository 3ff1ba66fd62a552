"""Answers that go through the options one by one: lists that only repeat them, and verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence

_YES, _NO = "✅✔☑", "❌✗✘✖☒"
_MARK = re.compile(rf"[{_YES}{_NO}]\ufe0f?|\[\s?[xX ]?\s?\]")
_WORD = re.compile(r"[\s:|,(-]*\b(yes|no|correct|incorrect|wrong|right)\b(?! one)", re.I)
_HEAD = re.compile(
    r"(?:^|(?<=[\n|]))[^\w\n]*(?:\[[xX]\]\s*)?([A-Z])(?![A-Za-z0-9_'])|\(([A-Z])\)", re.M
)
_SEPARATOR = r"[\s,;/|.&)\](\[\"'-]*(?:(?:or|and)\s+)?"


def without_repeated_list(text: str, options: Sequence[str]) -> str:
    """Return a cleaned text without the first full list of the options with their letters.

    The text as it is, if it holds no such list or nothing else.
    """
    lower = text.lower()
    if len(options) < 2 or not all(option.lower() in lower for option in options):
        return text
    start = end = -1
    for index, option in enumerate(options):
        letter = chr(ord("A") + index)
        entry = re.compile(
            rf"[(\[]?{letter}[)\].:]*\s*[-:]?\s*[\"']?{re.escape(option)}(?!\w)", re.I
        )
        if index == 0:
            found = entry.search(text)
        else:
            gap = re.compile(_SEPARATOR).match(text, end)
            found = entry.match(text, gap.end() if gap else end)
        if not found:
            return text
        start, end = found.start() if index == 0 else start, found.end()
    rest = f"{text[:start]}\n{text[end:].lstrip(' ,.;)')}".strip()
    return rest if re.search(r"\w", rest) else text


def verdict(text: str, options: Sequence[str]) -> int | None:
    """Return the index of the only option with a yes, where each other one has a no.

    An option's entry begins with its letter, at the start of a line or in brackets. The verdict is
    a tick, a cross, a ticked box or the word that follows at once. At least two options must have
    one.
    """
    lower = text.lower()
    if "yes" not in lower and "correct" not in lower and not _MARK.search(text):
        return None
    heads = [(m.start(), m.group(1) or m.group(2)) for m in _HEAD.finditer(text)]
    if len(heads) < 2:
        return None
    said: dict[int, set[bool]] = {}
    for at, (start, letter) in enumerate(heads):
        index = ord(letter) - ord("A")
        if index >= len(options):
            continue
        line = text.rfind("\n", 0, start + 1) + 1
        entry = text[max(line, start) : heads[at + 1][0] if at + 1 < len(heads) else len(text)]
        entry = entry.split("\n\n")[0].strip()
        mark = _MARK.search(entry)
        if mark:
            said.setdefault(index, set()).add(
                mark.group()[0] in _YES or "x" in mark.group().lower()
            )
            continue
        after = entry.find(letter) + 1
        label = entry[after:].lstrip(" ).:]|").lower().startswith(options[index].lower())
        if label:
            after = entry.lower().find(options[index].lower(), after) + len(options[index])
        word = _WORD.match(entry, after)
        if word:
            said.setdefault(index, set()).add(word.group(1).lower() in ("yes", "correct", "right"))
    chosen = [index for index, values in said.items() if values == {True}]
    against = [index for index, values in said.items() if values == {False}]
    return chosen[0] if len(chosen) == 1 and len(against) == len(said) - 1 > 0 else None
