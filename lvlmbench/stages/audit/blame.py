"""Which entries explain the wrong samples: forward selection that explains samples away.

A wrong sample shows several entries, of which one may be at fault. So entries are taken one after
the other: the one whose rate of wrong samples is the least likely by chance is proposed, all
samples that show it count as explained, and the others are looked at again among what is left. An
entry is held against comparable samples: those that show other entries of its list, other suspects
left out while they are a minority there, scenes of one kind against scenes of that kind. The
p-value is the exact one, one-sided, of integers. The i-th of m entries is taken while its p-value
is at most q i / (m + 1 - i (1 - q)) (Benjamini and Gavrilov, Ann. Appl. Stat. 3, 2009), which holds
the share of false proposals near q. Beside that the excess of its rate must be clearly above a
margin.

Where a thing goes wrong in one style alone, the pair is proposed in its place: it must be worse
than the thing in other styles and than the style with other things. Pairs are a family of tests of
their own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

from lvlmbench.core.wilson import wilson
from lvlmbench.stages.audit.samples import STYLE, Entry, Sample

#: Rates and p-values are compared and written with so many decimals.
DECIMALS = 6
#: Fewer wrong samples than this blame nothing.
FEWEST = 2

#: One entry, or an entry and a style.
Key: TypeAlias = tuple[Entry, ...]
T = TypeVar("T", bound=Hashable)


class Count(NamedTuple):
    """Samples, and how many of them are wrong."""

    n: int = 0
    wrong: int = 0

    def without(self, other: Count) -> Count:
        """Return the count of the rest."""
        return Count(self.n - other.n, self.wrong - other.wrong)

    @property
    def rate(self) -> float:
        """Share of wrong samples."""
        return self.wrong / self.n if self.n else 0.0


#: No samples at all.
NONE = Count()


@cache
def chance(pairs: tuple[tuple[Count, Count], ...]) -> float:
    """Return the one-sided p-value, correctly rounded: by chance no fewer of the own are wrong.

    Of one stratum it is Fisher's exact one. Of several, their hypergeometric distributions are
    added up, each given its margins (Gart, Biometrika 57, 1970), in integers.
    """
    weights, whole, seen = [1], 1, 0
    for own, others in pairs:
        n, wrong, total = own.n, own.wrong + others.wrong, own.n + others.n
        seen += own.wrong
        whole *= math.comb(total, n)
        good = total - wrong
        ways = [math.comb(wrong, k) * math.comb(good, n - k) for k in range(min(n, wrong) + 1)]
        summed = [0] * (len(weights) + len(ways) - 1)
        for at, weight in enumerate(weights):
            for k, way in enumerate(ways):
                summed[at + k] += weight * way
        weights = summed
    return sum(weights[seen:]) / whole  # Python rounds a quotient of integers correctly


def excess(own: Count, others: Count, expected: float) -> tuple[float, float, float]:
    """Return the difference of rates and its 95 % interval (Newcombe, Stat. Med. 17, 1998).

    ``expected`` is the rate of the others. That of no samples is taken for 0, without an interval.
    """
    a, b = own.rate, expected
    low_a, high_a = wilson(a, own.n) if own.n else (0.0, 1.0)
    low_b, high_b = wilson(b, others.n) if others.n else (0.0, 0.0)
    down = math.sqrt((a - low_a) ** 2 + (high_b - b) ** 2)
    up = math.sqrt((high_a - a) ** 2 + (b - low_b) ** 2)
    low, high = max(a - b - down, -1.0), min(a - b + up, 1.0)
    return round(a - b, DECIMALS), round(low, DECIMALS), round(high, DECIMALS)


@dataclass(frozen=True)
class Blame:
    """What is known of an entry, or of an entry in a style.

    ``own`` counts its samples that no other proposed entry explains, ``others`` those it is held
    against, in scenes of the same kinds; ``expected`` is the rate of the others if they had as
    many scenes of each kind; ``p`` is 1 where its own rate is not above that.
    """

    own: Count = NONE
    others: Count = NONE
    expected: float = 0.0
    p: float = 1.0
    proposed: bool = False

    @property
    def excess(self) -> tuple[float, float, float]:
        """How far its rate is above that of the others, with the ends of the interval."""
        return excess(self.own, self.others, self.expected)

    @property
    def low(self) -> float:
        """Lower end of the excess of its rate."""
        return self.excess[1]


#: Kind of scene -> counts.
Strata: TypeAlias = Mapping[Hashable, Count]


def held(own: Strata, others: Strata) -> Blame:
    """Hold samples against others, kind of scene by kind; those with none beside them count not."""
    pairs = [(n, others[kind]) for kind, n in own.items() if n.n and others.get(kind, NONE).n]
    if not pairs:
        return Blame()
    mine, theirs = (Count(*map(sum, zip(*side, strict=True))) for side in zip(*pairs, strict=True))
    expected = math.fsum(a.n * b.rate for a, b in pairs) / mine.n
    telling = sorted(pair for pair in pairs if pair[0].wrong + pair[1].wrong)
    p = chance(tuple(telling)) if mine.rate > expected else 1.0
    return Blame(mine, theirs, expected, p)


def rest(every: Strata, some: Strata) -> Strata:
    """Return what is left of counts without some of them."""
    return {kind: n.without(some.get(kind, NONE)) for kind, n in every.items()}


def sum_of(counts: Strata) -> Count:
    """Return the count of all kinds of scenes."""
    return Count(sum(c.n for c in counts.values()), sum(c.wrong for c in counts.values()))


def limit(place: int, tests: int, share: float) -> float:
    """Return the largest p-value that may be taken at a place, counted from 1."""
    return share * place / (tests + 1 - place * (1 - share))


class Table:
    """Counts of samples by entry, by entry and style, and by list.

    Parameters
    ----------
    samples
        Those that no proposed entry explains.
    share, margin
        As :class:`Selection` has them: they tell who is a suspect.
    """

    def __init__(self, samples: Sequence[Sample], share: float, margin: float) -> None:
        self._margin = margin
        self._by = _counted(samples, lambda sample: keys_of(sample.entries))
        self.by = {key: sum_of(strata) for key, strata in self._by.items()}
        self._lists = _counted(samples, lambda sample: {entry[0] for entry in sample.entries})
        total = Count(len(samples), sum(sample.wrong for sample in samples))
        self._suspects = {
            key[0]
            for key, own in self.by.items()
            if len(key) == 1 and own.wrong >= FEWEST
            and self.bad(found := held({0: own}, {0: total.without(own)}))
            and found.p <= share
        }  # fmt: skip
        self._clean = _counted(samples, self._unsuspected)

    def _unsuspected(self, sample: Sample) -> Iterator[str | Key]:
        """Lists of which a sample shows no suspect, and the entries of those lists."""
        doubtful = {entry[0] for entry in sample.entries if entry in self._suspects}
        for name in sorted({entry[0] for entry in sample.entries} - doubtful):
            yield name
            yield from ((entry,) for entry in sample.entries if entry[0] == name)

    def bad(self, blame: Blame) -> bool:
        """Return whether a rate is clearly enough above others."""
        return blame.own.wrong >= FEWEST and blame.low > self._margin

    def comparable(self, entry: Entry) -> Strata:
        """Return the counts of samples that show other entries of the list.

        Suspects, whose rates are above those of all other samples, are left out as long as they
        are the smaller part of the list.
        """
        every = rest(self._lists.get(entry[0], {}), self._by.get((entry,), {}))
        clean = rest(self._clean.get(entry[0], {}), self._clean.get((entry,), {}))
        return clean if 2 * sum_of(clean).n >= sum_of(every).n else every

    def without(self, entry: Entry, pair: Key) -> Strata:
        """Return the counts of an entry where it is not in a pair."""
        return rest(self._by.get((entry,), {}), self._by.get(pair, {}))

    def blame(self, key: Key) -> Blame:
        """Hold an entry against comparable samples, or a pair against each of its parts alone."""
        if len(key) == 1:
            return held(self._by.get(key, {}), self.comparable(key[0]))
        own: Strata = {0: self.by.get(key, NONE)}
        found = [held(own, {0: sum_of(self.without(entry, key))}) for entry in key]
        return max(found, key=lambda each: (each.p, -each.low, each.others))


def keys_of(entries: Sequence[Entry]) -> list[Key]:
    """Entries of a sample, and its pairs of an entry and a style."""
    styles = [entry for entry in entries if entry[0] == STYLE]
    singles: list[Key] = [(entry,) for entry in entries]
    return singles + [(e, s) for e in entries if e[0] != STYLE for s in styles]


def _counted(
    samples: Iterable[Sample], of: Callable[[Sample], Iterable[T]]
) -> dict[T, dict[Hashable, Count]]:
    """Count samples by what a function says of them, and by kind of scene: the lists it shows."""
    n: dict[T, Counter[Hashable]] = defaultdict(Counter)
    wrong: dict[T, Counter[Hashable]] = defaultdict(Counter)
    for sample in samples:
        kind = frozenset(entry[0] for entry in sample.entries)
        for each in of(sample):
            n[each][kind] += 1
            wrong[each][kind] += sample.wrong
    return {
        each: {kind: Count(many, wrong[each][kind]) for kind, many in kinds.items()}
        for each, kinds in n.items()
    }


class Selection:
    """Selects what explains the wrong samples.

    Parameters
    ----------
    samples
        Those that somebody judged.
    share
        ``audit.false_proposals``: the share of false proposals to hold.
    margin
        ``audit.threshold``: how far above comparable samples a rate must be.
    """

    def __init__(self, samples: Iterable[Sample], share: float, margin: float) -> None:
        self._all = [sample for sample in samples if sample.judged]
        self._share, self._margin = share, margin
        self.chosen: list[Key] = []
        self._of_one_style: set[Key] = set()
        self._select(pairs=False)
        self._prune()
        self._select(pairs=True)

    def _left(self, but: Key | None = None) -> list[Sample]:
        """Samples that no proposed entry explains, ``but`` not counted among them."""
        taken = [set(key) for key in self.chosen if key != but]
        return [s for s in self._all if not any(key <= set(s.entries) for key in taken)]

    def _table(self, but: Key | None = None) -> Table:
        return Table(self._left(but), self._share, self._margin)

    def _select(self, pairs: bool) -> None:
        taken = 0
        tests: int | None = None
        while True:
            table = self._table()
            keys = [k for k in table.by if len(k) == 1 + pairs and k not in self._of_one_style]
            if pairs:  # of pairs seen once nothing can be said, whatever became of them
                keys = [key for key in keys if table.by[key].n >= FEWEST]
            tests = len(keys) if tests is None else tests
            found = [(key, table.blame(key)) for key in keys if table.by[key].wrong >= FEWEST]
            found = [(key, blame) for key, blame in found if table.bad(blame)]
            if not found:
                return
            key, blame = min(found, key=lambda f: (f[1].p, -f[1].own.wrong, f[0]))
            if blame.p > limit(min(taken + 1, tests), tests, self._share):
                return
            if not pairs and self._in_one_style(key, table):
                self._of_one_style.add(key)
                continue
            self.chosen.append(key)
            taken += 1

    def _in_one_style(self, key: Key, table: Table) -> bool:
        """Whether a thing goes wrong in one style, and is as good as others in the rest."""
        of_key = {k: count for k, count in table.by.items() if len(k) == 2 and k[0] == key[0]}
        if key[0][0] == STYLE or len(of_key) < 2:
            return False
        pair = max(of_key, key=lambda each: (of_key[each].wrong, each))
        blame = table.blame(pair)
        if not table.bad(blame) or blame.p > self._share / len(of_key):
            return False
        return held(table.without(key[0], pair), table.comparable(key[0])).p > self._share

    def _prune(self) -> None:
        """Take back entries that those taken after them explain."""
        for key in list(self.chosen):
            blame = self.blame(key)
            if blame.own.wrong < FEWEST or blame.p > self._share:
                self.chosen.remove(key)

    def blame(self, key: Key) -> Blame:
        """Return what is known of an entry or pair, beside all others that are proposed."""
        return replace(self._table(but=key).blame(key), proposed=key in self.chosen)

    def blames(self) -> dict[Key, Blame]:
        """Return what is known of each entry, and of each pair that is proposed."""
        table = self._table()
        keys = {(entry,) for sample in self._all for entry in sample.entries} - {*self.chosen}
        found = {key: table.blame(key) for key in sorted(keys)}
        return found | {key: self.blame(key) for key in self.chosen}
