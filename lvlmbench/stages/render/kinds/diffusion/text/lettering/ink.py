"""The color of the ink: of the picture's own palette, and with enough contrast to be read.

Light is reckoned in squares of color values (a gamma of 2): close to sRGB, and squares and square
roots are the same on every processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Light = npt.NDArray[Any]

#: Relative luminance of red, green and blue light (WCAG 2.2).
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)

#: What WCAG adds for light that a screen reflects.
_FLARE = 0.05

#: Contrast ratio that ink is chosen for, and the least one: below it letters get an outline.
WANTED, LEAST = 6.5, 4.5

#: Shares of a surface's pixels that may be darker and lighter than what contrast is taken to.
_DIM, _BRIGHT = 0.2, 0.8

#: Light of the darkest and the lightest ink.
_BLACK, _WHITE = 0.0005, 1.0

#: Light that is neither: where black and white stand out alike.
_HALFWAY = 0.18

#: How much of the palette's hue ink may have: least and most of its colors to their mean.
_PALE = 0.45


@dataclass(frozen=True)
class Ink:
    """``color`` is light, shape (3,), 0 to 1; ``outline`` likewise, None where none is needed."""

    color: Light
    contrast: float
    outline: Light | None


def light_of(values: npt.NDArray[Any]) -> Light:
    """Return light, 0 to 1, of 8-bit color values."""
    squares: Light = (np.arange(256, dtype=np.float32) / np.float32(255)) ** 2
    out: Light = squares[values]
    return out


def luminance(light: Light) -> Light:
    """Return relative luminance, shape (...), of light of shape (..., 3)."""
    out: Light = (light @ _LUMINANCE).astype(np.float32)
    return out


def ratio(one: float, other: float) -> float:
    """Return contrast ratio of two luminances, 1 to 21."""
    low, high = sorted((one, other))
    return (high + _FLARE) / (low + _FLARE)


def _tint(palette: Light, dark: bool) -> Light:
    """Hue of the picture's darkest or lightest colors, of luminance 1, not too strong."""
    bright = luminance(palette)
    count = max(len(palette) // 50, 1)
    order = np.argpartition(bright, count if dark else len(bright) - count - 1)
    ends = palette[order[:count] if dark else order[-count:]].mean(axis=0) + np.float32(0.002)
    hue = ends / max(float(luminance(ends)), 1e-6)
    mixed = _PALE * hue + (1 - _PALE)
    out: Light = np.clip(mixed / float(luminance(mixed)), 0.0, 4.0).astype(np.float32)
    return out


def _of_luminance(tint: Light, wanted: float) -> Light:
    color = np.clip(tint * np.float32(wanted), 0.0, 1.0).astype(np.float32)
    lacking = wanted - float(luminance(color))
    return np.clip(color + np.float32(max(lacking, 0.0)), 0.0, 1.0).astype(np.float32)


def choose(surface: Light, palette: Light) -> Ink:
    """Return ink for a surface.

    Parameters
    ----------
    surface, palette
        Light of the pixels where the word goes, and of the whole picture's; shape (n, 3).
    """
    bright = np.sort(luminance(surface))
    low, high = (float(bright[int(share * (len(bright) - 1))]) for share in (_DIM, _BRIGHT))
    middle = float(bright[len(bright) // 2])
    dark = ratio(low, _BLACK) >= ratio(high, _WHITE) or middle > 2 * _HALFWAY
    if dark:
        wanted = min(max((low + _FLARE) / WANTED - _FLARE, _BLACK), 0.06)
    else:
        wanted = max(min((high + _FLARE) * WANTED - _FLARE, _WHITE), 0.55)
    color = _of_luminance(_tint(palette, dark), wanted)
    reached = ratio(low if dark else high, float(luminance(color)))
    outline = None
    if reached < LEAST:
        outline = _of_luminance(_tint(palette, not dark), _WHITE if dark else _BLACK)
        reached = ratio(float(luminance(outline)), float(luminance(color)))
    return Ink(color, reached, outline)
