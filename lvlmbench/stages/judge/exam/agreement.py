"""How far judges agree on the same claims: Krippendorff's alpha, Cohen's kappa (a library's)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from lvlmbench.core.seeding import generator
from lvlmbench.labelling.agreement import alpha
from lvlmbench.scene.claims import TRUE, WRONG

#: What judges can say of a claim, as far as agreement goes.
LABELS = ("true", "wrong", "neither")

#: Bootstrap samples of scenes behind the interval of kappa.
RESAMPLES = 1000


@dataclass(frozen=True)
class Agreed:
    """How far judges agree.

    Attributes
    ----------
    measure
        ``alpha`` of all judges, or ``kappa`` of two.
    judges
        Their names.
    value, low, high
        With its 95 % interval, a bootstrap over scenes; None where it is not defined.
    n
        Items that all of them, or both, have labelled.
    """

    measure: str
    judges: tuple[str, ...]
    value: float | None
    low: float | None
    high: float | None
    n: int


def label_of(verdict: str | None) -> str:
    """Return what a verdict says of its claim."""
    if verdict in TRUE:
        return "true"
    return "wrong" if verdict in WRONG else "neither"


def agreed(
    labels: Mapping[str, Mapping[Hashable, str]], scenes: Mapping[Hashable, str], seed: int
) -> list[Agreed]:
    """Return alpha over all judges, then kappa of each two; nothing for one judge.

    Parameters
    ----------
    labels
        Judge -> item -> one of :data:`LABELS`.
    scenes
        Item -> the scene that it is about.
    """
    judges = sorted(labels)
    if len(judges) < 2:
        return []
    items = sorted({item for each in labels.values() for item in each}, key=repr)
    rows = [[labels[judge][item] for judge in judges if item in labels[judge]] for item in items]
    found = alpha(rows, seed, LABELS, [scenes[item] for item in items])
    out = [Agreed("alpha", tuple(judges), found.value, found.low, found.high, found.items)]
    for one, other in combinations(judges, 2):
        both = [item for item in items if item in labels[one] and item in labels[other]]
        pairs = [(labels[one][item], labels[other][item]) for item in both]
        value, low, high = kappa(pairs, [scenes[item] for item in both], seed)
        out.append(Agreed("kappa", (one, other), value, low, high, len(both)))
    return out


def kappa(
    pairs: Sequence[tuple[str, str]], scenes: Sequence[str], seed: int
) -> tuple[float | None, float | None, float | None]:
    """Return Cohen's kappa of pairs of labels, with its interval from a bootstrap over scenes.

    All three are None where it is not defined: no pairs, or one label alone.
    """
    table = _tables(pairs, scenes)
    value = _kappa(table.sum(axis=0))
    if value is None:
        return None, None, None
    rng = generator(seed, "judge_exam", "kappa")
    draws = (table[rng.integers(len(table), size=len(table))] for _ in range(RESAMPLES))
    drawn = [each for draw in draws if (each := _kappa(draw.sum(axis=0))) is not None]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return value, float(low), float(high)


def _tables(pairs: Sequence[tuple[str, str]], scenes: Sequence[str]) -> npt.NDArray[np.float64]:
    """Counts of pairs, shape (scenes, labels, labels), in the order of the scenes' names."""
    labels = sorted({label for pair in pairs for label in pair})
    at = {label: number for number, label in enumerate(labels)}
    of = {scene: number for number, scene in enumerate(sorted(set(scenes)))}
    table = np.zeros((len(of), len(labels), len(labels)))
    for (one, other), scene in zip(pairs, scenes, strict=True):
        table[of[scene], at[one], at[other]] += 1
    return table


def _kappa(counts: npt.NDArray[np.float64]) -> float | None:
    """Cohen's kappa of a table of counts."""
    from sklearn.metrics import cohen_kappa_score

    there = np.flatnonzero(counts.sum(axis=0) + counts.sum(axis=1))
    if len(there) < 2:
        return None
    one, other = (side.ravel() for side in np.indices(counts.shape))
    return round(float(cohen_kappa_score(one, other, sample_weight=counts.ravel())), 6)
