"""Words that look alike: as long as each other, one or two letters differ, and those clearly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from lvlmbench.scene.pools import I64, Bools

#: Letters that a small or bad print makes the same; two of a group do not tell words apart.
_LOOK_SAME = ("aceogqs", "bhmnru", "vwxy", "fijlt", "bdhk", "gpq", "sz")

_MOST_LETTERS = 2


def _same_shape() -> Bools:
    table = np.eye(26, dtype=np.bool_)
    for group in _LOOK_SAME:
        for one, other in combinations(group, 2):
            a, b = ord(one) - ord("a"), ord(other) - ord("a")
            table[a, b] = table[b, a] = True
    return table


def _differing(words: Sequence[str]) -> I64:
    """In how many letters words of one length differ, (n, n); 0 where that is not clear."""
    letters = np.array([[ord(c) - ord("a") for c in word] for word in words], dtype=np.int64)
    same = _same_shape()
    number = np.zeros((len(words), len(words)), dtype=np.int64)
    clear = np.ones_like(number, dtype=np.bool_)
    for place in letters.T:
        other = place[:, None] != place[None]
        number += other
        clear &= ~(other & same[place[:, None], place[None]])
    return np.where(clear & (number <= _MOST_LETTERS), number, 0)


def _three(own: I64, free: Bools, differing: I64) -> tuple[int, int, int] | None:
    """The first three free words that look like one and like each other, the closest first."""
    found = np.flatnonzero((own > 0) & free)
    order = np.lexsort(((differing[found] > 0).sum(axis=1), own[found]))
    near = found[order].tolist()
    for at, a in enumerate(near):
        rest = [x for x in near[at + 1 :] if differing[a, x]]
        for place, b in enumerate(rest):
            for c in rest[place + 1 :]:
                if differing[b, c]:
                    return a, b, c
    return None


def alike_fours(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return fours of words, each in one of them at most, that all look alike.

    Words of other letters than a to z are in none. Those with the fewest look-alikes choose first.
    """
    fours: list[tuple[str, ...]] = []
    plain = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
    for length in sorted({len(word) for word in plain}):
        these = [word for word in plain if len(word) == length]
        differing = _differing(these)
        free = np.ones(len(these), dtype=np.bool_)
        for one in np.argsort((differing > 0).sum(axis=1), kind="stable").tolist():
            others = _three(differing[one], free, differing) if free[one] else None
            if others is not None:
                four = [one, *others]
                free[four] = False
                fours.append(tuple(these[i] for i in four))
    return fours
