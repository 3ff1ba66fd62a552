"""Judged claims of simulated scenes whose truth is known, to try corrected estimates on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lvlmbench.core.seeding import generator
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ppi import Judged, correct
from lvlmbench.stats.ratios import Sums


@dataclass(frozen=True)
class Population:
    """Scenes of 2 to ``most`` claims.

    Attributes
    ----------
    truth
        Share of claims that are true; scenes differ around it (beta, with ``alike`` as the sum of
        its parameters).
    false, missed
        Shares of the wrong claims that the judge calls true, and of the true ones that it calls
        wrong. A useless judge has ``false`` = 1 - ``missed``.
    scenes, gold
        All of them, and those whose truth is known.
    """

    truth: float = 0.75
    false: float = 0.12
    missed: float = 0.20
    scenes: int = 600
    gold: int = 60
    most: int = 14
    alike: float = 8.0

    def draw(self, rng: np.random.Generator) -> list[Judged]:
        """One run."""
        sizes = rng.integers(2, self.most + 1, self.scenes)
        shares = rng.beta(self.truth * self.alike, (1 - self.truth) * self.alike, self.scenes)
        true = rng.binomial(sizes, shares)
        said = rng.binomial(true, 1 - self.missed) + rng.binomial(sizes - true, self.false)
        known = np.zeros(self.scenes, dtype=bool)
        known[rng.choice(self.scenes, self.gold, replace=False)] = True
        return [
            Judged(Sums(float(f), float(n)), Sums(float(y), float(n)) if gold else None)
            for f, y, n, gold in zip(said, true, sizes, known, strict=True)
        ]


@dataclass(frozen=True)
class Simulated:
    """Shares of the runs whose interval holds the truth, and mean widths."""

    corrected: float
    raw: float
    gold: float
    width: float
    gold_width: float


def simulate(population: Population, runs: int, seed: int) -> Simulated:
    """Estimate the truth of many runs."""
    draws = (population.draw(generator(seed, "ppi", str(run))) for run in range(runs))
    found = [correct(scenes) for scenes in draws]
    return Simulated(
        _held([each.corrected for each in found], population.truth),
        _held([each.raw for each in found], population.truth),
        _held([each.gold for each in found], population.truth),
        _width([each.corrected for each in found]),
        _width([each.gold for each in found]),
    )


def _held(found: list[Estimate | None], truth: float) -> float:
    inside = [
        each is not None
        and each.low is not None
        and each.high is not None
        and each.low <= truth <= each.high
        for each in found
    ]
    return sum(inside) / len(inside)


def _width(found: list[Estimate | None]) -> float:
    return float(np.mean([each.width for each in found if each is not None]))
