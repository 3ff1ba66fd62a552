"""Words set in type: coverage of the letters, and warped onto their place."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw

from lvlmbench.stages.render.kinds.diffusion.text.lettering.plane import Gray, Points
from lvlmbench.stages.render.kinds.pictograph.lettering import font

#: Typefaces that words are set in.
FACES = ("DejaVuSans-Bold", "DejaVuSerif-Bold", "DejaVuSansMono-Bold")

#: Size in pixels at which words are set before they are warped, for a picture of 1 pixel, and the
#: least one: letters of a word that fills a picture are about a quarter of its side high.
_SIZE, _LEAST = 0.3, 64

#: Subdivisions of a pixel when letters are warped.
_SUPERSAMPLED = 2


@lru_cache(maxsize=512)
def proportion(word: str, face: str) -> float:
    """Return width over height of the word's inked box."""
    height, width = letters(word, face, 100).shape
    return float(width / height)


def letters(word: str, face: str, size: int) -> Gray:
    """Return the word's coverage in its inked box, 255 on letters, at a size in pixels."""
    type_ = font(face, size)
    left, top, right, bottom = (int(v) for v in type_.getbbox(word))
    raster = Image.new("L", (max(right - left, 1) + 4, max(bottom - top, 1) + 4))
    ImageDraw.Draw(raster).text((2 - left, 2 - top), word, fill=255, font=type_)
    # Typefaces of one width leave room beside narrow letters.
    return np.asarray(raster.crop(raster.getbbox() or (0, 0, 1, 1)))


def warped(
    word: str, face: str, corners: Points, box: tuple[int, int, int, int], side: int
) -> Gray:
    """Return coverage of the word between these corners, for the pixels of ``box`` of the picture.

    Parameters
    ----------
    corners
        Of the word's box in the picture, shape (4, 2), clockwise from the upper left.
    box
        Left, top, right, bottom.
    """
    size = max(round(_SIZE * side), _LEAST)
    tall = float(max(np.hypot(*(corners[0] - corners[3])), np.hypot(*(corners[1] - corners[2]))))
    # Twice as high as in the picture: enough for smooth edges.
    flat = letters(word, face, size)
    size = max(round(size * min(2 * tall / flat.shape[0], 1.0)), 8)
    flat = letters(word, face, size)
    height, width = flat.shape
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = (corners - np.array(box[:2], np.float32)) * _SUPERSAMPLED
    # Corners are corners of pixels, where OpenCV counts from the middles of pixels.
    matrix = cv2.getPerspectiveTransform(ends - 0.5, (moved - 0.5).astype(np.float32))
    fine = ((box[2] - box[0]) * _SUPERSAMPLED, (box[3] - box[1]) * _SUPERSAMPLED)
    large = cv2.warpPerspective(flat, matrix, fine, flags=cv2.INTER_LINEAR)
    out: Gray = cv2.resize(large, (box[2] - box[0], box[3] - box[1]), interpolation=cv2.INTER_AREA)
    return out
