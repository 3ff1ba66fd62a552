"""Objects with strong associations, what is expected with them, and what is not.

VALOR-Eval, section 3.1.3, equations 2 to 5: O are the objects with the largest value of a
statistic, I the features that each of them is least associated with, H those that it is most
associated with, C the images that show an object of O with one of its I and without its H.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lvlmbench.suites.valor.association.counts import KINDS, Counts


class Anchor(NamedTuple):
    """An object of O.

    Attributes
    ----------
    object
        Which.
    statistic, value
        What chose it.
    support
        N(o).
    """

    object: str
    statistic: str
    value: float
    support: int


class Chosen(NamedTuple):
    """An image of C: what it shows of an object, and what it lacks."""

    image: str
    anchor: Anchor
    shown: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """What counts select.

    Attributes
    ----------
    counts
        Of images.
    support
        Objects in fewer images are not chosen.
    features
        How many features of an object are its most associated, and its least.
    rare
        Whether the least associated features are among those that an object is ``seen`` with, or
        among ``all``.
    expected
        Whether an object's most associated features are those ``of_each`` object, or those of
        ``all`` chosen objects together, as equation 5 reads.
    """

    counts: Counts
    support: int = 20
    features: int = 5
    rare: Literal["seen", "all"] = "seen"
    expected: Literal["of_each", "all"] = "of_each"

    def anchors(self, statistic: str, kind: str = KINDS[0]) -> list[Anchor]:
        """Return O in falling order of a statistic: the first is the object with the largest."""
        every = None
        if self.rare == "all":  # an object is no feature of itself
            every = len(self.counts.features(kind)) - (kind == KINDS[0])
        found = []
        for one, support in self.counts.images.items():
            values = self.counts.statistics(kind, one, every)
            if support >= self.support and values is not None:
                found.append(Anchor(one, statistic, getattr(values, statistic), support))
        return sorted(found, key=lambda each: (-each.value, each.object))

    def most(self, of: str, kind: str = KINDS[0]) -> list[str]:
        """Return H of one object: the features that it is most often seen with, the first most."""
        found = self.counts.seen(kind, of)
        return sorted(found, key=lambda each: (-found[each], each))[: self.features]

    def least(self, of: str, kind: str = KINDS[0]) -> list[str]:
        """Return I of one object: those that it is least often seen with, none of its H."""
        found, most = self.counts.seen(kind, of), {*self.most(of, kind), of}
        names = found if self.rare == "seen" else self.counts.features(kind)
        rest = [each for each in names if each not in most]
        return sorted(rest, key=lambda each: (found.get(each, 0), each))[: self.features]

    def lacking(self, of: str, anchors: Sequence[Anchor]) -> set[str]:
        """Return what a picture of one object of O is to be without: its own H, or that of all."""
        every = [of, *(each.object for each in anchors)] if self.expected == "all" else [of]
        return {each for one in every for each in self.most(one)}

    def chosen(self, anchors: Sequence[Anchor]) -> Iterator[Chosen]:
        """Yield C: images with an object of O, one of its I, and nothing of H."""
        for anchor in anchors:
            least = self.least(anchor.object)
            lacks = self.lacking(anchor.object, anchors)
            for image in sorted(self.counts.shown):
                things = self.counts.shown[image]
                if anchor.object in things and not lacks & things:
                    for one in least:
                        if one in things:
                            yield Chosen(image, anchor, one, tuple(sorted(lacks)))
