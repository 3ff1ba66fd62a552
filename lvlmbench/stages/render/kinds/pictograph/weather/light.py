"""Light: night and dusk."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops

from lvlmbench.stages.render.kinds.pictograph.styles.pixels import Rgb
from lvlmbench.stages.render.kinds.pictograph.weather.registry import WEATHER

Rng = np.random.Generator


@lru_cache(maxsize=8)
def _light(size: int, stops: tuple[tuple[int, Rgb], ...]) -> Image.Image:
    """Return bands of color from the top to the foot through (thousandths of the height, color)."""
    rows = np.arange(size, dtype=np.int64) * 1000 // max(size - 1, 1)
    at = np.array([stop[0] for stop in stops], dtype=np.int64)
    colors = np.array([stop[1] for stop in stops], dtype=np.int64)
    band = np.clip(np.searchsorted(at, rows, side="right") - 1, 0, len(at) - 2)
    span = (at[band + 1] - at[band])[:, None]
    column = colors[band] + (colors[band + 1] - colors[band]) * (rows - at[band])[:, None] // span
    strip = Image.fromarray(column.astype(np.uint8)[:, None, :])
    return strip.resize((size, size), Image.Resampling.NEAREST)


@WEATHER.register("night")
def night(image: Image.Image, rng: Rng) -> Image.Image:
    """Dim the picture to the blue of a clear night, darkest above."""
    light = _light(
        image.width, ((0, (66, 78, 150)), (460, (112, 124, 190)), (1000, (122, 132, 190)))
    )
    return ImageChops.multiply(image, light)


@WEATHER.register("dusk")
def dusk(image: Image.Image, rng: Rng) -> Image.Image:
    """Tint the picture: violet above, then red, then the orange of a low sun."""
    size = image.width
    shade = _light(size, ((0, (136, 104, 176)), (450, (236, 142, 132)), (1000, (222, 150, 110))))
    glow = _light(size, ((0, (16, 0, 34)), (480, (60, 22, 0)), (1000, (20, 4, 0))))
    return ImageChops.add(ImageChops.multiply(image, shade), glow)
