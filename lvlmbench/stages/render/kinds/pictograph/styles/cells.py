"""Pictures put together from cells: which pixel belongs to which cell, and one color a cell.

A map of cells depends on the size alone and is kept; for each picture one of the square's eight
symmetries is drawn, so that cells do not always lie alike. The foreground gets the finer map.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph.styles import textures
from lvlmbench.stages.render.kinds.pictograph.styles.pixels import U8, U32, pack, unpack
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng

I32 = npt.NDArray[np.int32]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Cells:
    """A square divided into cells.

    ``labels``, shape (size, size), is each pixel's cell; ``seeds``, shape (cells,), the flat
    index of the pixel that gives the cell its color; ``light``, shape (size, size), the gray map
    of grooves and relief (128: as it is).
    """

    labels: I32
    seeds: npt.NDArray[np.int64]
    light: U8


def turn(words: npt.NDArray[Scalar], way: int) -> npt.NDArray[Scalar]:
    """One of the eight symmetries of a square, a view."""
    if way & 1:
        words = words[::-1]
    if way & 2:
        words = words[:, ::-1]
    return words.T if way & 4 else words


def unturn(words: npt.NDArray[Scalar], way: int) -> npt.NDArray[Scalar]:
    """The inverse of :func:`turn`."""
    if way & 4:
        words = words.T
    if way & 2:
        words = words[:, ::-1]
    return words[::-1] if way & 1 else words


def assemble(
    image: Image.Image,
    mask: Image.Image,
    fine: Cells,
    coarse: Cells,
    rng: Rng,
    spread: int,
    calm: tuple[int, int] = (1, 1),
) -> tuple[Image.Image, U8]:
    """The picture in cells, ``fine`` ones on the foreground, and the light map that belongs to it.

    ``spread``: each cell's channels move by up to this much, apart from one another. ``calm``:
    fine and coarse cells take the mean of blocks of so many pixels a side.
    """
    way = int(rng.integers(0, 8))
    inside = turn(np.asarray(mask), way) > 127
    labels = np.where(inside, fine.labels, coarse.labels + np.int32(len(fine.seeds)))
    found = []
    for cells, side in zip((fine, coarse), calm, strict=True):
        blocks = turn(pack(image.reduce(side) if side > 1 else image), way)
        row, column = np.divmod(cells.seeds, image.width)
        found.append(blocks[row // side, column // side])
    colors = np.concatenate(found).astype("<u4")
    if spread:
        channels = colors.view(np.uint8).reshape(-1, 4).astype(np.int16)
        moves = rng.integers(-spread, spread + 1, channels.shape, dtype=np.int16)
        colors = np.clip(channels + moves, 0, 255).astype(np.uint8).view("<u4").ravel()
    out: U32 = unturn(colors.take(labels), way)
    light: U8 = unturn(np.where(inside, fine.light, coarse.light), way)
    return unpack(out), light


def _centers(
    size: int, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    return np.clip(rows, 0, size - 1) * size + np.clip(columns, 0, size - 1)


@lru_cache(maxsize=16)
def tiles(size: int, side: int, gap: int, bend: int) -> Cells:
    """Rows of square tiles that meander by up to ``bend`` pixels, with grooves ``gap`` wide."""
    rng = generator(0, "pictograph cells", f"tiles {side}")
    line = np.arange(size, dtype=np.int32)
    dy, dx = (
        textures.mottle(size, rng, 71).astype(np.int32) * (2 * bend + 1) // 256 for _ in range(2)
    )
    y, x = line[:, None] + dy, line[None, :] + dx
    # Every other row starts elsewhere, as tiles laid by hand do.
    row = y // side
    x = x + row * 7 % side
    column = x // side
    across = (size + 2 * bend) // side + 3
    labels = (row * across + column).astype(np.int32)
    i, j = np.divmod(np.arange(int(labels.max()) + 1, dtype=np.int64), across)
    seeds = _centers(size, i * side + side // 2 - bend, j * side + side // 2 - bend - i * 7 % side)
    fy, fx = y % side, x % side
    light = np.full((size, size), 128, dtype=np.uint8)
    light[(fy == gap) | (fx == gap)] = 148
    light[(fy == side - 1) | (fx == side - 1)] = 108
    light[(fy < gap) | (fx < gap)] = 0
    return Cells(labels, seeds, light)


@lru_cache(maxsize=16)
def dots(size: int, step: int, radius: int) -> Cells:
    """Three layers of scattered round dots over each other; light 0 is bare canvas."""
    labels = np.full((size, size), -1, dtype=np.int32)
    line = np.arange(size, dtype=np.int32)
    seeds: list[npt.NDArray[np.int64]] = []
    first = 0
    for layer in range(3):
        rng = generator(0, "pictograph cells", f"dots {layer} {step}")
        count = size // step + 2
        slack = max(1, step - 2 * radius + 2)
        oy, ox = (rng.integers(0, slack, (count, count), dtype=np.int32) for _ in range(2))
        offset = layer * step // 3
        cell, place = np.divmod(line + offset, step)
        dy = place[:, None] - radius - oy[cell][:, cell]
        dx = place[None, :] - radius - ox[cell][:, cell]
        here = dy * dy + dx * dx <= radius * radius
        labels = np.where(here, first + cell[:, None] * count + cell[None, :], labels)
        at = np.arange(count, dtype=np.int64) * step - offset + radius
        seeds.append(_centers(size, at[:, None] + oy, at[None, :] + ox).ravel())
        first += count * count
    bare = labels < 0
    labels[bare] = 0
    light = np.full((size, size), 128, dtype=np.uint8)
    light[bare] = 0
    return Cells(labels.astype(np.int32), np.concatenate(seeds), light)


@lru_cache(maxsize=16)
def facets(size: int, side: int) -> Cells:
    """Triangles over a jittered grid."""
    rng = generator(0, "pictograph cells", f"facets {side}")
    count = size // side + 2
    jitter = rng.integers(-(side // 3), side // 3 + 1, (count + 1, count + 1, 2))
    grid = np.arange(count + 1) * side - side // 2
    y = (grid[:, None] + jitter[:, :, 0]).tolist()
    x = (grid[None, :] + jitter[:, :, 1]).tolist()
    flips = rng.integers(0, 2, (count, count)).tolist()
    board = Image.new("I", (size, size))
    pen = ImageDraw.Draw(board)
    seeds: list[tuple[int, int]] = []
    for i in range(count):
        for j in range(count):
            a, b = (x[i][j], y[i][j]), (x[i][j + 1], y[i][j + 1])
            c, d = (x[i + 1][j + 1], y[i + 1][j + 1]), (x[i + 1][j], y[i + 1][j])
            for p, q, r in ((a, b, c), (a, c, d)) if flips[i][j] else ((a, b, d), (b, c, d)):
                pen.polygon([p, q, r], fill=len(seeds))
                seeds.append(((p[1] + q[1] + r[1]) // 3, (p[0] + q[0] + r[0]) // 3))
    at = np.array(seeds, dtype=np.int64)
    light = np.full((size, size), 128, dtype=np.uint8)
    return Cells(np.asarray(board, dtype=np.int32), _centers(size, at[:, 0], at[:, 1]), light)


@lru_cache(maxsize=16)
def strokes(size: int, length: int, width: int) -> Cells:
    """Overlapping short brush strokes that follow a slowly turning direction."""
    rng = generator(0, "pictograph cells", f"strokes {length}")
    step = max(2, width * 3 // 4)
    line = np.arange(0, size + step, step)
    count = len(line)
    y = (line[:, None] + rng.integers(-step, step + 1, (count, count))).ravel()
    x = (line[None, :] + rng.integers(-step, step + 1, (count, count))).ravel()
    flow = textures.mottle(size, rng, 101)
    lean = flow[np.clip(y, 0, size - 1), np.clip(x, 0, size - 1)].astype(np.int64) - 128
    dx = length * (128 - np.abs(lean) // 2) // 256
    dy = length * lean // 256
    order = rng.permutation(len(y))
    board = Image.new("I", (size, size))
    pen = ImageDraw.Draw(board)
    ends = np.stack([x - dx, y - dy, x + dx, y + dy], axis=1)[order].tolist()
    for label, end in enumerate(ends):
        pen.line(end, fill=label, width=width)
    labels = np.asarray(board, dtype=np.int32)
    height = rng.integers(0, 28, len(ends)).astype(np.int16)[labels]
    # Wet paint lit from the top left: the step from stroke to stroke shows.
    light = np.full((size, size), 128, dtype=np.int16)
    light[1:, 1:] += height[1:, 1:] - height[:-1, :-1]
    return Cells(labels, _centers(size, y[order], x[order]), light.astype(np.uint8))


@lru_cache(maxsize=16)
def shards(size: int, side: int, lead: int) -> Cells:
    """Irregular polygons (nearest of jittered points), dark seams ``lead`` pixels wide."""
    half = (size + 1) // 2
    side = max(3, side // 2)
    rng = generator(0, "pictograph cells", f"shards {side}")
    count = half // side + 3
    oy, ox = (rng.integers(0, side, (count, count), dtype=np.int32) for _ in range(2))
    line = np.arange(half, dtype=np.int32)
    cell = line // side + 1
    nearest = np.full((half, half), 1 << 30, dtype=np.int32)
    labels = np.zeros((half, half), dtype=np.int32)
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            i, j = cell + di, cell + dj
            dy = (i - 1)[:, None] * side + oy[i][:, j] - line[:, None]
            dx = (j - 1)[None, :] * side + ox[i][:, j] - line[None, :]
            far = dy * dy + dx * dx
            closer = far < nearest
            nearest = np.where(closer, far, nearest)
            labels = np.where(closer, i[:, None] * count + j[None, :], labels)
    labels = labels.repeat(2, axis=0).repeat(2, axis=1)[:size, :size].astype(np.int32)
    at = (np.arange(count, dtype=np.int64) - 1) * side
    seeds = _centers(size, 2 * (at[:, None] + oy), 2 * (at[None, :] + ox)).ravel()
    light = np.full((size, size), 128, dtype=np.uint8)
    seam = np.zeros((size, size), dtype=bool)
    seam[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    seam[1:] |= labels[1:] != labels[:-1]
    for k in range(lead):
        light[k:, k:][seam[: size - k, : size - k]] = 0
        light[: size - k, k:][seam[k:, : size - k]] = 0
    return Cells(labels, seeds, light)
