"""How often things are seen with others, with attributes and in relations.

VALOR-Eval, section 3.1.2 and appendix B: N(o, f) and P(f | o) = N(o, f) / N(o), of objects o and
features f, and six statistics of an object.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

#: Digits of statistics: those that differ by less are equal.
_DECIMALS = 9

#: What a feature is: another object, an attribute, a relation with another object.
KINDS = ("object", "attribute", "relation")


class Fact(NamedTuple):
    """One thing that an image shows: an object, and an attribute or a relation of it, or neither.

    Attributes
    ----------
    image
        Names the image.
    object, attribute, relation, object2
        In lower case; None where nothing is said.
    """

    image: str
    object: str
    attribute: str | None = None
    relation: str | None = None
    object2: str | None = None


class Statistics(NamedTuple):
    """Of one object and a kind of features.

    Attributes
    ----------
    frequency
        How often it is seen with its features: the sum of N(o, f).
    max, avg, max_avg, avg_min, max_min
        Of P(f | o) over its features: the largest, the mean, and how far the largest, the mean and
        the smallest are apart; rounded, so that the order of features does not matter.
    """

    frequency: float
    max: float
    avg: float
    max_avg: float
    avg_min: float
    max_min: float


#: The six statistics by name.
STATISTICS = Statistics._fields

_Together = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True)
class Counts:
    """How often each object is seen, and with what.

    Attributes
    ----------
    images
        N(o): images that show an object.
    together
        Kind -> object -> feature -> N(o, f), above 0.
    shown
        Image -> the objects that it shows; empty where images are not known one by one.
    """

    images: Mapping[str, int]
    together: _Together
    shown: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def seen(self, kind: str, of: str) -> Mapping[str, int]:
        """Return feature -> N(o, f) of all features that an object is seen with."""
        return self.together.get(kind, {}).get(of, {})

    def share(self, kind: str, of: str, feature: str) -> float:
        """Return P(f | o); 0 for what is never seen together."""
        images = self.images.get(of, 0)
        return self.seen(kind, of).get(feature, 0) / images if images else 0.0

    def often(self, of: str) -> int:
        """Return in how many images an object is; at least, where only what it is with is known."""
        others = (found.get(of, 0) for found in self.together.get(KINDS[0], {}).values())
        return self.images.get(of, 0) or max(others, default=0)

    def statistics(self, kind: str, of: str, every: int | None = None) -> Statistics | None:
        """Return the six statistics of an object; None where it is seen with nothing.

        Parameters
        ----------
        every
            How many features there are in all; those that it is never seen with count as 0. By
            default only those count that it is seen with.
        """
        found = self.seen(kind, of)
        if not found:
            return None
        shares = [n / self.images[of] for n in found.values()]
        number = every or len(shares)
        high, mean = max(shares), math.fsum(shares) / number
        low = min(shares) if number == len(shares) else 0.0
        values = (sum(found.values()), high, mean, high - mean, mean - low, high - low)
        return Statistics(*(round(value, _DECIMALS) for value in values))

    def features(self, kind: str) -> list[str]:
        """Return all features of a kind, in order; of objects also those that are alone."""
        found = {f for of_one in self.together.get(kind, {}).values() for f in of_one}
        return sorted(found | ({*self.images} if kind == KINDS[0] else set()))


def counted(facts: Iterable[Fact]) -> Counts:
    """Count facts: what an image says twice counts once."""
    shown: dict[str, set[str]] = defaultdict(set)
    told: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for each in facts:
        shown[each.image].add(each.object)
        if each.attribute is not None:
            told[each.image].add((KINDS[1], each.object, each.attribute))
        if each.relation is not None and each.object2 is not None:
            shown[each.image].add(each.object2)
            told[each.image].add((KINDS[2], each.object, f"{each.relation} {each.object2}"))
    images = Counter(thing for things in shown.values() for thing in sorted(things))
    together: dict[str, dict[str, Counter[str]]] = {kind: {} for kind in KINDS}
    for things in shown.values():
        for one in sorted(things):
            own = together[KINDS[0]].setdefault(one, Counter())
            own.update(other for other in sorted(things) if other != one)
    for found in told.values():
        for kind, one, feature in sorted(found):
            together[kind].setdefault(one, Counter())[feature] += 1
    return Counts(images, together, {image: frozenset(things) for image, things in shown.items()})
