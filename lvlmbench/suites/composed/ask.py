"""A question about a chart: its phrasings, its answer, and wrong options that bite.

Who sees the options alone must not tell the answer among them. So wrong options come as sets in
which each member could as well be the answer: numbers in a row among which the answer has any
place, two near pairs, or a square of two rows and two columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

Rng = np.random.Generator

#: Options of a set, with the answer.
_SET = 4


@dataclass(frozen=True)
class Ask:
    """One question.

    Attributes
    ----------
    kind, about
        What is asked, and of what; the same for all phrasings.
    phrasings
        The question in other words.
    statements
        What is said with an option in place of ``{}``: true of the answer alone.
    answer
        The right one.
    pool
        Wrong ones, all alike; none is true, and none is too near to tell.
    sets
        Sets of three wrong ones that bite more.
    """

    kind: str
    about: tuple[str, ...]
    phrasings: tuple[str, ...]
    statements: tuple[str, ...]
    answer: str
    pool: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...] = ()

    def wrong(self, rng: Rng, count: int = _SET - 1) -> tuple[str, ...]:
        """Return ``count`` wrong options, or as many as there are."""
        chosen: Sequence[str] = self.pool
        if self.sets and count < _SET:
            chosen = self.sets[int(rng.integers(len(self.sets)))]
        return tuple(chosen[int(i)] for i in rng.permutation(len(chosen))[:count])


def one(rng: Rng, count: int) -> int:
    """Return a random place."""
    return int(rng.integers(count))


def two(rng: Rng, count: int) -> tuple[int, int]:
    """Return two random places, no two alike."""
    first, second = (int(i) for i in rng.permutation(count)[:2])
    return first, second


def but(answer: str, options: Iterable[str]) -> tuple[str, ...]:
    """Return the other options, each once."""
    return tuple(o for o in dict.fromkeys(options) if o != answer)


def ring(answer: int, numbers: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return rows of four neighbours with the answer at each place, the last next to the first."""
    n, at = len(numbers), list(numbers).index(answer)
    if n < _SET:
        return ()
    rows = ([numbers[(at + i - place) % n] for i in range(_SET)] for place in range(_SET))
    return tuple(but(str(answer), map(str, row)) for row in rows)


def rows(answer: int, *gaps: int) -> tuple[tuple[str, ...], ...]:
    """Return rows of four numbers with these gaps, with the answer at each place."""
    return tuple(
        but(str(answer), (str(answer + gap * (i - place)) for i in range(_SET)))
        for gap in gaps
        for place in range(_SET)
        if answer - gap * place > 0
    )


def pairs(
    answer: int, others: Iterable[int], numbers: Sequence[int]
) -> tuple[tuple[str, ...], ...]:
    """Return sets of a neighbour of the answer, another value of the chart and its neighbour."""
    n, at = len(numbers), {number: i for i, number in enumerate(numbers)}
    found = []
    for other in dict.fromkeys(others):
        for up in (-1, 1):
            for away in (-1, 1):
                near = numbers[(at[answer] + up) % n]
                far = numbers[(at[other] + away) % n]
                if len({answer, near, other, far}) == _SET:
                    found.append((str(near), str(other), str(far)))
    return tuple(found)


def of_two(
    rng: Rng, values: Sequence[int], how: Callable[[int, int], int]
) -> tuple[tuple[int, int], int, tuple[str, ...]] | None:
    """Return two places, what their values give, and what other two give; None where all that
    two give is alike.

    What they give is drawn first: each is as likely, though some come of more twos than others.
    """
    found: dict[int, list[tuple[int, int]]] = {}
    for a, b in combinations(range(len(values)), 2):
        found.setdefault(how(values[a], values[b]), []).append((a, b))
    found.pop(0, None)
    if len(found) < 2:
        return None
    result = list(found)[one(rng, len(found))]
    a, b = found[result][one(rng, len(found[result]))]
    places = (a, b) if rng.random() < 0.5 else (b, a)
    return places, result, but(str(result), map(str, found))
