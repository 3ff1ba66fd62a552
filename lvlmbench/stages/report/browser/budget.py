"""How large pictures may be so that all fit into a number of bytes, from a few that were tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lvlmbench.stages.report.browser.images import Look
from lvlmbench.stages.report.browser.items import Picture

#: Qualities tried at the requested side.
_QUALITIES = (80, 65, 50, 35)
#: Smaller sides in pixels, each tried in two qualities: WebP of fewer pixels looks better than
#: WebP of a quality below these.
_SIDES = (768, 512, 384, 320, 256, 224, 192, 160, 128)
_SMALLER = (50, 35)
#: Estimates may be short by this part before anything has to be made a second time.
MARGIN = 0.02

#: Pictures of one kind take about as much: (scenario that holds them, whether a difference).
Kind = tuple[str, bool]


def looks(side: int) -> list[Look]:
    """From the best look to the smallest; none is larger than asked for."""
    smaller = [Look(s, q) for s in _SIDES if s < side for q in _SMALLER]
    return [Look(side, q) for q in _QUALITIES] + smaller


def base64_bytes(size: int) -> int:
    """Bytes of a file as a string of JSON in a list: base64, quotation marks, comma."""
    return 4 * ((size + 2) // 3) + 3


def kinds(
    wanted: Mapping[str, Mapping[str, str]], pictures: Iterable[Picture]
) -> dict[Picture, Kind]:
    """What kind each of these pictures is; ``wanted`` as :func:`pictures.where` gives it."""
    of = {sha256: scenario for scenario, ids in wanted.items() for sha256 in ids.values()}
    return {p: (of[p.sha256], p.before is not None) for p in pictures}


@dataclass(frozen=True)
class Tried:
    """Mean bytes of base64 of a picture: look -> kind -> mean, from the pictures tried."""

    means: Mapping[Look, Mapping[Kind, float]]

    def __or__(self, other: Tried) -> Tried:
        """Both, from the best look to the smallest."""
        both = {**self.means, **other.means}
        return Tried(dict(sorted(both.items(), key=lambda one: (-one[0].side, -one[0].quality))))

    @classmethod
    def of(cls, sizes: Mapping[Look, Mapping[Kind, Sequence[int]]]) -> Tried:
        """The means of these sizes."""
        return cls(
            {
                look: {kind: sum(found) / len(found) for kind, found in of_kind.items()}
                for look, of_kind in sizes.items()
            }
        )

    def total(self, look: Look, found: Iterable[Kind]) -> float:
        """Bytes that pictures of these kinds take; a kind not tried counts as the largest."""
        means = self.means[look]
        most = max(means.values(), default=0.0)
        return sum(n * means.get(kind, most) for kind, n in Counter(found).items())

    def best(self, found: Sequence[Kind], room: float) -> Look | None:
        """The best look in which pictures of these kinds take at most ``room`` bytes."""
        fits = (look for look in self.means if self.total(look, found) <= (1 - MARGIN) * room)
        return next(fits, None)

    def next(self, look: Look, found: Sequence[Kind], took: int, room: float) -> Look | None:
        """The look to go on with where ``look`` took too many bytes; None after the smallest.

        What the pictures took tells by how much the estimates are wrong.
        """
        order = list(self.means)
        smaller = order[order.index(look) + 1 :]
        off = took / max(1.0, self.total(look, found))
        fits = (s for s in smaller if off * self.total(s, found) <= (1 - MARGIN) * room)
        return next(fits, smaller[-1] if smaller else None)
