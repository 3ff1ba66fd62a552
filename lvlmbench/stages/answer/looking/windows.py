"""A picture's windows, each as a vector.

Before an even ground there is one around each part that stands out. Elsewhere they have several
sizes and lie a third of their side apart; none is where nothing is to be seen. A picture may
consist of panels; their number is seen by the gutters between them, and no window crosses one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench.scene.panels import SIDE, first, origins
from lvlmbench.scene.relations import Box

if TYPE_CHECKING:
    from lvlmbench.stages.reference.encoder import Encoder

F64 = npt.NDArray[np.float64]
U8 = npt.NDArray[np.uint8]

#: Sides of windows as shares of the picture's. A thing is known best in a window that is a fifth
#: to a half larger.
SIDES = (0.30, 0.21, 0.15)
#: Windows lie a side divided by this apart.
_STEPS = 3
#: A window is empty where its middle varies less, in steps of 256.
_FLAT = 8.0
#: The same for a gutter, over its whole length; and by how much it differs from what is beside it.
_EVEN, _BESIDE = 4.0, 8.0
#: A ground is even where so many pixels differ from the others of their row by no more than this.
_GROUND, _GROUND_SHARE = 3, 0.65
#: From this much a pixel stands out, in steps of 256; parts nearer than this share are one.
_STANDS_OUT, _JOINED = 40, 0.008
#: Least longest side of what stands out; by how much its window is larger.
_LEAST, _MARGIN = 0.06, 1.2
#: Windows encoded at once.
_AT_ONCE = 128


@dataclass(frozen=True)
class Window:
    """A square part of a picture, in shares of the picture's side."""

    panel: int
    left: float
    top: float
    side: float

    @property
    def box(self) -> Box:
        """Where it is."""
        return Box(self.left, self.top, self.left + self.side, self.top + self.side)


@dataclass(frozen=True)
class View:
    """What was seen of a picture.

    Attributes
    ----------
    pixels
        Of the picture, (height, width, 3).
    panels
        How many there are.
    windows, vectors
        One vector a window, (n, d).
    """

    pixels: U8
    panels: int
    windows: tuple[Window, ...]
    vectors: F64


def _gutter(pixels: U8) -> F64 | None:
    """Color of an even band of columns in the middle of the picture that stands out, or None."""
    width, middle = pixels.shape[1], pixels.shape[1] // 2
    away = max(4, round(width * 0.018))
    band = pixels[:, middle - 2 : middle + 2].reshape(-1, 3).astype(np.float64)
    color: F64 = band.mean(axis=0)
    if band.std(axis=0).max() >= _EVEN:
        return None
    for beside in (middle - away, middle + away):
        if np.abs(pixels[:, beside] - color).mean(axis=0).max() < _BESIDE:
            return None
    return color


def panels_of(pixels: U8) -> int:
    """Return how many panels a picture has: two side by side, four in two rows, or it is one."""
    if min(pixels.shape[:2]) < 64:
        return 1
    upright = _gutter(pixels)
    if upright is None:
        return 1
    across = _gutter(pixels.transpose(1, 0, 2))
    same = across is not None and np.abs(across - upright).max() < _EVEN
    return 4 if same else 2


def _starts(length: int, window: int) -> list[int]:
    """Where windows start along a length."""
    room = max(0, length - window)
    n = -(-room * _STEPS // window) + 1
    return [round(room * at / max(1, n - 1)) for at in range(n)]


def standing_out(pixels: U8, width: int) -> list[tuple[int, int, int, int]] | None:
    """Return where something stands out from an even ground: left, top, right, bottom in pixels.

    None where the ground is not even. ``width`` is that of the whole picture.
    """
    from scipy import ndimage

    colors = np.ascontiguousarray(pixels.transpose(2, 0, 1))  # of each, rows lie side by side
    ground = np.median(colors, axis=2, keepdims=True).astype(np.float32)  # whole numbers or halves
    away = np.abs(colors - ground).max(axis=0)
    if (away <= _GROUND).mean() < _GROUND_SHARE:
        return None
    mask = ndimage.binary_dilation(away > _STANDS_OUT, iterations=max(1, round(_JOINED * width)))
    found = []
    for rows, columns in ndimage.find_objects(ndimage.label(mask)[0]):
        if max(rows.stop - rows.start, columns.stop - columns.start) >= _LEAST * width:
            found.append((columns.start, rows.start, columns.stop, rows.stop))
    return found


def around(
    left: int, top: int, right: int, bottom: int, margin: float = _MARGIN
) -> tuple[float, float, float]:
    """Return a square (left, top, side) around a part; ``margin`` says by how much it is larger."""
    side = max(right - left, bottom - top) * margin
    return (left + right - side) / 2, (top + bottom - side) / 2, side


def _everywhere(part: Image.Image, width: int, size: int) -> Iterator[tuple[float, float, float]]:
    """Squares of all sizes, in pixels, where something is to be seen."""
    for share in SIDES:
        scale = size / (share * width)
        extent = (max(size, round(part.width * scale)), max(size, round(part.height * scale)))
        values = np.asarray(part.resize(extent, Image.Resampling.BILINEAR), np.float32)
        rim = size // 8
        for top in _starts(extent[1], size):
            for left in _starts(extent[0], size):
                seen = values[top + rim : top + size - rim, left + rim : left + size - rim]
                if seen.std(axis=(0, 1)).max() >= _FLAT:
                    yield left / scale, top / scale, size / scale


def _cut(picture: Image.Image, panels: int, size: int) -> list[tuple[Window, Image.Image]]:
    """All windows, drawn at the side that an encoder takes."""
    width, found = picture.width, []
    _, _, across, down = first(panels)
    for panel, (x, y) in enumerate(origins(panels)):
        edges = [round(each * width / SIDE) for each in (x, y, x + across, y + down)]
        part = picture.crop((edges[0], edges[1], edges[2], edges[3]))
        parts = standing_out(np.asarray(part), width)
        squares = _everywhere(part, width, size) if parts is None else starmap(around, parts)
        for left, top, side in squares:
            side = min(side, *part.size)
            left = min(max(0.0, left), part.width - side)
            top = min(max(0.0, top), part.height - side)
            at = Window(panel, (edges[0] + left) / width, (edges[1] + top) / width, side / width)
            box = (left, top, left + side, top + side)
            found.append((at, part.resize((size, size), Image.Resampling.BICUBIC, box=box)))
    return found


def look(encoder: Encoder, picture: Image.Image) -> View:
    """Return what an encoder makes of each window of a picture, which is taken as a square."""
    side = max(picture.size)
    square = picture.convert("RGB")
    if picture.width != picture.height:
        square = square.resize((side, side), Image.Resampling.BICUBIC)
    pixels = np.asarray(square)
    panels = panels_of(pixels)
    cut = _cut(square, panels, encoder.preprocessing.size[0])
    parts = [
        encoder.images([drawn for _, drawn in cut[at : at + _AT_ONCE]])
        for at in range(0, len(cut), _AT_ONCE)
    ]
    vectors = np.concatenate(parts) if parts else encoder.images([square])[:0]
    return View(pixels, panels, tuple(window for window, _ in cut), vectors)
