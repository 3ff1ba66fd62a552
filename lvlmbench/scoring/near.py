"""Searching a long text only where it can matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


def merged(places: Iterable[int], length: int, reach: int) -> list[tuple[int, int]]:
    """Spans of ``reach`` characters to either side of sorted places, those that touch in one."""
    spans: list[tuple[int, int]] = []
    for place in places:
        start, end = max(0, place - reach), min(length, place + reach)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def occurrences(text: str, part: str) -> Iterator[int]:
    """Where a string occurs in another."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


@dataclass(frozen=True)
class Phrases:
    """A pattern of English phrases (and others), searched near its own small-letter words.

    Attributes
    ----------
    pattern
        Of ASCII texts it can match only what holds one of ``words``, in a stretch of less than
        :attr:`reach` characters to either side.
    words
        Parts of the phrases that are rare in other texts.
    """

    pattern: re.Pattern[str]
    words: Sequence[str]
    reach: int = 160

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches in a text."""
        if len(text) <= self.reach or not text.isascii():
            yield from self.pattern.finditer(text)
            return
        lower = text.lower()
        places = sorted(at for word in self.words for at in occurrences(lower, word))
        for start, end in merged(places, len(text), self.reach):
            yield from self.pattern.finditer(text, start, end)

    def search(self, text: str) -> bool:
        """Whether the pattern matches somewhere."""
        return next(self.finditer(text), None) is not None
