"""Answers to simulated questions whose difficulty is known, to try explained difficulties on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lvlmbench.analysis.difficulty import FACTORS
from lvlmbench.analysis.lltm import Answers, fit
from lvlmbench.core.seeding import generator

#: Logits a unit, in the order of the factors.
WEIGHTS = np.array([0.25, 0.12, -4.0, 1.2, 0.6, 0.3])


@dataclass(frozen=True)
class Questions:
    """Questions whose factors hang together by level, as those of an exam do.

    Attributes
    ----------
    scenes, per_scene
        How many scenes, and questions about each.
    models
        Of which some guess half of the time and some are good.
    chance
        What guessing gets.
    unexplained
        Spread of difficulty that no factor explains, in logits.
    missing
        Share of answers that are not scored.
    """

    scenes: int = 200
    per_scene: int = 2
    models: int = 4
    chance: float = 0.25
    unexplained: float = 0.0
    missing: float = 0.05

    def draw(self, rng: np.random.Generator) -> Answers:
        """One run."""
        level = rng.integers(0, 3, self.scenes)
        kinds = np.array([2, 4, 6])[level] + rng.integers(-1, 2, self.scenes)
        of_scenes = np.column_stack(
            [
                kinds,
                kinds + rng.integers(0, 5, self.scenes),
                np.array([0.35, 0.27, 0.18])[level] + rng.uniform(-0.06, 0.06, self.scenes),
                np.where(rng.random(self.scenes) < 0.4, rng.uniform(0, 0.45, self.scenes), 0),
            ]
        )
        scene = np.repeat(np.arange(self.scenes), self.per_scene)
        hops = np.clip(level[scene] + rng.integers(-1, 2, len(scene)), 0, 2)
        near = rng.integers(0, 4, len(scene))
        properties = np.column_stack([of_scenes[scene], hops, near])
        assert properties.shape[1] == len(FACTORS) == len(WEIGHTS)
        hard = properties @ WEIGHTS
        ability = hard.mean() + np.linspace(0.0, 2.0, self.models)
        reach = ability[:, None] - hard - rng.normal(0, 1, len(scene)) * self.unexplained
        p = self.chance + (1 - self.chance) / (1 + np.exp(-reach))
        right = (rng.random(p.shape) < p).astype(float)
        right[rng.random(p.shape) < self.missing] = np.nan
        return Answers(right, np.full(len(scene), self.chance), properties, scene)


def likeness(weights: np.ndarray, answers: Answers) -> float:
    """Correlation of weights with the true ones, each in logits a standard deviation."""
    spread = answers.properties.std(axis=0)
    return float(np.corrcoef(weights * spread, WEIGHTS * spread)[0, 1])


def coverage(questions: Questions, runs: int, seed: int) -> np.ndarray:
    """Share of the runs in which each weight's interval holds the true one."""
    held = np.zeros(len(WEIGHTS))
    for run in range(runs):
        found = fit(questions.draw(generator(seed, "lltm", str(run))))
        ends = [found.interval(at) for at in range(len(WEIGHTS))]
        held += [e.low <= w <= e.high for e, w in zip(ends, WEIGHTS, strict=True)]
    return np.asarray(held / runs)
