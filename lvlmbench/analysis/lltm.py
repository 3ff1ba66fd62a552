"""Which properties of questions make them hard: a Rasch model with explained difficulties (LLTM).

A model of ability a is right on a question with properties x with the probability

    p = c + (1 - c) / (1 + exp(w.x - a))

where c is what guessing gets and w are the weights, in logits; w.x is how hard the question is
(Fischer, "The linear logistic test model as an instrument in educational research", Acta
Psychologica 37, 1973). Weights and abilities are fitted together, by maximum likelihood. What the
properties leave unexplained makes answers to one question, and to one scene, hang together: the
intervals take a scene's answers as one (Liang, Zeger, Biometrika 73, 1986). It shrinks weights
a little, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, interval, ratio

F64: TypeAlias = npt.NDArray[np.float64]
I64: TypeAlias = npt.NDArray[np.int64]

#: Spread of what weights and abilities may be beforehand, in logits (weights: in logits a standard
#: deviation of the property). It keeps them finite where all answers are right.
_PRIOR = 10.0
_STEPS = 100
_CLOSE = 1e-10
#: A property of which the others leave a smaller share of its variance does not vary on its own.
_OWN = 0.01


@dataclass(frozen=True)
class Answers:
    """Answers of some models to some questions.

    Attributes
    ----------
    right
        Shape (models, questions), of 0 and 1; nan where there is no scored answer.
    chance
        What guessing gets on each question.
    properties
        Shape (questions, properties).
    scene
        Number of the scene of each question.
    """

    right: F64
    chance: F64
    properties: F64
    scene: I64

    def at(self, questions: npt.NDArray[Any]) -> Self:
        """Return those to some questions, named by a mask or by their numbers."""
        return replace(
            self,
            right=self.right[:, questions],
            chance=self.chance[questions],
            properties=self.properties[questions],
            scene=self.scene[questions],
        )

    @cached_property
    def varies(self) -> npt.NDArray[np.bool_]:
        """Which properties vary on their own: they are no linear function of those before them."""
        return _vary(self.properties)


def _vary(columns: F64) -> npt.NDArray[np.bool_]:
    found = np.zeros(columns.shape[1], dtype=bool)
    spread = columns - columns.mean(axis=0)
    for at, column in enumerate(spread.T):
        size = float(column @ column)
        if size <= 1e-12 * len(column):
            continue
        fit = np.linalg.lstsq(spread[:, found], column, rcond=None)[0]
        rest = column - spread[:, found] @ fit
        found[at] = float(rest @ rest) > _OWN * size
    return found


@dataclass(frozen=True)
class Fit:
    """What was fitted.

    Attributes
    ----------
    abilities
        Of each model, on a question whose properties are all 0.
    weights
        Of each property, in logits a unit; 0 where it does not vary on its own.
    covariance
        Of the weights, clustered by scene; 0 where the weight is.
    scenes
        How many there are.
    """

    abilities: F64
    weights: F64
    covariance: F64
    scenes: int

    def interval(self, at: int) -> Estimate:
        """Return the weight of a property with its 95 % interval."""
        freedom = max(self.scenes - len(self.abilities) - int((self.weights != 0).sum()), 1)
        return interval(float(self.weights[at]), float(self.covariance[at, at]), freedom)

    def probability(self, answers: Answers) -> F64:
        """Return how probable right answers are, shape (models, questions)."""
        reach = self.abilities[:, None] - answers.properties @ self.weights
        return _probability(reach, answers.chance)


def fit(answers: Answers) -> Fit:
    """Fit abilities and weights to answers; each model and each question has at least one."""
    found = answers.varies
    middle = answers.properties.mean(axis=0)[found]
    spread = answers.properties.std(axis=0)[found]
    work = _Work(
        np.nan_to_num(answers.right), np.isfinite(answers.right), answers.chance,
        (answers.properties[:, found] - middle) / spread,
    )  # fmt: skip
    abilities, slopes = work.solve()
    covariance = work.covariance(abilities, slopes, answers.scene)
    weights = np.zeros(len(found))
    weights[found] = slopes / spread
    whole = np.zeros((len(found), len(found)))
    whole[np.ix_(found, found)] = covariance / np.outer(spread, spread)
    scenes = len(np.unique(answers.scene))
    return Fit(abilities + float(middle @ weights[found]), weights, whole, scenes)


def _probability(reach: F64, chance: F64) -> F64:
    return np.asarray(chance + (1 - chance) / (1 + np.exp(-np.clip(reach, -500, 500))))


def informative(answers: Answers, found: Fit) -> float:
    """Return how many items of the best difficulty tell as much of the models as all questions do.

    What a question tells of a model is its Fisher information at the model's ability, as a share
    of the most that any question with this chance of guessing can tell, at whatever ability (the
    relative efficiency of Lord, "Applications of item response theory", 1980, chapter 6). It is
    a mean over models, added up over questions; so it lies between 0 and their number. Questions
    that all models know, or none, count little.
    """
    chance = answers.chance
    reach = found.abilities[:, None] - answers.properties @ found.weights
    best = np.log((1 + np.sqrt(1 + 8 * chance)) / 2)  # Birnbaum 1968: where it tells most
    share = _information(reach, chance) / _information(best, chance)
    return float(share.mean(axis=0).sum())


def _information(reach: F64, chance: F64) -> F64:
    free = _probability(reach, np.zeros_like(chance))
    p = chance + (1 - chance) * free
    steep = (1 - chance) * free * (1 - free)
    return np.asarray(steep**2 / np.clip(p * (1 - p), 1e-300, None))


@dataclass(frozen=True)
class _Work:
    """The likelihood, with properties of mean 0 and variance 1."""

    right: F64
    given: npt.NDArray[np.bool_]
    chance: F64
    x: F64

    def _reach(self, abilities: F64, slopes: F64) -> F64:
        return np.asarray(abilities[:, None] - self.x @ slopes)

    def value(self, abilities: F64, slopes: F64) -> float:
        """Log likelihood, with what is known beforehand."""
        p = np.clip(_probability(self._reach(abilities, slopes), self.chance), 1e-15, 1 - 1e-15)
        found = np.where(self.right > 0, np.log(p), np.log1p(-p))
        size = float(abilities @ abilities + slopes @ slopes)
        return float(found[self.given].sum()) - size / (2 * _PRIOR**2)

    def _pull(self, abilities: F64, slopes: F64) -> tuple[F64, F64]:
        """What each answer pulls at its log odds, and how much it tells of them."""
        free = _probability(self._reach(abilities, slopes), np.zeros_like(self.chance))
        p = np.clip(self.chance + (1 - self.chance) * free, 1e-15, 1 - 1e-15)
        steep = (1 - self.chance) * free * (1 - free)
        part = np.where(self.given, steep / (p * (1 - p)), 0.0)
        return (self.right - p) * part, steep * part

    def information(self, told: F64) -> F64:
        """Fisher information of abilities and slopes, and what is known beforehand."""
        models = len(told)
        out = np.empty((models + self.x.shape[1],) * 2)
        out[:models, :models] = np.diag(told.sum(axis=1))
        out[:models, models:] = -(told @ self.x)
        out[models:, :models] = out[:models, models:].T
        out[models:, models:] = (self.x * told.sum(axis=0)[:, None]).T @ self.x
        return np.asarray(out + np.eye(len(out)) / _PRIOR**2)

    def solve(self) -> tuple[F64, F64]:
        """Return the abilities and slopes of the greatest likelihood (Fisher scoring)."""
        models = len(self.right)
        at = np.zeros(models + self.x.shape[1])
        best = self.value(at[:models], at[models:])
        for _ in range(_STEPS):
            pull, told = self._pull(at[:models], at[models:])
            slope = np.concatenate([pull.sum(axis=1), -(pull.sum(axis=0) @ self.x)])
            step = np.linalg.solve(self.information(told), slope - at / _PRIOR**2)
            step /= max(1.0, float(np.abs(step).max()))
            value = self.value(*np.split(at + step, [models]))
            while value < best - _CLOSE and np.abs(step).max() > _CLOSE:
                step /= 2
                value = self.value(*np.split(at + step, [models]))
            at, best = at + step, value
            if np.abs(step).max() < _CLOSE:
                break
        return at[:models], at[models:]

    def covariance(self, abilities: F64, slopes: F64, scene: I64) -> F64:
        """Covariance of the slopes, each scene being one observation."""
        models = len(abilities)
        pull, told = self._pull(abilities, slopes)
        pulls = np.concatenate([pull.T, -pull.sum(axis=0)[:, None] * self.x], axis=1)
        _, place = np.unique(scene, return_inverse=True)
        of_scenes = np.zeros((int(place.max()) + 1, pulls.shape[1]))
        np.add.at(of_scenes, place, pulls)
        inverse = np.linalg.inv(self.information(told))
        n = len(of_scenes)  # what is fitted takes up a part of the spread
        found = inverse @ (of_scenes.T @ of_scenes) @ inverse * (n / max(n - len(inverse), 1))
        return np.asarray(found[models:, models:])


@dataclass(frozen=True)
class HeldOut:
    """How well answers to the questions of a group are predicted from those of all others.

    Attributes
    ----------
    with_properties, without
        Mean log loss of an answer, with weights and with abilities alone.
    gain
        How much smaller the first is, with its interval, a group being one observation.
    groups
        How many there are.
    """

    with_properties: float
    without: float
    gain: Estimate
    groups: int


def hold_out(answers: Answers, groups: I64, shared: int = 0, folds: int = 20) -> HeldOut | None:
    """Predict the answers to each group of questions from those to others; None where there are
    fewer than three groups.

    Parameters
    ----------
    groups
        Number of the group of each question, from 0.
    shared
        How many of the last properties count as known: the prediction without has them as well.
    folds
        Into how many parts groups are dealt at most, which are left out one at a time.
    """
    n_groups = len(np.unique(groups))
    if n_groups < 3:
        return None
    bare = answers.properties.copy()
    bare[:, : bare.shape[1] - shared] = 0
    plain = replace(answers, properties=bare)
    part = groups % min(folds, n_groups)
    losses = [_left_out_losses(each, part) for each in (answers, plain)]
    known = np.isfinite(losses[0])
    saved = np.where(known, losses[1] - losses[0], 0).sum(axis=0)
    sums = [
        Sums(float(saved[groups == group].sum()), float(known[:, groups == group].sum()))
        for group in np.unique(groups)
    ]
    gain = ratio(sums)
    if gain is None:
        return None
    return HeldOut(float(np.nanmean(losses[0])), float(np.nanmean(losses[1])), gain, n_groups)


def _left_out_losses(answers: Answers, part: I64) -> F64:
    """Log loss of each answer, predicted from the other parts; nan where there is none."""
    out = np.full(answers.right.shape, np.nan)
    for each in np.unique(part):
        out_of = answers.at(part == each)
        p = np.clip(fit(answers.at(part != each)).probability(out_of), 1e-6, 1 - 1e-6)
        loss = np.where(out_of.right > 0, -np.log(p), -np.log1p(-p))
        out[:, part == each] = np.where(np.isfinite(out_of.right), loss, np.nan)
    return out
