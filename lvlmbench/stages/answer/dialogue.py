"""What goes with a question beside its own words: what was said before, and pictures put together.

An engine that speaks in turns is given the earlier ones as they were; one that knows of no dialogue
is asked the last question alone, or is told the earlier turns in front of it. Where a picture is
put together of several, an engine that takes several may be shown these (TouchStone, section 4.2,
shows one).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lvlmbench.core.decoding import picture_of

if TYPE_CHECKING:
    from PIL import Image


class Turn(NamedTuple):
    """What was asked before, and what was answered."""

    question: str
    answer: str


class Panel(NamedTuple):
    """One of the pictures that an image is put together of, as shares of the image's sides."""

    left: float
    top: float
    right: float
    bottom: float


class Cut(Exception):
    """An image cannot be cut into its panels."""


def turns_of(rows: Iterable[Mapping[str, Any]] | None) -> tuple[Turn, ...]:
    """Return the turns that a row of ``tables.QUESTIONS`` holds."""
    return tuple(Turn(row["question"], row["answer"]) for row in rows or ())


def panels_of(rows: Iterable[Mapping[str, Any]] | None) -> tuple[Panel, ...]:
    """Return the panels that a row of ``tables.QUESTIONS`` holds."""
    return tuple(Panel(**{name: row[name] for name in Panel._fields}) for row in rows or ())


def boxes_of(size: tuple[int, int], panels: Sequence[Panel]) -> list[tuple[int, int, int, int]]:
    """Return the boxes of panels in an image of this width and height: whole pixels.

    Raises
    ------
    Cut
        A panel has no pixel of the image.
    """
    width, height = size
    boxes = [
        (round(p.left * width), round(p.top * height), round(p.right * width),
         round(p.bottom * height))
        for p in panels
    ]  # fmt: skip
    for left, top, right, bottom in boxes:
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            raise Cut(f"an image of {width} x {height} pixels has no such panels")
    return boxes


def cut(picture: Image.Image, panels: Sequence[Panel]) -> list[Image.Image]:
    """Return the panels of a picture, pixel by pixel as they are in it.

    Raises
    ------
    Cut
        A panel has no pixel of the picture.
    """
    return [picture.crop(box) for box in boxes_of(picture.size, panels)]


def cut_files(image: bytes, panels: Sequence[Panel]) -> list[bytes]:
    """Return the panels of an image file as PNG files.

    Raises
    ------
    Cut
        It cannot be decoded, or a panel has no pixel of it.
    """
    picture = picture_of(image)
    if picture is None:
        raise Cut("the image cannot be read")
    files = []
    for part in cut(picture, panels):
        sink = io.BytesIO()
        part.save(sink, "PNG", compress_level=1)
        files.append(sink.getvalue())
    return files
