"""Texts on carriers: the largest lettering that fits, before the carrier is posed."""

from __future__ import annotations

import importlib.util
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.pictograph.carriers import Carrier
from lvlmbench.stages.render.kinds.pictograph.raster import Sticker

Box = tuple[int, int, int, int]

#: Typefaces of texts, file names without their ending: without serifs and narrow strokes, with
#: serifs, letters of one width, and the letters of a newspaper.
FACES = (
    "DejaVuSans-Bold",
    "DejaVuSerif-Bold",
    "DejaVuSansMono-Bold",
    "STIXGeneralBol",
    "DejaVuSans",
)

#: From line to line, in sizes of the letters.
_LEADING = 1.2


@cache
def font_folder() -> Path:
    """The typefaces that matplotlib's wheel carries (found without importing it).

    Raises
    ------
    UserError
        They are not there.
    """
    spec = importlib.util.find_spec("matplotlib")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / "mpl-data" / "fonts" / "ttf"
        if (path / "DejaVuSans.ttf").is_file():
            return path
    raise UserError(
        "render.renderer: pictograph",
        "the typefaces of matplotlib are not installed",
        "install requirements.lock",
    )


@lru_cache(maxsize=256)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A typeface at a size in pixels; basic layout, so that no shaping library is asked."""
    return ImageFont.truetype(
        str(font_folder() / f"{name}.ttf"), size, layout_engine=ImageFont.Layout.BASIC
    )


@lru_cache(maxsize=4096)
def _extent(name: str, size: int, text: str) -> tuple[int, int, int, int]:
    left, top, right, bottom = font(name, size).getbbox(text)
    return int(left), int(top), int(right), int(bottom)


def _block(name: str, size: int, lines: tuple[str, ...]) -> tuple[int, int]:
    """Return width and height of lines below one another, from ink to ink."""
    extents = [_extent(name, size, line) for line in lines]
    high = round(_LEADING * size) * (len(lines) - 1) + extents[-1][3] - extents[0][1]
    return max(right - left for left, _, right, _ in extents), high


def fit(name: str, lines: tuple[str, ...], width: float, height: float) -> int:
    """Return the largest size in pixels, at least 1, at which lines fit ``width`` by ``height``."""
    wide, high = _block(name, 100, lines)
    size = int(100 * min(width / max(wide, 1), height / max(high, 1)))
    while size > 1:
        wide, high = _block(name, size, lines)
        if wide <= width and high <= height:
            break
        size -= 1
    return max(size, 1)


def _set(name: str, text: str, width: float, height: float) -> tuple[int, tuple[str, ...]]:
    """Return the size and the lines of a text: in one line, or each word in its own, whichever is
    larger."""
    # A short word is not blown up to the area's whole height: it should look written, not cut.
    sizes = {
        lines: fit(name, lines, width * 0.96, min(height * 0.92, width * 0.34 * len(lines)))
        for lines in ((text,), tuple(text.split()))
    }
    lines = max(sizes, key=sizes.__getitem__)
    return sizes[lines], lines


def written(
    sticker: Sticker, carrier: Carrier, text: str, ink: str, face: str
) -> tuple[Image.Image, Image.Image, Box]:
    """Return the carrier with a text in the middle of its area, the text's coverage and its box."""
    unit, (ox, oy) = sticker.unit, sticker.origin
    x0, y0, x1, y1 = carrier.area
    width, height = (x1 - x0) * unit, (y1 - y0) * unit
    size, lines = _set(face, text, width, height)
    wide, high = _block(face, size, lines)
    x, y = ox + x0 * unit + (width - wide) / 2, oy + y0 * unit + (height - high) / 2
    corner = (round(x), round(y))
    rgb = sticker.rgb.copy()
    coverage = Image.new("L", rgb.size)
    down = corner[1] - _extent(face, size, lines[0])[1]
    for i, line in enumerate(lines):
        left, _, right, _ = _extent(face, size, line)
        at = (corner[0] - left + (wide - (right - left)) // 2, down + i * round(_LEADING * size))
        for image, fill in ((rgb, ink), (coverage, 255)):
            ImageDraw.Draw(image).text(at, line, fill=fill, font=font(face, size))
    return rgb, coverage, coverage.getbbox() or (*corner, *corner)


def carrier_svg(carrier: Carrier, palette: tuple[str, str, str]) -> str:
    """The empty carrier in these colors."""
    body = carrier.body.replace("{a}", palette[0]).replace("{b}", palette[1])
    width, height = carrier.view
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )
