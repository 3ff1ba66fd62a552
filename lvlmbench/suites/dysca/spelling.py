"""Words that look alike: as long as each other, few letters differ, and one of those clearly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from lvlmbench.scene.pools import I64, Bools

#: Letters that a small or bad print makes the same; two of a group do not tell words apart.
_LOOK_SAME = ("aceogqs", "bhmnru", "vwxy", "fijlt", "bdhk", "gpq", "sz")

#: A length of which there are fewer fours does not decide how many there are of the others.
_FEW = 10


def _same_shape() -> Bools:
    table = np.eye(26, dtype=np.bool_)
    for group in _LOOK_SAME:
        for one, other in combinations(group, 2):
            a, b = ord(one) - ord("a"), ord(other) - ord("a")
            table[a, b] = table[b, a] = True
    return table


def _differing(words: Sequence[str]) -> I64:
    """In how many letters words of one length differ, (n, n); 0 where none of those is clear."""
    letters = np.array([[ord(c) - ord("a") for c in word] for word in words], dtype=np.int64)
    same = _same_shape()
    number = np.zeros((len(words), len(words)), dtype=np.int64)
    clear = np.zeros_like(number, dtype=np.bool_)
    for place in letters.T:
        number += place[:, None] != place[None]
        clear |= ~same[place[:, None], place[None]]
    return np.where(clear, number, 0)


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


def _of_one_length(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Fours of words of one length, those with the fewest differing letters first.

    Of any two in a four at most half of the letters differ. Words with the fewest look-alikes
    choose first.
    """
    differing, fours = _differing(words), []
    free = np.ones(len(words), dtype=np.bool_)
    for most in range(1, len(words[0]) // 2 + 1):
        near = np.where(differing <= most, differing, 0)
        for one in np.argsort((near > 0).sum(axis=1), kind="stable").tolist():
            others = _three(near[one], free, near) if free[one] else None
            if others is not None:
                four = [one, *others]
                free[four] = False
                fours.append(tuple(words[i] for i in four))
    return fours


def alike_fours(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return fours of words, each in one of them at most, that all look alike.

    Each length has as many fours, those that are most alike: whoever takes one at random shows
    long words as often as short ones. Words of other letters than a to z are in none.
    """
    plain = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
    by_length = [
        _of_one_length([word for word in plain if len(word) == length])
        for length in sorted({len(word) for word in plain})
    ]
    each = min((len(fours) for fours in by_length if len(fours) >= _FEW), default=_FEW)
    return [four for fours in by_length for four in fours[:each]]


def with_lines(fours: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the fours, every other one with one more word before or behind each of its words.

    That word is the same in the four and comes from another one, so it tells nothing; whoever reads
    the whole text has to tell the look-alikes apart all the same. Each length has lines.
    """
    out = list(fours)
    for at in range(1, len(fours), 2):
        other = fours[(at + len(fours) // 2) % len(fours)][at % len(fours[at])]
        before = at % 4 == 1
        out[at] = tuple(f"{other} {word}" if before else f"{word} {other}" for word in fours[at])
    return out
