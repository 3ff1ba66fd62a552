"""Faithfulness and coverage as the published code of VALOR-Eval computes them, on our own claims.

It has a way of its own for each subset, and some do not do what the paper says. Rebuilt from what
it does, not from its text, so that numbers can be laid beside published ones:

- objects, attributes of things: claims that are matched or broader, of all; features that are
  matched, of all. As here.
- attributes of people: garments alone. The last garment of each person is lost, and of the others
  at most one a person counts. Who says all that is so has far less than 100, and short answers look
  faithful: of 165 people with 433 garments, 129 of whom wear two or more, 129 / 433 = 29.8 % and
  129 / 268 = 48.1 %, which is what running it on the annotations gave.
- positions: a relation and its inverse are two, of which one is owed. Who says both has up to twice
  the coverage.
- sizes: the longest run of things in their true order, those that are matched broadly among them,
  over all claims, and over all that are owed. From the latter the others, which are in no run, are
  taken away once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lvlmbench.analysis.hallucination.order import longest
from lvlmbench.analysis.hallucination.told import ALL, Part, Told
from lvlmbench.scene.claims import ANYTHING, STATES, TRUE, Feature


def released(told: Told) -> Iterator[Part]:
    """Yield what an answer adds to both, where the suite says which subset it is of."""
    if told.scope == ANYTHING:
        return
    scorer = next((_SCORERS[kind] for kind in _SCORERS if kind in told.scope.kinds), _plain)
    true, said, covered, owed = scorer(told)
    yield Part("released_faithfulness", ALL, true, said)
    yield Part("released_coverage", ALL, covered, owed)


#: Right claims, all claims, covered features, all features.
_Sums = tuple[int, int, int, int]


def _plain(told: Told) -> _Sums:
    """As the paper has it."""
    sums = told.tally
    return sums.true, sums.true + sums.wrong, sums.covered, sums.owed


def _people(told: Told) -> _Sums:
    """Garments, without the last one of each person, one match a person."""
    worn: dict[str | None, list[Feature]] = {}
    for feature in told.owed("garment"):
        worn.setdefault(feature.about, []).append(feature)
    kept = {each.feature: who for who, features in worn.items() for each in features[:-1]}
    said = told.of_kind("garment")
    matched = [(match.verdict, kept[match.feature]) for _, match in said if match.feature in kept]
    true = {who for verdict, who in matched if verdict in TRUE}
    covered = {who for verdict, who in matched if verdict in STATES}
    return len(true), len(said), len(covered), len(kept)


def _positions(told: Told) -> _Sums:
    """A relation counts once for each of the two ways to say it."""
    owed = {
        each.feature: each
        for each in told.truth.features
        if told.scope.holds(each) and not each.optional
    }
    ways = {
        (match.feature, claim.relation == owed[match.feature].relation)
        for claim, match in told.scored
        if match.feature in owed and match.verdict in STATES
    }
    true = sum(match.verdict in TRUE for _, match in told.scored)
    return true, len(told.scored), len(ways), told.tally.owed


def _sizes(told: Told) -> _Sums:
    """The longest run in true order, in the order of mention; the rest is taken away from it."""
    ranks = {each.about or each.feature: int(each.value or 0) for each in told.owed("rank")}
    said = told.of_kind("object")
    named: dict[str, int] = {}
    for _, match in said:
        if match.verdict in TRUE and match.feature in ranks:
            named.setdefault(match.feature, len(named))
    run = longest([(at, ranks[thing]) for thing, at in named.items()])
    return run, len(said), run - (len(named) - run), len(ranks)


#: What a scope must hold -> how its subset is scored; the first that it holds.
_SCORERS: Mapping[str, Callable[[Told], _Sums]] = {
    "garment": _people,
    "rank": _sizes,
    "relation": _positions,
}
