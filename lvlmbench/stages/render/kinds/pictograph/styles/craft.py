"""Handicraft: mosaic, glass, facets, thread, wool, bricks, cut paper, stone."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.styles import cells, pixels, textures
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng, to_l


def _grooves(image: Image.Image, light: pixels.U8, color: pixels.Rgb) -> Image.Image:
    """Relief by ``light``; where it is 0, the color of what lies between the cells."""
    gap = to_l(light).point([255] + [0] * 255)
    return Image.composite(pixels.flat(image.width, color), pixels.shade(image, light), gap)


@STYLES.register("mosaic")
def mosaic(picture: Picture, rng: Rng) -> Image.Image:
    """Hand-laid stone tiles with pale grout."""
    size = picture.image.width
    fine = cells.tiles(size, pixels.unit(size, 8, 4), pixels.unit(size, 1), pixels.unit(size, 3))
    coarse = cells.tiles(
        size, pixels.unit(size, 10, 5), pixels.unit(size, 1.4), pixels.unit(size, 8)
    )
    vivid = pixels.saturate(picture.image, 130)
    image, light = cells.assemble(vivid, picture.mask, fine, coarse, rng, 17, (2, 2))
    return _grooves(image, light, (92, 86, 82))


@STYLES.register("stained glass")
def stained_glass(picture: Picture, rng: Rng) -> Image.Image:
    """Glowing panes of saturated glass in black lead."""
    size = picture.image.width
    fine = cells.shards(size, pixels.unit(size, 22, 4), pixels.unit(size, 1.4))
    coarse = cells.shards(size, pixels.unit(size, 38, 8), pixels.unit(size, 2.4))
    quarter = max(1, size // 4)
    # Panes take the brightest color near by: thin dark outlines become lead and not dark glass.
    small = picture.image.resize((quarter, quarter), Image.Resampling.BOX)
    clear = Image.merge("RGB", [band.filter(ImageFilter.MaxFilter(5)) for band in small.split()])
    clear = pixels.saturate(clear, 150).resize((size, size), Image.Resampling.NEAREST)
    image, light = cells.assemble(clear, picture.mask, fine, coarse, rng, 22, (1, 4))
    glow = (textures.mottle(size, rng, 25) >> 2) + np.uint8(98)
    lead = np.minimum(glow, light)
    image = _grooves(image, lead, _LEAD)
    outline = pixels.contrast(Image.merge("RGB", (picture.mask,) * 3), pixels.unit(size, 4))
    dark = picture.image.convert("L").point([255 if v < 64 else 0 for v in range(256)])
    inner = ImageChops.multiply(dark, picture.mask)
    return Image.composite(pixels.flat(size, _LEAD), image, ImageChops.lighter(inner, outline))


_LEAD: pixels.Rgb = (18, 16, 22)


@STYLES.register("low poly")
def low_poly(picture: Picture, rng: Rng) -> Image.Image:
    """Flat-shaded triangles."""
    size = picture.image.width
    fine = cells.facets(size, pixels.unit(size, 12, 3))
    coarse = cells.facets(size, pixels.unit(size, 22, 5))
    image, _ = cells.assemble(picture.image, picture.mask, fine, coarse, rng, 12, (3, 4))
    return image


def _per_block(picture: Picture, block: int, steps: int) -> Image.Image:
    """Mean color of each block as one pixel, few levels a channel."""
    size = picture.image.width
    count = -(-size // block)
    small = picture.image.resize((count, count), Image.Resampling.BOX)
    dark = ImageChops.darker(small, picture.image.resize((count, count), Image.Resampling.NEAREST))
    small = pixels.saturate(Image.blend(small, dark, 0.4), 118)
    step = 255 // steps
    return small.point([(v + step // 2) // step * step for v in range(256)] * 3)


def _stamp(small: Image.Image, tile: pixels.U8, size: int) -> Image.Image:
    """Each pixel of ``small`` as a block with the gray relief ``tile``."""
    block, count = tile.shape[0], small.width
    whole = (count * block, count * block)
    big = small.resize(whole, Image.Resampling.NEAREST).crop((0, 0, size, size))
    return pixels.shade(big, np.tile(tile, (count, count))[:size, :size])


@lru_cache(maxsize=8)
def _cross(block: int) -> pixels.U8:
    """One cross-stitch: two crossing threads, the upper one lit, over shaded cloth."""
    n = block * 8
    tile = Image.new("L", (n, n), 78)
    pen = ImageDraw.Draw(tile)
    low, high, wide = n // 9, n - n // 9, n * 5 // 16
    for ends, gray in (
        ([(low, high), (high, low)], 122),
        ([(low, low), (high, high)], 150),
    ):
        pen.line(ends, fill=94, width=wide)
        pen.line(ends, fill=gray, width=wide * 3 // 4)
    return np.asarray(tile.resize((block, block), Image.Resampling.BOX))


@STYLES.register("cross-stitch embroidery")
def cross_stitch(picture: Picture, rng: Rng) -> Image.Image:
    """Crosses of thread on a grid of cloth."""
    size = picture.image.width
    block = pixels.unit(size, 8, 3)
    return _stamp(_per_block(picture, block, 7), _cross(block), size)


@lru_cache(maxsize=8)
def _knit(block: int) -> pixels.U8:
    """One V of stocking stitch."""
    scale = 8
    n = block * scale
    tile = Image.new("L", (n, n), 62)
    pen = ImageDraw.Draw(tile)
    for dy in (-n, 0, n):
        for wide, gray in ((n * 5 // 12, 96), (n * 3 // 10, 132), (n // 9, 150)):
            pen.line(
                [(n // 10, dy + n // 12), (n // 2 - n // 12, dy + n * 10 // 12)],
                fill=gray,
                width=wide,
            )
            pen.line(
                [(n - n // 10, dy + n // 12), (n // 2 + n // 12, dy + n * 10 // 12)],
                fill=gray,
                width=wide,
            )
    return np.asarray(tile.resize((block, block), Image.Resampling.BOX))


@STYLES.register("knitted wool")
def knitted(picture: Picture, rng: Rng) -> Image.Image:
    """Rows of V-shaped stitches of soft yarn."""
    size = picture.image.width
    block = pixels.unit(size, 8, 4)
    small = _per_block(picture, block, 7)
    fuzz = to_l(textures.hatch(size, rng, 7, 1, 1)).point(pixels.curve(112, 144))
    return pixels.shade(_stamp(small, _knit(block), size), np.asarray(fuzz))


@lru_cache(maxsize=8)
def _stud(block: int) -> pixels.U8:
    """One plate with a round stud lit from the top left."""
    scale = 8
    n = block * scale
    tile = Image.new("L", (n, n), 116)
    pen = ImageDraw.Draw(tile)
    pen.rectangle([0, 0, n, scale - 1], fill=142)
    pen.rectangle([0, 0, scale - 1, n], fill=142)
    pen.rectangle([0, n - scale, n, n], fill=78)
    pen.rectangle([n - scale, 0, n, n], fill=78)
    r, c = n * 5 // 16, n // 2
    pen.ellipse([c - r + scale, c - r + scale, c + r + scale, c + r + scale], fill=62)
    pen.ellipse([c - r, c - r, c + r, c + r], fill=196)
    pen.ellipse([c - r + scale, c - r + scale, c + r, c + r], fill=134)
    return np.asarray(tile.resize((block, block), Image.Resampling.BOX))


@STYLES.register("toy bricks")
def toy_bricks(picture: Picture, rng: Rng) -> Image.Image:
    """A board of small studded plastic bricks in a limited set of colors."""
    size = picture.image.width
    block = pixels.unit(size, 10, 4)
    small = _per_block(picture, block, 5)
    return _stamp(small, _stud(block), size)


@STYLES.register("paper cutout")
def paper_cutout(picture: Picture, rng: Rng) -> Image.Image:
    """Layers of plain colored paper with cut edges and soft shadows."""
    size = picture.image.width
    step = 40
    few = picture.image.point(
        [min(255, (v + step // 2) // step * step + 8) for v in range(256)] * 3
    )
    base = Image.composite(picture.image, few, picture.mask)
    depth = base.convert("L").point([v // 36 * 36 for v in range(256)])
    # Brighter paper lies higher: its edge throws a shadow down and right.
    far = pixels.unit(size, 5)
    cast = ImageChops.subtract(pixels.shift(depth, far, far), depth).point(
        [min(150, v * 3) for v in range(256)]
    )
    shadow = cast.filter(ImageFilter.BoxBlur(pixels.unit(size, 2)))
    sheet = pixels.unit(size, 12)
    drop = pixels.soft(pixels.shift(picture.mask, sheet, sheet), pixels.unit(size, 6)).point(
        pixels.curve(0, 150)
    )
    rim = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 5))).point(
        pixels.levels(20, 60)
    )
    dark = pixels.flat(size, (24, 18, 30))
    image = Image.composite(dark, base, shadow)
    image = Image.composite(dark, image, drop)
    image = Image.composite(pixels.flat(size, (252, 250, 244)), image, rim)
    image = Image.composite(base, image, picture.mask)
    tooth = textures.mottle(size, rng, 5).astype(np.int16) >> 4
    return pixels.shade(image, (119 + tooth).astype(np.uint8))


@STYLES.register("stone relief")
def stone_relief(picture: Picture, rng: Rng) -> Image.Image:
    """Carved in gray stone: only light and shadow of edges, no paint."""
    size = picture.image.width
    gray = picture.image.convert("L")
    raised = Image.blend(gray.filter(ImageFilter.BoxBlur(pixels.unit(size, 1))), picture.mask, 0.45)
    raised = raised.filter(ImageFilter.BoxBlur(pixels.unit(size, 2)))
    reach = pixels.unit(size, 3)
    a = np.asarray(raised).astype(np.int16)
    slope = np.zeros_like(a)
    slope[reach:, reach:] = a[reach:, reach:] - a[:-reach, :-reach]
    inside = np.asarray(picture.mask) > 127
    stone = 118 + (textures.mottle(size, rng, 41) >> 3) + np.where(inside, 26, -8)
    stone = stone + (textures.grain(size, rng) >> 4) + (textures.mottle(size, rng, 3) >> 4)
    lit = np.clip(stone + slope * np.where(inside, 8, 3) // 3, 0, 255).astype(np.uint8)
    return pixels.tone(
        to_l(lit), [(0, (30, 28, 26)), (140, (138, 132, 122)), (255, (250, 246, 236))]
    )
