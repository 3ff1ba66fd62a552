"""What became of a claim, before it has a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lvlmbench.scene.claims import TRUE, Feature, Verdict


class Found(NamedTuple):
    """A verdict.

    Attributes
    ----------
    verdict, how, score
        As of a match.
    feature
        What it was held against.
    """

    verdict: Verdict
    how: str
    feature: Feature | None = None
    score: float | None = None

    @property
    def true(self) -> bool:
        """Whether the claim is so."""
        return self.verdict in TRUE


#: Nothing says whether it is so.
UNVERIFIABLE = Found("unverifiable", "word")

_ORDER = ("matched", "narrower", "broader", "unverifiable", "contradicted", "hallucinated")


def best(found: Iterable[Found]) -> Found:
    """Return the kindest verdict; the first of several, ``UNVERIFIABLE`` of none."""
    return min(found, key=lambda one: _ORDER.index(one.verdict), default=UNVERIFIABLE)
