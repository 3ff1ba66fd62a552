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
from lvlmbench.stats.estimate import LEVEL

F64: TypeAlias = npt.NDArray[np.float64]

#: The references, among those that are ranked.
REFERENCE = "reference"
#: Draws of scenes behind the intervals.
DRAWS = 500
#: Wins that each has over each other beside those that were seen: one tie, so that who never wins
#: has a strength, too.
_PRIOR = 0.5
#: Digits of strengths: the estimate is found step by step, and ends at this error.
_DECIMALS = 6
_ERROR, _STEPS = 1e-9, 10_000
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


class Ranked(NamedTuple):
    """A number with its 95 % interval over scenes like these; without ends for a single scene."""

    value: float
    low: float | None
    high: float | None


class Strength(NamedTuple):
    """How strong one is among others.

    Attributes
    ----------
    strength
        In log-odds; 0 is the mean of all. Who is ahead by 1 wins 73 % of comparisons.
    rank
        From 1, the strongest; equals share their mean rank.
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
    whole = _estimate(by_scene.sum(axis=0))
    drawn = np.empty((0, len(there)))
    if len(by_scene) > 1:
        often = rng.multinomial(len(by_scene), [1 / len(by_scene)] * len(by_scene), draws)
        tables = np.tensordot(often.astype(np.float64), by_scene, 1)
        drawn = np.array([_estimate(table, whole) for table in tables])
    values, ranks = _ranked(whole, drawn), _ranked(_ranks(whole), _ranks(drawn))
    return {
        names[place]: Strength(values[at], ranks[at], int(times[place]))
        for at, place in enumerate(there.tolist())
    }


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
    """The strengths by a table of wins, whose mean is 0."""
    import choix

    prior = _PRIOR * (1 - np.eye(len(wins)))
    found = choix.ilsr_pairwise_dense(
        wins + prior, initial_params=start, max_iter=_STEPS, tol=_ERROR
    )
    return np.asarray(np.round(found - found.mean(), _DECIMALS) + 0.0, dtype=np.float64)


def _ranks(strength: F64) -> F64:
    """Ranks along the last axis, from 1."""
    above = np.sign(strength[..., None, :] - strength[..., :, None])
    return np.asarray((above.sum(axis=-1) + strength.shape[-1] + 1) / 2, dtype=np.float64)


def _ranked(whole: F64, drawn: F64) -> list[Ranked]:
    if not len(drawn):
        return [Ranked(value, None, None) for value in whole.tolist()]
    ends = np.round(np.quantile(drawn, _ENDS, axis=0), _DECIMALS) + 0.0
    return [Ranked(*each) for each in zip(whole.tolist(), *ends.tolist(), strict=True)]
