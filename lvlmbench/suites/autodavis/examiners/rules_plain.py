"""A plain examiner: little to look at, wrong options that are not there, short phrasings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.suites.autodavis.examiner import EXAMINERS, scope
from lvlmbench.suites.graphs.ask import Ask


@EXAMINERS.register("rules_plain", place=1)
class RulesPlain:
    """Asks what takes least, in the fewest words."""

    def steps(self, hops: int) -> Sequence[int]:
        """Return those of the level."""
        return (hops,)

    def shown(self, least: int, most: int) -> int:
        """Return the fewest that the level allows."""
        return min(least, most)

    def ranked(self, asks: Sequence[Ask]) -> list[Ask]:
        """Return the smallest programs first, then those with the fewest misleading options."""
        short = [replace(ask, questions=(min(ask.questions, key=len),)) for ask in asks]
        return sorted(short, key=lambda ask: (scope(ask), ask.near))
