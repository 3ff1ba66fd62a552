"""Quiet regions of a picture: what may be the face of a sign, a sheet, a screen, a cup."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from lvlmbench.stages.render.kinds.diffusion.text.lettering.plane import Gray

#: Side at which pictures are searched; the coarse search sees half of it.
SIDE = 256

#: Steepest change of color (of 255, within 3 pixels) inside a region.
_CALM = (5, 9, 16, 28)

#: How far colors of a region may be from that of the point it is grown from.
_ALIKE = (12, 24)

#: Points a side that regions are grown from.
_SEEDS = 5

#: Smallest and largest share of the picture.
_SMALLEST, _LARGEST = 0.012, 0.9

_CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
_SQUARE = np.ones((3, 3), np.uint8)


def reduced(image: Gray) -> Gray:
    """Return the RGB picture at the side at which it is searched, in the color space Lab."""
    small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    lab: Gray = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)
    return lab


def change(lab: Gray) -> Gray:
    """Return how much colors change around each pixel; hues count double, as they are small."""
    steps = cv2.morphologyEx(lab, cv2.MORPH_GRADIENT, _SQUARE)
    light, a, b = cv2.split(steps)
    hue = cv2.max(a, b)
    out: Gray = cv2.max(light, cv2.add(hue, hue))
    return out


def _components(free: Gray) -> Iterator[Gray]:
    """Each connected part of the right size as a mask of its own."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    area = stats[:, cv2.CC_STAT_AREA]
    right = (area >= _SMALLEST * free.size) & (area <= _LARGEST * free.size)
    for i in np.flatnonzero(right[1:]) + 1:
        x, y, width, height = (int(v) for v in stats[i, :4])
        mask = np.zeros_like(free)
        part = labels[y : y + height, x : x + width] == i
        mask[y : y + height, x : x + width][part] = 255
        yield mask


def _grown(lab: Gray) -> Iterator[Gray]:
    """Regions of nearly one color, grown from a grid of points."""
    side = lab.shape[0]
    steps = [round(side * (0.1 + 0.8 * i / (_SEEDS - 1))) for i in range(_SEEDS)]
    for alike in _ALIKE:
        taken = np.zeros((side, side), np.uint8)
        for y in steps:
            for x in steps:
                if taken[y, x]:
                    continue
                mask = np.zeros((side + 2, side + 2), np.uint8)
                flags: int = 4 | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
                limits = (2 * alike, alike, alike)
                area, *_ = cv2.floodFill(lab, mask, (x, y), (0,), limits, limits, flags)
                inner = mask[1:-1, 1:-1]
                taken |= inner
                if _SMALLEST * inner.size <= area <= _LARGEST * inner.size:
                    yield inner


def regions(lab: Gray) -> Iterator[Gray]:
    """Yield masks, shape (SIDE, SIDE), 255 inside; the same region may come several times."""
    for scale in (1, 2):
        side = SIDE // scale
        seen = lab if scale == 1 else cv2.resize(lab, (side, side), interpolation=cv2.INTER_AREA)
        seen = cv2.medianBlur(seen, 5)
        steps = change(seen)
        found = [cv2.dilate(m, _CROSS) for t in _CALM for m in _components(_at_most(steps, t))]
        found += _grown(seen)
        for mask in found:
            closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _SQUARE)
            if scale > 1:
                closed = cv2.resize(closed, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
            yield closed


def _at_most(values: Gray, limit: int) -> Gray:
    mask: Gray = cv2.threshold(values, limit, 255, cv2.THRESH_BINARY_INV)[1]
    return mask
