"""A judged answer, and what each measure adds up of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lvlmbench.scene.claims import (
    STATES,
    TRUE,
    WRONG,
    Claim,
    Feature,
    Match,
    Scope,
    Tally,
    Truth,
    counting,
    tally,
)

#: In place of one subtask, stratum or judge.
ALL = "all"


class Part(NamedTuple):
    """What one answer adds to both sides of a ratio.

    Attributes
    ----------
    measure, stratum
        Of the table ``hallucination``.
    over, under
        E.g. claims that are true, and all claims; or an answer's own number, and 1.
    n
        What is counted in the column ``n``; None: as much as ``under``.
    """

    measure: str
    stratum: str
    over: float
    under: float
    n: int | None = None


@dataclass(frozen=True)
class Told:
    """An answer that was judged.

    Attributes
    ----------
    scene
        Id of its scene.
    claims, matches
        What it says, and what became of that: each claim has one match.
    truth
        What is so in the picture.
    scope
        What the answer was to speak of.
    unsure
        Features of which the judge cannot tell whether a claim states them.
    """

    scene: str
    claims: Sequence[Claim]
    matches: Sequence[Match]
    truth: Truth
    scope: Scope
    unsure: Sequence[str] = ()

    @cached_property
    def tally(self) -> Tally:
        """How its claims within the scope count."""
        return tally(self.claims, self.matches, self.truth, self.scope, self.unsure)

    @cached_property
    def scored(self) -> list[tuple[Claim, Match]]:
        """Claims within the scope that are true or wrong, as they count, by order of mention."""
        found = counting(self.claims, self.matches, self.scope)
        return in_order(each for each in found if each[1].verdict in (*TRUE, *WRONG))

    def of_kind(self, kind: str) -> list[tuple[Claim, Match]]:
        """Return claims of a kind that are true or wrong, in the scope or not, each as it counts,
        by order of mention."""
        found = counting(self.claims, self.matches, Scope((kind,)))
        return in_order(each for each in found if each[1].verdict in (*TRUE, *WRONG))

    def owed(self, kind: str) -> list[Feature]:
        """Return the features of a kind that are owed, in the scope or not."""
        return [each for each in self.truth.of_kind(kind) if not each.optional]

    @cached_property
    def stands_for(self) -> dict[int, str]:
        """Claims of kind ``object`` by number -> the feature that each states."""
        objects = {claim.number for claim in self.claims if claim.kind == "object"}
        return {
            match.claim: match.feature
            for match in self.matches
            if match.claim in objects and match.feature is not None and match.verdict in STATES
        }


def in_order(found: Iterable[tuple[Claim, Match]]) -> list[tuple[Claim, Match]]:
    """Return claims with their matches by where the answer says them."""
    return sorted(found, key=lambda each: (each[0].start, each[0].number))
