"""Noise and paper: drawn once from a fixed seed, cut at a random place for each picture."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy import ndimage

from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.styles.pixels import U8, pack, unpack

Rng = np.random.Generator
TILE = 512


def _stretch(values: npt.NDArray[np.float64]) -> U8:
    """Values 0..255 spread evenly by rank, so that a threshold is a share of the area."""
    fine = (values * 256).astype(np.int64)
    below = np.cumsum(np.bincount(fine.ravel(), minlength=65536))
    spread: U8 = (np.maximum(below - 1, 0) * 256 // values.size).astype(np.uint8)[fine]
    return spread


@lru_cache(maxsize=32)
def _tile(name: str, height: int, width: int) -> U8:
    """Periodic noise of TILE x TILE averaged over (height, width) pixels; equal areas a level."""
    raw = generator(0, "pictograph texture", name).integers(0, 256, (TILE, TILE))
    if (height, width) == (1, 1):
        return raw.astype(np.uint8)
    # Integers in float64 keep the running sums of the box filter exact.
    smooth = raw.astype(np.float64)
    for _ in range(2):
        smooth = (
            np.floor(ndimage.uniform_filter(smooth, (height, width), mode="wrap") * 256 + 0.5) / 256
        )
    return _stretch(smooth)


@lru_cache(maxsize=32)
def _wallpaper(kind: tuple[str, int, int, int], size: int) -> U8:
    """Enough repeats of a tile that a size x size piece can be cut anywhere in the first one."""
    tile = _diagonal(*kind[1:]) if kind[0] == "diagonal" else _tile(*kind[:3])
    count = 1 + -(-size // TILE)
    paper = np.tile(tile, (count, count))
    paper.flags.writeable = False
    return paper


def _cut(kind: tuple[str, int, int, int], size: int, rng: Rng) -> U8:
    """A size x size piece of the endless wallpaper of a tile at a random place, a view."""
    oy, ox = rng.integers(0, TILE, 2).tolist()
    return _wallpaper(kind, size)[oy : oy + size, ox : ox + size]


def grain(size: int, rng: Rng) -> U8:
    """White noise."""
    return _cut(("grain", 1, 1, 0), size, rng)


def mottle(size: int, rng: Rng, blotch: int) -> U8:
    """Smooth noise with blotches of about ``blotch`` pixels."""
    return _cut(("mottle", blotch, blotch, 0), size, rng)


def fibers(size: int, rng: Rng, length: int, thick: int = 1) -> U8:
    """Horizontal streaks."""
    return _cut(("fibers", thick, length, 0), size, rng)


@lru_cache(maxsize=8)
def _diagonal(length: int, thick: int, rise: int) -> U8:
    """Streaks turned by shearing: each row moves on by ``rise`` pixels, wrapped around."""
    tile = _tile("diagonal", length, thick)
    rows = np.arange(TILE)
    move = rows * rise
    columns = (np.arange(TILE)[None, :] + move[:, None]) % TILE
    streaks: U8 = tile[rows[:, None], columns]
    return streaks


def hatch(size: int, rng: Rng, length: int, thick: int, rise: int = 1) -> U8:
    """Slanted pencil or chalk streaks."""
    return _cut(("diagonal", length, thick, rise), size, rng)


@lru_cache(maxsize=16)
def vignette(size: int, center: int, corner: int) -> U8:
    """A gray map from ``center`` to ``corner``, by squared distance from the middle."""
    line = np.arange(size, dtype=np.int64) * 2 - (size - 1)
    square = line * line
    radius = square[:, None] + square[None, :]
    return (center + (corner - center) * radius // (2 * size * size)).astype(np.uint8)


@lru_cache(maxsize=32)
def _sway(size: int, blotch: int, reach: int, variant: int) -> npt.NDArray[np.int64]:
    rng = generator(0, "pictograph sway", str(variant))
    line = np.arange(size, dtype=np.int64)
    dy, dx = (
        (mottle(size, rng, blotch).astype(np.int64) * (2 * reach + 1) >> 8) - reach
        for _ in range(2)
    )
    rows = np.clip(line[:, None] + dy, 0, size - 1)
    columns = np.clip(line[None, :] + dx, 0, size - 1)
    index: npt.NDArray[np.int64] = rows * size + columns
    return index


def waver(picture: Picture, rng: Rng, blotch: int, reach: int) -> Image.Image:
    """The picture with outlines that waver by up to ``reach`` pixels, as by a free hand.

    Where a word must stay legible they hardly do.
    """
    size = picture.image.width
    if picture.text_box is not None:
        reach = max(1, reach // 3)
    index = _sway(size, blotch, reach, int(rng.integers(0, 4)))
    return unpack(pack(picture.image).ravel().take(index))


def to_l(values: U8) -> Image.Image:
    """A gray map as an image."""
    return Image.fromarray(np.ascontiguousarray(values))
