"""Putting the foreground on the background: rasters, places, shadow, coverage."""

from __future__ import annotations

from math import floor

import numpy as np
from PIL import Image, ImageFilter

from lvlmbench.render.pictograph import layout, lettering, raster
from lvlmbench.render.pictograph.picture import Picture
from lvlmbench.render.pictograph.raster import Sticker, StickerCache
from lvlmbench.render.pictograph.subjects import Subject

#: A shadow this dark (of 255) lifts the foreground off whatever is behind it.
_SHADOW = 96

#: How far a raster may be enlarged before a larger one is drawn instead.
_ENLARGE = 1.15

#: Carriers and persons fill more of the canvas, so that words and faces can be read.
_LARGE = (0.62, 0.86)


def sticker_for(cache: StickerCache, subject: Subject, span: float) -> Sticker:
    """A sticker whose longest side is about ``span`` pixels or more."""
    width, height = subject.view
    # Longest side of the raster -> its width; most art leaves a tenth of its view box empty.
    wanted = span * width / max(width, height) / 0.92
    sticker = cache.get(subject.key, raster.ladder(wanted), subject.source, width)
    reached = max(sticker.mask.size)
    if reached * _ENLARGE < span:
        wanted = raster.ladder(wanted * span / reached)
        sticker = cache.get(subject.key, wanted, subject.source, width)
    return sticker


def _box(box: lettering.Box, sticker: Sticker, place: layout.Place) -> tuple[int, int, int, int]:
    """The word's upright box on the canvas."""
    extent = place.pose.extent(*sticker.mask.size)
    points = [
        place.pose.forward((x, y), sticker.mask.size, extent)
        for x in (box[0], box[2])
        for y in (box[1], box[3])
    ]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (
        floor(min(xs)) + place.corner[0],
        floor(min(ys)) + place.corner[1],
        floor(max(xs)) + 1 + place.corner[0],
        floor(max(ys)) + 1 + place.corner[1],
    )


def compose(
    background: Image.Image, subject: Subject, cache: StickerCache, rng: np.random.Generator
) -> Picture:
    """The subject on the background (RGB, square; it is drawn on)."""
    canvas = background.width
    low, high = _LARGE if subject.large else layout.SPAN[subject.copies]
    spans = [canvas * (low + (high - low) * float(u)) for u in rng.random(subject.copies)]
    sticker = sticker_for(cache, subject, max(spans))
    rgb, text = sticker.rgb, None
    if subject.lettering is not None:
        carrier, word, ink = subject.lettering
        rgb, text = lettering.written(sticker, carrier, word, ink)
    sizes = [sticker.mask.size] * subject.copies
    places = layout.place(rng, canvas, sizes, spans, subject.tilt, subject.mirror)
    mask = Image.new("L", background.size)
    pieces = []
    for place in places:
        piece, coverage = raster.posed(rgb, sticker.mask, place.pose)
        mask.paste(coverage, place.corner)
        pieces.append((piece, coverage, place.corner))
    _cast_shadow(background, mask)
    for piece, coverage, corner in pieces:
        background.paste(piece, corner, coverage)
    box = _box(text, sticker, places[0]) if text is not None else None
    return Picture(background, mask, box)


def _cast_shadow(background: Image.Image, mask: Image.Image) -> None:
    """A soft shadow, a little below the foreground, worked out at a quarter of the size."""
    canvas = background.width
    factor = 4 if canvas >= 128 else 1
    small = mask.reduce(factor)
    blur = canvas / factor * 0.014
    drop = max(1, round(canvas / factor * 0.012))
    moved = Image.new("L", small.size)
    moved.paste(small, (0, drop))
    soft = moved.filter(ImageFilter.GaussianBlur(blur)).point(
        [v * _SHADOW // 255 for v in range(256)]
    )
    soft = soft.resize(background.size, Image.Resampling.BILINEAR)
    background.paste((16, 20, 30), (0, 0, canvas, canvas), soft)
