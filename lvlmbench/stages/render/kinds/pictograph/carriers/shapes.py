"""What a carrier of text is, and the simple shapes and palettes that the carriers share.

``{a}`` and ``{b}`` in a shape stand for the colors of the palette that a scene draws. ``area`` is
where the word goes, in the shape's units; a shape keeps it free of anything else.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Carrier:
    """One thing to write on.

    Parameters
    ----------
    view
        Width and height of the shape's view box.
    body
        SVG elements.
    area
        (left, top, right, bottom) of the place for the word, in view box units.
    palettes
        Triples (a, b, ink): fills of the shape and color of the letters.
    """

    view: tuple[int, int]
    body: str
    area: tuple[int, int, int, int]
    palettes: tuple[tuple[str, str, str], ...]


def path(d: str, fill: str = "none", stroke: str = "#000", width: float = 4) -> str:
    """A path; caps and joins are round."""
    line = f'stroke="{stroke}" stroke-width="{width}"' if width else ""
    return f'<path d="{d}" fill="{fill}" {line}/>'


def rect(
    x: float, y: float, w: float, h: float, fill: str, r: float = 0, line: float = 4,
    stroke: str = "#000",
) -> str:  # fmt: skip
    """A rectangle with corners of radius ``r``."""
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{line}"/>'
    )


def dot(x: float, y: float, r: float, fill: str, line: float = 3) -> str:
    """A circle."""
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="#000" stroke-width="{line}"/>'


def lines(x0: float, x1: float, ys: list[float], color: str = "#999", width: float = 4) -> str:
    """Horizontal lines: print too small to read."""
    return "".join(path(f"M{x0} {y} L{x1} {y}", stroke=color, width=width) for y in ys)


BLACK, WHITE = "#111111", "#ffffff"
#: (a, b, ink): strong fills under light or dark letters.
BRIGHT = (
    ("#2f7fc4", "#1d5a91", WHITE),
    ("#c8372d", "#8e231b", WHITE),
    ("#2e8b4f", "#1d6137", WHITE),
    ("#f4d03f", "#c79f12", BLACK),
    ("#7d4ba6", "#573079", WHITE),
)
#: (a, b, ink): pale fills under dark letters.
PALE = (
    ("#fdf6d8", "#e8d9a0", BLACK),
    ("#dff0fb", "#a9cfe8", "#14304a"),
    ("#e6f5df", "#b4dba3", "#173d1c"),
    ("#fde4e1", "#efb4ae", "#5a1512"),
)
