"""How much of what answers say is true, and how much of what they owe they say.

VALOR-Eval, section 4.2. Its formula is of one answer; its code adds all answers up. Here sums over
all answers (micro) are the headline, means over answers (macro) stand beside them. An answer that
claims nothing has no faithfulness, and its coverage is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lvlmbench.analysis.hallucination.told import ALL, Part, Told
from lvlmbench.scene.claims import STATES, WRONG

#: Numbers of claims at which answers are compared, whatever more they say.
MATCHED = (1, 2, 3, 5, 8, 13, 21)

#: Strata of the accuracy of counts: of those that are said, and of those that are owed.
SAID, OWED = "said", "owed"


def headline(told: Told) -> Iterator[Part]:
    """Yield what an answer adds to faithfulness, coverage and what goes with them."""
    sums = told.tally
    said = sums.true + sums.wrong
    yield Part("faithfulness", ALL, sums.true, said)
    yield Part("coverage", ALL, sums.covered, sums.owed)
    yield Part("claims", ALL, said, 1)
    open_ = sums.unverifiable + sums.unsure
    yield Part("undecided", ALL, open_, open_ + said + sums.owed)
    if said:
        yield Part("faithfulness_macro", ALL, sums.true / said, 1)
        yield Part("all_true", ALL, not sums.wrong, 1)
    if sums.owed:
        yield Part("coverage_macro", ALL, sums.covered / sums.owed, 1)
        yield Part("all_covered", ALL, sums.covered == sums.owed, 1)


def by_kind(told: Told) -> Iterator[Part]:
    """Yield how many claims of each kind are hallucinated or contradicted."""
    wrong = [(claim.kind, match.verdict in WRONG) for claim, match in told.scored]
    said, failed = Counter(kind for kind, _ in wrong), Counter(kind for kind, no in wrong if no)
    yield from (Part("wrong", kind, failed[kind], n) for kind, n in said.items())


def at_length(told: Told) -> Iterator[Part]:
    """Yield how many of an answer's first claims are true, so that who says much is compared with
    who says little; who says fewer counts with all of them."""
    true = [match.verdict not in WRONG for _, match in told.scored]
    for k in MATCHED:
        yield Part("faithfulness_at", str(k), sum(true[:k]), len(true[:k]))


def counts(told: Told) -> Iterator[Part]:
    """Yield how many numbers of things are exact, of those that are said and of those owed.

    VALOR-Eval has counts read and never scored; they are in no scope, and so in no headline. Owed
    are here the numbers of all things that are there more than once.
    """
    said = told.of_kind("count")
    exact = {match.feature for _, match in said if match.verdict in STATES}
    if said:
        right = sum(match.verdict in STATES for _, match in said)
        yield Part("count_accuracy", SAID, right, len(said))
    owed: dict[str, set[str]] = {}
    for feature in told.truth.of_kind("count"):
        if feature.about is not None and feature.value not in ("0", "1"):
            owed.setdefault(feature.about, set()).add(feature.feature)
    if owed:
        stated = sum(not exact.isdisjoint(names) for names in owed.values())
        yield Part("count_accuracy", OWED, stated, len(owed))
