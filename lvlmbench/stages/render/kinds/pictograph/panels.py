"""The background of several panels in one picture."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from lvlmbench.scene.panels import SIDE, first, origins

_PAPER = (255, 255, 255)


def backdrop(n: int, canvas: int, draw: Callable[[int], Image.Image]) -> Image.Image:
    """Return the background of a picture of n panels: the middle of one that ``draw`` makes."""
    if n == 1:
        return draw(canvas)
    _, _, right, bottom = first(n)
    width, height = (round(canvas * side / SIDE) for side in (right, bottom))
    whole = draw(max(width, height))
    left, top = (whole.width - width) // 2, (whole.height - height) // 2
    panel = whole.crop((left, top, left + width, top + height))
    picture = Image.new("RGB", (canvas, canvas), _PAPER)
    for x, y in origins(n):
        picture.paste(panel, (round(canvas * x / SIDE), round(canvas * y / SIDE)))
    return picture
