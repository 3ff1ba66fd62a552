"""What a drawn landmark is, and the parts that several of them share."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import path, rect


@dataclass(frozen=True)
class Landmark:
    """One landmark.

    Parameters
    ----------
    view
        Width and height of its view box.
    body
        SVG elements, what is behind first. Coordinates are whole numbers.
    """

    view: tuple[int, int]
    body: str

    def svg(self) -> str:
        """Return its source."""
        width, height = self.view
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f'<g stroke-linecap="round" stroke-linejoin="round">{self.body}</g></svg>'
        )


def polygon(*points: tuple[int, int], fill: str, width: int = 5) -> str:
    """A closed outline through points."""
    return path("M" + " L".join(f"{x} {y}" for x, y in points) + " Z", fill, width=width)


def arch(x: int, foot: int, wide: int, high: int, fill: str, width: int = 3) -> str:
    """An opening with a round top: its left edge, its foot, how wide and how high it is."""
    spring = foot - high + wide // 2
    d = (
        f"M{x} {foot} L{x} {spring} C{x} {spring - wide * 2 // 3} {x + wide} "
        f"{spring - wide * 2 // 3} {x + wide} {spring} L{x + wide} {foot} Z"
    )
    return path(d, fill, width=width)


def ogive(x: int, foot: int, wide: int, high: int, fill: str, width: int = 3) -> str:
    """An opening with a pointed top."""
    spring, top, mid = foot - high * 3 // 5, foot - high, x + wide // 2
    d = (
        f"M{x} {foot} L{x} {spring} Q{x} {top + high // 8} {mid} {top} "
        f"Q{x + wide} {top + high // 8} {x + wide} {spring} L{x + wide} {foot} Z"
    )
    return path(d, fill, width=width)


def onion(mid: int, foot: int, wide: int, high: int, fill: str, width: int = 4) -> str:
    """A dome that swells above its foot and ends in a point."""
    neck, belly = wide * 2 // 5, wide * 4 // 5
    d = (
        f"M{mid - neck} {foot} C{mid - belly} {foot - high * 2 // 5} "
        f"{mid - neck} {foot - high * 3 // 4} {mid} {foot - high} "
        f"C{mid + neck} {foot - high * 3 // 4} {mid + belly} {foot - high * 2 // 5} "
        f"{mid + neck} {foot} Z"
    )
    return path(d, fill, width=width)


def columns(xs: range, top: int, foot: int, wide: int, fill: str, width: int = 3) -> str:
    """Columns with a plate above and below, each from its left edge."""
    return "".join(
        rect(x, top, wide, foot - top, fill, 0, width)
        + rect(x - 2, top, wide + 4, 5, fill, 0, 2)
        + rect(x - 2, foot - 5, wide + 4, 5, fill, 0, 2)
        for x in xs
    )
