"""Associations between things that can be drawn."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.suites.graphs.stock import Kind, Stock
from lvlmbench.suites.valor.association.counts import KINDS, Counts
from lvlmbench.suites.valor.association.selection import Anchor, Selection
from lvlmbench.suites.valor.association.settings import Associating
from lvlmbench.suites.valor.association.sources import read

#: What a relation with a background begins with.
_BEFORE = "before "


class Associated:
    """What is expected with the kinds of a stock.

    Attributes
    ----------
    selection, own
        What counts select, and how they are to.
    """

    def __init__(self, counts: Counts, own: Associating, stock: Stock) -> None:
        self.own, self._stock = own, stock
        self.selection = Selection(counts, own.support, own.features, own.rare, own.expected)
        words = {kind.label.lower(): kind for kind in stock.kinds}
        self._kinds = {kind.entry.plural.lower(): kind for kind in stock.kinds} | words

    def kind(self, word: str) -> Kind | None:
        """Return what a word of the annotation names, if that is drawn."""
        return self._kinds.get(word)

    @cached_property
    def word(self) -> dict[int, str]:
        """Number of a kind -> its word in the annotation, of those that it holds."""
        counts = self.selection.counts
        every = {*counts.images, *counts.features(KINDS[0])}
        return {kind.number: word for word, kind in self._kinds.items() if word in every}

    def share(self, one: Kind, other: Kind) -> float:
        """Return P(other | one); 0 where it is not known."""
        a, b = self.word.get(one.number), self.word.get(other.number)
        return self.selection.counts.share(KINDS[0], a, b) if a and b else 0.0

    def linked(self, one: Kind, other: Kind) -> bool:
        """Return whether two kinds are ever seen together."""
        return self.share(one, other) > 0 or self.share(other, one) > 0

    def expected(self, kind: Kind) -> list[Kind]:
        """Return what is most associated with a kind, and drawn."""
        return self._drawn(self.selection.most(self.word.get(kind.number, "")))

    def rare(self, kind: Kind, statistic: str) -> list[Kind]:
        """Return what is least associated with a kind, and drawn, and not to be avoided."""
        found, avoided = self._least(kind), self.avoided(kind, statistic)
        return [each for each in found if each.number not in avoided]

    def avoided(self, kind: Kind, statistic: str) -> frozenset[int]:
        """Return the numbers of kinds that a picture of a kind is to be without, where a statistic
        chose the kind."""
        anchors = [anchor for anchor, _ in self._chosen(statistic)]
        words = self.selection.lacking(self.word.get(kind.number, ""), anchors)
        return frozenset(each.number for each in self._drawn(sorted(words)))

    def _least(self, kind: Kind) -> list[Kind]:
        """What is least associated with a kind, and drawn, and not expected with it."""
        found = self._drawn(self.selection.least(self.word.get(kind.number, "")))
        expected = {each.number for each in self.expected(kind)}
        return [each for each in found if each.number not in expected]

    def _drawn(self, words: list[str]) -> list[Kind]:
        return [kind for kind in map(self.kind, words) if kind is not None]

    def anchors(self, statistic: str) -> list[tuple[Anchor, Kind]]:
        """Return the objects with the largest value that are drawn, as is what a triplet needs.

        Raises
        ------
        UserError
            There is none.
        """
        if statistic not in self._anchors:
            found = [
                (anchor, kind)
                for anchor, kind in self._chosen(statistic)
                if kind.number not in self.avoided(kind, statistic) and self.rare(kind, statistic)
            ]
            if not found:
                raise UserError(
                    self.own.source,
                    f"names no thing in {self.own.support} images that is drawn, beside another",
                    "lower association.support (or association.anchors, where expected is all), or "
                    "name another source",
                )
            self._anchors[statistic] = found
        return self._anchors[statistic]

    @cached_property
    def _anchors(self) -> dict[str, list[tuple[Anchor, Kind]]]:
        return {}

    def _chosen(self, statistic: str) -> list[tuple[Anchor, Kind]]:
        """O: the first things that are drawn, beside what is expected with them and what is not."""
        if statistic not in self._firsts:
            found = []
            for anchor in self.selection.anchors(statistic):
                kind = self.kind(anchor.object)
                if kind is not None and self.expected(kind) and self._least(kind):
                    found.append((anchor, kind))
            self._firsts[statistic] = found[: self.own.anchors]
        return self._firsts[statistic]

    @cached_property
    def _firsts(self) -> dict[str, list[tuple[Anchor, Kind]]]:
        return {}

    @cached_property
    def known(self) -> list[Kind]:
        """All kinds whose own associations are counted often enough, in the order of the stock."""
        images = self.selection.counts.images
        return [
            kind
            for kind in self._stock.kinds
            if images.get(self.word.get(kind.number, ""), 0) >= self.own.support
        ]

    def backgrounds(self, kind: Kind) -> list[str]:
        """Return the backgrounds that a kind is seen before, the most frequent first."""
        seen = self.selection.counts.seen(KINDS[2], self.word.get(kind.number, ""))
        found = sorted(seen, key=lambda each: (-seen[each], each))
        return [each.removeprefix(_BEFORE) for each in found if each.startswith(_BEFORE)]

    @cached_property
    def popular(self) -> list[Kind]:
        """All kinds that the annotation holds, the most frequent first."""
        often = {number: self.selection.counts.often(word) for number, word in self.word.items()}
        return [self._stock.kinds[number] for number in sorted(often, key=lambda n: (-often[n], n))]


@lru_cache(maxsize=4)
def associated(own: Associating, stock: Stock) -> Associated:
    """Return the associations of parameters; read once a process.

    Raises
    ------
    UserError
        The source cannot be read.
    """
    path = Path(own.source)
    return Associated(read(path if path.is_absolute() else PROJECT_ROOT / path), own, stock)
