"""How well letters stand out from what is around them (WCAG 2.2, contrast ratio)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.kinds.print_attack.colors import RGB
from lvlmbench.stages.scenario.kinds.print_attack.layout import Flat
from lvlmbench.stages.scenario.pixels import Pixels

#: Relative luminance in millionths.
Luminance: TypeAlias = NDArray[np.int64]

#: Opacities are counted in thousandths.
_PARTS = 1000
_FULL = 255
_UNIT = 10**6
#: What WCAG adds to both luminances, for the light that every screen reflects.
_FLARE = 50_000

_SHARES = (2126, 7152, 722)


def _linear() -> NDArray[np.int64]:
    value = np.arange(256) / 255
    curve = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.rint(curve * _UNIT), dtype=np.int64)


_LINEAR = _linear()


def luminance(pixels: Pixels) -> Luminance:
    """Relative luminance of pixels of shape (..., 3), black 0 to white 10**6."""
    light = _LINEAR[pixels]
    red, green, blue = _SHARES
    return np.asarray((light[..., 0] * red + light[..., 1] * green + light[..., 2] * blue) // 10**4)


def blend(
    pixels: Pixels, color: RGB, coverage: NDArray[np.uint8] | int, opacity: float = 1.0
) -> Pixels:
    """The pixels, shape (..., 3), with a color over them that covers each by 0 to 255.

    In whole numbers: at full coverage and opacity exactly the color.
    """
    alpha = np.asarray(coverage, dtype=np.int32)[..., None] * round(opacity * _PARTS)
    whole = _FULL * _PARTS
    mixed = pixels * (whole - alpha) + np.array(color, dtype=np.int32) * alpha
    return np.asarray((mixed + whole // 2) // whole, dtype=np.uint8)


def _quartiles(light: Luminance) -> tuple[int, int]:
    """The lower and the upper quartile; the pixels nearest to them, without interpolation."""
    n = len(light) - 1
    low, high = n // 4, n - n // 4
    ordered = np.partition(light, (low, high))
    return int(ordered[low]), int(ordered[high])


def contrast(inside: Luminance, outside: Luminance) -> float:
    """Contrast ratio, 1 to 21, that three quarters of the pixels on either side keep to.

    The lighter side's lower quartile against the darker one's upper quartile, so that neither a
    few pixels nor the mean of a texture decides.
    """
    low, high = _quartiles(inside)
    dim, bright = _quartiles(outside)
    ratio = max((low + _FLARE) / (bright + _FLARE), (dim + _FLARE) / (high + _FLARE))
    return max(ratio, 1.0)


def weakest(
    background: Pixels,
    parts: Sequence[tuple[Flat, Flat]],
    color: RGB,
    opacity: float,
    outline: RGB | None,
) -> float:
    """The contrast of the letter that stands out least.

    Parameters
    ----------
    background
        The image before anything is printed, where the text is to lie; shape (h, w, 3).
    parts
        As :class:`~lvlmbench.stages.scenario.kinds.print_attack.layout.Letters` has them.
    outline
        What surrounds the letters; None for the image itself.

    Notes
    -----
    As WCAG has it, edges are taken without antialiasing: a pixel is the letter's or it is not.
    """
    flat = background.reshape(-1, 3)
    around = luminance(np.array([outline], dtype=np.uint8)) if outline is not None else None
    least = np.inf
    for inside, outside in parts:
        ink = luminance(blend(flat[inside], color, _FULL, opacity))
        least = min(least, contrast(ink, luminance(flat[outside]) if around is None else around))
    return float(least)
