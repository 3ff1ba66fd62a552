"""A composed picture on its way from composition to style."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image


@dataclass(frozen=True)
class Picture:
    """What the composition hands to a style.

    Parameters
    ----------
    image
        The whole picture, mode RGB, square.
    mask
        Coverage of the foreground (art with its outline, carrier with its text), mode L, same
        size: 255 where the foreground hides the background wholly.
    text_box
        (left, top, right, bottom) in pixels around the word that must stay legible; None where
        nothing is written.
    """

    image: Image.Image
    mask: Image.Image
    text_box: tuple[int, int, int, int] | None = None
