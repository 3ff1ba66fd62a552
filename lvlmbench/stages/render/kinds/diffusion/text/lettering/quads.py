"""The quadrilateral that a region's outline is, with its corners where the sides meet."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lvlmbench.stages.render.kinds.diffusion.text.lettering.plane import Points, in_reading_order

#: An outline as OpenCV gives it, shape (n, 1, 2), every pixel of it.
Contour = npt.NDArray[Any]

#: Least overlap (intersection over union) of a region with its quadrilateral.
LEAST_FIT = 0.86

#: How coarsely an outline is followed, as shares of its length.
_COARSE = tuple(0.01 * i for i in range(1, 13))


def _four_corners(hull: Contour) -> Points | None:
    """The finest polygon of four corners that follows a hull."""
    length = cv2.arcLength(hull, True)
    for share in _COARSE:
        polygon = cv2.approxPolyDP(hull, share * length, True)
        if len(polygon) == 4:
            return polygon.reshape(4, 2).astype(np.float32)
        if len(polygon) < 4:
            break
    return None


def _line(points: Points) -> npt.NDArray[np.float64]:
    """The line a x + b y = c through points, as (a, b, c), without the worst fifth of them."""
    for _ in range(2):
        direction = cv2.fitLine(points, cv2.DIST_L2, 0, 0.01, 0.01).reshape(4).astype(np.float64)
        a, b = -direction[1], direction[0]
        c = a * direction[2] + b * direction[3]
        off = np.abs(points @ np.array([a, b]) - c)
        points = points[off <= np.partition(off, 4 * len(off) // 5)[4 * len(off) // 5]]
    return np.array([a, b, c])


def _straightened(corners: Points, outline: Points) -> Points | None:
    """Corners where lines through the middle parts of the outline's sides meet.

    Rounded corners, which a polygon cuts off, do not count in these lines.
    """
    lines = []
    for i in range(4):
        start, along = corners[i], corners[(i + 1) % 4] - corners[i]
        length = float(np.hypot(*along))
        if length < 4:
            return None
        along = along / length
        offset = outline - start
        position = offset @ along / length
        distance = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0])
        near = outline[(position > 0.15) & (position < 0.85) & (distance < max(0.06 * length, 2))]
        if len(near) < 5:
            return None
        lines.append(_line(near))
    found = []
    for (a, b, c), (d, e, f) in zip([lines[-1], *lines], lines, strict=False):
        turn = a * e - b * d
        if abs(turn) < 0.1:
            return None
        found.append(((c * e - b * f) / turn, (a * f - c * d) / turn))
    return np.array(found, np.float32)


def _fit(corners: Points, hull: Points, area: float) -> float:
    """Intersection over union of a quadrilateral and a region of this hull and area."""
    if not cv2.isContourConvex(corners.reshape(-1, 1, 2)):
        return 0.0
    shared, _ = cv2.intersectConvexConvex(corners.reshape(-1, 1, 2), hull)
    # What the region lacks of its own hull counts as missing.
    shared = min(float(shared), area)
    union = float(cv2.contourArea(corners)) + float(cv2.contourArea(hull)) - shared
    return shared / max(union, 1.0)


def quadrilateral(contour: Contour) -> tuple[Points, float] | None:
    """Return corners, shape (4, 2), in reading order, and how well they fit, or None.

    The fit is intersection over union.
    """
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(contour))
    if area < LEAST_FIT * cv2.contourArea(hull):
        return None
    best: tuple[Points, float] | None = None
    outline, smooth = contour.reshape(-1, 2).astype(np.float32), hull.astype(np.float32)
    for corners in (_four_corners(hull), cv2.boxPoints(cv2.minAreaRect(hull))):
        if corners is None:
            continue
        for candidate in (_straightened(corners, outline), corners):
            if candidate is None:
                continue
            fit = _fit(candidate, smooth, area)
            if fit >= LEAST_FIT and (best is None or fit > best[1] + 0.01):
                best = (candidate, fit)
    return None if best is None else (in_reading_order(best[0]), best[1])
