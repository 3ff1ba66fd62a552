"""Loss of detail: motion, a lens out of focus, compression."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.kinds.corruption.kind import (
    CORRUPTIONS,
    Done,
    Numbers,
    recorded,
    scale_of,
)
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
    import cv2

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
    import cv2

    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE))


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """The image after JPEG compression of this quality (1 to 100), decoded again."""
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    good, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), options)
    if not good:
        raise RuntimeError("OpenCV could not write a JPEG")
    return np.asarray(cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB))


@CORRUPTIONS.register(
    "motion_blur",
    slot=4,
    columns=("length",),
    ranges=((0.1, 256),),
    rows=((4,), (8,), (12,), (14,), (16,)),
    about="length of the straight path in pixels",
    published="ImageNet-C: radius 15, sigma 8, whose spread is that of a path of 17 pixels; "
    "shorter, so that words can be read",
)
def motion_blur(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Move the camera while it records."""
    length = recorded(given["length"] * scale_of(pixels))
    degrees = round(float(rng.uniform(0, 180)), 2)
    return motion(pixels, length, degrees), {"length_px": length, "degrees": degrees}


@CORRUPTIONS.register(
    "gaussian_blur",
    slot=5,
    columns=("sigma",),
    ranges=((0.1, 64),),
    rows=((1,), (1.8,), (2.5,), (3,), (3.4,)),
    about="standard deviation in pixels",
    published="ImageNet-C: 3; milder above, so that words can be read",
)
def gaussian_blur(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Take the lens out of focus."""
    sigma = recorded(given["sigma"] * scale_of(pixels))
    return gaussian(pixels, sigma), {"sigma_px": sigma}


@CORRUPTIONS.register(
    "jpeg_compression",
    slot=6,
    label="JPEG compression",
    columns=("quality",),
    ranges=((1, 100),),
    rows=((25,), (18,), (15,), (10,), (8,)),
    about="quality setting of libjpeg, 1 to 100",
    published="ImageNet-C: 15",
)
def jpeg_compression(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Compress and decode the image."""
    return jpeg(pixels, int(given["quality"])), dict(given)
