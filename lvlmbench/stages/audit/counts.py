"""Counts of samples by what they show, and by kind of scene.

The samples are looked through once; which of them are counted changes with every entry that is
taken, so counting is done by arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.stages.audit.chance import NONE, Count
from lvlmbench.stages.audit.samples import STYLE, Entry, Sample

#: One entry, or an entry and a style.
Key: TypeAlias = tuple[Entry, ...]
#: What is counted: a key, or a list by its name.
Thing: TypeAlias = str | Key
#: Kind of scene -> counts.
Strata: TypeAlias = Mapping[int, Count]
I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def rest(every: Strata, some: Strata) -> Strata:
    """Return what is left of counts without some of them."""
    return {kind: n.without(some.get(kind, NONE)) for kind, n in every.items()}


def sum_of(counts: Strata) -> Count:
    """Return the count of all kinds of scenes."""
    return Count(sum(c.n for c in counts.values()), sum(c.wrong for c in counts.values()))


def keys_of(entries: Sequence[Entry]) -> list[Key]:
    """Entries of a sample, and its pairs of an entry and a style."""
    styles = [entry for entry in entries if entry[0] == STYLE]
    singles: list[Key] = [(entry,) for entry in entries]
    return singles + [(e, s) for e in entries if e[0] != STYLE for s in styles]


def _numbers(given: Sequence[int]) -> I64:
    return np.array(given, dtype=np.int64)


class Index:
    """Which samples show what.

    Two samples are scenes of one kind where they show entries of the same lists.

    Attributes
    ----------
    keys
        What samples show, and pairs of it and a style; in the order of their numbers.
    parts
        Entries of each key: 1, or 2 of a pair.
    pairs_of
        Entry -> its pairs with styles.
    wrong
        Whether each sample is wrong.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.wrong: Mask = np.array([sample.wrong for sample in samples], dtype=bool)
        self._number: dict[Thing, int] = {}
        kinds: dict[frozenset[str], int] = {}
        thing, sample_of, kind = list[int](), list[int](), list[int]()
        for at, sample in enumerate(samples):
            lists = frozenset(entry[0] for entry in sample.entries)
            kind.append(kinds.setdefault(lists, len(kinds)))
            shown: list[Thing] = [*keys_of(sample.entries), *lists]
            thing += [self._number.setdefault(each, len(self._number)) for each in shown]
            sample_of += [at] * len(shown)
        self.keys: list[Key] = [each for each in self._number if not isinstance(each, str)]
        self.parts: I64 = _numbers([len(key) for key in self.keys])
        self._of_keys: I64 = _numbers([self._number[key] for key in self.keys])
        self.pairs_of: dict[Entry, list[Key]] = defaultdict(list)
        for key in self.keys:
            if len(key) > 1:
                self.pairs_of[key[0]].append(key)
        self._arrange(_numbers(thing), _numbers(sample_of), _numbers(kind), len(kinds))

    def _arrange(self, thing: I64, sample_of: I64, kind: I64, kinds: int) -> None:
        """Sort what is shown by thing and kind of scene; a cell holds what has both in common."""
        both = thing * kinds + kind[sample_of]
        order = np.argsort(both, kind="stable")
        self.sample: I64 = sample_of[order]
        cells, self._cell = np.unique(both[order], return_inverse=True)
        things = np.arange(len(self._number) + 1)
        self._first: I64 = np.searchsorted(thing[order], things)
        self._first_cell: I64 = np.searchsorted(cells, things * kinds)
        self._kinds: list[int] = (cells % max(kinds, 1)).tolist()
        names = [each if isinstance(each, str) else each[0][0] for each in self._number]
        self._lists = {name: at for at, name in enumerate(sorted(set(names)))}
        in_list = _numbers([self._lists[name] for name in names])
        paired = [not isinstance(each, str) and len(each) > 1 for each in self._number]
        self._in_list: I64 = in_list[thing[order]]
        self._paired: Mask = np.array(paired, dtype=bool)[thing[order]]

    def showing(self, key: Key) -> I64:
        """Return the numbers of the samples that show a key, in order of their kind."""
        at = self._number[key]
        return self.sample[self._first[at] : self._first[at + 1]]

    def count(self, left: Mask) -> Counts:
        """Count the samples that are left, shape (samples,)."""
        return self._counted(left[self.sample])

    def count_without(self, left: Mask, suspects: Sequence[Entry]) -> Counts:
        """Count entries and lists in the samples left that show no suspect of the same list."""
        doubtful = np.zeros((len(left), len(self._lists)), dtype=bool)
        for entry in suspects:
            doubtful[self.showing((entry,)), self._lists[entry[0]]] = True
        told = left[self.sample] & ~self._paired & ~doubtful[self.sample, self._in_list]
        return self._counted(told)

    def _counted(self, told: Mask) -> Counts:
        wrong = told & self.wrong[self.sample]
        by_cell = (np.bincount(self._cell[each], minlength=len(self._kinds)) for each in
                   (told, wrong))  # fmt: skip
        return Counts(self, *by_cell)

    def cells(self, thing: Thing) -> tuple[int, int]:
        """Return the first cell of a thing and the one after its last; none of what is unknown."""
        at = self._number.get(thing)
        return (0, 0) if at is None else (int(self._first_cell[at]), int(self._first_cell[at + 1]))

    def strata(self, thing: Thing, n: I64, wrong: I64) -> Strata:
        """Return the counts of a thing by kind of scene, of counts by cell."""
        start, end = self.cells(thing)
        counts = zip(n[start:end].tolist(), wrong[start:end].tolist(), strict=True)
        return dict(zip(self._kinds[start:end], map(Count._make, counts), strict=True))

    def by_key(self, by_cell: I64) -> I64:
        """Add up what is counted by cell, for each of ``keys``."""
        ends = np.concatenate([[0], np.cumsum(by_cell)])[self._first_cell]
        return np.asarray(np.diff(ends)[self._of_keys])


class Counts:
    """Counts of some samples, by what they show and by kind of scene."""

    def __init__(self, index: Index, n: I64, wrong: I64) -> None:
        self._index, self._n, self._wrong = index, n, wrong

    def strata(self, thing: Thing) -> Strata:
        """Return the counts of a key or a list by kind of scene."""
        return self._index.strata(thing, self._n, self._wrong)

    def of(self, thing: Thing) -> Count:
        """Return the count of a key or a list."""
        start, end = self._index.cells(thing)
        return Count(int(self._n[start:end].sum()), int(self._wrong[start:end].sum()))

    def keys(self, length: int, fewest: int = 1, fewest_wrong: int = 0) -> list[Key]:
        """Return the keys of so many parts that so many samples show, so many of them wrong."""
        index = self._index
        fit = index.parts == length
        fit &= index.by_key(self._n) >= fewest
        fit &= index.by_key(self._wrong) >= fewest_wrong
        return [index.keys[at] for at in np.flatnonzero(fit)]
