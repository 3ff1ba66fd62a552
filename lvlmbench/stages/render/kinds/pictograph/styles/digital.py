"""Styles of the screen: pixels, sensors, faults and light."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.styles import pixels
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng


@STYLES.register("flat illustration")
def flat_illustration(picture: Picture, rng: Rng) -> Image.Image:
    """The composition as it is: even fills and clean outlines."""
    return picture.image.copy()


@STYLES.register("pixel art")
def pixel_art(picture: Picture, rng: Rng) -> Image.Image:
    """Large square pixels from a small palette."""
    size = picture.image.width
    block = pixels.unit(size, 8)
    count = -(-size // block)
    small = picture.image.resize((count, count), Image.Resampling.BOX)
    # Darkest corner of each block mixed in: thin outlines survive.
    dark = ImageChops.darker(small, picture.image.resize((count, count), Image.Resampling.NEAREST))
    small = pixels.saturate(Image.blend(small, dark, 0.5), 124)
    small = small.quantize(26, Image.Quantize.MEDIANCUT, kmeans=0, dither=Image.Dither.NONE)
    big = small.convert("RGB").resize((count * block, count * block), Image.Resampling.NEAREST)
    return big.crop((0, 0, size, size))


@STYLES.register("thermal image")
def thermal(picture: Picture, rng: Rng) -> Image.Image:
    """False colors of an infrared camera: the subject warm, the rest cool, a scale at the side."""
    size = picture.image.width
    gray = picture.image.convert("L")
    warm = pixels.soft(gray, pixels.unit(size, 2)).point(pixels.curve(110, 255))
    cool = pixels.soft(gray, pixels.unit(size, 4)).point(pixels.curve(6, 112))
    heat = Image.composite(
        warm, cool, picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 2)))
    )
    stops: list[tuple[int, pixels.Rgb]] = [
        (0, (4, 0, 44)),
        (50, (52, 0, 140)),
        (100, (150, 10, 150)),
        (145, (226, 50, 60)),
        (190, (252, 150, 10)),
        (228, (255, 226, 60)),
        (255, (255, 255, 230)),
    ]
    image = pixels.tone(heat, stops)
    left, right, top = (
        size - pixels.unit(size, 38),
        size - pixels.unit(size, 16),
        pixels.unit(size, 60),
    )
    bar = np.linspace(255, 0, size - 2 * top).astype(np.uint8)[:, None].repeat(right - left, axis=1)
    image.paste(pixels.tone(Image.fromarray(bar), stops), (left, top))
    pen = ImageDraw.Draw(image)
    pen.rectangle([left - 1, top - 1, right, size - top], outline=(255, 255, 255))
    middle, arm, gap = size // 2, pixels.unit(size, 26), pixels.unit(size, 8)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        pen.line(
            [(middle + gap * dx, middle + gap * dy), (middle + arm * dx, middle + arm * dy)],
            fill=(255, 255, 255),
            width=pixels.unit(size, 2),
        )
    return image


@STYLES.register("glitch art")
def glitch(picture: Picture, rng: Rng) -> Styled:
    """Torn rows, split color channels, blocks of noise."""
    size = picture.image.width
    split = pixels.unit(size, 5)
    red, green, blue = picture.image.split()
    image = Image.merge("RGB", (pixels.shift(red, split, 0), green, pixels.shift(blue, -split, 0)))
    a, ids = np.asarray(image).copy(), np.asarray(ids_of(picture)).copy()
    keep = picture.text_box or (0, 0, 0, 0)
    top, low = _rows_of(picture.mask)
    for y, tall, move in rng.random((22, 3)).tolist():
        y0 = int(y * size)
        y1 = min(size, y0 + pixels.unit(size, 4 + 26 * tall * tall))
        if y1 > keep[1] and y0 < keep[3]:
            continue
        # The subject is torn a little, what lies above and below it a lot.
        reach = 0.06 if y1 > top and y0 < low else 0.5
        a[y0:y1] = np.roll(a[y0:y1], int((move - 0.5) * reach * size), axis=1)
        ids[y0:y1] = np.roll(ids[y0:y1], int((move - 0.5) * reach * size), axis=1)
        if move > 0.75 and reach > 0.2:
            a[y0:y1, :, int(tall * 2.99)] = 255 - a[y0:y1, :, int(tall * 2.99)]
    subject = picture.mask.getbbox() or (0, 0, 0, 0)
    whole = Image.fromarray(ids.copy())
    inset = (subject[2] - subject[0]) // 6
    for x, y, wide, tone in rng.random((34, 4)).tolist():
        x0, y0 = int(x * size), int(y * size)
        x1, y1 = (
            x0 + pixels.unit(size, 18 + 90 * wide * wide),
            y0 + pixels.unit(size, 3 + 12 * tone),
        )
        within = y1 > subject[1] and y0 < subject[3]
        if within and x1 > subject[0] + inset and x0 < subject[2] - inset:
            continue
        color = ((0, 255, 240), (255, 0, 160), (250, 250, 60), (20, 20, 30))[int(tone * 3.99)]
        a[y0:y1, x0:x1] = color
        ids[y0:y1, x0:x1] = 0
    step = pixels.unit(size, 4, 2)
    a[::step] -= a[::step] >> 2
    return Styled(Image.fromarray(a), Image.fromarray(ids), whole)


def _rows_of(mask: Image.Image) -> tuple[int, int]:
    """First and last row of the foreground."""
    box = mask.getbbox()
    return (0, 0) if box is None else (box[1], box[3])


@STYLES.register("neon sign")
def neon(picture: Picture, rng: Rng) -> Image.Image:
    """Glowing colored tubes along the outlines, on a dark wall."""
    size = picture.image.width
    edges = pixels.contrast(picture.image, pixels.unit(size, 2))
    lines = edges.point(pixels.levels(46, 120))
    back = lines.point([v * 2 // 5 for v in range(256)])
    near = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 3))).point(
        pixels.levels(0, 40)
    )
    lines = Image.composite(lines, back, near)
    half, quarter = max(1, size // 2), max(1, size // 4)
    color = _vivid(picture.image.resize((quarter, quarter), Image.Resampling.BOX))
    color = color.resize((half, half), Image.Resampling.BILINEAR)
    thin = lines.resize((half, half), Image.Resampling.BOX)
    lit = ImageChops.multiply(color, Image.merge("RGB", (thin, thin, thin)))
    twice = [min(255, v * 2) for v in range(256)] * 3
    glow = lit.filter(ImageFilter.BoxBlur(max(1, size // 128)))
    halo = glow.filter(ImageFilter.BoxBlur(max(2, size // 40))).point(twice)
    wall = ImageChops.screen(
        pixels.flat(half, (14, 8, 30)), ImageChops.add(halo, glow.point(twice))
    )
    color = color.resize((size, size), Image.Resampling.NEAREST).point(pixels.curve(90, 255) * 3)
    tubes = ImageChops.multiply(color, Image.merge("RGB", (lines, lines, lines)))
    return ImageChops.lighter(wall.resize((size, size), Image.Resampling.BILINEAR), tubes)


def _vivid(image: Image.Image) -> Image.Image:
    """Each pixel's hue at full strength; cyan where it has none."""
    a = np.asarray(image.filter(ImageFilter.BoxBlur(1))).astype(np.int32)
    least, most = a.min(axis=2, keepdims=True), a.max(axis=2, keepdims=True)
    vivid = (a - least) * 255 // np.maximum(most - least, 1)
    vivid = np.where(most - least < 24, np.array([90, 220, 255]), vivid)
    return Image.fromarray((40 + vivid * 215 // 255).astype(np.uint8))


@lru_cache(maxsize=4)
def _letters(count: int, wide: int, tall: int) -> pixels.U8:
    """Characters from sparse to dense as gray tiles, shape (count, tall, wide)."""
    ramp = " .':;=+*oxO#%8@W"[:count]
    font = ImageFont.load_default_imagefont()
    tiles = []
    for letter in ramp:
        tile = Image.new("L", (6, 11))
        ImageDraw.Draw(tile).text((0, 0), letter, fill=255, font=font)
        tiles.append(
            np.asarray(tile.crop((0, 2, 6, 10)).resize((wide, tall), Image.Resampling.BILINEAR))
        )
    return np.stack(tiles)


@STYLES.register("ASCII art")
def ascii_art(picture: Picture, rng: Rng) -> Image.Image:
    """Rows of typewriter characters on black, dense where the picture is bright."""
    size = picture.image.width
    wide, tall = pixels.unit(size, 6, 3), pixels.unit(size, 8, 4)
    columns, rows = -(-size // wide), -(-size // tall)
    small = picture.image.resize((columns, rows), Image.Resampling.BOX)
    mask = np.asarray(picture.mask.resize((columns, rows), Image.Resampling.BOX)).astype(np.int32)
    gray = np.asarray(small.convert("L")).astype(np.int32)
    level = np.clip(
        (gray * (190 + mask * 66 // 255) >> 8) * 14 // 256 + 2 + (mask > 100) * 2, 1, 15
    )
    tiles = _letters(16, wide, tall)[level]
    page = tiles.transpose(0, 2, 1, 3).reshape(rows * tall, columns * wide)[:size, :size]
    a = np.asarray(small).astype(np.int32)
    most = np.maximum(a.max(axis=2, keepdims=True), 1)
    bright = (a * 255 // most).astype(np.uint8)
    color = Image.fromarray(bright).resize((columns * wide, rows * tall), Image.Resampling.NEAREST)
    letters = Image.fromarray(np.ascontiguousarray(page))
    return ImageChops.multiply(color.crop((0, 0, size, size)), Image.merge("RGB", (letters,) * 3))


@lru_cache(maxsize=8)
def _bulbs(size: int, block: int) -> Image.Image:
    """One round light a block, gray."""
    count = -(-size // block)
    scale = 8
    tile = Image.new("L", (block * scale, block * scale))
    inset = scale * block // 10
    ImageDraw.Draw(tile).ellipse(
        [inset, inset, block * scale - inset, block * scale - inset], fill=255
    )
    tile = tile.resize((block, block), Image.Resampling.BOX)
    a = np.tile(np.asarray(tile), (count, count))[:size, :size]
    return Image.fromarray(np.ascontiguousarray(a))


@STYLES.register("LED display")
def led_display(picture: Picture, rng: Rng) -> Image.Image:
    """A board of round colored lights on black."""
    size = picture.image.width
    block = pixels.unit(size, 7)
    count = -(-size // block)
    small = pixels.saturate(picture.image.resize((count, count), Image.Resampling.BOX), 150)
    small = small.point([(v * 5 + 128) // 255 * 51 for v in range(256)] * 3)
    big = small.resize((count * block, count * block), Image.Resampling.NEAREST).crop(
        (0, 0, size, size)
    )
    lights = ImageChops.multiply(big, Image.merge("RGB", (_bulbs(size, block),) * 3))
    return ImageChops.add(lights, pixels.flat(size, (8, 8, 12)))
