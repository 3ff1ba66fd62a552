"""The background of several panels in one picture, and what parts them."""

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


def parted(image: Image.Image, n: int) -> Image.Image:
    """Return a picture whose panels are parted by paper again: no rain falls between them."""
    if n == 1:
        return image
    _, _, right, bottom = first(n)
    width, height = (round(image.width * side / SIDE) for side in (right, bottom))
    picture = Image.new("RGB", image.size, _PAPER)
    for corner in origins(n):
        x, y = (round(image.width * at / SIDE) for at in corner)
        picture.paste(image.crop((x, y, x + width, y + height)), (x, y))
    return picture
