"""Means of judged scores, corrected by a sample of known truth (prediction-powered inference).

A judge errs, so the mean of what it says is biased, however many answers it reads. Where the truth
of a random sample of scenes is known, the mean of the judge's errors there corrects it
(Angelopoulos et al., "Prediction-powered inference", Science 382, 2023). How much the judge counts
is tuned, so that a bad one does no harm (Angelopoulos, Duchi, Zrnic, "PPI++", 2023):

    theta = lambda * mean_N(f) + mean_n(y - lambda * f)
    variance = lambda^2 * var(f) / N + var(y - lambda * f) / n

with f what the judge says, y the truth, n the scenes whose truth is known and N the others. The
sample must be drawn before anything is judged, from the same scenes that the mean is of, and no
threshold of the judge may be tuned on it.

Everything is clustered by scene, and holds for ratios of sums (:mod:`lvlmbench.stats.ratios`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, interval, linear, mean, of_mean, ratio, variance

#: Scenes of known truth below which nothing is said of how far off the judge is.
FEWEST = 3


@dataclass(frozen=True)
class Judged:
    """A scene.

    Attributes
    ----------
    said
        What its answers add up to, as the judge has it.
    gold
        The same in truth; None where that is not known.
    """

    said: Sums
    gold: Sums | None = None


@dataclass(frozen=True)
class Corrected:
    """A mean, three ways.

    Attributes
    ----------
    raw
        As the judge has it, over all scenes; None where it scored nothing.
    corrected
        Corrected by the scenes whose truth is known; None where they are fewer than
        :data:`FEWEST`. Its ends are None where all of them are alike, so that nothing tells how
        far off it may be.
    gold
        Of the scenes whose truth is known alone; None where there are none.
    scenes, known
        All scenes, and those of them whose truth is known.
    tuned
        How much the judge counts, 0 to 1 (lambda).
    """

    raw: Estimate | None
    corrected: Estimate | None
    gold: Estimate | None
    scenes: int
    known: int
    tuned: float | None


def correct(scenes: Sequence[Judged]) -> Corrected:
    """Return the mean of some scenes, raw, corrected and from the known truth alone.

    Scenes may come in any order.
    """
    known = [(scene.said, scene.gold) for scene in scenes if scene.gold is not None]
    rest = [scene.said for scene in scenes if scene.gold is None]
    raw = ratio([scene.said for scene in scenes])
    gold = ratio([truth for _, truth in known])
    corrected, tuned = None, None
    if gold is not None and len(known) >= FEWEST:
        corrected, tuned = _corrected(known, rest, gold)
        if corrected.width == 0:  # where all known scenes are alike, nothing tells of the others
            corrected = Estimate(corrected.value, None, None)
    return Corrected(raw, corrected, gold, len(scenes), len(known), tuned)


def _corrected(
    known: Sequence[tuple[Sums, Sums]], rest: Sequence[Sums], gold: Estimate
) -> tuple[Estimate, float]:
    """Return the corrected estimate and lambda; that of gold alone where nothing is narrower."""
    if len(rest) < 2:
        return gold, 0.0
    line = linear(gold.value, mean([truth.under for _, truth in known]))
    said = [line(each) for each, _ in known]
    tuned = _tuned(said, [line(truth) for _, truth in known], [line(each) for each in rest])
    over, below = (
        tuned * mean([each[side] for each in rest])
        + mean([truth[side] - tuned * each[side] for each, truth in known])
        for side in (0, 1)
    )
    if tuned == 0 or below <= 0:
        return gold, 0.0
    line = linear(over / below, below)
    off = [line(truth) - tuned * line(each) for each, truth in known]
    middle = mean(off)
    spread = tuned * tuned * variance([line(each) for each in rest]) / len(rest)
    spread += of_mean([each - middle for each in off], _levers(said))
    # One degree of freedom is spent on the mean, one on lambda.
    found = interval(over / below, spread, len(known) - 2)
    return (found, tuned) if found.width < gold.width else (gold, 0.0)


def _tuned(said: Sequence[float], true: Sequence[float], rest: Sequence[float]) -> float:
    """Return the lambda of least variance, 0 to 1."""
    n = len(said)
    spread = variance(said) / n + variance(rest) / len(rest)
    if spread <= 0:
        return 0.0
    f, y = mean(said), mean(true)
    shared = math.fsum((a - f) * (b - y) for a, b in zip(said, true, strict=True)) / (n - 1)
    return min(max(shared / n / spread, 0.0), 1.0)


def _levers(said: Sequence[float]) -> list[float]:
    """Return how much each scene decides on its own fitted value, where mean and lambda are."""
    middle = mean(said)
    spread = math.fsum((each - middle) ** 2 for each in said) or 1.0
    return [1 / len(said) + (each - middle) ** 2 / spread for each in said]
