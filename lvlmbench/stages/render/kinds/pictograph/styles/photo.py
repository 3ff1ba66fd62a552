"""Styles that pass for photographs and film: tone, grain, lens and frame."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.styles import pixels, textures
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES
from lvlmbench.stages.render.kinds.pictograph.styles.textures import Rng


def _grainy(
    image: Image.Image, rng: Rng, strength: int, light: pixels.U8 | None = None
) -> Image.Image:
    """Film grain of +- ``strength`` / 128 of the brightness, times an optional light map."""
    size = image.width
    noise = textures.grain(size, rng).astype(np.int16)
    noise -= 128
    noise *= strength
    noise >>= 7
    noise += 128 if light is None else light
    return pixels.shade(image, np.clip(noise, 0, 255).astype(np.uint8))


def _scratches(image: Image.Image, rng: Rng, count: int, color: pixels.Rgb) -> None:
    """Hairlines and dust on an old print, drawn in place."""
    size = image.width
    pen = ImageDraw.Draw(image, "RGBA")
    for x, y, u, v in rng.random((count, 4)).tolist():
        x0, y0 = int(x * size), int(y * size)
        if u < 0.4:
            length = int((0.05 + 0.25 * v) * size)
            pen.line(
                [(x0, y0), (x0 + int((u - 0.2) * 0.1 * size), y0 + length)], fill=(*color, 110)
            )
        else:
            r = pixels.unit(size, 1 + 2 * v, 0)
            pen.ellipse([x0, y0, x0 + r, y0 + r], fill=(*color, 150))


def _framed(picture: Picture, inner: tuple[int, int], corner: tuple[int, int]) -> Image.Image:
    """The id buffer of a picture that is shown smaller inside a frame."""
    ids = Image.new("L", picture.image.size)
    ids.paste(ids_of(picture).resize(inner, Image.Resampling.NEAREST), corner)
    return ids


@STYLES.register("sepia photograph")
def sepia(picture: Picture, rng: Rng) -> Styled:
    """Brown toning, faded corners, scratches and a deckled paper border."""
    size = picture.image.width
    gray = picture.image.convert("L").point(pixels.curve(16, 236))
    toned = pixels.tone(gray, [(0, (38, 22, 12)), (120, (140, 98, 60)), (255, (250, 226, 180))])
    toned = _grainy(toned, rng, 12, textures.vignette(size, 138, 72))
    _scratches(toned, rng, 46, (252, 236, 206))
    edge = pixels.unit(size, 22)
    frame = pixels.flat(size, (236, 218, 180))
    inner = (size - 2 * edge, size - 2 * edge)
    frame.paste(toned.resize(inner, Image.Resampling.BILINEAR), (edge, edge))
    return Styled(frame, _framed(picture, inner, (edge, edge)))


@STYLES.register("black-and-white photograph")
def black_and_white(picture: Picture, rng: Rng) -> Image.Image:
    """Neutral silver tones with contrast, grain and darker corners."""
    gray = picture.image.convert("L").point(pixels.levels(14, 242))
    image = Image.merge("RGB", (gray, gray, gray))
    return _grainy(image, rng, 18, textures.vignette(picture.image.width, 134, 84))


@STYLES.register("instant photo")
def instant_photo(picture: Picture, rng: Rng) -> Styled:
    """Washed-out colors in a white card with a broad lower margin."""
    size = picture.image.width
    image = pixels.saturate(picture.image, 98)
    red, green, blue = image.split()
    image = Image.merge(
        "RGB",
        (
            red.point(pixels.curve(44, 255)),
            green.point(pixels.curve(36, 240)),
            blue.point(pixels.curve(54, 206)),
        ),
    )
    image = _grainy(image, rng, 8, textures.vignette(size, 136, 100))
    side, top = pixels.unit(size, 54), pixels.unit(size, 36)
    inner = (size - 2 * side, size - 2 * side)
    window = image.resize(inner, Image.Resampling.BILINEAR)
    shadow = pixels.unit(size, 10)
    card = pixels.flat(size, (112, 98, 88))
    pen = ImageDraw.Draw(card)
    for k in range(shadow):
        t = k * 3
        pen.rectangle([k, k, size - 1 - k, size - 1 - k], outline=(112 - t, 98 - t, 88 - t))
    pen.rectangle([shadow, shadow, size - 1 - shadow, size - 1 - shadow], fill=(250, 248, 242))
    card.paste(window, (side, top))
    pen.rectangle([side - 1, top - 1, side + inner[0], top + inner[1]], outline=(206, 202, 194))
    return Styled(card, _framed(picture, inner, (side, top)))


@STYLES.register("night vision footage")
def night_vision(picture: Picture, rng: Rng) -> Styled:
    """Phosphor green with noise, scan lines and the round eyepiece."""
    size = picture.image.width
    gray = picture.image.convert("L").point(pixels.levels(0, 236))
    bloom = gray.filter(ImageFilter.BoxBlur(pixels.unit(size, 5)))
    gray = ImageChops.screen(gray.point(pixels.curve(16, 190)), bloom.point(pixels.curve(0, 90)))
    toned = pixels.tone(gray, [(0, (2, 22, 6)), (140, (46, 168, 66)), (255, (206, 255, 196))])
    light = textures.vignette(size, 142, 40).copy()
    light[:: pixels.unit(size, 3, 2)] -= 22
    eyepiece, ids = _eyepiece(size), ids_of(picture)
    image = _grainy(toned, rng, 34, light)
    image = Image.composite(image, pixels.flat(size, (0, 4, 2)), eyepiece)
    seen = ImageChops.darker(ids, eyepiece.point([0] * 128 + [255] * 128))
    return Styled(image, seen, whole=ids)


@lru_cache(maxsize=8)
def _eyepiece(size: int) -> Image.Image:
    """White disc that all but touches the sides, soft at the rim."""
    mask = Image.new("L", (size, size))
    reach = pixels.unit(size, 18)
    ImageDraw.Draw(mask).ellipse([-reach, -reach, size - 1 + reach, size - 1 + reach], fill=255)
    return pixels.soft(mask, pixels.unit(size, 6))


@lru_cache(maxsize=8)
def _bulge(size: int) -> npt.NDArray[np.int64]:
    """Flat source index of every pixel behind a fisheye lens; the last pixel marks outside."""
    line = (np.arange(size, dtype=np.float64) * 2 - (size - 1)) / size
    square = line * line
    radius = square[:, None] + square[None, :]
    # Magnified in the middle, ever more squeezed toward the rim at radius 0.97.
    factor = 0.56 + 0.26 * radius + 0.5 * radius * radius
    rows = np.floor((line[:, None] * factor + 1) * 0.5 * size).astype(np.int64)
    columns = np.floor((line[None, :] * factor + 1) * 0.5 * size).astype(np.int64)
    index = np.clip(rows, 0, size - 1) * size + np.clip(columns, 0, size - 1)
    index[radius > 0.94] = size * size
    return index


@STYLES.register("fisheye photograph")
def fisheye(picture: Picture, rng: Rng) -> Styled:
    """The bulging circle of an extreme wide-angle lens on black."""
    size = picture.image.width
    words = np.append(pixels.pack(picture.image).ravel(), np.uint32(0))
    image = pixels.unpack(words.take(_bulge(size)))
    ids = np.append(np.asarray(ids_of(picture)).ravel(), np.uint8(0)).take(_bulge(size))
    return Styled(_grainy(image, rng, 6, textures.vignette(size, 134, 60)), Image.fromarray(ids))


@STYLES.register("VHS footage")
def vhs(picture: Picture, rng: Rng) -> Styled:
    """Smeared color, scan lines, tracking noise at the foot, a recording mark."""
    size = picture.image.width
    strong = pixels.saturate(picture.image, 112)
    red, green, blue = strong.split()
    drift = pixels.unit(size, 5)
    smear = ImageFilter.BoxBlur((pixels.unit(size, 4), 0))
    image = Image.merge(
        "RGB",
        (
            pixels.shift(red.filter(smear), drift, 0),
            green,
            pixels.shift(blue.filter(smear), -drift, 0),
        ),
    ).point(pixels.curve(14, 250) * 3)
    rows, ids = np.asarray(image).copy(), np.asarray(ids_of(picture)).copy()
    band = pixels.unit(size, 54)
    tear = rng.integers(-pixels.unit(size, 40), pixels.unit(size, 40) + 1, band).tolist()
    for k, move in enumerate(tear):
        y = size - band + k
        rows[y] = np.roll(rows[y], move * (k + 4) // band, axis=0)
        ids[y] = np.roll(ids[y], move * (k + 4) // band)
    spots = textures.fibers(size, rng, pixels.unit(size, 24)) > 226
    spots[: size - band] = False
    for y in rng.integers(0, size - band, 3).tolist():
        spots[y : y + 2] = textures.fibers(size, rng, 24)[:2] > 170
    rows[spots] = (236, 236, 240)
    light = np.full((size, size), 136, dtype=np.uint8)
    light[:: pixels.unit(size, 4, 2)] = 108
    image = _grainy(Image.fromarray(rows), rng, 14, light)
    whole = Image.fromarray(ids)
    seen = whole.copy()
    x0, x1, x2, x3, x4, x5 = (pixels.unit(size, x) for x in (30, 56, 456, 463, 472, 479))
    y0, y1, y2 = (pixels.unit(size, y) for y in (28, 43, 58))
    for pen, ink in ((ImageDraw.Draw(image), (245, 245, 245)), (ImageDraw.Draw(seen), 0)):
        pen.polygon([(x0, y0), (x0, y2), (x1, y1)], fill=ink)
        pen.rectangle([x2, y0, x3, y2], fill=ink)
        pen.rectangle([x4, y0, x5, y2], fill=ink)
    return Styled(image, seen, whole)


@STYLES.register("photographic negative")
def negative(picture: Picture, rng: Rng) -> Styled:
    """Inverted tones on the orange base of film between perforated edges."""
    size = picture.image.width
    edge = pixels.unit(size, 50)
    # The whole picture goes between the perforations: nothing of the subject is cut off.
    shown = picture.image.resize((size, size - 2 * edge), Image.Resampling.BILINEAR)
    red, green, blue = shown.split()
    between = Image.merge(
        "RGB",
        (
            red.point(pixels.curve(250, 70)),
            green.point(pixels.curve(196, 24)),
            blue.point(pixels.curve(150, 8)),
        ),
    )
    image = pixels.flat(size, (0, 0, 0))
    image.paste(between, (0, edge))
    image = _grainy(image, rng, 8)
    pen = ImageDraw.Draw(image)
    for y in (0, size - edge):
        pen.rectangle([0, y, size, y + edge], fill=(62, 28, 12))
        step = size // 9
        start = int(rng.integers(0, step))
        for i in range(-1, 10):
            x = start + i * step
            pen.rounded_rectangle(
                [x, y + edge // 4, x + step // 2, y + edge * 3 // 4],
                pixels.unit(size, 5),
                fill=(250, 244, 236),
            )
    return Styled(image, _framed(picture, shown.size, (0, edge)))
