"""Flat surfaces seen in perspective: corners, true proportions, and where a word fits best."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

#: Points, shape (n, 2), float32; the types of OpenCV name no shapes and loose numbers.
Points = npt.NDArray[Any]
#: A homography, shape (3, 3), float64.
Matrix = npt.NDArray[Any]
#: 8-bit values, shape (height, width), or (height, width, 3) where a picture is meant.
Gray = npt.NDArray[Any]

_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

#: Focal length that pictures are taken to have, in multiples of their side: an angle of view of
#: 45 degrees. It only decides how far a slanted surface's proportions are corrected.
_FOCAL = 1.2


def in_reading_order(corners: Points) -> Points:
    """Return the four corners clockwise from the upper left one, as a word on the surface reads.

    The side that becomes the upper one is the one that lies above the middle.
    """
    points = corners.astype(np.float64)
    middle = points.mean(axis=0)
    angles = np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0])
    points = points[np.argsort(angles, kind="stable")]  # clockwise, as y points down
    sides = np.roll(points, -1, axis=0) - points
    # The upper side runs to the right: the one whose direction is nearest to (1, 0).
    lengths = np.maximum(np.hypot(sides[:, 0], sides[:, 1]), 1e-6)
    return np.roll(points, -int(np.argmax(sides[:, 0] / lengths)), axis=0).astype(np.float32)


def from_unit(corners: Points) -> Matrix:
    """Return the homography that takes the unit square to these corners."""
    matrix: Matrix = cv2.getPerspectiveTransform(_UNIT, corners.astype(np.float32))
    return matrix


def through(matrix: Matrix, points: npt.ArrayLike) -> Points:
    """Return points, shape (n, 2), taken through a homography."""
    flat = np.asarray(points, np.float32).reshape(-1, 1, 2)
    moved: Points = cv2.perspectiveTransform(flat, matrix).reshape(-1, 2)
    return moved


def proportions(corners: Points, side: int) -> float:
    """Return width over height of the surface itself, as it would be seen from straight in front.

    Both axes of the surface are as long as the camera sees them once its focal length and the
    picture's middle are taken out of the homography (Zhang and He, "Whiteboard scanning and
    image enhancement", 2007).
    """
    camera = np.array([[_FOCAL * side, 0, side / 2], [0, _FOCAL * side, side / 2], [0, 0, 1.0]])
    axes = np.linalg.inv(camera) @ from_unit(corners)
    across, down = float(np.linalg.norm(axes[:, 0])), float(np.linalg.norm(axes[:, 1]))
    return min(max(across / max(down, 1e-9), 0.05), 20.0)


#: Pixels of the raster in which a place is looked for.
_RASTER = 112 * 112

#: How much a place right beside the middle counts less than one in the middle.
_OFF_CENTER = 0.5


def raster(corners: Points, proportion: float, word: float) -> tuple[Matrix, tuple[int, int]]:
    """Return a raster of the surface in which the word's box is a square, and its (width, height).

    Parameters
    ----------
    proportion, word
        Width over height of the surface and of the word.

    Returns
    -------
    tuple
        The homography from the raster to the picture, and the size.
    """
    ratio = (proportion / word) ** 0.5
    width = min(max(round(_RASTER**0.5 * ratio), 8), 512)
    height = min(max(round(_RASTER**0.5 / ratio), 8), 512)
    return from_unit(corners) @ np.diag([1 / width, 1 / height, 1.0]), (width, height)


def largest_box(free: Gray, most: float) -> tuple[float, float, float] | None:
    """Return middle (x, y) and half the side of the best square of nonzero pixels, or None.

    Large ones are best; among equal ones, those near the middle. Half a side of ``most`` is
    large enough.
    """
    height, width = free.shape
    inner = cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    reach = cv2.distanceTransform(inner, cv2.DIST_C, 3)[1:-1, 1:-1]
    across = np.abs(np.arange(width) + 0.5 - width / 2) / (width / 2)
    down = np.abs(np.arange(height) + 0.5 - height / 2) / (height / 2)
    worth = np.minimum(reach - 0.5, most) * (
        1 - _OFF_CENTER * np.maximum(across[None, :], down[:, None])
    )
    at = int(np.argmax(worth))
    y, x = divmod(at, width)
    half = min(float(reach[y, x]) - 0.5, most)
    return None if half < 1 else (x + 0.5, y + 0.5, half)
