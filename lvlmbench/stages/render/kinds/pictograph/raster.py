"""Vector art to pixels: only what is drawn is rasterized, then a white outline is added.

Two ways lead to a posed piece of art. Large single pieces are rasterized as they will stand,
tilt included: sharpest, and fastest where few things recur. Several copies, small canvases and
carriers share a raster from the cache, which :func:`posed` then scales and tilts.
"""

from __future__ import annotations

import io
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from PIL import Image, ImageFilter

_STEPS = """
16 20 24 28 32 40 48 56 64 72 80 96 112 128 144 160 176 192 208 224 240 256 288 320 352 384 416 448
512 576 640 768 896 1024 1536 2048
"""
#: Longest sides of shared rasters; a target takes the next one up.
LADDER = tuple(map(int, _STEPS.split()))

CACHE_BYTES = 96 << 20

#: Width of the raster that finds out where in its view box something is drawn.
_PROBE = 48

_OUTLINE = [min(255, max(0, (v - 6) * 12)) for v in range(256)]
_ROOT = re.compile(r"<svg\b[^>]*>")

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Art:
    """Something to draw.

    Parameters
    ----------
    key
        Stands for the source in caches.
    source
        Gives the SVG; its root has a view box from (0, 0) and neither width nor height.
    view
        Width and height of the view box.
    """

    key: object
    source: Callable[[], str]
    view: tuple[int, int]


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


def rasterize(svg: str, width: int, crisp: bool = False) -> Image.Image:
    """The SVG as an RGBA image of this width, antialiased unless ``crisp``. No system font is
    read."""
    import resvg_py

    data = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        shape_rendering="crisp_edges" if crisp else "geometric_precision",
    )
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


def probe(svg: str, view: tuple[int, int]) -> Box:
    """Where something is drawn, in view box units, to about a fiftieth of the width."""
    pixel = view[0] / _PROBE
    found = rasterize(svg, _PROBE).getchannel("A").getbbox() or (0, 0, _PROBE, _PROBE)
    return (
        max(0.0, (found[0] - 1) * pixel),
        max(0.0, (found[1] - 1) * pixel),
        min(float(view[0]), (found[2] + 1) * pixel),
        min(float(view[1]), (found[3] + 1) * pixel),
    )


def _framed(svg: str, frame: Box, transform: str = "") -> str:
    """The SVG with another view box, its content transformed."""
    root = _ROOT.search(svg)
    if root is None:
        raise ValueError("the art has no <svg> element")
    left, top, right, bottom = frame
    view = f'viewBox="{left:.4f} {top:.4f} {right - left:.4f} {bottom - top:.4f}"'
    head = re.sub(r'viewBox="[^"]*"', view, root[0])
    body = svg[root.end() : svg.rindex("</svg>")]
    return (
        f'{head}<g transform="{transform}">{body}</g></svg>' if transform else f"{head}{body}</svg>"
    )


def margins(longest: float) -> tuple[float, int]:
    """Reach of the outline's blur and width of the rim left for it, in pixels."""
    reach = max(1.0, longest * 0.011)
    return reach, ceil(reach * 2.4) + 1


def _outlined(
    art: Image.Image, size: tuple[int, int], at: tuple[int, int], reach: float
) -> tuple[Image.Image, Image.Image]:
    """Art on white and the coverage of art plus outline, both of this size."""
    alpha = art.getchannel("A")
    coverage = Image.new("L", size)
    coverage.paste(alpha, at)
    rgb = Image.new("RGB", size, "white")
    rgb.paste(art.convert("RGB"), at, alpha)
    return rgb, coverage.filter(ImageFilter.GaussianBlur(reach)).point(_OUTLINE)


def make_sticker(svg: str, box: Box, longest: int) -> Sticker:
    """The upright art inside ``box``, its longest side ``longest`` pixels, with its outline."""
    unit = longest / max(box[2] - box[0], box[3] - box[1])
    reach, rim = margins(longest)
    width, height = (max(1, ceil((b - a) * unit)) for a, b in ((box[0], box[2]), (box[1], box[3])))
    frame = (box[0], box[1], box[0] + width / unit, box[1] + height / unit)
    art = rasterize(_framed(svg, frame), width)
    rgb, mask = _outlined(art, (width + 2 * rim, height + 2 * rim), (rim, rim), reach)
    return Sticker(rgb, mask, (rim - box[0] * unit, rim - box[1] * unit), unit)


class StickerCache:
    """Least recently used stickers, bounded in bytes. Only time depends on what it holds."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit, self._held = limit, 0
        self._items: OrderedDict[tuple[object, int], Sticker] = OrderedDict()
        self._boxes: dict[object, Box] = {}

    def box(self, art: Art) -> Box:
        """Where in its view box the art is."""
        found = self._boxes.get(art.key)
        if found is None:
            if len(self._boxes) > 20_000:
                self._boxes.clear()
            found = self._boxes[art.key] = probe(art.source(), art.view)
        return found

    def sticker(self, art: Art, span: float) -> Sticker:
        """The art with a longest side of at least ``span`` pixels, if the ladder reaches there."""
        longest = next((step for step in LADDER if step >= span), LADDER[-1])
        item = self._items.get((art.key, longest))
        if item is None:
            item = make_sticker(art.source(), self.box(art), longest)
            self._items[art.key, longest] = item
            self._held += _bytes(item)
            while self._held > self._limit and len(self._items) > 1:
                self._held -= _bytes(self._items.popitem(last=False)[1])
        else:
            self._items.move_to_end((art.key, longest))
        return item


def _bytes(item: Sticker) -> int:
    return 5 * item.mask.width * item.mask.height


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


def posed(image: Image.Image, pose: Pose) -> Image.Image:
    """Return a sticker's colors (RGB) or a coverage of it (L), scaled, tilted and mirrored."""
    width, height = image.size
    extent = pose.extent(width, height)
    way = Image.Resampling.BICUBIC if image.mode == "RGB" else Image.Resampling.BILINEAR
    fill = "white" if image.mode == "RGB" else 0
    if pose.half_tan == 0:
        if pose.mirrored:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        return image.resize(extent, way)
    c, s = pose.cos_sin
    k = 1 / pose.scale
    flip = -1 if pose.mirrored else 1
    a, b, d, e = flip * c * k, flip * s * k, -s * k, c * k
    cx, cy = extent[0] / 2, extent[1] / 2
    data = (a, b, width / 2 - a * cx - b * cy, d, e, height / 2 - d * cx - e * cy)
    return image.transform(extent, Image.Transform.AFFINE, data, way, fillcolor=fill)


def tilted(
    art: Art, box: Box, unit: float, pose: Pose, extent: tuple[int, int]
) -> tuple[Image.Image, Image.Image]:
    """The art rasterized as it stands, at ``unit`` pixels a view box unit, with its coverage.

    Both images have the size ``extent``, with the middle of ``box`` in their middle. The pose's
    scale is not used.
    """
    c, s = pose.cos_sin
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    flip = -1 if pose.mirrored else 1
    a, b = flip * c, flip * s
    values = (a, b, -s, c, cx - a * cx + s * cy, cy - b * cx - c * cy)
    transform = "matrix(" + " ".join(f"{v:.6f}" for v in values) + ")"
    half = (extent[0] / unit / 2, extent[1] / unit / 2)
    frame = (cx - half[0], cy - half[1], cx + half[0], cy + half[1])
    raster = rasterize(_framed(art.source(), frame, transform), extent[0])
    reach, _ = margins(max(box[2] - box[0], box[3] - box[1]) * unit)
    return _outlined(raster, extent, (0, 0), reach)
