"""Pearson's correlation, with an interval that knows that pairs of one cluster hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lvlmbench.stats.estimate import FEWEST, Estimate, student
from lvlmbench.stats.ratios import mean

#: Correlations nearer to -1 or 1 than this are taken for them: what rounding leaves.
_NOTHING = 1e-12


def pearson(pairs: Sequence[tuple[float, float]], clusters: Sequence[str]) -> Estimate | None:
    """Return Pearson's correlation of pairs; None where there are fewer than three, or where one
    side is the same in all.

    The interval is Student's around Fisher's z, whose variance is the jackknife's: each cluster is
    left out once (Efron and Stein, Annals of Statistics 9, 1981). There is none where a correlation
    is -1 or 1, or not defined, with or without a cluster, nor with fewer clusters than
    :data:`.estimate.FEWEST`.

    Parameters
    ----------
    clusters
        What each pair belongs to, e.g. its scene.
    """
    value = _correlation(pairs)
    if value is None:
        return None
    names = sorted(set(clusters))
    n, k = len(pairs), len(names)
    plain = Estimate(value, None, None, n=n, clusters=k)
    if k < FEWEST:
        return plain
    drawn = [
        _fisher([pair for pair, of in zip(pairs, clusters, strict=True) if of != name])
        for name in names
    ]
    z, known = _fisher(pairs), [each for each in drawn if each is not None]
    if z is None or len(known) < k:
        return plain
    middle = mean(known)
    stderr = math.sqrt((k - 1) / k * math.fsum((each - middle) ** 2 for each in known))
    if stderr <= 0:
        return plain
    half = student(k - 1) * stderr
    return Estimate(
        value, math.tanh(z - half), math.tanh(z + half), stderr * (1 - value * value), n, k,
        "student",
    )  # fmt: skip


def _correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    if len(pairs) < FEWEST:
        return None
    a, b = (mean(side) for side in zip(*pairs, strict=True))
    across = math.fsum((x - a) ** 2 for x, _ in pairs)
    down = math.fsum((y - b) ** 2 for _, y in pairs)
    if across <= _NOTHING or down <= _NOTHING:
        return None
    both = math.fsum((x - a) * (y - b) for x, y in pairs)
    return max(-1.0, min(both / math.sqrt(across * down), 1.0))


def _fisher(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Fisher's z; None where the correlation is not defined, or is -1 or 1."""
    found = _correlation(pairs)
    return None if found is None or abs(found) > 1 - _NOTHING else math.atanh(found)
