"""A picture's windows, each as a vector: in several sizes, a third of their side apart.

A picture may consist of panels; their number is seen by the gutters between them. No window
crosses a gutter, and none is where nothing is to be seen.
"""

from __future__ import annotations

from dataclasses import dataclass
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


def _cut(picture: Image.Image, panels: int, size: int) -> list[tuple[Window, Image.Image]]:
    """All windows in which something is, drawn at the side that an encoder takes."""
    width, found = picture.width, []
    _, _, across, down = first(panels)
    for panel, (x, y) in enumerate(origins(panels)):
        edges = [round(each * width / SIDE) for each in (x, y, x + across, y + down)]
        part = picture.crop((edges[0], edges[1], edges[2], edges[3]))
        for side in SIDES:
            scale = size / (side * width)
            extent = (max(size, round(part.width * scale)), max(size, round(part.height * scale)))
            drawn = part.resize(extent, Image.Resampling.BICUBIC)
            values = np.asarray(drawn, np.float32)
            rim = size // 8
            for top in _starts(extent[1], size):
                for left in _starts(extent[0], size):
                    seen = values[top + rim : top + size - rim, left + rim : left + size - rim]
                    if seen.std(axis=(0, 1)).max() < _FLAT:
                        continue
                    at = Window(
                        panel,
                        (edges[0] + left / scale) / width,
                        (edges[1] + top / scale) / width,
                        side,
                    )
                    found.append((at, drawn.crop((left, top, left + size, top + size))))
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
    vectors = np.concatenate(parts) if parts else np.zeros((0, 0))
    return View(pixels, panels, tuple(window for window, _ in cut), vectors)


