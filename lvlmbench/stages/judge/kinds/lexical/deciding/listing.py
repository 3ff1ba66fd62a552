"""Answers that name one value after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.judge.kinds.lexical.deciding.values import Mention, Sought

#: Between two values that are as good.
_BETWEEN = re.compile(
    r"[\"')]*(?:,|/|;|&|,?\s*\b(?:or|and|and/or|maybe|perhaps|possibly)\b|\s*-\s*)"
    r"(?:\s|[\"'(]|\b(?:or|and|maybe|perhaps|possibly|even|the|an?)\b)*",
    re.I,
)
_ITEM = re.compile(r",\s*(?:and |or )?|\s+(?:and|or)\s+|;\s*")
_VERB = re.compile(
    r"\b(?:is|are|was|has|have|says?|shows?|looks?|it|there|that|this|which|with|because|as)\b|'s\b",
    re.I,
)
#: Words of an item of a list; items from which on it is one.
_WORDS, _ITEMS = 4, 3
_EMPTY = re.compile(r"\W*(?:yes|no|sure|of course|certainly|here|answer|hello|thanks?)\b\W*", re.I)


def listed(text: str, inside: Sequence[Mention], end: int) -> bool:
    """Return whether values of a sentence, the right one among them, are told as equally good."""
    groups: list[list[Mention]] = []
    for each in inside:
        if groups and _BETWEEN.fullmatch(text[groups[-1][-1].end : each.start]):
            groups[-1].append(each)
        else:
            groups.append([each])
    first = groups[0]
    mixed = [g for g in groups if len({each.right for each in g}) > 1]
    return len(mixed) > 0 and (mixed[0] is first)


def rows(text: str, lines: Sequence[tuple[int, int, list[Mention]]], sought: Sought) -> str | None:
    """Return a verdict of an answer that is a list of words, whatever they name; None of others."""
    if sought.sort != "text":
        return None
    said = [line for line in text.split("\n") if line.strip() and not _EMPTY.fullmatch(line)]
    bare = [line for line in said if _is_item(line)]
    if len(bare) > 1 and len(bare) == len(said) and not all(_all_right(b, sought) for b in bare):
        return "wrong" if len(bare) >= _ITEMS else "unclear"
    for start, end, inside in lines:
        if not any(each.right for each in inside):
            continue
        items = [item for item in _ITEM.split(text[start:end].strip(" .!")) if item.strip()]
        short = [item for item in items[1:] if _is_item(item)]
        head = items[0].split()[-_WORDS:] if items else []
        if len(items) >= _ITEMS and len(short) == len(items) - 1:
            ours = [
                any(e.right for e in sought.mentions(item)) for item in (" ".join(head), *short)
            ]
            if any(ours) and not all(ours):
                return "wrong"
    return None


def _is_item(line: str) -> bool:
    return len(line.split()) <= _WORDS and _VERB.search(line) is None


def _all_right(line: str, sought: Sought) -> bool:
    found = sought.mentions(line)
    return bool(found) and all(each.right for each in found)
