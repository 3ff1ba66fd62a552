"""Random choices of one item, drawn many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from lvlmbench.core.seeding import generator

T = TypeVar("T")

_BLOCK = 64


class Draws:
    """Choices that follow from (seed, stage, item) alone."""

    def __init__(self, seed: int, stage: str, item: str) -> None:
        self._rng = generator(seed, stage, item)
        self._left: list[float] = []

    @property
    def generator(self) -> np.random.Generator:
        """NumPy's generator behind it."""
        return self._rng

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        if not self._left:
            self._left = self._rng.random(_BLOCK).tolist()
        return self._left.pop()

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        return int(self.uniform() * n)

    def within(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float = 0.5) -> bool:
        """Return True in this share of cases."""
        return self.uniform() < share

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        return self.some(items, len(items))

    def some(self, items: Sequence[T], n: int) -> list[T]:
        """Return n of the items, or all where there are fewer, in random order."""
        rest, n = list(items), min(n, len(items))
        for at in range(n):
            other = at + self.below(len(rest) - at)
            rest[at], rest[other] = rest[other], rest[at]
        return rest[:n]


def partner(number: int) -> int:
    """Return the number that is claimed beside one, and that a twin has: 2 for 1, 3 for 4.

    Rows of four from an odd number on do not part these pairs. So each of four numbers is right
    equally often, beside a twin as well; one more or one fewer by chance would favor those in the
    middle.
    """
    return (number - 1 ^ 1) + 1
