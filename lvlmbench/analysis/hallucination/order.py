"""Whether answers put things in their order by size (VALOR-Eval, section 4.1, comparative).

What counts as the order of an answer: the places that it states, where it states those of two
things or more, else the order in which it names things. The order of truth is that of the features
of kind ``rank``, the largest first.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import combinations

from lvlmbench.analysis.hallucination.saying import headline
from lvlmbench.analysis.hallucination.told import ALL, Part, Told


def order(told: Told) -> Iterator[Part]:
    """Yield how far an answer's order agrees with the true one, where one is owed.

    ``order_lis``: the longest run of things in their true order, of all that are to be ordered, so
    that who names none has none. ``order_tau``: Kendall's tau-b over the things that are ordered,
    where they are two or more.
    """
    ranks = true_ranks(told)
    if "rank" not in told.scope.kinds or len(ranks) < 2:
        return
    said = said_order(told, ranks)
    yield Part("order_lis", ALL, longest(said), len(ranks))
    tau = tau_b(said)
    if tau is not None:
        yield Part("order_tau", ALL, tau, 1)


def by_prior(told: Told, prior: str) -> Iterator[Part]:
    """Yield the same, with faithfulness and coverage, for pictures in which sizes are as in the
    world (``with``) and for those in which they are not (``against``)."""
    for part in (*headline(told), *order(told)):
        if part.measure in _BY_PRIOR:
            yield part._replace(stratum=prior)


#: Characters of a place, at most.
_DIGITS = 9
_BY_PRIOR = ("faithfulness", "coverage", "order_lis", "order_tau")


def true_ranks(told: Told) -> dict[str, int]:
    """Return the things that are to be ordered -> their places, 1 for the largest."""
    return {each.about or each.feature: int(each.value or 0) for each in told.owed("rank")}


def said_order(told: Told, ranks: dict[str, int]) -> list[tuple[int, int]]:
    """Return the place that an answer gives each thing, beside its true one, in the said order."""
    stated = _stated(told, ranks)
    found = stated if len(stated) > 1 else _mentioned(told, ranks)
    return sorted((at, ranks[thing]) for thing, at in found.items())


def _stated(told: Told, ranks: dict[str, int]) -> dict[str, int]:
    """Things -> places that claims of kind ``rank`` give them; -1 is the last of all."""
    known = {each.feature: each.about or each.feature for each in told.truth.of_kind("rank")}
    held = {match.claim: known.get(match.feature or "") for match in told.matches}
    found: dict[str, int] = {}
    for claim in told.claims:
        if claim.kind != "rank" or claim.negated:
            continue
        thing = held.get(claim.number)
        if thing is None and claim.about is not None:
            thing = told.stands_for.get(claim.about)
        place = _number(claim.value)
        if thing in ranks and place:
            found.setdefault(thing, place if place > 0 else len(ranks) + 1 + place)
    return found


def _number(text: str | None) -> int:
    """A place as claims write it, 0 where it is none."""
    known = text and len(text) <= _DIGITS and text.removeprefix("-").isdecimal()
    return int(text) if text and known else 0


def _mentioned(told: Told, ranks: dict[str, int]) -> dict[str, int]:
    """Things -> where in the answer they are first named, from 0."""
    found: dict[str, int] = {}
    for claim, match in told.of_kind("object"):
        thing = told.stands_for.get(match.claim)
        if thing in ranks and not claim.negated:
            found.setdefault(thing, len(found))
    return found


def longest(said: Sequence[tuple[int, int]]) -> int:
    """Return the length of the longest rising run of true places; of things that are said to have
    one place, one counts."""
    best: list[int] = []
    for _, true in sorted(said, key=lambda each: (each[0], -each[1])):
        at = bisect_left(best, true)
        best[at : at + 1] = [true]
    return len(best)


def tau_b(said: Sequence[tuple[int, int]]) -> float | None:
    """Return Kendall's tau-b of said and true places; None below two things, or where all are said
    to have one place.

    As ``scipy.stats.kendalltau``, which takes a hundred times as long for so few things.
    """
    pairs = [(a - c, b - d) for (a, b), (c, d) in combinations(said, 2)]
    untied = [sum(each[side] != 0 for each in pairs) for side in (0, 1)]
    if not all(untied):
        return None
    agreeing = sum((one * other > 0) - (one * other < 0) for one, other in pairs)
    return agreeing / math.sqrt(untied[0] * untied[1])
