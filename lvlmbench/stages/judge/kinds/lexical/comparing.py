"""How good an answer is, in one number, to compare answers by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lvlmbench.scene.claims import Claim, Match, Truth, tally

LEAST, MOST = 1.0, 10.0


def score(claims: Sequence[Claim], matches: Iterable[Match], truth: Truth) -> float:
    """Return a score from 1 to 10, by the harmonic mean of faithfulness and coverage.

    Who claims nothing, or nothing that can be checked, has 1. Where nothing is owed, faithfulness
    alone counts.
    """
    found = tally(claims, matches, truth)
    faithful = found.faithfulness
    if faithful is None:
        return LEAST
    covered = faithful if found.coverage is None else found.coverage
    both = faithful + covered
    return LEAST + (MOST - LEAST) * (2 * faithful * covered / both if both else 0.0)
