"""Pictures of blank signs for the tests of lettering: in perspective, lit, grainy."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

#: Corners of signs as shares of the picture's side, clockwise from the upper left.
SIGNS = {
    "straight": ((0.22, 0.35), (0.78, 0.35), (0.78, 0.65), (0.22, 0.65)),
    "from the left": ((0.25, 0.30), (0.72, 0.38), (0.72, 0.62), (0.25, 0.72)),
    "from the right": ((0.28, 0.40), (0.80, 0.28), (0.80, 0.70), (0.28, 0.62)),
    "turned": ((0.26, 0.42), (0.74, 0.30), (0.78, 0.58), (0.30, 0.70)),
}


def sign(
    corners: Any,
    color: tuple[int, int, int] = (235, 230, 220),
    *,
    size: int = 512,
    light: tuple[float, float] = (1.0, 1.0),
    grain: float = 3.0,
    mottled: float = 0.0,
) -> npt.NDArray[np.uint8]:
    """A picture of one empty sign before blurred clutter.

    Parameters
    ----------
    light
        How bright its left and its right edge are lit.
    mottled
        Standard deviation of stains on the sign.
    """
    rng = np.random.default_rng(4)
    picture = np.full((size, size, 3), 120, np.float32)
    for cells in (8, 24, 64):
        coarse = rng.normal(0, 22, (cells, cells, 3)).astype(np.float32)
        picture += cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    face = np.zeros((size, size), np.float32)
    points = np.array(corners, np.float32) * size
    cv2.fillConvexPoly(face, np.rint(points * 16).astype(np.int32), (1.0,), cv2.LINE_AA, 4)
    face = cv2.GaussianBlur(face, (0, 0), size / 600)[..., None]
    stains = cv2.resize(rng.normal(0, 1, (24, 24)).astype(np.float32), (size, size))
    surface = np.array(color, np.float32) + mottled * stains[..., None]
    picture = picture * (1 - face) + surface * face
    picture *= np.linspace(*light, size, dtype=np.float32)[None, :, None]
    picture += rng.normal(0, grain, (size, size, 1)).astype(np.float32)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def clutter(size: int = 256) -> npt.NDArray[np.uint8]:
    """A picture with nothing to write on."""
    rng = np.random.default_rng(5)
    coarse = rng.integers(0, 256, (size // 4, size // 4, 3), dtype=np.uint8)
    return cv2.resize(coarse, (size, size), interpolation=cv2.INTER_NEAREST)  # type: ignore[return-value]
