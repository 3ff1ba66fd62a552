"""How well hallucinations and objects are found, held against gold claims (VALOR-Eval, table 6).

Gold: what an answer says, each claim with whether it is true, by people. Acc(F) is the
hallucinations that were found, less the false alarms, of all true hallucinations; Acc(C) the
objects that were detected, of the distinct objects that are said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lvlmbench.analysis.hallucination.comparators import Closed
from lvlmbench.analysis.hallucination.told import Part, Told
from lvlmbench.scene.claims import WRONG

#: Strata: as the judge has it, and as a closed list of words would.
JUDGE, CHAIR = "judge", "chair"


def against(told: Told, gold: Mapping[str, bool], closed: Closed) -> Iterator[Part]:
    """Yield what an answer adds to both, as the judge and as CHAIR find it.

    Parameters
    ----------
    gold
        The distinct objects that the answer says, in lower case -> whether each is there.
    """
    # A word may stand for several things: it is found where any of its claims is.
    found: dict[str, bool] = {}
    for claim, match in told.of_kind("object"):
        found[claim.subject] = found.get(claim.subject, False) or match.verdict in WRONG
    seen = {JUDGE: found, CHAIR: {word: no for word, no in found.items() if closed.knows(word)}}
    false = {word for word, there in gold.items() if not there}
    for way, verdicts in seen.items():
        called = {word for word, wrong in verdicts.items() if wrong and word in gold}
        if false or called:
            yield Part("acc_f", way, len(called & false) - len(called - false), len(false))
        if gold:
            yield Part("acc_c", way, len(verdicts.keys() & gold.keys()), len(gold))
