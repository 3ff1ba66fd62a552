"""Whether a text quotes another: so many of its words in a row."""

from __future__ import annotations

import re

#: Words in a row that are a quotation.
QUOTED = 6
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text, whatever their case and what stands between them."""
    return _WORD.findall(text.casefold())


def quotes(text: str, source: str, length: int = QUOTED) -> bool:
    """Return whether a text holds so many words of another in a row."""
    said, own = words(text), words(source)
    runs = {tuple(own[at : at + length]) for at in range(len(own) - length + 1)}
    return any(tuple(said[at : at + length]) in runs for at in range(len(said) - length + 1))
