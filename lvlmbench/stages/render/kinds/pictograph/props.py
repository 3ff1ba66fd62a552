"""Things to stand on and to be in, drawn here so that it is known where that is.

All measures are in units of the prop's view box. Wherever something may stand, the art shows the
upper side of a board from a little above, so that a lower edge within it looks as standing on it.
What something may be in is open towards the viewer: all of the thing is seen, within its edges.
"""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import path, rect
from lvlmbench.stages.render.kinds.pictograph.raster import Art

_WOOD, _LIGHT, _DARK = "#b9824a", "#dcae74", "#7d5229"


@dataclass(frozen=True)
class Prop:
    """One support or container.

    Attributes
    ----------
    label
        Its name, to be said with "on the" or "inside the".
    body
        SVG elements.
    view
        Width and height of its view box.
    across
        From where to where a thing may reach on it or in it.
    foot
        At which height its lower edge is.
    top
        How high a thing may reach that is in it; None for what one stands on.
    """

    label: str
    body: str
    view: tuple[int, int]
    across: tuple[float, float]
    foot: float
    top: float | None = None

    def art(self) -> Art:
        """Return what it looks like."""
        return Art(("prop", self.label), self._svg, self.view)

    def _svg(self) -> str:
        width, height = self.view
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f'<g stroke-linecap="round" stroke-linejoin="round">{self.body}</g></svg>'
        )


def _board(x0: float, x1: float, top: float, depth: float, slant: float, edge: float) -> str:
    """A board seen from a little above: its upper side and its front edge."""
    front = top + depth
    return (
        path(f"M{x0 + slant} {top} L{x1 - slant} {top} L{x1} {front} L{x0} {front} Z", _LIGHT)
        + rect(x0, front, x1 - x0, edge, _WOOD, 1)
    )  # fmt: skip


_TABLE = Prop(
    "table",
    rect(58, 70, 12, 64, _DARK, 2) + rect(190, 70, 12, 64, _DARK, 2)
    + rect(20, 70, 15, 86, _WOOD, 2) + rect(225, 70, 15, 86, _WOOD, 2)
    + rect(34, 76, 192, 14, _DARK, 1) + _board(6, 254, 16, 46, 34, 13),
    (260, 160),
    (34, 226), 46,
)  # fmt: skip

_RUG = Prop(
    "rug",
    path("M46 10 L254 10 L294 82 L6 82 Z", "#b5443c", width=5)
    + path("M58 22 L242 22 L266 70 L34 70 Z", stroke="#f2d59b", width=4)
    + path("M74 34 L226 34 L240 58 L60 58 Z", stroke="#e08a5a", width=4),
    (300, 92),
    (50, 250), 30,
)  # fmt: skip

_BED = Prop(
    "bed",
    rect(16, 92, 14, 46, _DARK, 2) + rect(272, 92, 14, 46, _DARK, 2)
    + path("M30 46 L286 46 L286 84 L30 84 Z", "#f4f6fa")
    + path("M96 40 L276 40 C288 40 292 48 292 58 L292 100 L96 100 Z", "#5b8fd6")
    + path("M96 40 L124 40 L124 100 L96 100 Z", "#a9c8f0")
    + rect(30, 98, 258, 16, _WOOD, 2)
    + path("M34 48 C32 30 84 30 88 48 C90 60 32 60 34 48 Z", "#ffffff")
    + rect(8, 6, 22, 110, _WOOD, 5) + rect(280, 60, 16, 58, _WOOD, 5),
    (304, 142),
    (100, 272), 56,
)  # fmt: skip

_GOLD = "#e3b23c"

_FRAME = Prop(
    "picture frame",
    rect(6, 6, 228, 228, _GOLD, 4, 5) + rect(16, 16, 208, 208, "none", 2, 3, "#9c7417")
    + path("M6 6 L30 30 M234 6 L210 30 M6 234 L30 210 M234 234 L210 210", stroke="#9c7417", width=4)
    + rect(30, 30, 180, 180, "#fdfbf3", 0, 5),
    (240, 240),
    (36, 204), 198, 40,
)  # fmt: skip

_CARTON, _CARTON_DARK = "#cf9a5f", "#8e6236"

_BOX = Prop(
    "box",
    path("M20 30 L36 5 L248 5 L264 30 Z", "#dcae78", width=4)
    + path("M20 30 L4 48 L4 238 L20 254 Z M264 30 L280 48 L280 238 L264 254 Z", "#dcae78", width=4)
    + rect(20, 30, 244, 224, _CARTON, 3, 5) + rect(36, 46, 212, 192, "#6f4a26", 0)
    + path("M36 46 L60 66 L224 66 L248 46 Z", "#7d5630", width=3)
    + path("M36 238 L60 206 L224 206 L248 238 Z", "#dcae78", width=3)
    + path("M36 46 L60 66 L60 206 L36 238 Z", "#a87743", width=3)
    + path("M248 46 L224 66 L224 206 L248 238 Z", "#a87743", width=3)
    + rect(60, 66, 164, 140, "#c79a63", 0, 3),
    (284, 258),
    (56, 228), 226, 55,
)  # fmt: skip

_JAR = Prop(
    "jar",
    path("M58 34 C20 52 14 70 14 100 L14 252 C14 272 24 282 44 282 L196 282 C216 282 226 272"
         " 226 252 L226 100 C226 70 220 52 182 34 Z", "#d3ebf3", width=6)
    + path("M36 100 L36 244", stroke="#ffffff", width=9)
    + rect(50, 8, 140, 28, "#8a97a3", 5, 5) + path("M62 22 L178 22", stroke="#c5ced6", width=4),
    (240, 290),
    (30, 210), 266, 64,
)  # fmt: skip

_FENCE = Prop(
    "wooden fence",
    "".join(
        path(f"M{x} 158 L{x} 22 L{x + 20} 6 L{x + 40} 22 L{x + 40} 158 Z", _LIGHT, width=5)
        for x in range(6, 246, 40)
    )
    + rect(2, 44, 248, 14, _WOOD, 2, 4) + rect(2, 116, 248, 14, _WOOD, 2, 4),
    (252, 164),
    (6, 246), 158,
)  # fmt: skip

_CRATE = Prop(
    "wooden crate",
    rect(6, 6, 228, 188, _LIGHT, 3, 5)
    + path("M6 53 L234 53 M6 100 L234 100 M6 147 L234 147", stroke=_DARK, width=4)
    + path("M24 182 L24 160 L196 18 L216 18 L216 40 L44 182 Z", _WOOD, width=4)
    + rect(6, 6, 24, 188, _WOOD, 3, 5) + rect(210, 6, 24, 188, _WOOD, 3, 5)
    + rect(6, 6, 228, 22, _WOOD, 3, 5) + rect(6, 172, 228, 22, _WOOD, 3, 5),
    (240, 200),
    (6, 234), 194,
)  # fmt: skip

#: Every prop by its label.
PROPS: dict[str, Prop] = {
    prop.label: prop for prop in (_TABLE, _BED, _RUG, _FRAME, _BOX, _JAR, _FENCE, _CRATE)
}
