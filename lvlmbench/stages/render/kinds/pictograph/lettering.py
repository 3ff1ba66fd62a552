"""Words on carriers: the largest lettering that fits, before the carrier is posed."""

from __future__ import annotations

import importlib.util
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.pictograph.carriers import Carrier
from lvlmbench.stages.render.kinds.pictograph.raster import Sticker

Box = tuple[int, int, int, int]


@cache
def font_folder() -> Path:
    """The DejaVu typefaces that matplotlib's wheel carries (found without importing it).

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
        "the DejaVu typefaces of matplotlib are not installed",
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


def fit(name: str, text: str, width: float, height: float) -> int:
    """The largest size in pixels, at least 1, at which ``text`` fits ``width`` by ``height``."""
    left, top, right, bottom = _extent(name, 100, text)
    size = int(100 * min(width / max(right - left, 1), height / max(bottom - top, 1)))
    while size > 1:
        left, top, right, bottom = _extent(name, size, text)
        if right - left <= width and bottom - top <= height:
            break
        size -= 1
    return max(size, 1)


def written(
    sticker: Sticker, carrier: Carrier, text: str, ink: str
) -> tuple[Image.Image, Image.Image, Box]:
    """Return the carrier with a word in the middle of its area, the word's coverage and its box."""
    unit, (ox, oy) = sticker.unit, sticker.origin
    x0, y0, x1, y1 = carrier.area
    width, height = (x1 - x0) * unit, (y1 - y0) * unit
    # A short word is not blown up to the area's whole height: it should look written, not cut.
    size = fit(carrier.font, text, width * 0.96, min(height * 0.92, width * 0.34))
    left, top, right, bottom = _extent(carrier.font, size, text)
    x = ox + x0 * unit + (width - (right - left)) / 2
    y = oy + y0 * unit + (height - (bottom - top)) / 2
    corner = (round(x), round(y))
    rgb = sticker.rgb.copy()
    coverage = Image.new("L", rgb.size)
    for image, fill in ((rgb, ink), (coverage, 255)):
        at = (corner[0] - left, corner[1] - top)
        ImageDraw.Draw(image).text(at, text, fill=fill, font=font(carrier.font, size))
    return rgb, coverage, (corner[0], corner[1], corner[0] + right - left, corner[1] + bottom - top)


def carrier_svg(carrier: Carrier, palette: tuple[str, str, str]) -> str:
    """The empty carrier in these colors."""
    body = carrier.body.replace("{a}", palette[0]).replace("{b}", palette[1])
    width, height = carrier.view
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )
