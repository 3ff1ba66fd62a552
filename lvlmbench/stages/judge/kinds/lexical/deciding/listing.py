"""Answers that name one value after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.judge.kinds.lexical.deciding.values import Mention, Sought

#: Between two values that are as good.
_BETWEEN = re.compile(
    r"[\"')]*(?:\s?(?:%|\w+)(?=,? or ))?"
    r"(?:,|/|&|,?\s*\b(?:or|and|and/or|maybe|perhaps|possibly)\b|\s*-\s*)"
    r"(?:\s|[\"'(]|\b(?:or|and|maybe|perhaps|possibly|even|the|an?)\b)*",
    re.I,
)
#: Behind a value: a clause of its own begins with it.
_SAID_OF = re.compile(r"\s+(?:is|has|was|looks|shows|says|stands|sits)\b", re.I)
_ITEM = re.compile(r",\s*(?:and |or )?|\s+(?:and|or)\s+|;\s*")
_VERB = re.compile(
    r"\b(?:is|are|was|has|have|says?|shows?|looks?|it|there|that|this|which|with|for|because|as)\b|'s\b",
    re.I,
)
#: Before the last item of a row; what tells more of a value that stands before it.
_JOINED = re.compile(r"\b(?:and|or)\s+(?:\S+\s+){0,3}\S+$", re.I)
_TELLS = re.compile(
    r"(?:in|on|at|near|by|from|with|of|to|next|behind|below|above|beside|under|followed|who|\w+ed"
    r"|\w+ing)\b",
    re.I,
)
_ONE = re.compile(r"an? ", re.I)
#: Words of an item of a list; items from which on it is one; names behind the first from which on
#: they are no apposition.
_WORDS, _ITEMS, _NAMES = 4, 3, 3
_EMPTY = re.compile(r"\W*(?:yes|no|sure|of course|certainly|here|answer|hello|thanks?)\b\W*", re.I)


def grouped(text: str, inside: Sequence[Mention]) -> list[list[Mention]]:
    """Return values of a sentence, those together that stand side by side as equally good."""
    groups: list[list[Mention]] = []
    for each in inside:
        between = text[groups[-1][-1].end : each.start] if groups else ""
        if _BETWEEN.fullmatch(between) and not (
            ("and" in between or "-" in between) and _SAID_OF.match(text, each.end)
        ):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def rows(text: str, lines: Sequence[tuple[int, int, list[Mention]]], sought: Sought) -> str | None:
    """Return a verdict of an answer that is a list of words, whatever they name; None of others."""
    if sought.sort != "text":
        return None
    said = [line for line in text.split("\n") if line.strip() and not _EMPTY.fullmatch(line)]
    bare = [line for line in said if _is_item(line)]
    if len(bare) > 1 and len(bare) == len(said) and not all(_all_right(b, sought) for b in bare):
        return "wrong" if len(bare) >= _ITEMS else "unclear"
    for line in lines:
        if any(each.right for each in line[2]) and _is_row(text, line, sought):
            return _of_row(text, line, others=len(lines) > 1)
    return None


def _is_row(text: str, line: tuple[int, int, list[Mention]], sought: Sought) -> bool:
    """Whether a sentence ends with several words in a row, of which not all are the right one."""
    items = _items(text[line[0] : line[1]])
    denied = any(each.denied for each in sought.mentions(text[line[0] : line[1]]))
    if len(items) < _ITEMS or denied or not all(map(_is_item, items[1:])):
        return False
    head = " ".join(items[0].split()[-_WORDS:])
    ours = [any(e.right for e in sought.mentions(item)) for item in (head, *items[1:])]
    return any(ours) and not all(ours)


def _of_row(text: str, line: tuple[int, int, list[Mention]], others: bool) -> str | None:
    """What a row of words says: places and colors behind a name stand in a row as well."""
    start, end, inside = line
    items = _items(text[start:end])
    names = [each for each in items[1:] if each.strip("\"'(")[:1].isupper()]
    joined = _JOINED.search(text[start:end]) and not _TELLS.match(items[1])
    if not others and (len(names) >= _NAMES or all(map(_ONE.match, items)) or joined):
        return "wrong"
    rival = any(each.right is False for each in inside)
    told = _VERB.search(items[0]) is not None or len(items[0].split()) > _WORDS
    if others or (told and not rival):
        return None
    return "wrong" if rival and "followed by" not in text[start:end] else "unclear"


def _items(sentence: str) -> list[str]:
    return [item for item in _ITEM.split(sentence.strip(" .!")) if item.strip()]


def _is_item(line: str) -> bool:
    return len(line.split()) <= _WORDS and not _VERB.search(line) and not _TELLS.match(line)


def _all_right(line: str, sought: Sought) -> bool:
    found = sought.mentions(line)
    return bool(found) and all(each.right for each in found)
