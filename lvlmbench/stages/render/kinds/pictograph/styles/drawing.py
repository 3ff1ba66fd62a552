"""Drawn styles: pencil, chalk, crayon, pen, plans."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.styles import pixels, textures
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng, to_l


def _outline(image: Image.Image, reach: float, low: int, high: int) -> Image.Image:
    """Edges of any color as dark lines on white."""
    edges = pixels.contrast(image, pixels.unit(image.width, reach))
    return edges.point([255 - v for v in pixels.levels(low, high)])


@STYLES.register("pencil sketch")
def pencil(picture: Picture, rng: Rng) -> Image.Image:
    """Gray graphite lines and hatching on white paper."""
    size = picture.image.width
    image = textures.waver(picture, rng, 24, pixels.unit(size, 3))
    gray = image.convert("L")
    lines = _outline(image, 2, 18, 110)
    light = gray.point(pixels.curve(40, 255))
    strokes = textures.hatch(size, rng, 25, 1, 1)
    cross = textures.hatch(size, rng, 25, 1, -1)
    g = np.asarray(light)
    # Streaks brighter than the tone stay paper: darker areas fill up, the darkest cross-hatched.
    shade = np.where(strokes > g, 150, 255)
    shade[cross > np.minimum(g.astype(np.int16) * 2, 255)] = 96
    hatched = to_l(shade.astype(np.uint8)).filter(ImageFilter.BoxBlur(pixels.unit(size, 1) * 0.5))
    lines = lines.point(pixels.curve(48, 255))
    page = ImageChops.multiply(lines, hatched)
    tooth = to_l(textures.grain(size, rng)).point(pixels.curve(0, 60))
    page = ImageChops.lighter(page, tooth)
    return pixels.tone(page, [(0, (44, 44, 50)), (255, (251, 250, 246))])


@STYLES.register("chalk drawing")
def chalk(picture: Picture, rng: Rng) -> Image.Image:
    """Dusty colored chalk on a dark green board."""
    size = picture.image.width
    image = textures.waver(picture, rng, 24, pixels.unit(size, 3))
    board = pixels.tone(
        to_l(textures.mottle(size, rng, 60)), [(0, (30, 62, 52)), (255, (46, 82, 70))]
    )
    lines = _outline(image, 3, 20, 80).point([255 - v for v in range(256)])
    color = pixels.saturate(image, 130).point(pixels.curve(80, 255) * 3)
    rub = textures.hatch(size, rng, 17, 3, 1).astype(np.int16)
    tooth = textures.grain(size, rng).astype(np.int16)
    lit = np.asarray(image.convert("L")).astype(np.int16)
    inside = np.asarray(picture.mask) > 127
    fill = lit * 5 // 8 + np.where(inside, 80, 34) + (rub - 128) // 2 + (tooth - 128) // 2
    drawn = np.asarray(lines).astype(np.int16) - (tooth >> 1)
    cover = np.clip(np.maximum(fill, drawn), 0, 235).astype(np.uint8)
    color = Image.composite(color.point(pixels.curve(150, 255) * 3), color, lines)
    return Image.composite(color, board, to_l(cover))


@STYLES.register("crayon drawing")
def crayon(picture: Picture, rng: Rng) -> Image.Image:
    """Waxy strokes that skip over the tooth of white paper, with thick wobbly outlines."""
    size = picture.image.width
    image = textures.waver(picture, rng, 40, pixels.unit(size, 6))
    small = pixels.saturate(image, 150)
    color = small.point([min(255, (v * 6 // 255) * 42 + 20) for v in range(256)] * 3)
    wax = textures.hatch(size, rng, 31, 3, -1).astype(np.int16)
    tooth = textures.mottle(size, rng, 3).astype(np.int16)
    gray = np.asarray(image.convert("L")).astype(np.int16)
    inside = np.asarray(picture.mask) > 127
    cover = np.clip(
        (np.where(inside, 330, 250) - gray // 3 - wax * 3 // 5 - tooth // 2) * 3, 0, 255
    )
    page = Image.composite(color, pixels.flat(size, (252, 250, 244)), to_l(cover.astype(np.uint8)))
    lines = np.asarray(_outline(image, 4, 40, 110)).astype(np.int16)
    lines = np.clip(np.maximum(lines, tooth * 2 - 250), 0, 255)
    dark = color.point([v // 3 for v in range(256)] * 3)
    return Image.composite(page, dark, to_l(lines.astype(np.uint8)))


@STYLES.register("coloring book page")
def coloring_book(picture: Picture, rng: Rng) -> Image.Image:
    """Even black outlines on white, nothing filled in."""
    size = picture.image.width
    lines = _outline(picture.image, 3, 26, 70)
    back = _outline(picture.image, 2, 40, 110).point(pixels.curve(120, 255))
    near = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 3))).point(
        pixels.levels(0, 30)
    )
    page = Image.composite(lines, back, near)
    return Image.merge("RGB", (page, page, page))


@STYLES.register("blueprint")
def blueprint(picture: Picture, rng: Rng) -> Image.Image:
    """White construction lines over a fine grid on blue paper, with a title block."""
    size = picture.image.width
    lines = _outline(picture.image, 2, 30, 90).point([255 - v for v in range(256)])
    faint = lines.point(pixels.curve(0, 120))
    near = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 2))).point(
        pixels.levels(0, 30)
    )
    lines = Image.composite(lines, faint, near)
    paper = pixels.tone(
        to_l(textures.mottle(size, rng, 40)), [(0, (22, 66, 140)), (255, (32, 82, 160))]
    )
    pen = ImageDraw.Draw(paper)
    step = pixels.unit(size, 16, 4)
    start = int(rng.integers(0, step))
    for k, at in enumerate(range(start, size, step)):
        tone = (70, 118, 190) if k % 4 == 0 else (44, 94, 172)
        pen.line([(at, 0), (at, size)], fill=tone)
        pen.line([(0, at), (size, at)], fill=tone)
    white = pixels.flat(size, (236, 244, 255))
    page = Image.composite(white, paper, lines)
    pen = ImageDraw.Draw(page)
    edge, thick = pixels.unit(size, 12), pixels.unit(size, 2)
    pen.rectangle(
        [edge, edge, size - 1 - edge, size - 1 - edge], outline=(226, 238, 255), width=thick
    )
    x, y = size - pixels.unit(size, 150), size - pixels.unit(size, 62)
    pen.rectangle(
        [x, y, size - 1 - edge, size - 1 - edge],
        fill=(24, 70, 146),
        outline=(226, 238, 255),
        width=thick,
    )
    pen.line(
        [(x, (y + size - edge) // 2), (size - edge, (y + size - edge) // 2)], fill=(226, 238, 255)
    )
    pen.line([((x + size) // 2, y), ((x + size) // 2, size - edge)], fill=(226, 238, 255))
    box = picture.mask.getbbox()
    if box is not None:
        left, right, low = box[0], box[2] - 1, min(size - edge * 2, box[3] + edge)
        pen.line([(left, low), (right, low)], fill=(226, 238, 255))
        arrow = pixels.unit(size, 6)
        for px, way in ((left, 1), (right, -1)):
            pen.line([(px, low - arrow), (px, low + arrow)], fill=(226, 238, 255))
            pen.polygon(
                [
                    (px, low),
                    (px + way * 2 * arrow, low - arrow // 2),
                    (px + way * 2 * arrow, low + arrow // 2),
                ],
                fill=(226, 238, 255),
            )
    return page


@STYLES.register("ballpoint pen doodle")
def ballpoint(picture: Picture, rng: Rng) -> Image.Image:
    """Blue pen lines and scribbled shading on ruled paper with a red margin."""
    size = picture.image.width
    image = textures.waver(picture, rng, 24, pixels.unit(size, 3))
    paper = pixels.flat(size, (250, 250, 244))
    pen = ImageDraw.Draw(paper)
    step = pixels.unit(size, 26, 4)
    for y in range(step + int(rng.integers(0, step)), size, step):
        pen.line([(0, y), (size, y)], fill=(170, 200, 232), width=pixels.unit(size, 1.4))
    margin = pixels.unit(size, 52)
    pen.line([(margin, 0), (margin, size)], fill=(236, 120, 130), width=pixels.unit(size, 2))
    for k in range(3):
        y, r = size * (2 * k + 1) // 6, pixels.unit(size, 10)
        pen.ellipse([margin // 2 - r, y - r, margin // 2 + r, y + r], fill=(176, 170, 164))
    lines = _outline(image, 2, 22, 70)
    gray = np.asarray(image.convert("L")).astype(np.int16)
    inside = np.asarray(picture.mask) > 127
    scribble = textures.hatch(size, rng, 35, 2, 1)
    dark = scribble.astype(np.int16) > np.where(inside, gray + 40, gray // 2 + 170)
    shade = np.where(dark, 110, 255).astype(np.uint8)
    drawn = ImageChops.multiply(lines, to_l(shade))
    return Image.composite(paper, pixels.flat(size, (28, 44, 150)), drawn)
