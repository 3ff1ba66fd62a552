"""Colors of the text: some by their names, any other by its hexadecimal digits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

#: Red, green and blue, 0 to 255.
RGB: TypeAlias = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)

#: Colors that have a name here.
NAMED: Mapping[str, RGB] = MappingProxyType(
    {
        "black": BLACK,
        "white": WHITE,
        "gray": (165, 165, 165),
        "red": (200, 10, 25),
        "orange": (255, 140, 0),
        "yellow": (255, 225, 0),
        "green": (0, 170, 60),
        "blue": (25, 70, 220),
        "purple": (135, 25, 160),
    }
)
NAMES: tuple[str, ...] = tuple(NAMED)

_HEX = re.compile(r"#[0-9a-f]{6}")


def rgb_of(color: str) -> RGB:
    """Return red, green and blue of a name, or of ``#rrggbb``."""
    if color in NAMED:
        return NAMED[color]
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue


def _checked(value: object) -> str:
    """A color as it is recorded: its name, or ``#rrggbb`` in small letters."""
    color = value.lower() if isinstance(value, str) else ""
    if color not in NAMED and not _HEX.fullmatch(color):
        ways = f'write one of {", ".join(NAMES)}, or "#rrggbb" in quotes, e.g. "#00ffff"'
        raise ValueError(f"'{value}' is no color; {ways}")
    return color


#: An entry of ``colors``.
Color = Annotated[str, BeforeValidator(_checked)]
