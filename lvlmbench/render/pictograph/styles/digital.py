"""Styles of the screen: pixels, sensors, faults and light."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from lvlmbench.render.pictograph.picture import Picture
from lvlmbench.render.pictograph.styles import pixels, textures
from lvlmbench.render.pictograph.styles.registry import STYLES
from lvlmbench.render.pictograph.styles.textures import Rng


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
    heat = Image.composite(warm, cool, picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 2))))
    stops: list[tuple[int, pixels.Rgb]] = [(0, (4, 0, 44)), (50, (52, 0, 140)), (100, (150, 10, 150)), (145, (226, 50, 60)),
             (190, (252, 150, 10)), (228, (255, 226, 60)), (255, (255, 255, 230))]
    image = pixels.tone(heat, stops)
    left, right, top = size - pixels.unit(size, 38), size - pixels.unit(size, 16), pixels.unit(size, 60)
    bar = np.linspace(255, 0, size - 2 * top).astype(np.uint8)[:, None].repeat(right - left, axis=1)
    image.paste(pixels.tone(Image.fromarray(bar), stops), (left, top))
    pen = ImageDraw.Draw(image)
    pen.rectangle([left - 1, top - 1, right, size - top], outline=(255, 255, 255))
    middle, arm, gap = size // 2, pixels.unit(size, 26), pixels.unit(size, 8)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        pen.line([(middle + gap * dx, middle + gap * dy), (middle + arm * dx, middle + arm * dy)],
                 fill=(255, 255, 255), width=pixels.unit(size, 2))
    return image


@STYLES.register("glitch art")
def glitch(picture: Picture, rng: Rng) -> Image.Image:
    """Torn rows, split color channels, blocks of noise."""
    size = picture.image.width
    split = pixels.unit(size, 9)
    red, green, blue = picture.image.split()
    image = Image.merge("RGB", (pixels.shift(red, split, 0), green, pixels.shift(blue, -split, 0)))
    a = np.asarray(image).copy()
    box = picture.text_box
    tears = rng.random((17, 3)).tolist()
    for y, tall, move in tears:
        y0 = int(y * size)
        y1 = min(size, y0 + pixels.unit(size, 4 + 30 * tall * tall))
        if box is not None and y1 > box[1] and y0 < box[3]:
            continue
        a[y0:y1] = np.roll(a[y0:y1], int((move - 0.5) * 0.4 * size), axis=1)
        if move > 0.8:
            a[y0:y1, :, int(tall * 2.99)] = 255 - a[y0:y1, :, int(tall * 2.99)]
    for x, y, wide, tone in rng.random((20, 4)).tolist():
        x0, y0 = int(x * size), int(y * size)
        x1, y1 = x0 + pixels.unit(size, 18 + 90 * wide * wide), y0 + pixels.unit(size, 3 + 12 * tone)
        if box is not None and x1 > box[0] and x0 < box[2] and y1 > box[1] and y0 < box[3]:
            continue
        a[y0:y1, x0:x1] = ((0, 255, 240), (255, 0, 160), (250, 250, 60), (20, 20, 30))[int(tone * 3.99)]
    a[:: pixels.unit(size, 4, 2)] -= a[:: pixels.unit(size, 4, 2)] >> 2
    return Image.fromarray(a)


@STYLES.register("neon sign")
def neon(picture: Picture, rng: Rng) -> Image.Image:
    """Glowing colored tubes along the outlines, on a dark wall."""
    size = picture.image.width
    edges = pixels.contrast(picture.image, pixels.unit(size, 2))
    lines = Image.fromarray(edges).point(pixels.levels(46, 120))
    back = lines.point([v * 2 // 5 for v in range(256)])
    wide = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 3))).point(pixels.levels(0, 40))
    lines = Image.composite(lines, back, wide)
    half = max(1, size // 2)
    # The tube takes the strongest color near by, at full brightness.
    small = picture.image.resize((half, half), Image.Resampling.BOX)
    low = small.filter(ImageFilter.BoxBlur(2))
    a = np.asarray(low).astype(np.int32)
    least, most = a.min(axis=2, keepdims=True), a.max(axis=2, keepdims=True)
    vivid = (a - least) * 255 // np.maximum(most - least, 1)
    gray = (most - least) < 24
    vivid = np.where(gray, np.array([90, 220, 255]), vivid)
    color = Image.fromarray((40 + vivid * 215 // 255).astype(np.uint8))
    small_lines = lines.resize((half, half), Image.Resampling.BOX)
    lit = ImageChops.multiply(color, Image.merge("RGB", (small_lines,) * 3))
    glow = lit.filter(ImageFilter.BoxBlur(max(1, size // 128)))
    halo = glow.filter(ImageFilter.BoxBlur(max(2, size // 40))).point([min(255, v * 2) for v in range(256)] * 3)
    glow = ImageChops.add(halo, glow.point([min(255, v * 2) for v in range(256)] * 3))
    wall = pixels.flat(half, (14, 8, 30))
    image = ImageChops.screen(wall, glow).resize((size, size), Image.Resampling.BILINEAR)
    tubes = ImageChops.multiply(color.resize((size, size), Image.Resampling.BILINEAR).point(pixels.curve(90, 255) * 3),
                                Image.merge("RGB", (lines,) * 3))
    return ImageChops.lighter(image, tubes)


@lru_cache(maxsize=4)
def _letters(count: int, wide: int, tall: int) -> pixels.U8:
    """Characters from sparse to dense as gray tiles, shape (count, tall, wide)."""
    ramp = " .':;=+*oxO#%8@W"[:count]
    font = ImageFont.load_default_imagefont()
    tiles = []
    for letter in ramp:
        tile = Image.new("L", (6, 11))
        ImageDraw.Draw(tile).text((0, 0), letter, fill=255, font=font)
        tiles.append(np.asarray(tile.crop((0, 1, 6, 10)).resize((wide, tall), Image.Resampling.BILINEAR)))
    return np.stack(tiles)


@STYLES.register("ASCII art")
def ascii_art(picture: Picture, rng: Rng) -> Image.Image:
    """Rows of typewriter characters on black, dense where the picture is bright."""
    size = picture.image.width
    wide, tall = pixels.unit(size, 6, 3), pixels.unit(size, 9, 4)
    columns, rows = -(-size // wide), -(-size // tall)
    small = picture.image.resize((columns, rows), Image.Resampling.BOX)
    mask = np.asarray(picture.mask.resize((columns, rows), Image.Resampling.BOX)).astype(np.int32)
    gray = np.asarray(small.convert("L")).astype(np.int32)
    level = np.clip((gray * (150 + mask * 106 // 255) >> 8) * 16 // 256 + (mask > 100) * 2, 1, 15)
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
    ImageDraw.Draw(tile).ellipse([inset, inset, block * scale - inset, block * scale - inset], fill=255)
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
    big = small.resize((count * block, count * block), Image.Resampling.NEAREST).crop((0, 0, size, size))
    lights = ImageChops.multiply(big, Image.merge("RGB", (_bulbs(size, block),) * 3))
    return ImageChops.add(lights, pixels.flat(size, (8, 8, 12)))
