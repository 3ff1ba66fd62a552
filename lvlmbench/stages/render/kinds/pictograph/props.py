"""Things to stand on and to be in, drawn here so that it is known where that is.

All measures are in units of the prop's view box. Wherever something may stand, the art shows the
upper side of a board from a little above, so that a lower edge within it looks as standing on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import dot, path, rect
from lvlmbench.stages.render.kinds.pictograph.raster import Art

Box = tuple[float, float, float, float]

#: Most of a thing that a rim hides: it is still recognized.
SUNK = 0.3

_WOOD, _LIGHT, _DARK = "#b9824a", "#dcae74", "#7d5229"


@dataclass(frozen=True)
class Prop:
    """One support or container.

    Attributes
    ----------
    label
        Its name, to be said with "on the" or "in the".
    body
        SVG elements of all that is behind what stands on it or is in it.
    view
        Width and height of its view box.
    surfaces
        Where something can stand: from x to x at height y, its lower edge there.
    headroom
        How high a thing may be on a surface, before it meets the board above; None: any.
    opening
        (left, top, right, bottom) of where a thing can be in it. Where there is a ``rim`` it may
        stand out at the top; else all of it lies within.
    front
        SVG elements that are drawn over what is in it.
    rim
        From which height on the front hides it; None where it hides next to nothing.
    """

    label: str
    body: str
    view: tuple[int, int]
    surfaces: tuple[tuple[float, float, float], ...] = ()
    headroom: float | None = None
    opening: Box | None = None
    front: str | None = None
    rim: float | None = None

    def art(self) -> Art:
        """Return what is behind a thing."""
        return Art(("prop", self.label), lambda: self._svg(self.body), self.view)

    def front_art(self) -> Art | None:
        """Return what is over a thing, in the same view box."""
        front = self.front
        if front is None:
            return None
        return Art(("prop front", self.label), lambda: self._svg(front), self.view)

    def foot(self, height: float) -> float:
        """Return where the lower edge of a thing so high is when it is in the opening.

        What is flat does not vanish behind the rim: at most :data:`SUNK` of it is hidden. What
        has no front, such as a frame, shows a thing in its middle.
        """
        if self.opening is None:
            raise ValueError(f"nothing can be in a {self.label}")
        _, top, _, bottom = self.opening
        if self.front is None:
            return (top + bottom + height) / 2
        return bottom if self.rim is None else min(bottom, self.rim + SUNK * height)

    def _svg(self, body: str) -> str:
        width, height = self.view
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
        )


def _board(x0: float, x1: float, top: float, depth: float, slant: float, edge: float) -> str:
    """A board seen from a little above: its upper side and its front edge."""
    front = top + depth
    return (
        path(f"M{x0 + slant} {top} L{x1 - slant} {top} L{x1} {front} L{x0} {front} Z", _LIGHT)
        + rect(x0, front, x1 - x0, edge, _WOOD, 1)
    )  # fmt: skip


def _slats(x: float, y: float, width: float, height: float, count: int, color: str) -> str:
    """Boards one above the other, with gaps."""
    each = height / count
    return "".join(rect(x, y + i * each, width, each * 0.74, color, 2) for i in range(count))


def _weave(x0: float, x1: float, top: float, bottom: float, rows: int, narrow: float) -> str:
    """Wickerwork: stakes, and withes that pass before and behind them."""
    out, high = [], (bottom - top) / rows
    for row in range(rows):
        inset = narrow * (row + 0.5) / rows
        left, right = x0 + inset + 3, x1 - inset - 3
        stakes = 9
        wide = (right - left) / stakes
        for i in range(stakes):
            if (i + row) % 2 == 0:
                x = left + i * wide
                out.append(rect(round(x, 2), top + row * high + 2, round(wide, 2), high - 4,
                                "#e0b878", 4, 2, "#7a5020"))  # fmt: skip
    return "".join(out)


_TABLE = Prop(
    "table",
    rect(58, 70, 12, 64, _DARK, 2) + rect(190, 70, 12, 64, _DARK, 2)
    + rect(20, 70, 15, 86, _WOOD, 2) + rect(225, 70, 15, 86, _WOOD, 2)
    + rect(34, 76, 192, 14, _DARK, 1) + _board(6, 254, 16, 46, 34, 13),
    (260, 160),
    surfaces=((34, 226, 46),),
)  # fmt: skip

_BENCH = Prop(
    "bench",
    rect(40, 60, 14, 50, "#55606b", 2) + rect(246, 60, 14, 50, "#55606b", 2)
    + rect(30, 104, 34, 9, "#55606b", 3) + rect(236, 104, 34, 9, "#55606b", 3)
    + _board(6, 294, 12, 36, 24, 13) + path("M24 23 L276 23 M16 35 L284 35", stroke=_DARK, width=3),
    (300, 118),
    surfaces=((36, 264, 36),),
)  # fmt: skip

_STOOL = Prop(
    "stool",
    path("M34 50 L20 152 L32 152 L46 56 Z", _WOOD)
    + path("M116 50 L130 152 L118 152 L104 56 Z", _WOOD)
    + path("M69 60 L69 156 L81 156 L81 60 Z", _DARK) + path("M29 108 L121 108", width=9)
    + path("M29 108 L121 108", stroke=_DARK, width=4)
    + path("M8 34 L8 48 C8 74 142 74 142 48 L142 34 Z", _WOOD)
    + path("M8 34 C8 6 142 6 142 34 C142 62 8 62 8 34 Z", _LIGHT),
    (150, 162),
    surfaces=((26, 124, 40),),
)  # fmt: skip

_SHELF = Prop(
    "shelf",
    rect(8, 8, 244, 274, _WOOD, 3) + rect(24, 22, 212, 246, "#f2dfc0", 0)
    + path("M24 22 L40 30 L40 114 L24 134 Z", "#d2aa76", width=3)
    + path("M236 22 L220 30 L220 114 L236 134 Z", "#d2aa76", width=3)
    + path("M24 148 L40 154 L40 236 L24 256 Z", "#d2aa76", width=3)
    + path("M236 148 L220 154 L220 236 L236 256 Z", "#d2aa76", width=3)
    + _board(24, 236, 114, 20, 16, 13) + _board(24, 236, 236, 20, 16, 13),
    (260, 290),
    surfaces=((46, 214, 127), (46, 214, 249)),
    headroom=94,
)  # fmt: skip

_GOLD = "#e3b23c"

_FRAME = Prop(
    "picture frame",
    rect(6, 6, 228, 228, _GOLD, 4, 5) + rect(16, 16, 208, 208, "none", 2, 3, "#9c7417")
    + path("M6 6 L36 36 M234 6 L204 36 M6 234 L36 204 M234 234 L204 204", stroke="#9c7417", width=4)
    + rect(36, 36, 168, 168, "#fdfbf3", 0, 5),
    (240, 240),
    opening=(44, 44, 196, 196),
)  # fmt: skip

_WINDOW = Prop(
    "window",
    rect(14, 6, 212, 236, "#f4f4f0", 3, 5) + rect(30, 22, 180, 204, "#bfe3f6", 0)
    + path("M36 110 L110 28 L136 28 L36 140 Z", "#dcf1fb", width=0),
    (240, 268),
    opening=(36, 58, 204, 226),
    front=path("M30 48 L210 48", width=14) + path("M30 48 L210 48", stroke="#f4f4f0", width=6)
    + rect(4, 226, 232, 20, "#e6e6e0", 3, 5) + path("M16 254 L224 254", stroke="#9a9a94", width=4),
)  # fmt: skip

_CARTON, _CARTON_DARK = "#cf9a5f", "#8e6236"

_BOX = Prop(
    "box",
    path("M30 84 L56 60 L204 60 L230 84 Z", "#5f3f20") + path("M56 60 L204 60 L204 84 L56 84 Z",
         _CARTON_DARK)
    + path("M30 84 L56 60 L24 40 L4 62 Z", "#dcae78") + path("M230 84 L204 60 L236 40 L256 62 Z",
           "#dcae78"),
    (260, 200),
    opening=(60, 10, 200, 118),
    front=rect(30, 84, 200, 108, _CARTON, 2, 5) + rect(112, 84, 36, 50, "#e6c795", 0, 3, "#a97b45")
    + path("M52 172 L92 172 M52 160 L80 160", stroke=_CARTON_DARK, width=4),
    rim=84,
)  # fmt: skip

_CRATE = Prop(
    "crate",
    path("M24 70 L48 52 L212 52 L236 70 Z", "#4a3520") + rect(44, 44, 172, 26, "#8a6238", 2),
    (260, 190),
    opening=(58, 6, 202, 104),
    front=rect(24, 70, 212, 112, "#4a3520", 2) + _slats(24, 70, 212, 112, 3, "#c58f52")
    + rect(24, 70, 20, 112, "#a87740", 2) + rect(216, 70, 20, 112, "#a87740", 2)
    + "".join(dot(x, y, 3, "#3a2a18", 1) for x in (34, 226) for y in (84, 120, 158)),
    rim=70,
)  # fmt: skip

_BASKET = Prop(
    "basket",
    path("M30 100 C26 -22 234 -22 230 100", width=18)
    + path("M30 100 C26 -22 234 -22 230 100", stroke="#c8995a", width=10)
    + path("M22 100 C22 74 238 74 238 100 C238 122 22 122 22 100 Z", "#5c3d1c"),
    (260, 210),
    opening=(66, 26, 194, 134),
    front=path("M22 100 C40 124 220 124 238 100 L216 196 C214 204 46 204 44 196 Z",
               "#c8995a", width=5)
    + _weave(34, 226, 126, 194, 4, 14)
    + path("M22 100 C40 124 220 124 238 100", width=17)
    + path("M22 100 C40 124 220 124 238 100", stroke="#a8763a", width=10),
    rim=110,
)  # fmt: skip

_BOWL = Prop(
    "bowl",
    path("M10 60 C10 34 250 34 250 60 C250 84 10 84 10 60 Z", "#27557e", width=5),
    (260, 176),
    opening=(68, 2, 192, 100),
    front=path("M10 60 C30 84 230 84 250 60 C250 130 190 160 176 160 L84 160 C70 160 10 130 "
               "10 60 Z", "#4f9fd8", width=5)
    + path("M26 100 C70 122 190 122 234 100", stroke="#ffffff", width=7)
    + path("M82 168 L178 168", stroke="#27557e", width=9),
    rim=76,
)  # fmt: skip

_RUG = Prop(
    "rug",
    path("M46 10 L254 10 L294 62 L6 62 Z", "#b5443c", width=5)
    + path("M58 20 L242 20 L268 52 L32 52 Z", stroke="#f2d59b", width=4),
    (300, 72),
    surfaces=((50, 250, 38),),
)  # fmt: skip

#: Every prop by its label.
PROPS: dict[str, Prop] = {
    prop.label: prop
    for prop in (
        _TABLE, _BENCH, _STOOL, _SHELF, _RUG, _FRAME, _WINDOW, _BOX, _CRATE, _BASKET, _BOWL,
    )
}  # fmt: skip
