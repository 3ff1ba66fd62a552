"""Sines that are the same on every processor.

NumPy's and the C library's sines choose other instructions, and so other last bits, by processor;
this one uses + - * and floor alone, which IEEE 754 fixes.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Real = TypeVar("Real", float, npt.NDArray[np.float64])

# Odd Taylor coefficients of sin(2 pi t) around 0, good to 1e-9 for |t| <= 1/4.
_C = (
    6.283185307179586,
    -41.341702240399755,
    81.60524927607504,
    -76.70585975306136,
    42.05869394489765,
    -15.094642576822984,
    3.8199525848482803,
    -0.7181223017785,
)


def sine(turns: Real) -> Real:
    """Sine of an angle given in turns (1.0 is the full circle), elementwise, float64."""
    t: Any = turns - np.floor(turns + 0.5)
    # Fold |t| > 1/4 back: sin(pi - x) = sin(x).
    t = 0.25 - abs(abs(t + 0.25) - 0.5)
    square = t * t
    total: Any = square * 0.0
    for coefficient in reversed(_C):
        total = total * square + coefficient
    result: Real = total * t
    return result


def cosine(turns: Real) -> Real:
    """Cosine of an angle given in turns."""
    return sine(turns + 0.25)
