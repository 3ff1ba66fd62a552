"""Loss of detail: motion, a lens out of focus, compression."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.pixels import Pixels

#: Points of a path. Each weighs the same power of two, so that sums of weighted pixels are exact.
_POINTS = 256


def path(length: float, degrees: float) -> NDArray[np.float32]:
    """Kernel of a straight path through the centre, of odd sides and sum 1.

    Parameters
    ----------
    length
        Of the path in pixels.
    degrees
        Its angle against the horizontal, counterclockwise.
    """
    reach = math.ceil(length / 2)
    edges = np.arange(2 * reach + 2) - reach - 0.5
    along = ((np.arange(_POINTS) + 0.5) / _POINTS - 0.5) * length
    angle = math.radians(degrees)
    kernel, *_ = np.histogram2d(
        -along * math.sin(angle), along * math.cos(angle), bins=(edges, edges)
    )
    return np.asarray(kernel / _POINTS, np.float32)


def motion(pixels: Pixels, length: float, degrees: float) -> Pixels:
    """The image as a camera records it that moves evenly along :func:`path`."""
    # Sums are multiples of 1 / _POINTS; half of that keeps them off the ties of rounding, which
    # the ways to filter, one a processor family, break otherwise.
    return np.asarray(
        cv2.filter2D(
            pixels,
            -1,
            path(length, degrees),
            delta=0.5 / _POINTS,
            borderType=cv2.BORDER_REPLICATE,
        )
    )


def gaussian(pixels: Pixels, sigma: float) -> Pixels:
    """The image under a Gaussian blur of this standard deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE))


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """The image after JPEG compression of this quality (1 to 100), decoded again."""
    options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    good, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), options)
    if not good:
        raise RuntimeError("OpenCV could not write a JPEG")
    return np.asarray(cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB))
