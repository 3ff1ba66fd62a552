"""Pixel arithmetic that styles share: packing, tints, tables, edges, shading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageFilter

U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
I16 = npt.NDArray[np.int16]
Rgb = tuple[int, int, int]


def unit(size: int, at_512: float, least: int = 1) -> int:
    """A length in pixels that is ``at_512`` pixels in a picture of 512, at least ``least``."""
    return max(least, int(size * at_512 / 512 + 0.5))


def pack(image: Image.Image) -> U32:
    """RGB as one 32-bit word a pixel, shape (height, width): moves at the cost of one channel."""
    width, height = image.size
    raw = image.convert("RGBX").tobytes()
    return np.frombuffer(raw, dtype="<u4").reshape(height, width)


def unpack(words: U32) -> Image.Image:
    """The inverse of :func:`pack`."""
    height, width = words.shape
    raw = np.ascontiguousarray(words, dtype="<u4").tobytes()
    return Image.frombytes("RGBX", (width, height), raw).convert("RGB")


def ramp(stops: Sequence[tuple[int, Rgb]]) -> list[int]:
    """A point table for a gray image turned RGB: straight lines between (gray, color) stops."""
    at = np.array([s[0] for s in stops], dtype=np.int64)
    colors = np.array([s[1] for s in stops], dtype=np.int64)
    gray = np.arange(256)
    left = np.clip(np.searchsorted(at, gray, side="right") - 1, 0, len(at) - 2)
    span = at[left + 1] - at[left]
    t = np.clip(gray - at[left], 0, span)
    table = colors[left] + ((colors[left + 1] - colors[left]) * t[:, None] * 2 + span[:, None]) // (
        2 * span[:, None]
    )
    flat: list[int] = table.T.reshape(-1).tolist()
    return flat


def tone(gray: Image.Image, stops: Sequence[tuple[int, Rgb]]) -> Image.Image:
    """Gray levels mapped to colors through :func:`ramp`."""
    return Image.merge("RGB", (gray, gray, gray)).point(ramp(stops))


def levels(low: int, high: int) -> list[int]:
    """A point table that stretches low..high to 0..255."""
    span = max(1, high - low)
    return [min(255, max(0, (v - low) * 255 // span)) for v in range(256)]


def curve(low: int, high: int) -> list[int]:
    """A point table that maps 0..255 straight to low..high."""
    return [(low * 255 + (high - low) * v + 127) // 255 for v in range(256)]


def saturate(image: Image.Image, percent: int) -> Image.Image:
    """Colors moved away from (above 100) or toward (below 100) their gray."""
    gray = image.convert("L").convert("RGB")
    return Image.blend(gray, image, percent / 100)


def flat(size: int, color: Rgb) -> Image.Image:
    """One color."""
    return Image.new("RGB", (size, size), color)


def shade(image: Image.Image, light: U8) -> Image.Image:
    """``image`` times a gray map in which 128 leaves it as it is; brighter than white clips."""
    gray = Image.fromarray(np.ascontiguousarray(light))
    half = ImageChops.multiply(image, Image.merge("RGB", (gray, gray, gray)))
    return ImageChops.add(half, half)


def soft(gray: Image.Image, radius: float) -> Image.Image:
    """Two passes of a box blur: close to a Gaussian and integer."""
    return gray.filter(ImageFilter.BoxBlur(radius)).filter(ImageFilter.BoxBlur(radius))


def contrast(image: Image.Image, reach: int) -> Image.Image:
    """Largest change of any channel over ``reach`` pixels right or down, as a gray image."""
    width, height = image.size
    out = Image.new("L", image.size)
    for dx, dy in ((reach, 0), (0, reach)):
        there = image.crop((dx, dy, width, height))
        change = ImageChops.difference(image.crop((0, 0, width - dx, height - dy)), there)
        red, green, blue = change.split()
        most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        at = (dx // 2, dy // 2)
        box = (*at, at[0] + most.width, at[1] + most.height)
        out.paste(ImageChops.lighter(out.crop(box), most), at)
    return out


def shift(image: Image.Image, dx: int, dy: int) -> Image.Image:
    """The image moved; the border repeats."""
    a = np.asarray(image)
    height, width = a.shape[:2]
    rows = np.clip(np.arange(height) - dy, 0, height - 1)
    columns = np.clip(np.arange(width) - dx, 0, width - 1)
    return Image.fromarray(a[rows][:, columns])
