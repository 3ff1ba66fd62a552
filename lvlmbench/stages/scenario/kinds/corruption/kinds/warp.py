"""Rotation and shear that keep the whole image in view.

The canvas grows to hold the moved image, is filled with the mean colour of the image's edge, and
is scaled back to the original size: nothing is cropped, and nothing is shown twice, as it would
be with reflection at the edge.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, Done, Numbers
from lvlmbench.stages.scenario.pixels import Pixels

#: Affine map in OpenCV's form, shape (2, 3): (x, y, 1) of the image to (x, y) of what is shown.
Matrix = NDArray[np.float64]

Places = NDArray[np.int64]

#: Parts of a pixel that OpenCV tells apart.
_PARTS = 32


def turned(degrees: float) -> Matrix:
    """Linear part, shape (2, 2), of a turn; counterclockwise as seen, for positive ``degrees``."""
    angle = math.radians(degrees)
    return np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])


def sheared(factor: float, axis: str) -> Matrix:
    """Linear part, shape (2, 2), of a shear along ``axis`` ("x" or "y")."""
    return np.array([[1.0, factor], [0.0, 1.0]] if axis == "x" else [[1.0, 0.0], [factor, 1.0]])


def fitted(linear: Matrix, height: int, width: int) -> Matrix:
    """The map that moves an image so, then shrinks it evenly so that all of it is in view.

    Parameters
    ----------
    linear
        Shape (2, 2), of :func:`turned` or :func:`sheared`.
    height, width
        Of the image, which keeps its size.

    Returns
    -------
    Matrix
        Shape (2, 3). The centre of the image stays where it is.
    """
    # Bounding box of the moved image; pixels reach half a pixel beyond their centres.
    grown = _times(np.abs(linear), np.array([width, height]))
    scale = min(width / grown[0], height / grown[1])
    centre = np.array([(width - 1) / 2, (height - 1) / 2])
    moved = scale * linear
    return np.column_stack([moved, centre - _times(moved, centre)])


def _times(matrix: Matrix, vector: Matrix) -> Matrix:
    """Their product, each step rounded once; a BLAS may round the sum's steps together."""
    return np.asarray(matrix[:, 0] * vector[0] + matrix[:, 1] * vector[1])


def edge_colour(pixels: Pixels) -> tuple[int, int, int]:
    """Mean colour of the outermost pixels."""
    edge = np.concatenate([pixels[0], pixels[-1], pixels[1:-1, 0], pixels[1:-1, -1]])
    red, green, blue = np.rint(edge.mean(axis=0)).astype(int).tolist()
    return red, green, blue


def warped(pixels: Pixels, matrix: Matrix) -> Pixels:
    """The image under the map, on its edge's mean colour.

    OpenCV is told where each pixel comes from, in whole :data:`_PARTS` of a pixel, and interpolates
    in integers; computing the places itself it would round by the processor's kernels.
    """
    import cv2

    height, width = pixels.shape[:2]
    across, down = _sources(matrix, height, width)
    return np.asarray(
        cv2.remap(
            pixels,
            np.stack([across // _PARTS, down // _PARTS], axis=-1).astype(np.int16),
            (down % _PARTS * _PARTS + across % _PARTS).astype(np.uint16),
            cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=edge_colour(pixels),
        )
    )


def _sources(matrix: Matrix, height: int, width: int) -> tuple[Places, Places]:
    """Where in the image each pixel shown comes from, in whole :data:`_PARTS` of a pixel."""
    ((a, b, c), (d, e, f)) = matrix.tolist()
    x, y = np.arange(width) - c, (np.arange(height) - f)[:, None]
    scale = _PARTS / (a * e - b * d)
    # Each product and sum is rounded once, as IEEE 754 says: no kernel chooses another way.
    across, down = x * (e * scale) - y * (b * scale), y * (a * scale) - x * (d * scale)
    return np.rint(across).astype(np.int64), np.rint(down).astype(np.int64)


def _fitted(linear: Matrix, pixels: Pixels) -> Matrix:
    """Return the map with the decimals that are recorded."""
    return fitted(linear, *pixels.shape[:2]).round(6)


def _moved(matrix: Matrix, pixels: Pixels, **about: Any) -> dict[str, Any]:
    """Return the record: ``matrix`` maps a point of the clean image to the shown."""
    return {**about, "matrix": matrix.tolist(), "fill": list(edge_colour(pixels))}


#: What a turned or sheared picture no longer shows as it was drawn.
_MOVES = frozenset({"left_right", "above_below"})


@CORRUPTIONS.register(
    "rotation",
    slot=9,
    moves=_MOVES,
    columns=("degrees",),
    ranges=((0, 180),),
    rows=((5,), (10,), (15,), (20,), (25,)),
    about="angle, to either side",
    published="own; modest, so that what stands upright still does",
)
def rotation(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Turn the picture."""
    degrees = given["degrees"] * (1 if rng.random() < 0.5 else -1)
    matrix = _fitted(turned(degrees), pixels)
    return warped(pixels, matrix), _moved(matrix, pixels, degrees=degrees)


@CORRUPTIONS.register(
    "shear",
    slot=10,
    moves=_MOVES,
    columns=("factor",),
    ranges=((0, 2),),
    rows=((0.08,), (0.16,), (0.24,), (0.32,), (0.4,)),
    about="shift of a line for each pixel that it lies off the centre, to either side",
    published="own; modest, as for rotation",
)
def shear(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Shear the picture along one side."""
    factor = given["factor"] * (1 if rng.random() < 0.5 else -1)
    axis = "x" if rng.random() < 0.5 else "y"
    matrix = _fitted(sheared(factor, axis), pixels)
    return warped(pixels, matrix), _moved(matrix, pixels, factor=factor, axis=axis)
