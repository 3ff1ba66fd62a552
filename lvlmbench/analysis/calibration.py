"""How hard each question of a bank is, by some models' answers: a Rasch model with guessing.

A model of ability a is right on question q with the probability

    p = c + (1 - c) / (1 + exp(d - a)),    d = w.x + t e,    e ~ N(0, 1)

so its difficulty d is what its properties explain (:mod:`lvlmbench.analysis.lltm`) and a part of
its own (De Boeck, "Random item IRT models", Psychometrika 73, 2008). Abilities, weights and the
spread t are those of the greatest marginal likelihood; then each question has a distribution of d.
To other models a question whose difficulty is not well known tells less: its curve is flatter
(MacKay, Neural Computation 4, 1992, equation 21). Otherwise a search for the most telling questions
would find those whose difficulty is wrong (van der Linden, Glas, Applied Measurement in Education
13, 2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lvlmbench.analysis.lltm import F64, I64, Answers

#: Nodes of the integral over what a question has of its own.
_NODES = 11
#: Spread of abilities and weights (a standard deviation of the property) beforehand, in logits.
_PRIOR = 10.0
#: Where the spread of difficulties that nothing explains is, beforehand, and the spread of its log.
_OWN, _OWN_SPREAD = 0.7, 1.0
#: Abilities that are looked at, from that of the calibrating models on, in logits.
_REACH, _STEP = 8.0, 0.05


@dataclass(frozen=True)
class Bank:
    """Questions whose difficulty is known as well as some models' answers tell it.

    Attributes
    ----------
    difficulty
        Of each question, in logits.
    steep
        How much of a logit of ability its log odds show: 1 where its difficulty is known exactly.
    chance
        What guessing gets.
    scene
        Number of its scene.
    middle
        Mean ability of the calibrating models.
    """

    difficulty: F64
    steep: F64
    chance: F64
    scene: I64
    middle: float

    def _free(self, abilities: F64) -> F64:
        reach = self.steep[:, None] * (abilities - self.difficulty[:, None])
        return np.asarray(1 / (1 + np.exp(-np.clip(reach, -500, 500))))

    def probability(self, abilities: F64) -> F64:
        """Return how probable right answers are, shape (questions, abilities)."""
        chance = self.chance[:, None]
        return np.asarray(chance + (1 - chance) * self._free(np.atleast_1d(abilities)))

    def information(self, ability: float) -> F64:
        """Return each question's Fisher information about an ability, per squared logit."""
        free = self._free(np.array([ability]))[:, 0]
        p = np.clip(self.chance + (1 - self.chance) * free, 1e-12, 1 - 1e-12)
        slope = self.steep * (1 - self.chance) * free * (1 - free)
        return np.asarray(slope**2 / (p * (1 - p)), dtype=np.float64)

    @cached_property
    def abilities(self) -> F64:
        """Abilities that are told apart."""
        return np.asarray(self.middle + np.arange(-_REACH, _REACH + _STEP / 2, _STEP))

    @cached_property
    def logs(self) -> tuple[F64, F64]:
        """Log probabilities of a right and of a wrong answer, shape (questions, abilities)."""
        p = np.clip(self.probability(self.abilities), 1e-12, 1 - 1e-12)
        return np.asarray(np.log(p)), np.asarray(np.log1p(-p))


def calibrate(answers: Answers) -> Bank:
    """Fit difficulties to answers of models; each model has at least one.

    Questions that none has answered get what their properties say.
    """
    from scipy.optimize import minimize

    found = answers.varies
    x = answers.properties[:, found]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    work = _Marginal(np.nan_to_num(answers.right), np.isfinite(answers.right), answers.chance, x)
    start = np.zeros(len(answers.right) + x.shape[1] + 1)
    start[-1] = np.log(_OWN)
    best = minimize(work.loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    abilities, slopes, own = work.split(best.x)
    share = work.shares(best.x)
    nodes = own * work.nodes
    middle = share @ nodes
    spread = share @ nodes**2 - middle**2
    return Bank(
        x @ slopes + middle, 1 / np.sqrt(1 + np.pi * spread / 8), answers.chance, answers.scene,
        float(abilities.mean()),
    )  # fmt: skip


class _Marginal:
    """The marginal likelihood; ``right`` and ``given`` have the shape (models, questions), ``x``,
    the properties of mean 0 and variance 1, (questions, properties)."""

    def __init__(self, right: F64, given: F64, chance: F64, x: F64) -> None:
        self._right, self._given, self._chance, self._x = right, given, chance, x
        self.nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        self._log_weights = np.log(weights / weights.sum())

    def split(self, at: F64) -> tuple[F64, F64, float]:
        """Abilities, slopes and the spread of what questions have of their own."""
        models = len(self._right)
        return at[:models], at[models:-1], float(np.exp(at[-1]))

    def _node(self, at: F64, node: float) -> tuple[F64, F64]:
        """Log likelihood of each question's answers at a node, and what each answer pulls at its
        log odds."""
        abilities, slopes, own = self.split(at)
        reach = abilities[:, None] - (self._x @ slopes + own * node)
        free = 1 / (1 + np.exp(-np.clip(reach, -500, 500)))
        p = np.clip(self._chance + (1 - self._chance) * free, 1e-15, 1 - 1e-15)
        each = np.where(self._right > 0, np.log(p), np.log1p(-p))
        part = (1 - self._chance) * free * (1 - free) / (p * (1 - p))
        given = self._given
        return (each * given).sum(axis=0), (self._right - p) * part * given

    def shares(self, at: F64) -> F64:
        """How probable each node is after a question's answers, shape (questions, nodes)."""
        logs = np.array([self._node(at, node)[0] for node in self.nodes]).T + self._log_weights
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def loss(self, at: F64) -> tuple[float, F64]:
        """Negative log of marginal likelihood and prior, and its gradient (Fisher's identity)."""
        abilities, slopes, own = self.split(at)
        found = [self._node(at, node) for node in self.nodes]
        logs = np.array([each for each, _ in found]).T + self._log_weights
        top = logs.max(axis=1, keepdims=True)
        total = np.exp(logs - top).sum(axis=1, keepdims=True)
        shares = np.exp(logs - top) / total
        pull = np.zeros_like(self._right)
        of_own = 0.0
        for (_, each), node, share in zip(found, self.nodes, shares.T, strict=True):
            weighed = each * share
            pull += weighed
            of_own -= own * node * float(weighed.sum())
        away = float(np.log(own / _OWN))
        value = float((np.log(total) + top).sum()) - away**2 / (2 * _OWN_SPREAD**2)
        value -= float(abilities @ abilities + slopes @ slopes) / (2 * _PRIOR**2)
        slope = np.concatenate(
            [
                pull.sum(axis=1) - abilities / _PRIOR**2,
                -(pull.sum(axis=0) @ self._x) - slopes / _PRIOR**2,
                [of_own - away / _OWN_SPREAD**2],
            ]
        )
        return -value, -slope
