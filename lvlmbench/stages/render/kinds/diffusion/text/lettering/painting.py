"""Ink on a surface: lit as the surface is, with its grain, and as sharp as what is around it."""

from __future__ import annotations

import cv2
import numpy as np

from lvlmbench.stages.render.kinds.diffusion.text.lettering import ink as inks
from lvlmbench.stages.render.kinds.diffusion.text.lettering.ink import Ink, Light
from lvlmbench.stages.render.kinds.diffusion.text.lettering.plane import Gray, Points
from lvlmbench.stages.render.kinds.diffusion.text.lettering.typeset import warped

#: How far shading may darken and brighten ink.
_SHADE = (0.35, 2.2)

#: Light that is added before a pixel is compared with its surroundings: noise of a dark surface
#: is small, and must not become strong on light ink.
_GRAIN_FLOOR = 0.06

#: How far grain may darken and brighten ink.
_GRAIN = (0.7, 1.4)

#: How much of the ink covers what is below.
_OPAQUE = 0.98

#: Width of an outline, as a share of the word's height.
_OUTLINE = 0.07

#: Blur of letters in a picture of 1 pixel, at most, and in pixels, at least.
_SOFTEST, _LEAST_BLUR = 0.004, 0.4

#: One pixel of so many is taken for one of an edge.
_SHARPEST = 400


def _box(corners: Points, side: int, share: float) -> tuple[int, int, int, int]:
    """The upright box around corners, with a margin of that share, within the picture."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = share * float((high - low).min()) + 4
    left, top = (max(int(np.floor(v - margin)), 0) for v in low)
    right, bottom = (min(int(np.ceil(v + margin)) + 1, side) for v in high)
    return left, top, right, bottom


def softness(gray: Gray) -> float:
    """Return standard deviation, in pixels, of the blur of the sharpest edges of a picture.

    An edge of height a that is blurred by s is nowhere steeper than a / (s sqrt(2 pi)).
    """
    across = cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    steep = cv2.magnitude(across, down)
    window = np.ones((9, 9), np.uint8)
    height = cv2.subtract(cv2.dilate(gray, window), cv2.erode(gray, window)).astype(np.float32)
    rank = max(steep.size // _SHARPEST, 1)
    sharp = steep >= max(float(np.partition(steep.ravel(), -rank)[-rank]), 1.0)
    if not sharp.any():
        return _LEAST_BLUR
    blur = height[sharp] / (steep[sharp] * np.float32(2.5066))
    # What the gradient's own window blurs is not the picture's.
    return float(np.sqrt(max(float(np.median(blur)) ** 2 - 0.5, 0.0)))


def _shading(light: Light, reach: float) -> Light:
    """Light of the surface, shape (height, width), without what is finer than ``reach`` pixels."""
    small = max(round(reach / 3), 1)
    height, width = light.shape
    coarse = cv2.resize(
        light, (max(width // small, 1), max(height // small, 1)), interpolation=cv2.INTER_AREA
    )
    coarse = cv2.GaussianBlur(coarse, (0, 0), 3.0)
    smooth: Light = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return smooth


def paint(image: Gray, word: str, face: str, corners: Points, surface: Points) -> tuple[Gray, Ink]:
    """Return the RGB picture with the word between these corners, and the ink it is in.

    Parameters
    ----------
    image
        Shape (side, side, 3); it stays as it is.
    corners
        Of the word's box, shape (4, 2), clockwise from the upper left.
    surface
        Of what it stands on, whose edges say how sharp the picture is there.
    """
    side = image.shape[0]
    box = left, top, right, bottom = _box(corners, side, 0.15)
    below = image[top:bottom, left:right]
    light = inks.light_of(below)
    cover = warped(word, face, corners, box, side)
    height = float(np.hypot(*(corners[0] - corners[3])))

    around = np.zeros(cover.shape, np.uint8)
    cv2.fillConvexPoly(around, np.round(corners - (left, top)).astype(np.int32), (255,))
    x, y, x1, y1 = _box(surface, side, 0.05)
    gray = cv2.cvtColor(image[y:y1, x:x1], cv2.COLOR_RGB2GRAY)
    blur = min(softness(gray), _SOFTEST * side, 0.035 * height)
    blur = max(blur, _LEAST_BLUR)
    bright = inks.luminance(light)
    smooth = _shading(bright, height / 4)
    mean = max(float(smooth[around > 0].mean()), 1e-4)
    shade = np.clip((smooth + 0.01) / (mean + 0.01), *_SHADE)
    floor = np.float32(_GRAIN_FLOOR)
    grain = np.clip((bright + floor) / (smooth + floor), *_GRAIN)
    lit = (shade * grain)[..., None].astype(np.float32)

    small = cv2.resize(image, (64, 64), interpolation=cv2.INTER_AREA)
    evenly = light / shade[..., None]
    ink = inks.choose(evenly[around > 0], inks.light_of(small).reshape(-1, 3))

    out = light
    if ink.outline is not None:
        width = max(round(_OUTLINE * height), 1)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
        out = _over(out, cv2.dilate(cover, disc), ink.outline * lit, blur)
    out = _over(out, cover, ink.color * lit, blur)
    done = image.copy()
    values = np.sqrt(np.clip(out, 0, 1)) * np.float32(255)
    done[top:bottom, left:right] = np.rint(values).astype(np.uint8)
    return done, ink


def _over(light: Light, cover: Gray, ink: Light, blur: float) -> Light:
    soft = cv2.GaussianBlur(cover, (0, 0), blur).astype(np.float32)
    share = (soft * np.float32(_OPAQUE / 255))[..., None]
    out: Light = light + (ink - light) * share
    return out
