"""A card of paper on which a chart is drawn, with the coverage of each of its parts.

Shapes are rasterized twice from one list: once as they look, once without antialiasing with a
color of its own for each part, from which the parts' masks follow: what stands in front hides
what is behind in both. Words are set by Pillow with the typefaces of all other lettering: resvg
reads no font here, and would read a font's file anew for every drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.pictograph.lettering import font
from lvlmbench.stages.render.kinds.pictograph.raster import rasterize

Anchor = Literal["lm", "mm", "rm", "ms", "mt"]

#: Smallest letters, in pixels, that are drawn at all.
SMALLEST = 9

#: Narrowest chart that is drawn.
NARROWEST = 200


@dataclass(frozen=True)
class Part:
    """One bar, slice, cell, hand or marker and its coverage (mode L, as large as the card)."""

    name: str
    mask: Image.Image


@dataclass(frozen=True)
class Seen:
    """Where a part is seen: its box, and how many pixels show it."""

    box: tuple[int, int, int, int]
    pixels: int

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


@dataclass(frozen=True)
class Drawing:
    """A chart as it was drawn.

    Attributes
    ----------
    rgb, coverage
        The card (RGB) and where it covers what is behind it (L), same size.
    parts
        Its parts: one for each value under the name that :attr:`Chart.names` gives it, and those
        that a reader measures against (``axis``, ``dial``), whose names hold no value.
    """

    rgb: Image.Image
    coverage: Image.Image
    parts: tuple[Part, ...]

    def seen(self) -> dict[str, Seen]:
        """Return where each part is."""
        found = {}
        for part in self.parts:
            box = part.mask.getbbox()
            if box is not None:
                found[part.name] = Seen(box, part.mask.histogram()[255])
        return found


@dataclass(frozen=True)
class Look:
    """Colors and typeface of a card."""

    paper: str
    ink: str
    faint: str
    face: str = "DejaVuSans"


LOOKS = (
    Look("#ffffff", "#1c1f24", "#c9ced4"),
    Look("#fdf8e8", "#2b2118", "#d8cdb0", "DejaVuSerif"),
    Look("#eef5fb", "#12263f", "#bccbd8"),
    Look("#f4f4f2", "#222222", "#c4c4c0", "DejaVuSans"),
)


def box_of(x0: float, y0: float, x1: float, y1: float, r: float = 0) -> str:
    """Return a rectangle by its corners, without paint."""
    return (
        f'<rect x="{x0:.2f}" y="{y0:.2f}" width="{x1 - x0:.2f}" height="{y1 - y0:.2f}" rx="{r:.2f}"'
    )


def disc(x: float, y: float, r: float) -> str:
    """Return a circle, without paint."""
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}"'


def way(points: list[tuple[float, float]], closed: bool = False) -> str:
    """Return a path through points, without paint."""
    d = " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    return f'<path d="M{d}{" Z" if closed else ""}"'


class Card:
    """Collects shapes, parts and words.

    Parameters
    ----------
    width, height
        In pixels; shapes and words are placed in pixels.
    look
        Its colors.
    """

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.width, self.height, self.look = width, height, look
        self.u = width / 100
        self._shapes: list[tuple[str, str, str, float]] = []
        self._parts: list[str | None] = []
        self._words: list[tuple[tuple[int, int], str, int, str, Anchor, bool]] = []
        edge = self.u * 0.4
        self.shape(
            box_of(edge, edge, width - edge, height - edge, self.u * 2),
            look.paper, look.ink, self.u * 0.4,
        )  # fmt: skip

    def shape(
        self,
        element: str,
        fill: str = "none",
        stroke: str = "none",
        line: float = 0,
        part: str | None = None,
    ) -> None:
        """Draw an element; ``part`` names the part whose pixels it shows."""
        self._shapes.append((element, fill, stroke, line))
        self._parts.append(part)

    def word(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        anchor: Anchor = "mm",
        bold: bool = False,
        ink: str = "",
    ) -> None:
        """Write a word, anchored as Pillow names it."""
        place = (round(at[0]), round(at[1]))
        self._words.append((place, text, size, ink or self.look.ink, anchor, bold))

    def _face(self, bold: bool) -> str:
        return f"{self.look.face}-Bold" if bold else self.look.face

    def length(self, text: str, size: int, bold: bool = False) -> float:
        """Return the width of a word in pixels."""
        return font(self._face(bold), size).getlength(text)

    def fitting(self, words: tuple[str, ...], room: float, wanted: float) -> int:
        """Return the largest size, at most ``wanted``, at which each word is no wider than
        ``room``.

        Raises
        ------
        UserError
            The letters would be too small to be read.
        """
        size = round(max(wanted, SMALLEST))
        while any(self.length(word, size) > room for word in words):
            size -= 1
            if size < SMALLEST:
                longest = max(words, key=len)
                raise UserError(
                    "chart",
                    f"'{longest}' does not fit {room:.0f} pixels in letters that can be read",
                    "draw the chart larger, with fewer categories or with shorter names",
                )
        return size

    def _svg(self, painted: Callable[[int], tuple[str, str]]) -> str:
        body = []
        for n, (element, _, _, line) in enumerate(self._shapes):
            fill, stroke = painted(n)
            body.append(f'{element} fill="{fill}" stroke="{stroke}" stroke-width="{line:.2f}"/>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}">'
            f'<g stroke-linejoin="round">{"".join(body)}</g></svg>'
        )

    def finish(self) -> Drawing:
        """Return what was drawn.

        Raises
        ------
        UserError
            A word would be cut off.
        """
        raster = rasterize(self._svg(lambda n: self._shapes[n][1:3]), self.width)
        coverage = raster.getchannel("A")
        rgb = Image.new("RGB", raster.size, self.look.paper)
        rgb.paste(raster.convert("RGB"), (0, 0), coverage)
        pen = ImageDraw.Draw(rgb)
        for at, text, size, ink, anchor, bold in self._words:
            letters = font(self._face(bold), size)
            left, top, right, bottom = pen.textbbox(at, text, letters, anchor)
            if min(left, top) < 0 or right > self.width or bottom > self.height:
                raise UserError("chart", f"'{text}' has no room", "draw the chart larger")
            pen.text(at, text, fill=ink, font=letters, anchor=anchor)
        return Drawing(rgb, coverage, self._masks())

    def _masks(self) -> tuple[Part, ...]:
        names = list(dict.fromkeys(name for name in self._parts if name is not None))
        marks: Mapping[str | None, int] = {None: 0} | {n: i + 1 for i, n in enumerate(names)}

        def painted(n: int) -> tuple[str, str]:
            color = f"#{marks[self._parts[n]]:02x}0000"
            _, fill, stroke, _ = self._shapes[n]
            return fill if fill == "none" else color, stroke if stroke == "none" else color

        ids = np.asarray(rasterize(self._svg(painted), self.width, crisp=True))[:, :, 0]
        return tuple(
            Part(name, Image.fromarray(np.where(ids == marks[name], 255, 0).astype(np.uint8)))
            for name in names
        )
