"""Searching a long text only where it can matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def merged(places: Iterable[int], length: int, before: int, after: int) -> list[tuple[int, int]]:
    """Return spans around sorted places of a text of some length, those that touch in one."""
    spans: list[tuple[int, int]] = []
    for place in places:
        start, end = max(0, place - before), min(length, place + after)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def occurrences(text: str, part: str) -> Iterator[int]:
    """Yield where a string occurs in another."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def near_words(text: str, words: Iterable[str], before: int, after: int) -> list[tuple[int, int]]:
    """Return spans of a text around lower-case parts of words, in any case."""
    lower = text.lower()
    places = sorted({at for word in words if word in lower for at in occurrences(lower, word)})
    return merged(places, len(text), before, after)


class Phrases:
    """A pattern of phrases, which in a long English text is tried only near its own words.

    Parameters
    ----------
    pattern
        Ignores case. In ASCII texts it matches only at the start of a word, or at "n't".
    words
        Lower-case parts of the phrases: an ASCII text without any of them holds no match.
    before
        Most characters from a match's start to one of the words in it.
    after
        Most characters from there to the match's end.
    """

    def __init__(
        self, pattern: str, words: Sequence[str], before: int = 60, after: int = 120
    ) -> None:
        #: What the phrases are, for texts of any length and script.
        self.pattern = re.compile(pattern, re.I)
        self._ascii = re.compile(rf"(?:\b|(?=n't))(?:{pattern})", re.I | re.A)
        self._words = tuple(words)
        self._before, self._after = before, after

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        if not text.isascii():
            yield from self.pattern.finditer(text)
            return
        for start, end in near_words(text, self._words, self._before, self._after):
            yield from self._ascii.finditer(text, start, end)

    def search(self, text: str) -> bool:
        """Return whether the pattern matches somewhere."""
        return next(self.finditer(text), None) is not None
