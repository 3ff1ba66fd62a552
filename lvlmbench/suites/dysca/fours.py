"""Fours of labels that look alike: the options of a question are one of them.

Were the wrong options simply the answer's look-alikes, the answer would be the one that is like
all others, and a model could find it without a look at the image. So options are sets that do not
depend on which of them is the answer: each label is in as many fours as any other, and a question
takes one of the answer's at random. Then each of a four is equally often the answer. A false claim
is the answer's partner in its four, and the answer is its partner's: each claim is as often false
as true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lvlmbench.core.seeding import U32, generator, uniform_columns
from lvlmbench.scene.pools import DISTRACTORS, I64, Bools
from lvlmbench.scene.vocabulary.entries import Entry
from lvlmbench.scene.vocabulary.near import Near
from lvlmbench.suites.dysca.label_index import Barred

_SIZE = DISTRACTORS + 1

#: Fours that each label of a list is in.
_EACH = 4

#: Worth of two labels in a four: look-alikes, those with a look-alike in common, and those that
#: never stand beside each other.
_NEAR, _COMMON, _NEVER = 8, 1, -10_000

_TRIES = 8


def near_table(name: str, labels: Sequence[str], near: Near) -> Bools:
    """Return which labels of a list look alike, shape (n, n)."""
    at = {label: i for i, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)), dtype=np.bool_)
    for label, i in at.items():
        for other_list, other in near.get((name, label), ()):
            if other_list == name and other in at:
                table[i, at[other]] = True
    return table


def part_table(entries: Sequence[Entry]) -> Bools:
    """Return of which entries one shows the other as a part of it, shape (n, n)."""
    table = np.zeros((len(entries), len(entries)), dtype=np.bool_)
    for i, whole in enumerate(entries):
        parts = [frozenset(part.casefold().split()) for part in whole.extra.get("parts", ())]
        table[i] = [any(other.words <= part for part in parts) for other in entries]
    return table | table.T


def near_fours(name: str, near: Bools, never: Bools) -> I64 | None:
    """Return fours that hold many look-alikes, each label in as many; None where there are none.

    Fours dealt at random are bettered by exchanging two labels as long as that gains.

    Parameters
    ----------
    name
        Names the list, for the draw.
    near, never
        Which labels look alike, and which never stand beside each other (the diagonal included).

    Returns
    -------
    Positions, shape (fours, 4): the first two of a row are partners, and the last two.
    """
    if len(near) < _SIZE or not near.any():
        return None
    common = near.astype(np.int64) @ near.astype(np.int64) > 0
    worth = np.where(near, _NEAR, np.where(common, _COMMON, 0)) + np.where(never, _NEVER, 0)
    rng = generator(0, "fours", name)
    for _ in range(_TRIES):
        dealt = np.concatenate([rng.permutation(len(near)) for _ in range(_EACH)])
        fours = _bettered(dealt.reshape(-1, _SIZE), worth)
        if not any(never[a, b] for a, b in _pairs(fours)):
            return np.array([_partnered(four, worth) for four in fours.tolist()])
    return None


def _pairs(fours: I64) -> Iterator[tuple[int, int]]:
    for four in fours.tolist():
        yield from ((a, b) for i, a in enumerate(four) for b in four[:i])


def _bettered(fours: I64, worth: I64) -> I64:
    """The fours after all exchanges of two labels that raise what they are worth."""
    fours = fours.copy()
    held, places = fours.reshape(-1), np.arange(fours.size)
    # What a label would be worth in a place: shape (places, labels).
    fits = (worth[fours].sum(axis=1)[:, None] - worth[fours]).reshape(fours.size, -1)
    moved = True
    while moved:
        moved = False
        for place in range(fours.size):
            one, first = held[place], place // _SIZE * _SIZE
            gain = fits[place, held] - fits[place, one] + fits[:, one] - fits[places, held]
            gain[first : first + _SIZE] = 0
            other = int(gain.argmax())
            if gain[other] <= 0:
                continue
            moved = True
            held[place], held[other] = held[other], one
            for row in (place // _SIZE, other // _SIZE):
                its = worth[fours[row]]
                fits[row * _SIZE : (row + 1) * _SIZE] = its.sum(axis=0) - its
    return fours


def _partnered(four: Sequence[int], worth: I64) -> list[int]:
    """The same four with its best pairs side by side."""
    a, b, c, d = four
    ways = ([a, b, c, d], [a, c, b, d], [a, d, b, c])
    return max(ways, key=lambda way: worth[way[0], way[1]] + worth[way[2], way[3]])


class Fours:
    """Fours of all pools, by the index of labels.

    Parameters
    ----------
    labels
        How many labels there are.
    by_first
        Index of a pool's first label -> its fours, in each of which labels are counted from it.
    """

    def __init__(self, labels: int, by_first: Mapping[int, I64]) -> None:
        rows: list[list[int]] = [[] for _ in range(labels)]
        fours = [first + own for first, own in by_first.items()]
        self._members = np.concatenate([np.zeros((0, _SIZE), np.int64), *fours])
        for row, members in enumerate(self._members.tolist()):
            for label in members:
                rows[label].append(row)
        most = max(map(len, rows), default=0) or 1
        filled = [(own * most)[:most] if own else [-1] * most for own in rows]
        self._rows = np.array(filled, dtype=np.int64).reshape(labels, most)

    def put(
        self,
        seed: int,
        counters: U32,
        answers: I64,
        wanted: I64,
        barred: Barred | None,
        wrong: I64,
    ) -> None:
        """Write the wrong options of all questions that have a four into ``wrong``, in place.

        The parameters are those of :meth:`.label_index.LabelIndex.distractors`, whose result
        ``wrong`` is. What wants none keeps what it has; so does an answer all of whose fours hold
        something barred.
        """
        at = np.flatnonzero((wanted > 0) & (self._rows[answers, 0] >= 0))
        fours, own = self._members[self._rows[answers[at]]], answers[at, None]
        free = np.ones(fours.shape[:2], dtype=np.bool_)
        if barred is not None:
            held = barred.table[barred.rows[at][:, None, None], fours]
            free = ~(held & (fours != own[:, None])).any(axis=2)
        some = free.any(axis=1)
        at, fours, own, free = at[some], fours[some], own[some], free[some]
        u = uniform_columns(seed, "fours", counters[at], 1 + DISTRACTORS)
        nth = (u[:, 0] * free.sum(axis=1)).astype(np.int64)
        chosen = np.argmax(np.cumsum(free, axis=1) == nth[:, None] + 1, axis=1)
        four, rows = fours[np.arange(len(at)), chosen], np.arange(len(at))
        others = four[four != own].reshape(-1, DISTRACTORS)
        others = np.take_along_axis(others, np.argsort(u[:, 1:], axis=1, kind="stable"), axis=1)
        partner = four[rows, np.argmax(four == own, axis=1) ^ 1]
        single = wanted[at] == 1
        others[single, 0] = partner[single]
        others[np.arange(DISTRACTORS) >= wanted[at, None]] = -1
        wrong[at] = others
