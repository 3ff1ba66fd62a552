"""A canvas in thousandths of its side, drawn at twice the size and averaged down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image, ImageDraw

#: Red, green, blue, and optionally opacity, 0..255.
Color = tuple[int, int, int] | tuple[int, int, int, int]
Point = tuple[float, float]


def mix(a: Color, b: Color, t: float) -> Color:
    """The color a fraction ``t`` of the way from ``a`` to ``b``."""
    r, g, b_ = (int(p + (q - p) * t + 0.5) for p, q in zip(a[:3], b[:3], strict=True))
    return (r, g, b_)


def fade(color: Color, opacity: int) -> Color:
    """``color`` at an opacity of 0..255."""
    return (color[0], color[1], color[2], opacity)


def jitter(rng: np.random.Generator, color: Color, amount: int = 12) -> Color:
    """``color`` with each channel moved by at most ``amount``."""
    shift = rng.integers(-amount, amount + 1, 3).tolist()
    r, g, b = (min(255, max(0, c + s)) for c, s in zip(color[:3], shift, strict=True))
    return (r, g, b)


class Canvas:
    """What a background is painted on.

    Coordinates are floats, (0, 0) the top left corner and (1000, 1000) the bottom right one,
    whatever the size; they are rounded to the double-size pixel grid. A view may look closer
    and aside, so that one scenery does not always fall on the same pixels.

    Parameters
    ----------
    size
        Side of the finished picture in pixels.
    zoom
        Magnification, at least 1.
    pan
        Where the view lies within the magnified scenery, each of x and y in 0..1.
    mirrored
        Whether left and right change places at the end.
    """

    SCALE = 2

    def __init__(
        self, size: int, zoom: float = 1.0, pan: Point = (0.0, 0.0), mirrored: bool = False
    ) -> None:
        self.size, self.mirrored = size, mirrored
        self._side = size * self.SCALE
        self._k = self._side * zoom / 1000
        self._dx, self._dy = (p * (zoom - 1) * self._side for p in pan)
        self.image = Image.new("RGB", (self._side, self._side))
        self._solid = ImageDraw.Draw(self.image)
        self._blend = ImageDraw.Draw(self.image, "RGBA")

    def finish(self) -> Image.Image:
        """The picture at its final size."""
        image = self.image.reduce(self.SCALE)
        return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if self.mirrored else image

    def keep_reading_order(self) -> None:
        """Do not mirror this scenery: there is writing in it."""
        self.mirrored = False

    # The large addend makes int() round down for negative values too.
    def _len(self, value: float) -> int:
        return int(value * self._k + 0.5)

    def _x(self, value: float) -> int:
        return int(value * self._k - self._dx + 65536.5) - 65536

    def _y(self, value: float) -> int:
        return int(value * self._k - self._dy + 65536.5) - 65536

    def _pen(self, color: Color) -> ImageDraw.ImageDraw:
        return self._blend if len(color) == 4 and color[3] < 255 else self._solid

    def fill(self, color: Color) -> None:
        """Cover everything."""
        self.rectangle(0, 0, 1000, 1000, color)

    def gradient(
        self, stops: Sequence[tuple[float, Color]], top: float = 0, bottom: float = 1000
    ) -> None:
        """Horizontal bands of color that pass through ``stops`` (height, color) in order."""
        y0, y1 = max(0, self._y(top)), min(self._side, self._y(bottom))
        if y1 <= y0:
            return
        rows = (np.arange(y0, y1) + (0.5 + self._dy)) / self._k
        heights = np.array([s[0] for s in stops], dtype=np.float64)
        band = np.clip(np.searchsorted(heights, rows) - 1, 0, len(stops) - 2)
        colors = np.array([s[1][:3] for s in stops], dtype=np.float64)
        t = np.clip((rows - heights[band]) / (heights[band + 1] - heights[band]), 0.0, 1.0)
        column = colors[band] + (colors[band + 1] - colors[band]) * t[:, None]
        strip = Image.fromarray((column + 0.5).astype(np.uint8)[:, None, :])
        self.image.paste(strip.resize((self._side, y1 - y0), Image.Resampling.NEAREST), (0, y0))

    def polygon(self, points: Iterable[Point], color: Color) -> None:
        """A filled polygon."""
        self._pen(color).polygon([(self._x(x), self._y(y)) for x, y in points], fill=color)

    def ground(self, line: Sequence[Point], color: Color, floor: float = 1000) -> None:
        """Everything between the polyline ``line`` (left to right) and the height ``floor``."""
        self.polygon([*line, (line[-1][0], floor), (line[0][0], floor)], color)

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, color: Color) -> None:
        """A filled rectangle; nothing when it is empty."""
        if x1 > x0 and y1 > y0:
            box = (self._x(x0), self._y(y0), self._x(x1) - 1, self._y(y1) - 1)
            if box[2] >= box[0] and box[3] >= box[1]:
                self._pen(color).rectangle(box, fill=color)

    def rounded(
        self, x0: float, y0: float, x1: float, y1: float, radius: float, color: Color
    ) -> None:
        """A filled rectangle with round corners."""
        box = (self._x(x0), self._y(y0), self._x(x1), self._y(y1))
        self._pen(color).rounded_rectangle(box, self._len(radius), fill=color)

    def ellipse(self, x: float, y: float, rx: float, ry: float, color: Color) -> None:
        """A filled ellipse around (x, y)."""
        box = (self._x(x - rx), self._y(y - ry), self._x(x + rx), self._y(y + ry))
        self._pen(color).ellipse(box, fill=color)

    def disc(self, x: float, y: float, radius: float, color: Color) -> None:
        """A filled circle around (x, y)."""
        self.ellipse(x, y, radius, radius, color)

    def ring(self, x: float, y: float, rx: float, ry: float, width: float, color: Color) -> None:
        """The outline of an ellipse around (x, y)."""
        box = (self._x(x - rx), self._y(y - ry), self._x(x + rx), self._y(y + ry))
        self._pen(color).ellipse(box, outline=color, width=max(1, self._len(width)))

    def line(self, points: Iterable[Point], width: float, color: Color) -> None:
        """A polyline with round joints; at least one double-size pixel wide."""
        self._pen(color).line(
            [(self._x(x), self._y(y)) for x, y in points],
            fill=color,
            width=max(1, self._len(width)),
            joint="curve" if width > 6 else None,
        )

    def glow(self, x: float, y: float, radius: float, color: Color, strength: int = 26) -> None:
        """Light that falls off around (x, y): a few nested faint discs."""
        for step in range(5, 0, -1):
            self.disc(x, y, radius * step / 5, fade(color, strength))
