"""Looking again: the same picture with its fine texture taken out.

A person reads a word through halftone dots, hatching and grain, because the eye averages what is
finer than the letters. The engines do not: of pictographs in the style of a newspaper print they
lose every other word. So a picture in which the word was not found is looked at again, softened
in ways that blur texture and leave letters. A later look is held to the same rule as the first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PIL import Image, ImageFilter

#: Standard deviation of the blur, and side of the median's window, for a picture of 1 pixel.
_BLUR = 0.004
_WINDOW = 0.01


def softened(picture: Image.Image) -> Image.Image:
    """Blurred by 0.4 % of the shorter side: 2 pixels of 512."""
    return picture.filter(ImageFilter.GaussianBlur(_BLUR * min(picture.size)))


def smoothed(picture: Image.Image) -> Image.Image:
    """The median of windows of 1 % of the shorter side: thin strokes go, edges stay."""
    import cv2  # Pillow's median takes seconds for a picture of 1,024 pixels

    window = 2 * int(_WINDOW * min(picture.size) / 2) + 1  # odd: 5 of 512
    return Image.fromarray(cv2.medianBlur(np.asarray(picture.convert("RGB")), window))


def contrasted(picture: Image.Image) -> Image.Image:
    """Blurred, with the contrast of each color raised where it is low: dark letters on dark."""
    import cv2

    # Contrast-limited adaptive histogram equalization, in eighths of the picture's sides.
    equalizer = cv2.createCLAHE(clipLimit=4, tileGridSize=(8, 8))
    bands = softened(picture.convert("RGB")).split()
    return Image.merge("RGB", [Image.fromarray(equalizer.apply(np.asarray(b))) for b in bands])


def looks(picture: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    """The picture as it is, then its softened versions, each with its name; made when asked for."""
    yield "as it is", picture
    for way in (softened, smoothed, contrasted):
        yield way.__name__, way(picture)
