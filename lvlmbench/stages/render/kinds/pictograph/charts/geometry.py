"""Triangles, rectangles and circles with their lengths or angles written beside them."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from lvlmbench.scene.charts import COLORS, Chart
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine
from lvlmbench.stages.render.kinds.pictograph.charts import axes
from lvlmbench.stages.render.kinds.pictograph.charts.card import Card, Seen, disc, way
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS

Point = tuple[float, float]

#: Turns (cosine, sine) that whole numbers give exactly.
_TURNS = ((1.0, 0.0), (0.96, 0.28), (0.96, -0.28), (0.8, 0.6), (0.8, -0.6))


@CHARTS.register("geometry")
class Geometry:
    """One shape in true proportion; its corners are parts, and its sides are read from them."""

    aspect = 0.8

    @staticmethod
    def draw(chart: Chart, card: Card, rng: np.random.Generator) -> None:
        """Draw the shape, its corners and what is written beside it."""
        top = axes.headed(card, chart)
        if chart.shape == "circle":
            _circle(chart, card, top)
            return
        turn = _TURNS[0 if chart.shape == "rectangle" else int(rng.integers(len(_TURNS)))]
        # Letters and numbers need room at both sides.
        wide = 54 if chart.shape == "angles" else 36
        points = _fitted(_corners(chart), turn, bool(rng.integers(2)), card, top, wide)
        fill = COLORS[chart.color(0)]
        card.shape(way(points, True), fill + "44", fill, 0.9 * card.u)
        middle = _mean(points)
        size = round(max(4.4 * card.u, 10))
        letters = chart.categories if chart.shape == "angles" else tuple("ABCD")
        for at, (letter, point) in enumerate(zip(letters, points, strict=False)):
            card.shape(disc(*point, 1.3 * card.u), card.look.ink, part=letter)
            text = letter
            if chart.shape == "angles":
                text = f"{letter} = " + ("?" if at == 2 else f"{chart.values[at]}°")
            off = 3.4 * card.u + card.length(text, size, True) / 2
            x, y = _away(point, middle, off)
            near = min(max(y, point[1] - 4.8 * card.u), point[1] + 4.8 * card.u)
            card.word((x, near), text, size, bold=True)
        if chart.shape == "angles":
            return
        for at, value in enumerate(chart.values):
            a, b = points[at], points[(at + 1) % len(points)]
            place = _beside(a, b, middle, card, size, text := f"{value} {chart.unit}".strip())
            card.word(place, text, size)

    @staticmethod
    def measured(chart: Chart, seen: Mapping[str, Seen]) -> tuple[float, ...]:
        """Return lengths in the proportion in which they are drawn, or angles in degrees.

        A drawing of lengths has no scale but the numbers written on it: their sum sets it. A
        circle shows one number, so that nothing but that it is round can be measured.
        """
        if chart.shape == "circle":
            return (float(chart.values[0]),) if "circle" in seen else ()
        at = {name: seen[name].middle for name in "ABCD" if name in seen}
        if chart.shape == "angles":
            around = [(p, *(q for q in "ABC" if q != p)) for p in chart.categories]
            return tuple(_angle(at[p], at[q], at[r]) for p, q, r in around)
        lengths = [_distance(at[side[0]], at[side[1]]) for side in chart.categories]
        scale = sum(chart.values) / sum(lengths)
        return tuple(length * scale for length in lengths)


def _circle(chart: Chart, card: Card, top: float) -> None:
    u, fill = card.u, COLORS[chart.color(0)]
    radius = (card.height - top - 7 * u) / 2
    cx, cy = card.width / 2, top + radius + u
    card.shape(disc(cx, cy, radius), fill + "44", fill, 0.9 * u, part="circle")
    c, s = 0.96, -0.28
    end = (cx + radius * c, cy + radius * s)
    card.shape(way([(cx, cy), end]), "none", card.look.ink, 0.6 * u)
    card.shape(disc(cx, cy, 1.3 * u), card.look.ink)
    size = round(max(4.4 * u, 10))
    place = (cx + radius * 0.42, cy - radius * 0.16 - 5 * u)
    card.word(place, f"{chart.values[0]} {chart.unit}".strip(), size)


def _corners(chart: Chart) -> list[Point]:
    """Corners in the chart's own lengths."""
    if chart.shape == "rectangle":
        w, h = chart.values
        return [(0, 0), (w, 0), (w, h), (0, h)]
    if chart.shape == "triangle":
        ab, bc, ca = map(float, chart.values)
    else:
        # A side is as long as the sine of the angle across.
        a, b, c = (sine(v / 360) for v in chart.values)
        ab, bc, ca = c, a, b
    x = (ab * ab + ca * ca - bc * bc) / (2 * ab)
    return [(0, 0), (ab, 0), (x, sqrt(max(ca * ca - x * x, 0.0)))]


def _fitted(
    points: list[Point], turn: Point, mirrored: bool, card: Card, top: float, wide: float
) -> list[Point]:
    """The corners turned, and as large as the card has room for beside letters and numbers."""
    c, s = turn
    upright = [(-x if mirrored else x, y) for x, y in points]
    turned = [(x * c - y * s, -(x * s + y * c)) for x, y in upright]
    left, right = min(x for x, _ in turned), max(x for x, _ in turned)
    up, down = min(y for _, y in turned), max(y for _, y in turned)
    room = (card.width - wide * card.u, card.height - top - 22 * card.u)
    scale = min(room[0] / (right - left), room[1] / (down - up))
    cx, cy = card.width / 2, top + (card.height - top) / 2
    return [
        (cx + (x - (left + right) / 2) * scale, cy + (y - (up + down) / 2) * scale)
        for x, y in turned
    ]


def _mean(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _distance(a: Point, b: Point) -> float:
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]))


def _away(point: Point, middle: Point, by: float) -> Point:
    """A point farther from the middle, or nearer to it where ``by`` is negative."""
    far = max(_distance(point, middle), 1e-9)
    return (
        point[0] + (point[0] - middle[0]) / far * by,
        point[1] + (point[1] - middle[1]) / far * by,
    )


def _beside(a: Point, b: Point, middle: Point, card: Card, size: int, text: str) -> Point:
    """The middle of a text outside of a side."""
    half = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    length = max(_distance(a, b), 1e-9)
    nx, ny = (b[1] - a[1]) / length, (a[0] - b[0]) / length
    if nx * (half[0] - middle[0]) + ny * (half[1] - middle[1]) < 0:
        nx, ny = -nx, -ny
    off = 1.8 * card.u + abs(nx) * card.length(text, size) / 2 + abs(ny) * size / 2
    return half[0] + nx * off, half[1] + ny * off


def _angle(at: Point, q: Point, r: Point) -> float:
    """The angle at a corner, to half a degree."""
    u, v = (q[0] - at[0], q[1] - at[1]), (r[0] - at[0], r[1] - at[1])
    cos = (u[0] * v[0] + u[1] * v[1]) / (_distance(q, at) * _distance(r, at))
    return min(range(361), key=lambda d: abs(cosine(d / 720) - cos)) / 2
