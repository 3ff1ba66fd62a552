"""Images as arrays and back: decoding, and the PNG that every scenario stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lvlmbench.core.decoding import picture_of

#: (height, width, 3), red first.
Pixels = NDArray[np.uint8]


def decode(row: Mapping[str, Any]) -> Pixels | None:
    """The image in a row of ``tables.IMAGES``; None where it cannot be decoded."""
    # Those are removed by the filter ``integrity``.
    image = picture_of((row["image"] or {}).get("bytes") or b"")
    return None if image is None else np.asarray(image)


def encode(pixels: Pixels) -> bytes:
    """The image as PNG.

    By OpenCV with one fixed filter and run-length matching alone: a quarter of Pillow's time at
    its quickest setting on noise, which nothing compresses, and half of it on other images. A
    compression level is left out on purpose: given one, OpenCV tries every filter on every row,
    which takes twice the time.
    """
    import cv2

    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise ValueError(f"not an image of 8 bits a channel: {pixels.dtype} {pixels.shape}")
    options = [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
    good, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), options)
    if not good:
        raise RuntimeError("OpenCV could not write a PNG")
    return bytes(data)
