"""A composed picture on its way from composition to style."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from lvlmbench.stages.render.layout import Marked


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
    marked
        The id buffer that was composited with the pixels; None for a picture that is not measured.
    """

    image: Image.Image
    mask: Image.Image
    text_box: tuple[int, int, int, int] | None = None
    marked: Marked | None = None


@dataclass(frozen=True)
class Styled:
    """What a style makes of a picture where it moves, hides or repeats what is shown.

    Parameters
    ----------
    image
        The picture in its style.
    ids
        The id buffer after the same moves, without what the style hides.
    whole
        The buffer with what the style hides; by default it hides nothing.
    panels
        How often the picture is repeated; each has marks of its own (:func:`shifted`).
    """

    image: Image.Image
    ids: Image.Image
    whole: Image.Image | None = None
    panels: int = 1


def ids_of(picture: Picture) -> Image.Image:
    """Return the id buffer of a picture; an empty one where nothing is marked."""
    if picture.marked is None:
        return Image.new("L", picture.image.size)
    return picture.marked.ids


def shifted(picture: Picture, ids: Image.Image, panel: int) -> Image.Image:
    """Return an id buffer with the marks of one of several panels."""
    n = 0 if picture.marked is None else len(picture.marked.placed)
    return ids.point([v + 2 * n * panel if v else 0 for v in range(256)])
