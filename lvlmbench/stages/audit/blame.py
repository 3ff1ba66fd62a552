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
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from lvlmbench.stages.audit.chance import NONE, Count, chance
from lvlmbench.stages.audit.counts import Index, Key, Mask, Strata, rest, sum_of
from lvlmbench.stages.audit.samples import STYLE, Entry, Sample
from lvlmbench.stats.estimate import wilson

#: Rates and p-values are compared and written with so many decimals.
DECIMALS = 6
#: Fewer wrong samples than this blame nothing.
FEWEST = 2


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
    many scenes of each kind; ``strata`` are both counts by kind, of kinds in which any is wrong.
    """

    own: Count = NONE
    others: Count = NONE
    expected: float = 0.0
    strata: tuple[tuple[Count, Count], ...] = ()
    proposed: bool = False

    @property
    def p(self) -> float:
        """The p-value, 1 where its own rate is not above that of the others.

        Of many samples it takes long, so it is computed only where it is asked for.
        """
        return chance(self.strata) if self.own.rate > self.expected else 1.0

    @property
    def excess(self) -> tuple[float, float, float]:
        """How far its rate is above that of the others, with the ends of the interval."""
        return excess(self.own, self.others, self.expected)

    @property
    def low(self) -> float:
        """Lower end of the excess of its rate."""
        return self.excess[1]


def held(own: Strata, others: Strata) -> Blame:
    """Hold samples against others, kind of scene by kind; those with none beside them count not."""
    pairs = [(n, others[kind]) for kind, n in own.items() if n.n and others.get(kind, NONE).n]
    if not pairs:
        return Blame()
    mine, theirs = (Count(*map(sum, zip(*side, strict=True))) for side in zip(*pairs, strict=True))
    expected = math.fsum(a.n * b.rate for a, b in pairs) / mine.n
    telling = sorted(pair for pair in pairs if pair[0].wrong + pair[1].wrong)
    return Blame(mine, theirs, expected, tuple(telling))


def limit(place: int, tests: int, share: float) -> float:
    """Return the largest p-value that may be taken at a place, counted from 1."""
    return share * place / (tests + 1 - place * (1 - share))


class Table:
    """Counts of samples by entry, by entry and style, and by list.

    Parameters
    ----------
    index
        All samples.
    left
        Which of them no proposed entry explains.
    share, margin
        As :class:`Selection` has them: they tell who is a suspect.
    """

    def __init__(self, index: Index, left: Mask, share: float, margin: float) -> None:
        self._index, self._margin = index, margin
        self.counts = index.count(left)
        total = Count(int(left.sum()), int((left & index.wrong).sum()))
        suspects = []
        for key in self.counts.keys(1, fewest_wrong=FEWEST):
            own = self.counts.of(key)
            found = held({0: own}, {0: total.without(own)})
            if self.bad(found) and found.p <= share:
                suspects.append(key[0])
        self._clean = index.count_without(left, suspects)

    def bad(self, blame: Blame) -> bool:
        """Return whether a rate is clearly enough above others."""
        return blame.own.wrong >= FEWEST and blame.low > self._margin

    def comparable(self, entry: Entry) -> Strata:
        """Return the counts of samples that show other entries of the list.

        Suspects, whose rates are above those of all other samples, are left out as long as they
        are the smaller part of the list.
        """
        every, clean = (
            rest(counts.strata(entry[0]), counts.strata((entry,)))
            for counts in (self.counts, self._clean)
        )
        return clean if 2 * sum_of(clean).n >= sum_of(every).n else every

    def without(self, entry: Entry, pair: Key) -> Strata:
        """Return the counts of an entry where it is not in a pair."""
        return rest(self.counts.strata((entry,)), self.counts.strata(pair))

    def _held(self, key: Key) -> list[Blame]:
        """Hold an entry against comparable samples, or a pair against each of its parts alone."""
        if len(key) == 1:
            return [held(self.counts.strata(key), self.comparable(key[0]))]
        own: Strata = {0: self.counts.of(key)}
        return [held(own, {0: sum_of(self.without(entry, key))}) for entry in key]

    def blame(self, key: Key) -> Blame:
        """Return what is known of a key; of a pair, beside the part that speaks most for it."""
        found = self._held(key)
        if len(found) == 1:
            return found[0]
        return max(found, key=lambda each: (each.p, -each.low, each.others))

    def bad_ones(self, keys: Iterable[Key]) -> list[tuple[Key, Blame]]:
        """Return those keys that are bad, and what is known of them."""
        # What is bad beside none of its parts is not bad beside the one that tells.
        maybe = (key for key in keys if any(map(self.bad, self._held(key))))
        found = ((key, self.blame(key)) for key in maybe)
        return [(key, blame) for key, blame in found if self.bad(blame)]


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
        self._index = Index([sample for sample in samples if sample.judged])
        self._share, self._margin = share, margin
        self.chosen: list[Key] = []
        self._of_one_style: set[Key] = set()
        self._select(pairs=False)
        self._prune()
        self._select(pairs=True)

    def _table(self, but: Key | None = None) -> Table:
        """Count samples that no proposed entry explains, ``but`` not counted among them."""
        left = np.ones(len(self._index.wrong), dtype=bool)
        for key in self.chosen:
            if key != but:
                left[self._index.showing(key)] = False
        return Table(self._index, left, self._share, self._margin)

    def _select(self, pairs: bool) -> None:
        taken = 0
        tests: int | None = None
        while True:
            table = self._table()
            # Of pairs seen once nothing can be said, whatever became of them.
            fewest = FEWEST if pairs else 1
            if tests is None:
                tests = len(table.counts.keys(1 + pairs, fewest))
            keys = table.counts.keys(1 + pairs, fewest, fewest_wrong=FEWEST)
            found = table.bad_ones(key for key in keys if key not in self._of_one_style)
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
        pairs = ((pair, table.counts.of(pair)) for pair in self._index.pairs_of[key[0]])
        of_key = {pair: count for pair, count in pairs if count.n}
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
        keys = sorted(key for key in self._index.keys if len(key) == 1 and key not in self.chosen)
        found = {key: table.blame(key) for key in keys}
        return found | {key: self.blame(key) for key in self.chosen}
