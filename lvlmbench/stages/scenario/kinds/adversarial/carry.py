"""From the proxy's input resolution to the full-size image and back.

The attack finds a perturbation at the resolution that the proxy reads. Each of its values is given
to the block of full-size pixels that lies there, as whole levels of 8 bits. What the proxy then
sees of it, through the resizing that it does itself, is a linear map (:class:`Resizing`), and the
attack takes its gradients through that map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench.stages.scenario.pixels import Pixels

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
I16 = npt.NDArray[np.int16]
I64 = npt.NDArray[np.int64]

Norm = Literal["Linf", "L2"]

#: For bounds that are whole levels up to rounding, such as 8/255.
_SLACK = 1e-9


def blocks(full: int, low: int) -> I64:
    """For each of ``full`` pixels in a row the number of the one of ``low`` that it belongs to."""
    return (2 * np.arange(full) + 1) * low // (2 * full)


def _axis(full: int, low: int, resample: Image.Resampling) -> F32:
    """Matrix (low, low): blocks of full size, and then Pillow's resizing."""
    # The columns of the unit matrix are resized one by one; the other direction stays as it is.
    unit = Image.fromarray(np.eye(full, dtype=np.float32))
    down = np.asarray(unit.resize((full, low), resample), np.float64)
    up = np.zeros((full, low))
    up[np.arange(full), blocks(full, low)] = 1
    return (down @ up).astype(np.float32)


@dataclass(frozen=True)
class Resizing:
    """How a perturbation of low resolution gets into a full-size image and is seen of it there.

    Attributes
    ----------
    full, low
        Sizes (height, width) of the image and of what the proxy reads.
    seen_rows, seen_columns
        What a low perturbation d is seen as: ``seen_rows @ d @ seen_columns.T``.
    """

    full: tuple[int, int]
    low: tuple[int, int]
    seen_rows: F32
    seen_columns: F32

    @classmethod
    def between(
        cls, full: tuple[int, int], low: tuple[int, int], resample: Image.Resampling
    ) -> Resizing:
        """For images of one size and a proxy that resizes them by ``resample``."""
        rows, columns = (_axis(f, n, resample) for f, n in zip(full, low, strict=True))
        return cls(full, low, rows, columns)

    def spread(self, levels: I16) -> I16:
        """Levels (height, width, 3) of low resolution, each on its block of full-size pixels."""
        rows, columns = (blocks(f, n) for f, n in zip(self.full, self.low, strict=True))
        spread: I16 = levels[rows][:, columns]
        return spread

    @property
    def shares(self) -> F64:
        """Part of a full-size norm that each low pixel stands for, (height, width, 1); mean 1."""
        counts = [
            np.bincount(blocks(f, n), minlength=n) * (n / f)
            for f, n in zip(self.full, self.low, strict=True)
        ]
        shares: F64 = np.multiply.outer(*counts)[:, :, None]
        return shares


def norm_of(levels: npt.NDArray[np.integer], norm: Norm, low: tuple[int, int]) -> float:
    """Norm of a full-size perturbation (height, width, 3), of pixels between 0 and 1.

    For L2 it is scaled to the proxy's resolution ``low``: multiplied by the root of the part that
    its pixels are of the image's.
    """
    if norm == "Linf":
        return float(np.abs(levels).max(initial=0)) / 255
    height, width = levels.shape[:2]
    total = int((levels.astype(np.int64) ** 2).sum())
    return float(np.sqrt(total * (low[0] * low[1] / (height * width)))) / 255


def within(reached: float, epsilon: float) -> bool:
    """Whether a norm keeps the bound."""
    return reached <= epsilon * (1 + _SLACK)


def whole_levels(delta: npt.NDArray[np.floating], norm: Norm, epsilon: float, shares: F64) -> I16:
    """A perturbation (height, width, 3) in whole levels of 8 bits, within epsilon.

    Linf: values are rounded to the nearest level and cut at the last one within epsilon. L2: they
    are cut down to whole levels, and those that this has shortened most get a level back, as long
    as the whole stays within epsilon.

    Parameters
    ----------
    shares
        :attr:`Resizing.shares`.
    """
    wanted = delta.astype(np.float64) * 255
    if norm == "Linf":
        limit = np.floor(epsilon * 255 + _SLACK)
        return np.clip(np.rint(wanted), -limit, limit).astype(np.int16)
    weights = np.broadcast_to(shares, wanted.shape)
    size, bound = np.abs(wanted), epsilon * 255
    size = size * min(1.0, bound / max(float(np.sqrt((weights * size**2).sum())), 1e-300))
    whole = np.floor(size)
    lost = size - whole
    order = np.argsort(-lost, axis=None, kind="stable")
    prices = (weights * (2 * whole + 1)).ravel()[order]
    left = bound**2 - float((weights * whole**2).sum())
    n = int(np.searchsorted(np.cumsum(prices), left * (1 + _SLACK), side="right"))
    whole[np.unravel_index(order[: min(n, int((lost > 0).sum()))], whole.shape)] += 1
    levels: I16 = (np.sign(wanted) * whole).astype(np.int16)
    return levels


def carried(clean: Pixels, levels: I16, resizing: Resizing) -> Pixels:
    """The clean image (height, width, 3) with the perturbation on it, cut at black and white."""
    return np.clip(clean.astype(np.int16) + resizing.spread(levels), 0, 255).astype(np.uint8)
