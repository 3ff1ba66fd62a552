"""A dense examiner: a step more where there is room, much to look at, long phrasings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.suites.autodavis.examiner import EXAMINERS, scope
from lvlmbench.suites.graphs.ask import Ask

#: No thing is named from farther away.
_FARTHEST = 2


@EXAMINERS.register("rules_dense", place=2)
class RulesDense:
    """Asks what takes most, in the most words."""

    def steps(self, hops: int) -> Sequence[int]:
        """Return one more than the level has, then those of the level."""
        return tuple(dict.fromkeys((max(hops, min(hops + 1, _FARTHEST)), hops)))

    def shown(self, least: int, most: int) -> int:
        """Return all that can be."""
        return most

    def ranked(self, asks: Sequence[Ask]) -> list[Ask]:
        """Return the largest programs first, then those with the most misleading options."""
        long = [replace(ask, questions=(max(ask.questions, key=len),)) for ask in asks]
        return sorted(long, key=lambda ask: (-scope(ask), -ask.near))
