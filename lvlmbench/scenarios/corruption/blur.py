"""Loss of detail: motion, a lens out of focus, compression."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from lvlmbench.scenarios.pictures import Pixels


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
    along = (np.arange(512) + 0.5) / 512 * length - length / 2
    angle = math.radians(degrees)
    kernel, *_ = np.histogram2d(
        -along * math.sin(angle), along * math.cos(angle), bins=(edges, edges)
    )
    return np.asarray(kernel / kernel.sum(), np.float32)


def motion(pixels: Pixels, length: float, degrees: float) -> Pixels:
    """The image as a camera records it that moves evenly along :func:`path`."""
    kernel = path(length, degrees)
    return np.asarray(cv2.filter2D(pixels, -1, kernel, borderType=cv2.BORDER_REPLICATE))


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
