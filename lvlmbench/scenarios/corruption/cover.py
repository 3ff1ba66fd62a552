"""Things between the camera and the scene: drops on the lens, missing blocks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lvlmbench.scenarios.pictures import Pixels

#: Red, green, blue of what spatters.
WATER = (176, 204, 214)
MUD = (84, 60, 36)

#: What is missing is gray: black or white would pass for parts of letters.
HOLE = 128

#: Drops are drawn on a grid with this many points along the shorter side, so that their size is
#: a share of the image's, and magnified.
_GRID = 256

#: Smoothing of the field that the drops are level sets of, in points of the grid; a drop is about
#: four times as wide.
_GRAIN = 1.8

#: Width of a drop's edge, in standard deviations of the field.
_EDGE = 0.25


def drops(shape: tuple[int, int], rng: np.random.Generator, share: float) -> NDArray[np.float32]:
    """How much of each pixel drops cover, 0 to 1; float32 of ``shape`` (height, width).

    A Gaussian field without its long waves, where drops would run together, is cut off at the
    height above which a ``share`` of it lies.
    """
    height, width = shape
    scale = _GRID / min(shape)
    grid = (max(1, round(height * scale)), max(1, round(width * scale)))
    field = cv2.GaussianBlur(rng.standard_normal(grid, dtype=np.float32), (0, 0), _GRAIN)
    field = field - cv2.GaussianBlur(field, (0, 0), 2 * _GRAIN)
    edge = _EDGE * float(field.std())
    ground = float(np.quantile(field, 1 - share))
    field = cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.clip((field - ground) / edge + 0.5, 0, 1)


def spatter(
    pixels: Pixels, rng: np.random.Generator, share: float, opacity: float, mud: bool
) -> tuple[Pixels, float]:
    """The image behind drops of water or mud, and the mean of what they cover.

    Parameters
    ----------
    share
        Of the area that drops lie on.
    opacity
        Of a drop in its middle, 0 to 1.
    """
    height, width = pixels.shape[:2]
    covered = drops((height, width), rng, share)
    mean = float(covered.mean(dtype=np.float64))
    # Whole 256ths make the sums exact: all processors round them alike.
    covered = np.rint(covered * (256 * opacity)) / np.float32(256)
    liquid = np.broadcast_to(np.array(MUD if mud else WATER, np.uint8), pixels.shape)
    seen = cv2.blendLinear(np.ascontiguousarray(liquid), pixels, covered, 1 - covered)
    return np.asarray(seen), mean


def dropout(
    pixels: Pixels, rng: np.random.Generator, share: float, side: int
) -> tuple[Pixels, int]:
    """The image with square gray holes, and how many.

    The canvas is cut into tiles of twice a hole's side. Some tiles, drawn without replacement,
    get one hole each, placed in the tile so that holes of neighbours do not touch: what is hidden
    in one piece is never larger than a hole.

    Parameters
    ----------
    share
        Of the area that is missing, at most; below 1/4.
    side
        Of a hole in pixels.
    """
    height, width = pixels.shape[:2]
    rows, columns = height // (2 * side), width // (2 * side)
    count = min(rows * columns, int(share * height * width / side**2))
    tiles = rng.permutation(rows * columns)[:count]
    slack = rng.integers(0, max(1, side - 1), size=(count, 2))
    spare = (height - rows * 2 * side, width - columns * 2 * side)
    start = rng.integers(0, np.array(spare) + 1)
    found = pixels.copy()
    for tile, (down, right) in zip(tiles, slack, strict=True):
        top = int(start[0] + tile // columns * 2 * side + down)
        left = int(start[1] + tile % columns * 2 * side + right)
        found[top : top + side, left : left + side] = HOLE
    return found, count
