"""Things between the camera and the scene: drops on the lens, missing blocks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, Done, Numbers, scale_of
from lvlmbench.stages.scenario.pixels import Pixels

Covered = NDArray[np.float64]
Whole = NDArray[np.int64]

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

#: Steps of the field, and of the weights that smooth it, to a unit.
_UNIT = 4096

#: Width of a drop's edge, in standard deviations of the field.
_EDGE = 0.25


def drops(shape: tuple[int, int], rng: np.random.Generator, share: float) -> Covered:
    """How much of each pixel drops cover, 0 to 1; float64 of ``shape`` (height, width).

    A Gaussian field without its long waves, where drops would run together, is cut off at the
    height above which a ``share`` of it lies. The field is made of whole numbers and magnified in
    float64 by Pillow, which has one code for all processors.
    """
    from PIL import Image

    height, width = shape
    scale = _GRID / min(shape)
    grid = (max(1, round(height * scale)), max(1, round(width * scale)))
    drawn = np.rint(rng.standard_normal(grid, dtype=np.float32) * _UNIT).astype(np.int64)
    field = _smooth(drawn, _GRAIN)
    field -= _smooth(field, 2 * _GRAIN)
    edge = _EDGE * math.sqrt(int((field * field).sum()) / field.size)
    at = min(field.size - 1, int(field.size * (1 - share)))
    ground = int(np.partition(field.ravel(), at)[at])
    step = (grid[1] / width, 0.0, 0.0, 0.0, grid[0] / height, 0.0)
    image = Image.fromarray(field.astype(np.float32)).transform(
        (width, height), Image.Transform.AFFINE, step, Image.Resampling.BILINEAR
    )
    high = np.asarray(image, np.float64)
    return np.clip((high - ground) / edge + 0.5, 0, 1)


def _smooth(field: Whole, sigma: float) -> Whole:
    """A field of whole numbers under a Gaussian blur, in integers; its edge is mirrored."""
    reach = math.ceil(4 * sigma)
    weights = [round(_UNIT * math.exp(-0.5 * (i / sigma) ** 2)) for i in range(reach + 1)]
    total = weights[0] + 2 * sum(weights[1:])
    for axis in (0, 1):
        pad = [(reach, reach) if axis == i else (0, 0) for i in (0, 1)]
        wide = np.moveaxis(np.pad(field, pad, mode="symmetric"), axis, 0)
        n = field.shape[axis]
        found = weights[0] * wide[reach : reach + n]
        for i in range(1, reach + 1):
            found += weights[i] * (wide[reach - i : reach - i + n] + wide[reach + i :][:n])
        field = np.moveaxis((2 * found + total) // (2 * total), 0, axis)
    return field


def spattered(
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
    mean = math.fsum(covered.ravel()) / covered.size
    weight = np.rint(covered * (256 * opacity)).astype(np.int32)[:, :, None]
    liquid = np.array(MUD if mud else WATER, np.int32)
    return ((liquid * weight + pixels * (256 - weight) + 128) >> 8).astype(np.uint8), mean


def dropped(
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


@CORRUPTIONS.register(
    "spatter",
    slot=7,
    columns=("share", "opacity", "mud"),
    ranges=((0, 1), (0, 1), (0, 1)),
    rows=((0.05, 0.4, 0), (0.08, 0.45, 0), (0.11, 0.5, 0), (0.13, 0.6, 1), (0.17, 0.6, 1)),
    about="share of the area that drops lie on, their opacity, and whether they are of mud (1) or "
    "of water (0)",
    published="own; as in ImageNet-C water at severities 1 to 3 and mud above",
)
def spatter(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Spatter the lens."""
    share, opacity, mud = given["share"], given["opacity"], bool(given["mud"])
    found, covered = spattered(pixels, rng, share, opacity, mud)
    about = {"opacity": opacity, "liquid": "mud" if mud else "water", "share": round(covered, 4)}
    return found, about


@CORRUPTIONS.register(
    "coarse_dropout",
    slot=8,
    columns=("share", "side"),
    ranges=((0, 1), (1, 256)),
    rows=((0.03, 8), (0.05, 9), (0.07, 10), (0.09, 11), (0.12, 12)),
    about="share of the area that is grayed out, at most, and the side of a square hole in pixels",
    published="own; a hole is smaller than a letter",
)
def coarse_dropout(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Lose blocks of the picture."""
    side = max(1, round(given["side"] * scale_of(pixels)))
    found, holes = dropped(pixels, rng, given["share"], side)
    area = pixels.shape[0] * pixels.shape[1]
    return found, {"holes": holes, "side_px": side, "share": round(holes * side**2 / area, 4)}
