"""Things that a hand holds, drawn around (0, 0), the middle of that hand; x grows outwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path
from lvlmbench.stages.render.kinds.pictograph.figures.marks import edge, seam, tint

_WOOD = "#b98a4e"


def _stick(d: str, fill: str, width: float) -> str:
    return path(d, stroke="#000", width=width + 3.2) + path(d, stroke=fill, width=width)


def _outwards(parts: str) -> str:
    """Return a thing moved so that the hand holds its inner side and hides little of it."""
    return f'<g transform="translate(13 -7)">{parts}</g>'


def balloon(color: str, floor: float) -> str:
    """Return a balloon on its string."""
    return (
        path("M0 4 C3 -14 -4 -24 2 -44", width=1.8)
        + path("M2 -48 L-2.6 -41 L6.6 -41 Z", color, edge(color), 1.9)
        + path("M2 -46 C-10 -54 -19 -64 -19 -77 C-19 -91 -10 -99 2 -99 C14 -99 23 -91 23 -77 "
               "C23 -64 14 -54 2 -46 Z", color, edge(color))
        + path("M-11 -78 Q-11 -90 -2 -92", stroke="#ffffff", width=2.6)
    )  # fmt: skip


def umbrella(color: str, floor: float) -> str:
    """Return an open umbrella."""
    fold = seam(color)
    return (
        _stick("M0 13 L0 -90", "#9a9aa0", 2)
        + path("M0 12 C0 22 12 22 12 13", width=4.4)
        + path("M-40 -66 C-38 -116 38 -116 40 -66 Q33 -74 26.6 -66 Q20 -74 13.4 -66 Q6 -74 0 -66 "
               "Q-6 -74 -13.4 -66 Q-20 -74 -26.6 -66 Q-33 -74 -40 -66 Z", color, edge(color))
        + path("M-13.4 -66 Q-12 -92 0 -103 Q12 -92 13.4 -66 M-26.6 -66 Q-24 -92 0 -103 "
               "Q24 -92 26.6 -66", stroke=fold, width=1.4)
        + path("M0 -103 L0 -109", width=3)
    )  # fmt: skip


def book(color: str, floor: float) -> str:
    """Return a closed book with its pages to be seen."""
    fold = seam(color)
    return _outwards(
        path("M-13 -20 L17 -20 L17 20 L-13 20 Z", color, edge(color))
        + path("M17 -17 L22 -14 L22 23 L17 20 Z", "#ffffff", width=1.7)
        + path("M-13 20 L17 20 L22 23 L-8 23 Z", "#ffffff", width=1.7)
        + path("M-8 -20 L-8 20", stroke=fold, width=1.8)
        + path("M-2 -10 L11 -10 M-2 -4 L11 -4", stroke=fold, width=2.4)
    )


def mug(color: str, floor: float) -> str:
    """Return a mug with its handle outwards and steam."""
    handle = "M11 -8 C24 -10 24 8 10 7"
    return _outwards(
        path(handle, stroke=edge(color), width=7) + path(handle, stroke=color, width=3.4)
        + path("M-12 -14 L12 -14 L11 13 Q0 17 -11 13 Z", color, edge(color))
        + ellipse(0, -14, 12, 3.6, "#6b3d20", 1.9)
        + path("M-5 -21 Q-9 -26 -5 -30 Q-2 -34 -5 -38 M4 -21 Q0 -26 4 -30 Q7 -34 4 -38",
               stroke="#8f959c", width=2.2)
    )  # fmt: skip


def flag(color: str, floor: float) -> str:
    """Return a flag on its pole."""
    return (
        _stick("M0 26 L0 -84", _WOOD, 3)
        + path("M2 -84 Q13 -92 22 -84 Q31 -78 40 -84 L40 -54 Q31 -48 22 -54 Q13 -62 2 -54 Z",
               color, edge(color))
        + path("M22 -82 L22 -57", stroke=seam(color), width=1.3)
        + ellipse(0, -86, 3.4, 3.4, "#e9c84a", 1.7)
    )  # fmt: skip


def flower(color: str, floor: float) -> str:
    """Return a flower on its stalk."""
    leaf = "#3f8f3a"
    petals = ((0, -11), (10.4, -3.4), (6.4, 9), (-6.4, 9), (-10.4, -3.4))
    return (
        path("M0 18 L1 -30", stroke="#000", width=5) + path("M0 18 L1 -30", stroke=leaf, width=2.6)
        + path("M1 -10 C14 -12 18 -22 18 -24 C8 -25 2 -20 1 -10 Z", leaf, width=1.7)
        + "".join(ellipse(1 + x, -40 + y, 8.6, 8.6, color, 1.9) for x, y in petals)
        + ellipse(1, -40, 6.4, 6.4, "#7a4a12" if color == "#fad41e" else "#ffd84a", 1.7)
    )  # fmt: skip


def ball(color: str, floor: float) -> str:
    """Return a ball as large as a head."""
    return _outwards(
        ellipse(3, -8, 19, 19, color)
        + path("M-15 -3 Q3 5 21 -3 M-15 -13 Q3 -21 21 -13", stroke=seam(color), width=2)
        + path("M-6 -20 Q-2 -24 3 -24", stroke="#ffffff", width=2.4)
    )


def suitcase(color: str, floor: float) -> str:
    """Return a suitcase under its handle."""
    top, low = 11.0, min(47.0, floor)
    return (
        path(f"M-7 {top} L-7 2 Q-7 -2 0 -2 Q7 -2 7 2 L7 {top}", width=4.6)
        + path(f"M-19 {top} L19 {top} Q23 {top} 23 {top + 4} L23 {low - 4:.2f} Q23 {low:.2f} "
               f"19 {low:.2f} L-19 {low:.2f} Q-23 {low:.2f} -23 {low - 4:.2f} L-23 {top + 4} "
               f"Q-23 {top} -19 {top} Z", color, edge(color))
        + path(f"M-13 {top + 1} L-13 {low - 1:.2f} M13 {top + 1} L13 {low - 1:.2f}",
               stroke=seam(color), width=2.6)
        + path(f"M-16 {top + 5} h6 v5 h-6 Z M10 {top + 5} h6 v5 h-6 Z", "#e9c84a", width=1.3)
    )  # fmt: skip


def bucket(color: str, floor: float) -> str:
    """Return a bucket on its bail."""
    low = min(44.0, floor)
    return (
        path("M-17 17 C-16 -7 16 -7 17 17", width=2.2)
        + path(f"M-18 17 L18 17 L13 {low:.2f} Q0 {low + 4:.2f} -13 {low:.2f} Z", color, edge(color))
        + ellipse(0, 17, 18, 4.4, tint(color, 0.25), 2)
        + path(
            f"M-16 25 Q0 29.6 16 25 M-14 {low - 7:.2f} Q0 {low - 3:.2f} 14 {low - 7:.2f}",
            stroke=seam(color),
            width=1.7,
        )
    )


def broom(color: str, floor: float) -> str:
    """Return a broom that stands on the ground, its bristles colored."""
    y = floor - 30
    bristles = " ".join(
        f"M{x} {y + 8:.2f} L{x * 1.35:.2f} {floor - 3:.2f}" for x in range(-9, 11, 6)
    )
    return (
        _stick(f"M0 -46 L0 {y:.2f}", _WOOD, 3.6)
        + path(f"M-8 {y:.2f} L8 {y:.2f} L18 {floor:.2f} L-18 {floor:.2f} Z", color, edge(color))
        + path(bristles, stroke=seam(color), width=1.6)
        + path(f"M-9 {y - 4:.2f} h18 v8 h-18 Z", _WOOD, width=1.8)
    )


@dataclass(frozen=True)
class Thing:
    """How a thing is held.

    Parameters
    ----------
    draw
        From fill and height of the hand above the ground (in units of the drawing) to SVG.
    carried
        A key of :data:`~lvlmbench.stages.render.kinds.pictograph.figures.body.CARRYING`.
    behind
        Whether it is drawn behind the body: what may reach behind the head.
    """

    draw: Callable[[str, float], str]
    carried: str
    behind: bool = False


HELD = {
    "balloon": Thing(balloon, "up", behind=True),
    "umbrella": Thing(umbrella, "up", behind=True),
    "book": Thing(book, "front"),
    "mug": Thing(mug, "front"),
    "flag": Thing(flag, "up", behind=True),
    "flower": Thing(flower, "up"),
    "ball": Thing(ball, "front"),
    "suitcase": Thing(suitcase, "down"),
    "bucket": Thing(bucket, "down"),
    "broom": Thing(broom, "up"),
}
