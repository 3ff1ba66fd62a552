"""Sums that come out the same whatever machine, thread count or order adds them up."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.metrics.intervals import F64

#: Whole numbers up to 2**53 are exact in float64.
_BITS = 51
#: Power of two below which nothing counts.
_FINEST = 500


def fixed_point(columns: F64, bound: F64) -> tuple[F64, F64]:
    """Whole numbers in place of the columns, and what to divide by.

    Sums of them with whole weights are exact in float64, in whatever order a matrix product adds
    them up.

    Parameters
    ----------
    columns
        Shape (n, k).
    bound
        What the absolute values of a sum's terms add up to at most, shape (k,).

    Returns
    -------
    tuple
        The columns, rounded, shape (n, k), and the power of two of each column, shape (k,).
    """
    power = np.where(bound > 0, np.minimum(_BITS - np.frexp(bound)[1], _FINEST), 0)
    scale = np.ldexp(np.ones(columns.shape[1]), power)
    return np.rint(columns * scale), scale
