"""What falls or hangs in the air: rain, fog, snow."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph.styles import pixels
from lvlmbench.stages.render.kinds.pictograph.styles.textures import fibers
from lvlmbench.stages.render.kinds.pictograph.weather.registry import WEATHER

Rng = np.random.Generator

#: Masks are drawn this much larger and averaged down.
_SCALE = 2


def _place(size: int, rng: Rng) -> tuple[int, int, bool]:
    """Return where a pattern begins, and whether it is mirrored."""
    dx, dy, flip = rng.integers(0, (size, size, 2)).tolist()
    return dx, dy, bool(flip)


def _moved(mask: Image.Image, place: tuple[int, int, bool]) -> Image.Image:
    """Return a mask whose pattern repeats, begun elsewhere."""
    dx, dy, flip = place
    mask = mask.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if flip else mask
    return ImageChops.offset(mask, dx, dy)


@lru_cache(maxsize=8)
def _streaks(size: int) -> Image.Image:
    """Return slanted streaks of rain, white on black; the pattern repeats at the sides."""
    side = size * _SCALE
    mask = Image.new("L", (side, side))
    pen = ImageDraw.Draw(mask)
    draws = generator(0, "pictograph weather", "rain").random((230, 4)).tolist()
    for u, v, length, wide in draws:
        x, y, tall = int(u * side), int(v * side), int((0.055 + 0.07 * length) * side)
        lean, thick = tall * 22 // 100, pixels.unit(side, 1.0 + 1.5 * wide)
        for ox in (0, side):
            for oy in (0, -side):
                ends = [(x + ox, y + oy), (x + ox - lean, y + oy + tall)]
                pen.line(ends, fill=130 + int(110 * wide), width=thick)
    return mask.reduce(_SCALE)


@WEATHER.register("rain")
def rain(image: Image.Image, rng: Rng) -> Image.Image:
    """Gray the picture and draw slanted streaks of rain across it."""
    gray = image.convert("L").convert("RGB")
    wet = Image.composite(gray, image, Image.new("L", image.size, 46)).point(_WET)
    wet.paste((232, 240, 250), (0, 0), _moved(_streaks(image.width), _place(image.width, rng)))
    return wet


_WET = [(18 + v * 178 // 255) for v in range(256)] + [
    *((24 + v * 182 // 255) for v in range(256)),
    *((34 + v * 186 // 255) for v in range(256)),
]


@lru_cache(maxsize=8)
def _flakes(size: int) -> tuple[Image.Image, Image.Image]:
    """Return flakes of three sizes and their rims, white on black; the patterns repeat."""
    side = size * _SCALE
    flakes, rims = Image.new("L", (side, side)), Image.new("L", (side, side))
    fill, edge = ImageDraw.Draw(flakes), ImageDraw.Draw(rims)
    draws = generator(0, "pictograph weather", "snow").random((210, 3)).tolist()
    for i, (u, v, w) in enumerate(draws):
        reach = side * (14 + 12 * w + (i % 7 == 0) * 26) / 5120
        for ox in (0, -side):
            for oy in (0, -side):
                x, y = u * side + ox, v * side + oy
                fill.ellipse([x, y, x + 2 * reach, y + 2 * reach], fill=255)
                rim = reach / 2 + 1
                edge.ellipse([x - rim, y - rim, x + 2 * reach + rim, y + 2 * reach + rim], fill=120)
    return flakes.reduce(_SCALE), rims.reduce(_SCALE)


@WEATHER.register("snow")
def snow(image: Image.Image, rng: Rng) -> Image.Image:
    """Cool the picture and let flakes fall; a faint rim shows them on white too."""
    cold = image.point(_COLD)
    place = _place(image.width, rng)
    flakes, rims = _flakes(image.width)
    for color, mask in (((104, 128, 162), rims), ((255, 255, 255), flakes)):
        cold.paste(color, (0, 0), _moved(mask, place))
    return cold


_COLD = [(18 + v * 212 // 255) for v in range(256)] + [
    *((26 + v * 214 // 255) for v in range(256)),
    *((40 + v * 210 // 255) for v in range(256)),
]


@WEATHER.register("fog")
def fog(image: Image.Image, rng: Rng) -> Image.Image:
    """Veil the picture in pale lying banks, thicker toward the middle of its height."""
    size = image.width
    banks = fibers(size, rng, pixels.unit(size, 190), pixels.unit(size, 44))
    veil = ((banks >> 3) * 7 >> 1) + _depth(size)
    hazy = image.copy()
    hazy.paste((224, 228, 232), (0, 0), Image.fromarray(veil))
    return hazy


@lru_cache(maxsize=8)
def _depth(size: int) -> pixels.U8:
    """Return how thick fog is at each height at least, shape (size, 1)."""
    rows = np.arange(size, dtype=np.int64) * 1000 // max(size - 1, 1)
    thick = np.where(rows < 450, 62 + rows * 36 // 450, 98 - (rows - 450) * 26 // 550)
    return thick.astype(np.uint8)[:, None]
