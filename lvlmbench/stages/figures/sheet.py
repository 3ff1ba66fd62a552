"""A page on which words, lines and pictures are put at given places, in points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from lvlmbench.stages.figures import plotting, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from lvlmbench.stages.figures.thumbnails import Pixels

Align = Literal["left", "center", "right"]
#: Distance of lines, as a multiple of the size of the letters.
LEADING = 1.38


class Sheet:
    """What stands where; (0, 0) is the upper left corner, y grows downwards.

    The page is made last, as only what was put on it tells how high it has to be.
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self._marks: list[Callable[[Axes], object]] = []

    def text(
        self, x: float, y: float, text: str, size: float = 9, color: str = plotting.INK,
        weight: typeset.Weight = "normal", align: Align = "left", style: str = "normal",
    ) -> None:  # fmt: skip
        """Draw one line of text on ``y``, without what cannot be drawn or would hide."""
        text = typeset.one_line(text)
        look: dict[str, Any] = {
            "fontsize": size,
            "color": color,
            "fontweight": weight,
            "fontstyle": style,
        }
        if text:
            self._marks.append(lambda ax: ax.text(x, y, text, ha=align, va="baseline", **look))

    def paragraph(
        self, x: float, y: float, room: float, text: str | None, size: float = 9,
        color: str = plotting.INK, weight: typeset.Weight = "normal", most: int = 6,
    ) -> float:  # fmt: skip
        """Draw lines from ``y`` down, at most ``most``; return where the next thing may begin."""
        for line in typeset.wrap(text, room, size, weight, most):
            self.text(x, y + size, line, size, color, weight)
            y += LEADING * size
        return y

    def rule(self, x: float, end: float, y: float, color: str, thick: float = 0.8) -> None:
        """Draw a horizontal line."""
        self._marks.append(
            lambda ax: ax.plot([x, end], [y, y], color=color, lw=thick, solid_capstyle="butt")
        )

    def box(
        self, x: float, y: float, wide: float, high: float, color: str, opacity: float = 1.0
    ) -> None:
        """Draw a filled rectangle behind everything."""
        from matplotlib.patches import Rectangle

        self._marks.append(
            lambda ax: ax.add_patch(
                Rectangle((x, y), wide, high, color=color, alpha=opacity, lw=0, zorder=0)
            )
        )

    def frame(self, x: float, y: float, wide: float, high: float, color: str) -> None:
        """Draw the outline of a rectangle."""
        from matplotlib.patches import Rectangle

        self._marks.append(
            lambda ax: ax.add_patch(Rectangle((x, y), wide, high, fill=False, ec=color, lw=0.9))
        )

    def picture(self, x: float, y: float, wide: float, high: float, pixels: Pixels) -> None:
        """Draw a picture, its pixels as they are: no format's renderer computes new ones."""
        self._marks.append(
            lambda ax: ax.imshow(
                pixels, extent=(x, x + wide, y + high, y), interpolation="none", aspect="auto"
            )
        )

    def figure(self, height: float) -> Figure:
        """Return the page."""
        from matplotlib.figure import Figure

        made = Figure(figsize=(self.width / 72, height / 72))
        ax = made.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        for put in self._marks:
            put(ax)
        ax.set_xlim(0, self.width)
        ax.set_ylim(height, 0)
        return made
