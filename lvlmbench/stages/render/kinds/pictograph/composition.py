"""Putting the foreground on the background: rasters, places, shadow, coverage."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from PIL import Image, ImageFilter

from lvlmbench.stages.render.kinds.pictograph import layout, lettering, raster
from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.raster import Sticker, StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subject
from lvlmbench.stages.render.layout import Marked, Placed, stamp

#: A shadow this dark (of 255) lifts the foreground off whatever is behind it.
_SHADOW = 96

#: Canvases up to this side pose shared rasters: there that costs less than a raster each.
_SMALL = 160

#: Carriers and persons fill more of the canvas, so that words and faces can be read.
_LARGE = (0.62, 0.86)


@dataclass(frozen=True)
class Piece:
    """A posed piece, its coverage, and its left upper corner on the canvas."""

    rgb: Image.Image
    coverage: Image.Image
    corner: tuple[int, int]
    ink: Image.Image | None = None


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
    mask = Image.new("L", background.size)
    text = None
    if subject.copies == 1 and subject.lettering is None and canvas > _SMALL:
        pieces = [_direct(subject, spans[0], canvas, cache, rng)]
    else:
        pieces, text = _shared(subject, spans, canvas, cache, rng)
    for piece in pieces:
        mask.paste(piece.coverage, piece.corner)
    _cast_shadow(background, mask)
    ids = Image.new("L", background.size)
    placed: list[Placed] = []
    for copy, piece in enumerate(pieces):
        background.paste(piece.rgb, piece.corner, piece.coverage)
        what = subject.object, copy
        placed.append(stamp(ids, placed, what, piece.coverage, piece.corner, piece.ink))
    return Picture(background, mask, text, Marked.of(ids, placed))


def _direct(
    subject: Subject, span: float, canvas: int, cache: StickerCache, rng: np.random.Generator
) -> Piece:
    """The one copy of the subject, rasterized as it stands."""
    box = cache.box(subject.art)
    width, height = box[2] - box[0], box[3] - box[1]
    unit = span / max(width, height)
    rim = 2 * raster.margins(span)[1]
    size = (ceil(width * unit) + rim, ceil(height * unit) + rim)
    place = layout.place(rng, canvas, [size], [max(size)], subject.tilt, subject.mirror)[0]
    unit, extent = unit * place.pose.scale, place.pose.extent(*size)
    return Piece(*raster.tilted(subject.art, box, unit, place.pose, extent), place.corner)


def _shared(
    subject: Subject,
    spans: list[float],
    canvas: int,
    cache: StickerCache,
    rng: np.random.Generator,
) -> tuple[list[Piece], tuple[int, int, int, int] | None]:
    """All copies of the subject from one raster, and the word's box."""
    sticker = cache.sticker(subject.art, max(spans))
    rgb, ink, text = sticker.rgb, None, None
    if subject.lettering is not None:
        rgb, ink, text = lettering.written(sticker, *subject.lettering)
    sizes = [sticker.mask.size] * subject.copies
    places = layout.place(rng, canvas, sizes, spans, subject.tilt, subject.mirror)
    pieces = [
        Piece(
            raster.posed(rgb, p.pose),
            raster.posed(sticker.mask, p.pose),
            p.corner,
            None if ink is None else raster.posed(ink, p.pose),
        )
        for p in places
    ]
    return pieces, None if text is None else _box(text, sticker, places[0])


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
