"""Vector art to pixels: cached rasters with a white outline, placed by one affine transform."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from PIL import Image, ImageFilter

#: Raster widths; a target takes the next one up, so that few rasters serve every scale.
LADDER = (48, 64, 80, 96, 128, 160, 192, 224, 256, 304, 352, 400, 448, 512, 640, 768, 1024, 1536)

CACHE_BYTES = 96 << 20

_OUTLINE = [min(255, max(0, (v - 6) * 12)) for v in range(256)]


@dataclass(frozen=True)
class Sticker:
    """A piece of art on white, with the coverage of art plus outline.

    Parameters
    ----------
    rgb, mask
        Modes RGB and L, same size. ``rgb`` is white wherever there is no art, so that resampling
        never mixes in a foreign color.
    origin, unit
        Where the SVG's (0, 0) lies in pixels of the sticker, and pixels per SVG unit.
    """

    rgb: Image.Image
    mask: Image.Image
    origin: tuple[float, float]
    unit: float


def rasterize(svg: str, width: int) -> Image.Image:
    """The SVG as an RGBA image of this width. No system font is read."""
    import resvg_py

    data = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


def make_sticker(svg: str, width: int, view_width: float) -> Sticker:
    """Rasterize, crop to what is drawn and add the outline."""
    art = rasterize(svg, width)
    alpha = art.getchannel("A")
    box = alpha.getbbox() or (0, 0, art.width, art.height)
    reach = max(1.0, max(box[2] - box[0], box[3] - box[1]) * 0.011)
    pad = ceil(reach * 2.4) + 1
    size = (box[2] - box[0] + 2 * pad, box[3] - box[1] + 2 * pad)
    alpha = alpha.crop(box)
    coverage = Image.new("L", size)
    coverage.paste(alpha, (pad, pad))
    mask = coverage.filter(ImageFilter.GaussianBlur(reach)).point(_OUTLINE)
    rgb = Image.new("RGB", size, "white")
    rgb.paste(art.crop(box).convert("RGB"), (pad, pad), alpha)
    return Sticker(rgb, mask, (pad - box[0], pad - box[1]), width / view_width)


class StickerCache:
    """Least recently used stickers, bounded in bytes. Only time depends on what it holds."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit, self._held = limit, 0
        self._items: OrderedDict[tuple[object, int], Sticker] = OrderedDict()

    def get(self, key: object, width: int, source: Callable[[], str], view_width: float) -> Sticker:
        """The sticker of ``source()`` at ``width`` pixels; ``key`` stands for the source."""
        item = self._items.get((key, width))
        if item is None:
            item = make_sticker(source(), width, view_width)
            self._items[key, width] = item
            self._held += _bytes(item)
            while self._held > self._limit and len(self._items) > 1:
                self._held -= _bytes(self._items.popitem(last=False)[1])
        else:
            self._items.move_to_end((key, width))
        return item


def _bytes(item: Sticker) -> int:
    return 5 * item.mask.width * item.mask.height


def ladder(width: float) -> int:
    """The smallest raster width that is at least ``width``; beyond the last one, the last."""
    return next((step for step in LADDER if step >= width), LADDER[-1])


@dataclass(frozen=True)
class Pose:
    """How a sticker lies: scale, tilt as the tangent of half the angle, mirrored or not.

    The half-angle tangent gives sine and cosine by arithmetic alone, the same on every machine.
    """

    scale: float
    half_tan: float = 0.0
    mirrored: bool = False

    @property
    def cos_sin(self) -> tuple[float, float]:
        """Cosine and sine of the tilt."""
        t2 = self.half_tan * self.half_tan
        return (1 - t2) / (1 + t2), 2 * self.half_tan / (1 + t2)

    def extent(self, width: float, height: float) -> tuple[int, int]:
        """Size of the upright box around a posed rectangle."""
        c, s = self.cos_sin
        s = abs(s)
        return (
            ceil((width * c + height * s) * self.scale),
            ceil((width * s + height * c) * self.scale),
        )

    def forward(
        self, point: tuple[float, float], size: tuple[int, int], extent: tuple[int, int]
    ) -> tuple[float, float]:
        """Where a point of the sticker of this ``size`` lands inside its posed box."""
        c, s = self.cos_sin
        x, y = point[0] - size[0] / 2, point[1] - size[1] / 2
        x = -x if self.mirrored else x
        return (
            (x * c - y * s) * self.scale + extent[0] / 2,
            (x * s + y * c) * self.scale + extent[1] / 2,
        )


def posed(rgb: Image.Image, mask: Image.Image, pose: Pose) -> tuple[Image.Image, Image.Image]:
    """The sticker scaled, tilted and mirrored, with its coverage."""
    width, height = rgb.size
    extent = pose.extent(width, height)
    if pose.half_tan == 0:
        if pose.mirrored:
            rgb = rgb.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            mask = mask.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return (
            rgb.resize(extent, Image.Resampling.BICUBIC),
            mask.resize(extent, Image.Resampling.BILINEAR),
        )
    c, s = pose.cos_sin
    k = 1 / pose.scale
    flip = -1 if pose.mirrored else 1
    a, b, d, e = flip * c * k, flip * s * k, -s * k, c * k
    cx, cy = extent[0] / 2, extent[1] / 2
    data = (a, b, width / 2 - a * cx - b * cy, d, e, height / 2 - d * cx - e * cy)
    return (
        rgb.transform(
            extent, Image.Transform.AFFINE, data, Image.Resampling.BICUBIC, fillcolor="white"
        ),
        mask.transform(extent, Image.Transform.AFFINE, data, Image.Resampling.BILINEAR),
    )
