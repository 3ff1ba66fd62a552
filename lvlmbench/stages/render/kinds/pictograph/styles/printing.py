"""Printed styles: comic, pop art, woodcut, risograph, newspaper."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import sine
from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of, shifted
from lvlmbench.stages.render.kinds.pictograph.styles import pixels, textures
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng, to_l


@lru_cache(maxsize=16)
def screen(size: int, pitch: int) -> Image.Image:
    """Halftone screen at 45 degrees: gray levels whose share below t makes round dots grow."""
    line = np.arange(size, dtype=np.float64)
    wave = sine(line / (pitch * 2))
    both = wave[:, None] * wave[None, :]
    # The product's own share of area a level is evened out by rank.
    fine = ((both + 1) * 2047).astype(np.int64)
    below = np.cumsum(np.bincount(fine.ravel(), minlength=4095))
    return Image.fromarray((np.maximum(below - 1, 0) * 256 // fine.size).astype(np.uint8)[fine])


def halftone(gray: Image.Image, pattern: Image.Image) -> Image.Image:
    """Ink coverage as dots: 255 is paper, 0 ink, soft at the rim."""
    sharp = ImageChops.subtract(gray, pattern, scale=1, offset=128)
    return sharp.point(pixels.levels(112, 144))


def _outline(picture: Picture, reach: float, low: int, high: int) -> Image.Image:
    edges = pixels.contrast(picture.image, pixels.unit(picture.image.width, reach))
    return edges.point([255 - v for v in pixels.levels(low, high)])


@STYLES.register("comic book")
def comic(picture: Picture, rng: Rng) -> Image.Image:
    """Few bright inks, dot screens in the shades, black outlines, a panel frame."""
    size = picture.image.width
    few = pixels.saturate(picture.image, 150).point([(v + 21) // 42 * 42 for v in range(256)] * 3)
    gray = picture.image.convert("L").point(pixels.curve(96, 255))
    dots = halftone(gray, screen(size, pixels.unit(size, 3, 2)))
    dots = Image.composite(
        Image.new("L", (size, size), 255), dots, picture.mask.point(pixels.curve(0, 120))
    )
    shaded = few.point([v * 5 // 8 for v in range(256)] * 3)
    image = Image.composite(few, shaded, dots)
    lines = _outline(picture, 2, 44, 110)
    image = ImageChops.multiply(image, Image.merge("RGB", (lines, lines, lines)))
    image = ImageChops.multiply(image, pixels.flat(size, (255, 249, 228)))
    pen = ImageDraw.Draw(image)
    edge, thick = pixels.unit(size, 16), pixels.unit(size, 4)
    pen.rectangle([0, 0, size - 1, size - 1], outline=(252, 248, 234), width=edge)
    pen.rectangle([edge, edge, size - 1 - edge, size - 1 - edge], outline=(16, 14, 18), width=thick)
    return image


_POP: tuple[tuple[pixels.Rgb, pixels.Rgb, pixels.Rgb, pixels.Rgb], ...] = (
    ((20, 10, 60), (236, 0, 120), (255, 220, 0), (0, 190, 230)),
    ((60, 0, 50), (0, 160, 90), (255, 120, 190), (255, 236, 60)),
    ((0, 30, 70), (255, 80, 0), (120, 230, 220), (250, 60, 140)),
    ((40, 10, 10), (110, 50, 200), (255, 170, 30), (150, 230, 60)),
)


@STYLES.register("pop art")
def pop_art(picture: Picture, rng: Rng) -> Styled:
    """The same picture four times, each panel in other clashing inks."""
    size = picture.image.width
    half = (size + 1) // 2
    small = picture.image.resize((half, half), Image.Resampling.BOX)
    mask = picture.mask.resize((half, half), Image.Resampling.BOX)
    gray = small.convert("L")
    dots = halftone(gray.point(pixels.curve(70, 255)), screen(half, pixels.unit(size, 2, 2)))
    order = rng.permutation(len(_POP)).tolist()
    image = Image.new("RGB", (2 * half, 2 * half))
    whole = Image.new("L", image.size)
    marks = ids_of(picture).resize((half, half), Image.Resampling.NEAREST)
    for k, pick in enumerate(order):
        dark, mid, light, ground = _POP[pick]
        table = [dark if v < 70 else mid if v < 165 else light for v in range(256)]
        point = [c[i] for i in range(3) for c in table]
        subject = Image.merge("RGB", (gray, gray, gray)).point(point)
        back = Image.composite(pixels.flat(half, ground), pixels.flat(half, mid), dots)
        panel = Image.composite(subject, back, mask)
        image.paste(panel, (k % 2 * half, k // 2 * half))
        whole.paste(shifted(picture, marks, k), (k % 2 * half, k // 2 * half))
    pen = ImageDraw.Draw(image)
    gap = pixels.unit(size, 3)
    ids = whole.copy()
    hide = ImageDraw.Draw(ids)
    for line in ([half - gap, 0, half + gap, size], [0, half - gap, size, half + gap]):
        pen.rectangle(line, fill=(255, 255, 255))
        hide.rectangle(line, fill=0)
    whole_size = (0, 0, size, size)
    return Styled(image.crop(whole_size), ids.crop(whole_size), whole, panels=len(order))


@lru_cache(maxsize=8)
def _furrows(size: int, pitch: int, variant: int) -> Image.Image:
    """Wavering parallel grooves as a threshold map; the two variants lean apart."""
    line = np.arange(size, dtype=np.float64)
    x, y = line[None, :], line[:, None]
    lean = (0.18, -0.5)[variant]
    bend = 2.2 * sine(x / (size * 0.31) + y / (size * 0.9)) + 1.2 * sine(y / (size * 0.23))
    wave = sine((y + lean * x) / pitch + bend * 0.35)
    return Image.fromarray(((wave + 1) * 127.5).astype(np.uint8))


@STYLES.register("woodcut print")
def woodcut(picture: Picture, rng: Rng) -> Image.Image:
    """Black ink from a carved block on cream paper: furrows for tone, bold outlines."""
    size = picture.image.width
    gray = picture.image.convert("L")
    gray = gray.filter(ImageFilter.BoxBlur(pixels.unit(size, 1)))
    fine = _furrows(size, pixels.unit(size, 6, 3), 1)
    coarse = _furrows(size, pixels.unit(size, 9, 4), 0)
    cut = Image.composite(fine, coarse, picture.mask)
    # Tones are pushed apart: only the middle is rendered by furrows.
    tones = Image.composite(
        gray.point(pixels.levels(24, 200)), gray.point(pixels.levels(10, 236)), picture.mask
    )
    blocks = ImageChops.subtract(tones, cut, scale=1, offset=128).point(pixels.levels(112, 144))
    lines = _outline(picture, 3, 40, 90)
    inked = ImageChops.multiply(blocks, lines)
    halo = picture.mask.filter(ImageFilter.BoxBlur(pixels.unit(size, 4))).point(
        pixels.levels(10, 60)
    )
    halo = ImageChops.subtract(halo, picture.mask)
    inked = ImageChops.lighter(inked, halo)
    wear = to_l(textures.fibers(size, rng, 25)).point([255 if v > 249 else 0 for v in range(256)])
    inked = ImageChops.lighter(inked, wear)
    return pixels.tone(inked, [(0, (26, 20, 18)), (255, (240, 228, 202))])


_INKS: tuple[tuple[pixels.Rgb, pixels.Rgb], ...] = (
    ((255, 72, 120), (0, 110, 180)),
    ((255, 108, 47), (0, 120, 112)),
    ((240, 80, 96), (50, 60, 160)),
    ((255, 186, 0), (190, 30, 120)),
)


@STYLES.register("risograph print")
def risograph(picture: Picture, rng: Rng) -> Image.Image:
    """Two grainy inks, one slightly out of place, overprinting on off-white paper."""
    size = picture.image.width
    first, second = _INKS[int(rng.integers(0, len(_INKS)))]
    red, _, blue = picture.image.split()
    warm = ImageChops.subtract(red, blue, scale=2, offset=128)
    grain = textures.grain(size, rng) >> 2
    gray = picture.image.convert("L")
    # The warm plate prints where the picture is warm; the dark plate carries the drawing.
    plate_one = ImageChops.lighter(
        warm.point([255 - min(255, max(0, (v - 96) * 2)) for v in range(256)]),
        gray.point(pixels.curve(0, 90)),
    )
    plate_two = halftone(gray.point(pixels.levels(20, 225)), screen(size, pixels.unit(size, 2, 2)))
    slip = pixels.unit(size, 3)
    plate_one = pixels.shift(plate_one, int(rng.integers(-slip, slip + 1)), slip)
    speck = to_l(grain.astype(np.uint8))
    paper = pixels.flat(size, (246, 241, 228))
    image = paper
    for plate, color in ((plate_one, first), (plate_two, second)):
        plate = ImageChops.add(plate, speck)
        image = ImageChops.multiply(image, pixels.tone(plate, [(0, color), (255, (255, 255, 255))]))
    return image


@STYLES.register("newspaper print")
def newspaper(picture: Picture, rng: Rng) -> Image.Image:
    """Coarse black halftone dots on grayish paper."""
    size = picture.image.width
    gray = picture.image.convert("L").point(pixels.levels(16, 206)).point(pixels.curve(20, 250))
    fine = halftone(gray, screen(size, pixels.unit(size, 3, 2)))
    coarse = halftone(gray, screen(size, pixels.unit(size, 5, 2)))
    dots = Image.composite(fine, coarse, picture.mask)
    paper = pixels.tone(
        to_l(textures.mottle(size, rng, 3)), [(0, (222, 216, 200)), (255, (236, 231, 218))]
    )
    ink = pixels.flat(size, (38, 36, 38))
    return Image.composite(paper, ink, dots)
