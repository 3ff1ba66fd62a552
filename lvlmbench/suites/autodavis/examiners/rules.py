"""The examiner that asks by default: as many steps as the level has, options that mislead."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.suites.autodavis.examiner import EXAMINERS
from lvlmbench.suites.graphs.ask import Ask


@EXAMINERS.register("rules", place=0)
class Rules:
    """Asks what many wrong options resemble, in any of the phrasings."""

    def steps(self, hops: int) -> Sequence[int]:
        """Return those of the level."""
        return (hops,)

    def shown(self, least: int, most: int) -> int:
        """Return all that can be."""
        return most

    def ranked(self, asks: Sequence[Ask]) -> list[Ask]:
        """Return what is there first: it misleads most."""
        return sorted(asks, key=lambda ask: -min(ask.near, 3))
