"""Where a word goes: the best place on a surface of the picture.

Each quiet region is taken for a surface: a quadrilateral where one fits it, else an upright
plane. On the surface, seen from straight in front, the largest box of the word's proportions
that lies in the region is looked for. The best place is large, calm, set off from what is around
its surface, and near the middle. Where no region will do, it is the calmest box of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from lvlmbench.stages.render.kinds.diffusion.text.lettering import plane
from lvlmbench.stages.render.kinds.diffusion.text.lettering.plane import Gray, Points
from lvlmbench.stages.render.kinds.diffusion.text.lettering.quads import Contour, quadrilateral
from lvlmbench.stages.render.kinds.diffusion.text.lettering.regions import (
    SIDE,
    change,
    reduced,
    regions,
)

#: Share of the free box that the word takes; the rest is margin.
_FILL = 0.86

#: Most of the surface's height and width that a word takes, so that it looks written on it.
_HIGH, _WIDE = 0.5, 0.9

#: Height of a word, as a share of the picture's side, from which it is large enough; below the
#: second no one reads it.
_TALL, _LEAST = 0.11, 0.022

#: Regions that surfaces are fitted to, and surfaces whose word is measured closely.
_LONGLIST, _SHORTLIST = 24, 12

#: Points a side at which a border is looked for, and the least change of color (of 255) there.
_SAMPLES, _EDGE = 24, 12


@dataclass(frozen=True)
class Place:
    """Where a word goes.

    Attributes
    ----------
    corners
        Of the word's box in pixels of the picture, shape (4, 2), clockwise from the upper left.
    surface
        Of the surface it lies on, in the same way.
    kind
        ``quad``, ``region`` or ``picture``: a quadrilateral, another quiet region, or no surface.
    score
        0 to about 1; between places of one picture.
    """

    corners: Points
    surface: Points
    kind: str
    score: float


@dataclass(frozen=True)
class _Outlined:
    """A region with its longest outline, and how promising it is by place and size alone."""

    mask: Gray
    contour: Contour
    worth: float


@dataclass(frozen=True)
class _Candidate:
    mask: Gray
    surface: Points
    kind: str
    worth: float


def _touching(mask: Gray) -> float:
    """Share of the picture's edge that the region lies at."""
    edge = [mask[0], mask[-1], mask[:, 0], mask[:, -1]]
    return sum(int(np.count_nonzero(line)) for line in edge) / (4 * SIDE)


def _outlined(mask: Gray) -> _Outlined | None:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(contours, key=cv2.contourArea, default=None)
    area = 0.0 if contour is None else cv2.contourArea(contour)
    if contour is None or area < 1:
        return None
    x, y, width, height = cv2.boundingRect(contour)
    across, down = (x + width / 2) / SIDE - 0.5, (y + height / 2) / SIDE - 0.5
    worth = max(1 - 2.2 * (across * across + down * down), 0.05)
    worth *= max(1 - 3.0 * _touching(mask), 0.03)
    worth *= min(area / SIDE**2 / 0.12, 1.0) ** 0.35
    worth *= 0.3 + 0.7 * area / (width * height)
    # What holds other things, or most of the picture, is rather what is behind the carrier.
    worth *= min(cv2.countNonZero(mask) / area, 1.0) ** 2
    worth *= min(max(1 - 1.6 * (area / SIDE**2 - 0.35), 0.15), 1.0)
    return _Outlined(mask, contour, worth)


def _distinct(lab: Gray) -> list[_Outlined]:
    """The most promising regions, without those that are the same but for a few pixels."""
    found: dict[tuple[int, ...], _Outlined] = {}
    for mask in regions(lab):
        region = _outlined(mask)
        if region is None:
            continue
        box = cv2.boundingRect(region.contour)
        key = (*(v // 3 for v in box), int(cv2.contourArea(region.contour) / SIDE**2 * 100))
        if key not in found or found[key].worth < region.worth:
            found[key] = region
    return sorted(found.values(), key=lambda region: -region.worth)[:_LONGLIST]


def _trimmed(region: _Outlined) -> Iterator[_Outlined]:
    """The region, and what is left of it without its thin parts."""
    yield region
    for width in (7, 15):
        block = np.ones((width, width), np.uint8)
        left = _outlined(cv2.morphologyEx(region.mask, cv2.MORPH_OPEN, block))
        if left is None:
            return
        only = np.zeros_like(region.mask)
        cv2.drawContours(only, [left.contour], 0, (255,), -1)
        yield _Outlined(cv2.bitwise_and(only, region.mask), left.contour, left.worth)


def _candidate(region: _Outlined) -> _Candidate:
    """The region as a surface: a quadrilateral if it is one, with or without its thin parts."""
    for trimmed in _trimmed(region):
        found = quadrilateral(trimmed.contour)
        if found is not None:
            worth = trimmed.worth * (0.5 + 0.5 * found[1])
            return _Candidate(trimmed.mask, found[0], "quad", worth)
    x, y, width, height = cv2.boundingRect(region.contour)
    ends = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return _Candidate(region.mask, np.array(ends, np.float32), "region", 0.6 * region.worth)


def _set_off(lab: Gray, mask: Gray) -> float:
    """How far the region's color is from that of what lies around it, 0 to 1."""
    wide = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=6)
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=3)
    around = cv2.subtract(wide, near)
    if not cv2.countNonZero(around):
        return 0.0
    inside, outside = cv2.mean(lab, mask)[:3], cv2.mean(lab, around)[:3]
    apart = sum((i - o) ** 2 * k for i, o, k in zip(inside, outside, (0.16, 1, 1), strict=True))
    return float(min(apart**0.5 / 12, 1.0))


def _bordered(steps: Gray, surface: Points) -> float:
    """How far edges of the picture run along all four sides of a quadrilateral, 0 to 1."""
    along = np.linspace(0.1, 0.9, _SAMPLES, dtype=np.float32)[None, :, None]
    sides = surface[:, None] + along * (np.roll(surface, -1, axis=0) - surface)[:, None]
    x, y = np.clip(np.rint(sides), 0, SIDE - 1).astype(np.intp).transpose(2, 0, 1)
    shares = (cv2.dilate(steps, np.ones((5, 5), np.uint8))[y, x] > _EDGE).mean(axis=1)
    return float(shares.min() + shares.mean()) / 2


def _slope(corners: Points) -> float:
    """Of the line of writing, as a share of its length: 0 level, 1 upright."""
    left, right = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
    along = right - left
    return float(abs(along[1]) / max(float(np.hypot(*along)), 1e-6))


def _height(corners: Points) -> float:
    """The smaller of the two ends' heights."""
    return float(min(np.hypot(*(corners[0] - corners[3])), np.hypot(*(corners[1] - corners[2]))))


def _placed(candidate: _Candidate, lab: Gray, steps: Gray, word: float) -> Place | None:
    proportion = plane.proportions(candidate.surface, SIDE)
    to_picture, size = plane.raster(candidate.surface, proportion, word)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    free = cv2.warpPerspective(candidate.mask, to_picture, size, flags=flags)
    box = plane.largest_box(free, min(size[0] * _WIDE, size[1] * _HIGH) / 2 / _FILL)
    if box is None:
        return None
    x, y, half = box[0], box[1], box[2] * _FILL
    left, top, right, bottom = x - half, y - half, x + half, y + half
    corners = plane.through(
        to_picture, [[left, top], [right, top], [right, bottom], [left, bottom]]
    )
    height = _height(corners) / SIDE
    calm = cv2.warpPerspective(steps, to_picture, size, flags=flags)
    inside = calm[int(top) : int(bottom) + 1, int(left) : int(right) + 1]
    busy = float(inside.mean()) if inside.size else 255.0
    score = candidate.worth * (0.35 + 0.65 * _set_off(lab, candidate.mask))
    score *= 0.4 + 0.6 * (_bordered(steps, candidate.surface) if candidate.kind == "quad" else 0.5)
    score *= min(max((height - _LEAST) / (_TALL - _LEAST), 0.02), 1.0) ** 0.7
    score *= 1 / (1 + (busy / 11) ** 2)
    score *= 1 - 0.8 * min(_slope(corners) / 0.7, 1.0) ** 2
    middle = corners.mean(axis=0) / SIDE - 0.5
    score *= max(1 - 3.5 * float(middle @ middle), 0.05)
    return Place(corners, candidate.surface, candidate.kind, score)


#: Heights that the calmest box of a picture without a surface may have, as shares of its side.
_HEIGHTS = (0.14, 0.11, 0.08, 0.06)


def _calmest(steps: Gray, word: float) -> Place:
    """The calmest upright box of the whole picture."""
    total = cv2.integral(steps)
    best: tuple[float, float, float, float, float] | None = None
    for share in _HEIGHTS:
        height = min(share, 0.9 / word) * SIDE
        width = height * word
        w, h = min(round(width / _FILL), SIDE - 2), min(round(height / _FILL), SIDE - 2)
        sums = total[h:, w:] - total[:-h, w:] - total[h:, :-w] + total[:-h, :-w]
        rows, columns = sums.shape
        down = np.abs(np.arange(rows) + (h - SIDE) / 2) / SIDE
        across = np.abs(np.arange(columns) + (w - SIDE) / 2) / SIDE
        cost = (sums / (w * h) + 4) * (1 + np.hypot(across[None, :], down[:, None]))
        cost /= height**0.5
        at = int(np.argmin(cost))
        y, x = divmod(at, columns)
        if best is None or cost[y, x] < best[0]:
            best = (float(cost[y, x]), x + w / 2, y + h / 2, width, height)
    assert best is not None
    _, x, y, width, height = best
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return Place(corners, corners, "picture", 0.0)


#: Score below which a surface is no better than the calmest box.
_ENOUGH = 0.03


def best_place(image: Gray, word: float) -> Place:
    """Return the place of a word in an RGB picture, shape (side, side, 3).

    Parameters
    ----------
    word
        Width over height of the word.
    """
    lab = reduced(image)
    steps = change(cv2.medianBlur(lab, 5))
    found = sorted(map(_candidate, _distinct(lab)), key=lambda c: -c.worth)[:_SHORTLIST]
    places = [p for c in found if (p := _placed(c, lab, steps, word)) is not None]
    best = max(places, key=lambda p: p.score, default=None)
    if best is None or best.score < _ENOUGH:
        best = _calmest(steps, word)
    scale = image.shape[0] / SIDE
    return Place(best.corners * scale, best.surface * scale, best.kind, best.score)
