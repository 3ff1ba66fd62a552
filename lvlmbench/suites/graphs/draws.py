"""Random choices of one item, drawn many at a time.

What has a label is drawn by it, not by its place: a label more in the vocabulary leaves all choices
as they were that do not fall on it (:mod:`lvlmbench.core.races`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from lvlmbench.core.races import U64, key_of, numbers
from lvlmbench.core.seeding import generator

T = TypeVar("T")

_BLOCK = 64

#: Keys of long tuples, which the stock has once a process, by their identity.
_KEPT: OrderedDict[int, tuple[tuple[object, ...], U64 | None]] = OrderedDict()
_MOST_KEPT, _LONG = 256, 24


def _label(item: object) -> str | None:
    """What an item is called; None of what has no label."""
    if isinstance(item, str):
        return item
    if type(item) is tuple:
        parts = [_label(each) for each in item]
        return None if None in parts else "\n".join(map(str, parts))
    found = getattr(item, "label", None)
    return found if isinstance(found, str) else None


def _made(items: Sequence[object]) -> U64 | None:
    labels = []
    for item in items:
        label = _label(item)
        if label is None:
            return None
        labels.append(label)
    if len({*labels}) < len(labels):
        return None
    return np.array([key_of(label) for label in labels], np.uint64)


def _keys(items: Sequence[object]) -> U64 | None:
    """The items' own numbers; None where some have no label, or share one."""
    if type(items) is not tuple or len(items) < _LONG:
        return _made(items)
    found = _KEPT.get(id(items))
    if found is None or found[0] is not items:
        found = _KEPT[id(items)] = (items, _made(items))
        if len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return found[1]


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
        keys = _keys(items)
        if keys is None:
            return items[self.below(len(items))]
        return items[int(self._numbers(keys).argmax())]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        return self.some(items, len(items))

    def some(self, items: Sequence[T], n: int) -> list[T]:
        """Return n of the items, or all where there are fewer, in random order."""
        keys = _keys(items) if n else None
        if keys is not None:
            order = np.argsort(self._numbers(keys), kind="stable")[::-1]
            return [items[at] for at in order[:n].tolist()]
        rest, n = list(items), min(n, len(items))
        for at in range(n):
            other = at + self.below(len(rest) - at)
            rest[at], rest[other] = rest[other], rest[at]
        return rest[:n]

    def _numbers(self, keys: U64) -> U64:
        """Each item's number in the next draw."""
        return np.asarray(numbers(np.array([self.uniform()]), keys)[0])


def partner(number: int) -> int:
    """Return the number that is claimed beside one, and that a twin has: 2 for 1, 3 for 4.

    Rows of four from an odd number on do not part these pairs. So each of four numbers is right
    equally often, beside a twin as well; one more or one fewer by chance would favor those in the
    middle.
    """
    return (number - 1 ^ 1) + 1
