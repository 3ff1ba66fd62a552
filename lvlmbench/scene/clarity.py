"""Which styles a foreground is drawn in: those in which a person can tell what it is.

``unclear.yaml`` of the vocabulary says what a renderer draws unclearly. Leaving such pairs out by
chance alone would make some labels right answers more often than others, and a model could gain
by never looking. So styles are drawn by weights under which each foreground and each style are as
likely as before; they come from scaling the table of allowed pairs until its rows and columns add
up to what they should (Sinkhorn, 1964).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lvlmbench.core.errors import UserError
from lvlmbench.core.races import keys_of, winners

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: Label of a foreground -> style -> from how many copies on it is unclear.
Unclear = Mapping[str, Mapping[str, int]]

_ROUNDS = 400

#: Weights are whole numbers, so that last bits of the scaling decide nothing.
_UNIT = 1 << 24


def clear_pairs(
    unclear: Unclear, labels: Sequence[str], styles: Sequence[str], copies: int
) -> Bools:
    """Whether labels are clear in styles, by number of copies: (labels, copies, styles)."""
    table = np.ones((len(labels), copies, len(styles)), dtype=np.bool_)
    at = {style: i for i, style in enumerate(styles)}
    for i, label in enumerate(labels):
        for style, least in unclear.get(label, {}).items():
            if style in at:
                table[i, least - 1 :, at[style]] = False
    return table


def _scaled(clear: Bools, rows: F64) -> F64:
    """Weights of the allowed pairs: rows add up to ``rows``, all columns to the same."""
    weights = clear.astype(np.float64)
    column = float(rows.sum()) / clear.shape[1]
    for _ in range(_ROUNDS):
        weights *= column / np.maximum(weights.sum(axis=0), 1e-300)
        weights *= (rows / np.maximum(weights.sum(axis=1), 1e-300))[:, None]
    return weights


def style_ladder(
    clear: Bools, labels: Sequence[str], countable: Sequence[bool], where: str
) -> I64 | None:
    """Cumulative weights of the styles for each foreground and number of copies.

    Parameters
    ----------
    clear
        As :func:`clear_pairs` gives it.
    labels, countable
        The labels, and of each whether it is shown more than once.
    where
        For error messages.

    Returns
    -------
    Shape (labels * copies, styles): row ``label * copies + number - 1``; None where all is clear.

    Raises
    ------
    UserError
        A label is clear in no style.
    """
    if clear.all():
        return None
    n, copies, styles = clear.shape
    several = np.array(countable, dtype=np.bool_)
    rows = np.where(several[:, None], 1 / copies, np.eye(1, copies)).ravel()
    table = clear.reshape(n * copies, styles)
    empty = np.flatnonzero((rows > 0) & ~table.any(axis=1))
    if len(empty):
        label, number = labels[int(empty[0]) // copies], int(empty[0]) % copies + 1
        some = "" if copies == 1 else f" with {number} of them"
        raise UserError(
            where, f"leaves '{label}'{some} no style", "leave it one, or take it out of its list"
        )
    shares = _scaled(table[rows > 0], rows[rows > 0])
    whole = np.ones((n * copies, styles))
    whole[rows > 0] = shares / shares.sum(axis=1, keepdims=True)
    return np.asarray(np.cumsum(np.rint(whole * _UNIT).astype(np.int64), axis=1))


def draw_styles(ladder: I64, rows: I64, u: F64, styles: Sequence[str]) -> I64:
    """A style for each row of the ladder, by a uniform number each; shapes (n,).

    One style or foreground more leaves most draws as they were (:mod:`lvlmbench.core.races`).
    """
    return winners(u, keys_of(styles), np.diff(ladder[rows], axis=1, prepend=0))
