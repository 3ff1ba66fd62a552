"""How strong models are by whose answers are better: Bradley-Terry, with bootstrap intervals.

Two answers to one question make a comparison, a tie counts half for each (Bradley, Terry,
Biometrika 39, 1952). The estimate is a library's (choix: Maystre, Grossglauser, NeurIPS 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.analysis.dialogue.compared import TIE, Compared
from lvlmbench.analysis.dialogue.numbers import common_items
from lvlmbench.stats.estimate import LEVEL, wilson

F64: TypeAlias = npt.NDArray[np.float64]

#: The references, among those that are ranked.
REFERENCE = "reference"
#: Draws of scenes behind the intervals.
DRAWS = 500
#: Wins that each has over each other beside those that were seen, where one wins nothing or
#: everything: one tie, so that the others have strengths.
_PRIOR = 0.5
#: Digits of strengths: the estimate is found step by step, and ends at this error.
_DECIMALS = 6
_ERROR, _STEPS = 1e-9, 10_000
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


class Ranked(NamedTuple):
    """A number with its 95 % interval over scenes like these; without ends for a single scene.

    Where comparisons do not bound it on one side, it has no value and only the other end.
    """

    value: float | None
    low: float | None
    high: float | None


class Strength(NamedTuple):
    """How strong one is among others.

    Attributes
    ----------
    strength
        In log-odds; 0 is the mean of all. Who is ahead by 1 wins 73 % of comparisons. One who wins
        nothing, or everything, has no strength that comparisons bound on both sides: it has the
        largest, or the least, under which that is not unlikely.
    rank
        From 1, the strongest; equals share their mean rank. Where several win nothing, or several
        everything, nothing ranks these.
    n
        Comparisons that it took part in.
    """

    strength: Ranked
    rank: Ranked
    n: int


def strengths(
    models: Mapping[str, Sequence[Compared]], rng: np.random.Generator, draws: int = DRAWS
) -> dict[str, Strength]:
    """Return how strong models and their references are, as one judge sees them in one scenario.

    Each two models are compared on the questions that both have scores for, by their mean scores
    over both orders; each model is compared with the references beside it, where all models have
    scores if there are such questions: who leaves hard ones out would else lose less often. Who was
    compared with nobody is left out.
    """
    names = [*models, REFERENCE]
    by_scene = _wins(models)
    wins = by_scene.sum(axis=0)
    times = wins.sum(axis=0) + wins.sum(axis=1)
    there = np.flatnonzero(times)
    if len(there) < 2:
        return {}
    by_scene = by_scene[:, there[:, None], there]
    seen = by_scene.sum(axis=0)
    ends = _open_ends(seen)
    whole = _estimate(seen)
    drawn = np.empty((0, len(there)))
    if len(by_scene) > 1:
        often = rng.multinomial(len(by_scene), [1 / len(by_scene)] * len(by_scene), draws)
        tables = np.tensordot(often.astype(np.float64), by_scene, 1)
        drawn = np.array([_drawn(table, whole) for table in tables])
    values, ranks = _ranked(whole, drawn), _ranked(_ranks(whole), _ranks(drawn))
    for at in np.flatnonzero(ends):
        bound = _bound(seen, int(at), len(by_scene))
        low, high = (bound, None) if ends[at] > 0 else (None, bound)
        values[at] = Ranked(None, low, high)
        if np.count_nonzero(ends == ends[at]) > 1:
            ranks[at] = Ranked(None, None, None)
    return {
        names[place]: Strength(values[at], ranks[at], int(times[place]))
        for at, place in enumerate(there.tolist())
    }


def _open_ends(wins: F64) -> F64:
    """1 for who wins everything, -1 for who wins nothing, 0 for the others."""
    won, lost = wins.sum(axis=1), wins.sum(axis=0)
    return np.asarray((lost == 0).astype(np.float64) - (won == 0).astype(np.float64))


def _drawn(wins: F64, start: F64) -> F64:
    """Strengths of a draw, without bound for who wins nothing or everything in it."""
    ends = _open_ends(wins)
    return np.where(ends == 0, _estimate(wins, start), np.copysign(np.inf, ends))


def _bound(wins: F64, at: int, scenes: int) -> float:
    """The strength of one who wins nothing or everything, if it had won, or lost, as many as the
    upper end of the interval of none in so many scenes allows."""
    most = wilson(0.0, scenes)[1]
    moved = wins.copy()
    won, lost = wins[at].copy(), wins[:, at].copy()
    moved[at], moved[:, at] = won + most * lost - most * won, lost + most * won - most * lost
    return float(_estimate(moved)[at])


def _wins(models: Mapping[str, Sequence[Compared]]) -> F64:
    """How often each is better than each other by scene, ties half; shape (scenes, k, k)."""
    scored = [[answer for answer in answers if answer.scores] for answers in models.values()]
    scenes = {name: at for at, name in enumerate(sorted({a.scene for s in scored for a in s}))}
    found = np.zeros((len(scenes), len(models) + 1, len(models) + 1))

    def count(scene: str, one: int, other: int, lead: float) -> None:
        won = 0.5 if abs(lead) < TIE else float(lead > 0)
        found[scenes[scene], one, other] += won
        found[scenes[scene], other, one] += 1 - won

    common = common_items(models.values())
    for model, answers in enumerate(scored):
        for answer in answers:
            if not common or answer.item in common:
                lead = (answer.own or 0) - (answer.reference or 0)
                count(answer.scene, model, len(models), lead)
    own = [{answer.item: answer for answer in answers} for answers in scored]
    for one, other in combinations(range(len(models)), 2):
        for item, answer in own[one].items():
            if item in own[other]:
                lead = (answer.own or 0) - (own[other][item].own or 0)
                count(answer.scene, one, other, lead)
    return found


def _estimate(wins: F64, start: F64 | None = None) -> F64:
    """The strengths by a table of wins, whose mean is 0.

    Where some never win against the others, each two are taken to have tied once more.
    """
    import choix
    from scipy.sparse.csgraph import connected_components

    apart = connected_components(wins > 0, connection="strong")[0] > 1
    ties = _PRIOR * (1 - np.eye(len(wins))) if apart else 0.0
    found = choix.ilsr_pairwise_dense(
        wins + ties, initial_params=start, max_iter=_STEPS, tol=_ERROR
    )
    return np.asarray(np.round(found - found.mean(), _DECIMALS) + 0.0, dtype=np.float64)


def _ranks(strength: F64) -> F64:
    """Ranks along the last axis, from 1."""
    one, other = strength[..., None, :], strength[..., :, None]
    above = (one > other).astype(np.float64) - (one < other)
    return np.asarray((above.sum(axis=-1) + strength.shape[-1] + 1) / 2, dtype=np.float64)


def _ranked(whole: F64, drawn: F64) -> list[Ranked]:
    if not len(drawn):
        return [Ranked(value, None, None) for value in whole.tolist()]
    # Of draws without bound the ends are numbers of the sample: no mean of two of them exists.
    ends = np.quantile(drawn, _ENDS, axis=0, method="inverted_cdf").T
    return [
        Ranked(value, *(round(end, _DECIMALS) + 0.0 if np.isfinite(end) else None for end in each))
        for value, each in zip(whole.tolist(), ends.tolist(), strict=True)
    ]
