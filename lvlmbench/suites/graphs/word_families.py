"""Families of words: of one length, any two of which differ in one letter, at one place.

No word of a family is nearer to the others than any other is, so that nobody can tell from the
options which one they were drawn for.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

#: Words of a family at least.
SIZE = 4
_LONGEST = 5
#: Letters that a careful person may take for one another where they are small, in either case.
_ALIKE = ("iljtf", "aeocsgqd", "bdpqhr", "hnmurw", "uvwy", "kxh", "zs", "ef", "fpr")


@lru_cache(maxsize=4)
def families(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return all families of at least :data:`SIZE` words in which each letter is clear."""
    slots: dict[tuple[str, str], list[str]] = defaultdict(list)
    for word in words:
        for at in range(len(word) if len(word) <= _LONGEST else 0):
            slots[word[:at], word[at + 1 :]].append(word)
    found = (_clear(len(before), each) for (before, _), each in slots.items())
    return tuple(each for each in found if len(each) >= SIZE)


def _clear(at: int, words: list[str]) -> tuple[str, ...]:
    """The most words whose letters at a place are clear of each other, taken in turn."""
    best: tuple[str, ...] = ()
    for first in range(len(words)):
        kept: list[str] = []
        for word in (*words[first:], *words[:first]):
            if not any(word[at] in like and o[at] in like for o in kept for like in _ALIKE):
                kept.append(word)
        best = max(best, tuple(kept), key=len)
    return best
