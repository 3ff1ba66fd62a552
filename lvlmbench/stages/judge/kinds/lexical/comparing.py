"""How good an answer is, in one number, to compare answers by."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.claims import ANYTHING, Claim, Scope, Truth, tally
from lvlmbench.stages.judge.judge import Holding

LEAST, MOST = 1.0, 10.0

#: How much more coverage weighs than faithfulness. The paper names accuracy and comprehensiveness
#: side by side (TouchStone, section 3.2), so what is made up costs as much as what is left out. At
#: less than 1 half an answer would be better than a whole one with an error; at more than 1 it
#: would pay to guess.
BETA = 1.0


def score(claims: Sequence[Claim], held: Holding, truth: Truth, scope: Scope = ANYTHING) -> float:
    """Return a score from 1 to 10, by F-beta of faithfulness and coverage within a scope.

    Who claims nothing, or nothing that can be checked, has 1. Where nothing is owed, faithfulness
    alone counts.
    """
    found = tally(claims, held.matches, truth, scope, held.unsure)
    faithful = found.faithfulness
    if faithful is None:
        return LEAST
    covered = faithful if found.coverage is None else found.coverage
    both = BETA**2 * faithful + covered
    return LEAST + (MOST - LEAST) * ((1 + BETA**2) * faithful * covered / both if both else 0.0)
