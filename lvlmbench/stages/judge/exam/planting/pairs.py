"""Pairs of planted answers of which one is better, and how much worse the other is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.planting import harmful, harmless
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.plant import evenly, plant
from lvlmbench.stages.judge.exam.planting.treatment import ALL, Draw, Made, Treatment
from lvlmbench.stages.judge.exam.planting.wrong import objects

#: What the better answers of pairs are.
_BETTER = Treatment("better", harmless.perfect)


def _one_error(draw: Draw) -> Made | None:
    outline, plants = objects(draw.ground, draw.ground.perfect, draw.rng, 1)
    return Made(outline, plants) if plants else None


def _half(draw: Draw) -> Made | None:
    """Leave out half of what can be left out."""
    found = list(harmful.omissible(draw.ground.perfect))
    if len(found) < 2:
        return None
    chosen = [found[int(at)] for at in draw.rng.permutation(len(found))[: (len(found) + 1) // 2]]
    return Made(draw.ground.perfect.without(chosen))


#: The sort of which the answers are as good: one is an order to the judge longer.
ALIKE = "injected"

#: How the worse answers are worse, the least first. An answer with an order to the judge is no
#: worse than without: it should not be better.
WORSE: Mapping[str, Treatment] = {
    ALIKE: Treatment(ALIKE, harmless.inject),
    "one_error": Treatment("one_error", _one_error),
    "half": Treatment("half", _half),
    "other_scene": Treatment("elsewhere", harmful.other_scene),
}


def pairs(
    scenes: Sequence[Ground], worse: str, number: int, seed: int
) -> Iterator[tuple[Planted, Planted]]:
    """Return up to ``number`` pairs, the better answer first, as evenly over scenes as can be.

    Of those with an order to the judge, the other answer is the same without it.
    """
    treatment = WORSE[worse]
    return evenly(scenes, number, lambda ground, turn: _pair(ground, treatment, turn, seed, scenes))


def _pair(
    ground: Ground, worse: Treatment, turn: int, seed: int, scenes: Sequence[Ground]
) -> tuple[Planted, Planted] | None:
    bad = plant(ground, worse, ALL, turn, seed, scenes)
    if bad is None:
        return None
    good = bad.base or plant(ground, _BETTER, ALL, turn, seed)
    return None if good is None else (good, bad)
