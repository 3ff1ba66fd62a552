"""Letters as masks: broken into lines, turned, and no larger than the room they have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from lvlmbench.stages.scenario.kinds.print_attack.fonts import face

Mask: TypeAlias = NDArray[np.uint8]
Flat: TypeAlias = NDArray[np.int64]

#: Width of an outline, as part of the font size, and at least in pixels.
_OUTLINE = 0.08
_LEAST = 2
#: Distance of two baselines, as part of the font size.
_LEADING = 1.2
#: What each turn of a font size that did not fit leaves of it.
_SHRINK = 0.92
#: Coverage from which a pixel is the letter's or the outline's; below half of it, it is neither's.
_SOLID = 128


@dataclass(frozen=True)
class Letters:
    """A text as it lies on the image, turned; all masks have the shape of its box.

    Attributes
    ----------
    size, lines
        Font size in pixels, and the lines that the text is broken into.
    fill, ring
        Coverage by the letters, and by an outline around them, 0 to 255.
    parts
        For each letter the flat indices of its pixels and of those right around it.
    """

    size: int
    lines: tuple[str, ...]
    fill: Mask
    ring: Mask
    parts: tuple[tuple[Flat, Flat], ...]


def _outline(size: int) -> int:
    return max(_LEAST, round(_OUTLINE * size))


@lru_cache(maxsize=4096)
def _length(path: Path, size: int, text: str) -> int:
    return math.ceil(face(path, size).getlength(text))


def _wraps(path: Path, size: int, text: str) -> Iterator[tuple[list[str], int]]:
    """Ways to break a text at blanks, the fewest lines first, each with its width in pixels."""
    words = text.split()
    runs = [" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    for width in sorted({_length(path, size, run) for run in runs}, reverse=True):
        lines: list[str] = []
        for word in words:
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and _length(path, size, longer) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        widest = max(_length(path, size, line) for line in lines)
        yield lines, widest


def _broken(
    path: Path, size: int, text: str, angle: int, room: tuple[int, int]
) -> tuple[str, ...] | None:
    """The fewest lines in which the turned text fits a room (width, height); None if in none."""
    turn = math.radians(angle)
    across, along = abs(math.cos(turn)), abs(math.sin(turn))
    edge = 2 * _outline(size) + 2
    for lines, widest in _wraps(path, size, text):
        width, height = widest + edge, math.ceil(len(lines) * _LEADING * size) + edge
        if (
            width * across + height * along <= room[0]
            and width * along + height * across <= room[1]
        ):
            return tuple(lines)
    return None


def fits(path: Path, size: int, text: str, angle: int, room: tuple[int, int]) -> bool:
    """Whether a text at this size, in as many lines as it takes, fits a room (width, height)."""
    return _broken(path, size, text, angle, room) is not None


def margin(side: int) -> int:
    """Pixels that stay free along the edges of an image with this side."""
    return side // 64


def set_text(
    path: Path, size: int, smallest: int, text: str, angle: int, room: tuple[int, int]
) -> Letters | None:
    """The text at the largest font size up to ``size`` at which it fits, turned by ``angle``.

    Parameters
    ----------
    size, smallest
        Font sizes in pixels: the wanted one, and the least.
    angle
        Degrees, counterclockwise.
    room
        Width and height in pixels.

    Returns
    -------
    None where it does not fit even at the least size.
    """
    size = max(size, smallest)
    while True:
        lines = _broken(path, size, text, angle, room)
        if lines is not None:
            letters = _turned(path, size, lines, angle)
            height, width = letters.fill.shape
            if width <= room[0] and height <= room[1]:
                return letters
        if size == smallest:
            return None
        size = max(smallest, int(size * _SHRINK))


@lru_cache(maxsize=64)
def _turned(path: Path, size: int, lines: tuple[str, ...], angle: int) -> Letters:
    """The lines, centered, as masks that are cut to what is inked, outline included."""
    font, stroke, step = face(path, size), _outline(size), math.ceil(_LEADING * size)
    lengths = [_length(path, size, line) for line in lines]
    shape = (max(lengths) + 2 * size, len(lines) * step + 2 * size)
    fill, wide, cell = (Image.new("L", shape) for _ in range(3))
    pens = [ImageDraw.Draw(layer) for layer in (fill, wide, cell)]
    number = 0
    for at, (line, length) in enumerate(zip(lines, lengths, strict=True)):
        x, y = (shape[0] - length) // 2, 2 * size + at * step
        pens[0].text((x, y), line, fill=255, font=font, anchor="ls")
        pens[1].text((x, y), line, fill=255, font=font, anchor="ls", stroke_width=stroke)
        left, top = x - size, y - step + size // 4
        for end in range(1, len(line) + 1):
            right = x + (round(font.getlength(line[:end])) if end < len(line) else shape[0])
            number = number % 255 + 1
            pens[2].rectangle((left, top, right, top + step), fill=number)
            left = right
    layers = []
    for layer, method in (
        (fill, Image.Resampling.BICUBIC),
        (wide, Image.Resampling.BICUBIC),
        (cell, Image.Resampling.NEAREST),
    ):
        layers.append(layer.rotate(angle, resample=method, expand=True))
    box = layers[1].getbbox()
    full, whole, cells = (np.asarray(layer.crop(box)) for layer in layers)
    whole = np.maximum(full, whole)
    solid, around = full >= _SOLID, (whole >= _SOLID) & (full < _SOLID // 2)
    parts = []
    for letter in np.unique(cells[solid]).tolist():
        mine = cells == letter
        inside, outside = np.flatnonzero(mine & solid), np.flatnonzero(mine & around)
        if len(inside) and len(outside):
            parts.append((inside, outside))
    return Letters(size, lines, full, whole - full, tuple(parts))
