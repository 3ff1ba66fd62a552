"""Strokes and shapes that all parts of a figure are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lvlmbench.stages.render.kinds.pictograph.faces import path, shade

Point = tuple[float, float]

#: Width of the outline.
LINE = 2.2


def _luma(color: str) -> int:
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return 299 * r + 587 * g + 114 * b


def is_black(color: str) -> bool:
    """Whether a black line could not be seen on this color."""
    return _luma(color) < 45_000


def edge(color: str) -> str:
    """Return the outline of a part of this color: gray around black, so that its form shows."""
    return "#66666e" if is_black(color) else "#000000"


def seam(color: str) -> str:
    """Return the color of seams and folds on this color."""
    if is_black(color):
        return "#66666e"
    return shade(color, 0.55)


def tint(color: str, share: float) -> str:
    """Return the color, mixed with a share of white."""
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 - c) * share):02x}" for c in parts)


def line(points: Sequence[Point]) -> str:
    """Return the points as the ``d`` of an open path."""
    return "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def area(points: Sequence[Point], fill: str, width: float = LINE, stroke: str | None = None) -> str:
    """Return a closed shape."""
    return path(line(points) + " Z", fill, stroke or edge(fill), width)


def limb(points: Sequence[Point], fill: str, width: float) -> str:
    """Return a thick line with round ends and an outline: an arm, a leg, a sleeve."""
    d = line(points)
    return path(d, stroke=edge(fill), width=round(width + 2 * LINE - 0.4, 2)) + path(
        d, stroke=fill, width=round(width, 2)
    )


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point at this share of the way from ``a`` to ``b``."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def placed(parts: str, at: Point, scale: float = 1.0, flip: int = 1) -> str:
    """Return parts drawn around (0, 0), moved to ``at``; ``flip`` -1 mirrors them."""
    x, y = at
    where = f"matrix({scale * flip:.3f} 0 0 {scale:.3f} {x:.2f} {y:.2f})"
    return f'<g transform="{where}">{parts}</g>'


def turned(parts: str, at: Point, down: Point, flip: int = 1) -> str:
    """Return parts drawn around (0, 0), moved to ``at``, their y axis along the unit ``down``."""
    (x, y), (dx, dy) = at, down
    where = f"matrix({dy * flip:.4f} {-dx * flip:.4f} {dx:.4f} {dy:.4f} {x:.2f} {y:.2f})"
    return f'<g transform="{where}">{parts}</g>'


_ROUND = ((1.0, 0.0), (0.9, 0.4), (0.7, 0.7), (0.4, 0.9))


def disc(center: Point, radius: float) -> list[Point]:
    """Return sixteen points around a center."""
    quarter = [(x * radius, y * radius) for x, y in _ROUND]
    out: list[Point] = []
    for _ in range(4):
        out += quarter
        quarter = [(-y, x) for x, y in quarter]
    return [(center[0] + x, center[1] + y) for x, y in out]


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the convex hull of some points, in order."""
    ordered = sorted(set(points))

    def chain(items: Iterable[Point]) -> list[Point]:
        out: list[Point] = []
        for p in items:
            while len(out) > 1 and (
                (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1])
                <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0])
            ):
                out.pop()
            out.append(p)
        return out[:-1]

    return chain(ordered) + chain(reversed(ordered))
