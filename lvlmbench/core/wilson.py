"""The interval of a share (Wilson, JASA 22, 1927)."""

from __future__ import annotations

import math

#: Normal quantile of a two-sided 95 % interval.
Z = 1.959963984540054


def wilson(p: float, n: float, z: float = Z) -> tuple[float, float]:
    """Wilson interval, within 0 and 1, of a share ``p`` seen in ``n`` trials (above 0); 95 % unless
    another quantile ``z`` is given."""
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)
