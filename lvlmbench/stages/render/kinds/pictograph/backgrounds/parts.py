"""Pieces that several backgrounds share: ridges, clouds, trees, textures."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    Point,
    fade,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import sine

Rng = np.random.Generator


def ridge(rng: Rng, base: float, height: float, halvings: int, rough: float = 0.5) -> list[Point]:
    """A rugged line across the canvas by midpoint displacement, 2**halvings + 1 points.

    ``height`` is the largest first displacement; each halving multiplies it by ``rough``.
    """
    y = [base + float(d) * height for d in rng.uniform(-0.5, 0.5, 2)]
    for _ in range(halvings):
        shift = (rng.uniform(-1.0, 1.0, len(y) - 1) * height).tolist()
        middle = [(a + b) / 2 + s for a, b, s in zip(y, y[1:], shift, strict=False)]
        y = [v for pair in zip(y, middle, strict=False) for v in pair] + [y[-1]]
        height *= rough
    step = 1000 / (len(y) - 1)
    return [(i * step, v) for i, v in enumerate(y)]


def swell(
    rng: Rng,
    base: float,
    height: float,
    waves: float,
    points: int = 48,
    x0: float = 0.0,
    x1: float = 1000.0,
) -> list[Point]:
    """A smooth hilly line: two sines of random phase, ``waves`` periods over the canvas."""
    phase = rng.random(2).tolist()
    t = np.linspace(0.0, 1.0, points)
    y = base + height * (0.7 * sine(t * waves + phase[0]) + 0.3 * sine(t * waves * 2.3 + phase[1]))
    return list(zip((x0 + (x1 - x0) * t).tolist(), y.tolist(), strict=True))


def cloud(canvas: Canvas, rng: Rng, x: float, y: float, size: float, color: Color) -> None:
    """A flat-bottomed cloud ``size`` wide, its base at y."""
    puffs = rng.uniform(0.75, 1.2, 4).tolist()
    for at, big, grow in zip((-0.3, -0.1, 0.13, 0.32), (0.15, 0.23, 0.2, 0.13), puffs, strict=True):
        r = size * big * grow
        canvas.disc(x + at * size, y - r * 0.75, r, color)
    canvas.rounded(x - size * 0.48, y - size * 0.14, x + size * 0.48, y, size * 0.07, color)


def clouds(
    canvas: Canvas, rng: Rng, count: int, top: float, bottom: float, size: float, color: Color
) -> None:
    """Clouds spread over the width, their bases between ``top`` and ``bottom``."""
    for i in range(count):
        u, v, w = rng.random(3).tolist()
        x = (i + 0.15 + 0.7 * u) * 1000 / count
        cloud(canvas, rng, x, top + (bottom - top) * v, size * (0.7 + 0.6 * w), color)


def fir(canvas: Canvas, x: float, foot: float, height: float, color: Color, snow: bool) -> None:
    """A conifer of four tiers standing on ``foot``; the right half lies in shadow."""
    shade = mix(color, (0, 0, 0), 0.25)
    canvas.rectangle(
        x - height * 0.035, foot - height * 0.14, x + height * 0.035, foot, (84, 58, 38)
    )
    for tier in range(4):
        low = foot - height * (0.1 + 0.2 * tier)
        top = low - height * 0.34
        half = height * (0.27 - 0.05 * tier)
        canvas.polygon(
            [(x, top), (x - half, low), (x, low + height * 0.03), (x + half, low)], color
        )
        canvas.polygon([(x, top), (x, low + height * 0.03), (x + half, low)], shade)
        if snow:
            tip = half * 0.6
            y = top + (low - top) * 0.6
            canvas.polygon(
                [
                    (x, top),
                    (x - tip, y),
                    (x - tip * 0.4, y - height * 0.03),
                    (x, y + height * 0.02),
                    (x + tip * 0.45, y - height * 0.03),
                    (x + tip, y),
                ],
                (246, 250, 255),
            )


def broadleaf(canvas: Canvas, rng: Rng, x: float, foot: float, height: float, color: Color) -> None:
    """A round-crowned tree standing on ``foot``."""
    trunk = (98, 66, 42)
    w = height * 0.05
    canvas.polygon(
        [
            (x - w, foot),
            (x - w * 0.6, foot - height * 0.6),
            (x + w * 0.6, foot - height * 0.6),
            (x + w, foot),
        ],
        trunk,
    )
    for dx, dy, r in ((0.16, 0.52, 0.19), (-0.17, 0.55, 0.2), (0.0, 0.74, 0.25)):
        j = rng.uniform(-0.03, 0.03, 2).tolist()
        cx, cy = x + (dx + j[0]) * height, foot - (dy + j[1]) * height
        canvas.disc(
            cx + r * height * 0.12, cy + r * height * 0.1, r * height, mix(color, (0, 0, 0), 0.22)
        )
        canvas.disc(cx, cy, r * height * 0.92, color)
        canvas.disc(
            cx - r * height * 0.25,
            cy - r * height * 0.3,
            r * height * 0.45,
            mix(color, (255, 255, 190), 0.16),
        )


def specks(
    canvas: Canvas,
    rng: Rng,
    count: int,
    top: float,
    bottom: float,
    radius: float,
    colors: list[Color],
    flat: float = 0.6,
) -> None:
    """Scattered flat dots: pebbles, petals, crumbs; they grow toward the bottom."""
    u = rng.random((count, 3))
    for i, (x, y, s) in enumerate(u.tolist()):
        r = radius * (0.5 + 0.5 * s) * (0.5 + 0.8 * y)
        canvas.ellipse(x * 1000, top + (bottom - top) * y, r, r * flat, colors[i % len(colors)])


def grass(
    canvas: Canvas, rng: Rng, count: int, top: float, bottom: float, height: float, color: Color
) -> None:
    """Tufts of three blades, taller toward the bottom."""
    for x, y, s in rng.random((count, 3)).tolist():
        px, py = x * 1000, top + (bottom - top) * y
        h = height * (0.4 + 0.6 * y) * (0.7 + 0.6 * s)
        for lean in (-0.35, 0.05, 0.4):
            canvas.polygon(
                [(px - h * 0.08, py), (px + lean * h, py - h), (px + h * 0.08, py)], color
            )


def rays(
    canvas: Canvas,
    rng: Rng,
    count: int,
    x: float,
    y: float,
    length: float,
    opacity: int,
    color: Color,
) -> None:
    """Beams of light fanning downward from (x, y)."""
    for i, (u, w) in enumerate(rng.random((count, 2)).tolist()):
        at = ((i + u) / count - 0.5) * 1.5
        wide = 0.03 + 0.06 * w
        canvas.polygon(
            [
                (x + at * 180, y),
                (x + (at - wide) * length, y + length),
                (x + (at + wide) * length, y + length),
            ],
            fade(color, opacity),
        )
