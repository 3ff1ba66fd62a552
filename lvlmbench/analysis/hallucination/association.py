"""What is claimed because it is expected: the designed scenes of a suite.

A triplet has one layout thrice: with o and something untypical (A), with another thing that h
does not go with (B), with o and h (C). Neither A nor B shows h. The associative effect is by how
much more often h is claimed in A than in B. VALOR-Eval selects pictures by what goes with what
(section 3.1); it has no such comparison.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lvlmbench.analysis.hallucination.comparators import Closed
from lvlmbench.analysis.hallucination.told import Part, Told
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import CellSums, Pool
from lvlmbench.tables.designs import ARMS

#: What the effect compares, and where the associated thing is there.
SEEN, UNSEEN, TYPICAL = ARMS[:3]


@dataclass(frozen=True)
class Design:
    """What a scene was made for: a row of the table ``designs``.

    Attributes
    ----------
    arm
        How it is made.
    triplet
        Which scenes belong together; None for one alone.
    expected
        The associated thing, h; None where there is none.
    statistic
        What chose o; None of a scene alone.
    """

    arm: str
    triplet: str | None
    expected: str | None
    statistic: str | None = None

    @property
    def absent(self) -> str | None:
        """What people would expect, and what is not there."""
        return None if self.arm == TYPICAL else self.expected


def claims_it(told: Told, design: Design, closed: Closed) -> bool:
    """Return whether an answer says that the associated thing is there."""
    said = (claim.subject for claim, _ in told.of_kind("object"))
    expected = design.expected
    return expected is not None and any(closed.names(word, expected) for word in said)


def associated(told: Told, design: Design, closed: Closed) -> Iterator[Part]:
    """Yield whether an answer claims the associated thing, by arm."""
    if design.expected is not None:
        yield Part("associated_claims", design.arm, claims_it(told, design, closed), 1)


def effect(triplets: Mapping[str, Mapping[str, Sequence[bool]]]) -> tuple[Estimate, int] | None:
    """Return P(claims h | A) - P(claims h | B), paired by triplet, and the number of pairs.

    Its interval is that of paired answers. None where no triplet has an answer to both.

    Parameters
    ----------
    triplets
        Triplet -> arm -> whether each of its answers claims h.
    """
    pairs = [
        _share(arms[SEEN]) - _share(arms[UNSEEN])
        for arms in triplets.values()
        if arms.get(SEEN) and arms.get(UNSEEN)
    ]
    if not pairs:
        return None
    at, one = np.arange(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    pool = Pool(CellSums.of(np.array(pairs), at, at, one, [0]), (-1.0, 1.0))
    found = pool.difference_of(np.ones(1))
    return None if found is None else (found.within(-1.0, 1.0), len(pairs))


def _share(said: Sequence[bool]) -> float:
    return math.fsum(said) / len(said)
