"""Backgrounds made of sky: outer space, northern lights, a rainy day."""

from __future__ import annotations

import itertools

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng, cloud, fir, swell
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import sine


def stars(canvas: Canvas, rng: Rng, count: int, bottom: float) -> None:
    """Stars of several sizes down to the height ``bottom``."""
    tones: list[Color] = [(255, 255, 255), (255, 244, 210), (206, 224, 255)]
    for i, (x, y, s) in enumerate(rng.random((count, 3)).tolist()):
        px, py, r = x * 1000, y * bottom, 1.2 + 2.6 * s * s
        canvas.disc(px, py, r, tones[i % 3])
        if s > 0.95:
            for dx, dy in ((13, 2), (2, 13)):
                canvas.polygon(
                    [(px - dx, py), (px, py - dy), (px + dx, py), (px, py + dy)], tones[i % 3]
                )


@BACKGROUNDS.register("outer space")
def outer_space(canvas: Canvas, rng: Rng) -> None:
    """Stars, nebula clouds, two planets, one of them ringed, and a galaxy."""
    canvas.gradient([(0, (10, 8, 34)), (500, jitter(rng, (26, 16, 62), 10)), (1000, (8, 8, 28))])
    hue = ((150, 60, 190), (40, 120, 200), (200, 60, 120))[int(rng.integers(0, 3))]
    u0 = rng.random()
    for i, (u, v, w) in enumerate(rng.random((46, 3)).tolist()):
        t = i / 46
        canvas.disc(
            1000 * t + 160 * (u - 0.5),
            1000 * (0.85 - 0.7 * t) + 150 * (v - 0.5) + 60 * u0,
            60 + 110 * w,
            fade(mix(hue, (60, 180, 220), 0.6 * v), 16),
        )
    stars(canvas, rng, 420, 1000)
    gx, gy = 120 + 200 * rng.random(), 700 + 160 * rng.random()
    for k in range(60):
        a, r = k * 0.045, 8 + 1.7 * k
        for arm in (0.0, 0.5):
            canvas.disc(
                gx + r * float(sine(a + arm + 0.25)),
                gy + 0.45 * r * float(sine(a + arm)),
                5 - 0.05 * k,
                fade((220, 206, 255), 200),
            )
    canvas.ellipse(gx, gy, 16, 11, (255, 246, 226))
    big = ((224, 150, 90), (110, 160, 220), (200, 110, 130), (120, 190, 160))[
        int(rng.integers(0, 4))
    ]
    px, py = (150.0, 190.0) if rng.integers(0, 2) else (850.0, 190.0)
    _planet(canvas, px + 40 * (rng.random() - 0.5), py, 125, big, ringed=True)
    small = mix((206, 90, 70), (150, 150, 160), rng.random())
    _planet(
        canvas,
        1000 - px + 60 * (rng.random() - 0.5),
        850 + 60 * rng.random(),
        80,
        small,
        ringed=False,
    )
    _planet(
        canvas,
        1000 - px - 60 * (rng.random() - 0.5),
        120 + 60 * rng.random(),
        30,
        (196, 196, 204),
        ringed=False,
    )


def _planet(canvas: Canvas, x: float, y: float, r: float, color: Color, ringed: bool) -> None:
    pale, dark = mix(color, (255, 255, 255), 0.3), mix(color, (10, 0, 30), 0.4)
    ring = (236, 214, 170)
    if ringed:
        _ring_half(canvas, x, y, r, ring, front=False)
    canvas.disc(x, y, r, color)
    for dy, h, tone in (
        (-0.5, 0.12, pale),
        (-0.12, 0.16, dark),
        (0.32, 0.1, pale),
        (0.6, 0.08, dark),
    ):
        half = 1.0 - dy * dy
        wide = r * half**0.5 if ringed else 0.0
        if wide:
            canvas.rounded(
                x - wide, y + (dy - h / 2) * r, x + wide, y + (dy + h / 2) * r, r * 0.05, tone
            )
    if not ringed:
        for dx, dy, s in (
            (-0.3, -0.2, 0.22),
            (0.25, 0.3, 0.28),
            (0.3, -0.4, 0.14),
            (-0.35, 0.45, 0.13),
        ):
            canvas.disc(x + dx * r, y + dy * r, s * r, mix(color, dark, 0.5))
    # Night side: the disc minus a shifted disc, as a lens of thin slices.
    steps = 24
    outer = [
        (x + r * (1 - (1 - 2 * i / steps) ** 2) ** 0.5, y - r * (1 - 2 * i / steps))
        for i in range(steps + 1)
    ]
    inner = [(x + (px - x) * 0.45, py) for px, py in reversed(outer)]
    canvas.polygon([*outer, *inner], fade((6, 0, 26), 110))
    if ringed:
        _ring_half(canvas, x, y, r, ring, front=True)


def _ring_half(canvas: Canvas, x: float, y: float, r: float, color: Color, front: bool) -> None:
    s = 1 if front else -1
    for k, (wide, tone) in enumerate(
        ((1.95, color), (1.7, mix(color, (90, 60, 40), 0.35)), (1.5, color))
    ):
        pts = [
            (
                x + wide * r * float(sine(i / 40 - 0.25)),
                y
                - 0.14 * r * float(sine(i / 40 - 0.25)) * wide
                + s * 0.32 * r * wide / 1.95 * float(sine(i / 40)),
            )
            for i in range(21)
        ]
        canvas.line(pts, r * (0.1 - 0.015 * k), tone)


@BACKGROUNDS.register("northern lights")
def northern_lights(canvas: Canvas, rng: Rng) -> None:
    """Green and violet curtains of light over a snowy night."""
    canvas.gradient([(0, (8, 10, 40)), (700, jitter(rng, (20, 54, 86)))])
    stars(canvas, rng, 240, 700)
    for band in range(3):
        u, v, w = rng.random(3).tolist()
        low = swell(rng, 430 + 90 * band - 60 * u, 60, 1.1 + 0.5 * v, 46, -60, 1060)
        tone = ((70, 250, 150), (90, 240, 190), (170, 110, 240))[band]
        top = mix(tone, (150, 80, 230), 0.65)
        for i, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(low)):
            tall = 230 + 120 * w + 90 * float(sine(i * 0.14 + u)) + 40 * float(sine(i * 0.43 + v))
            for k, (a, b) in enumerate(((-0.12, 0.0), (0.0, 0.3), (0.3, 0.6), (0.6, 1.0))):
                canvas.polygon(
                    [
                        (x0, y0 - tall * a),
                        (x1, y1 - tall * a),
                        (x1, y1 - tall * b),
                        (x0, y0 - tall * b),
                    ],
                    fade(mix(tone, top, max(a, 0.0)), (60, 140, 84, 34)[k]),
                )
    canvas.polygon([(0, 1000), *swell(rng, 660, 44, 1.4), (1000, 1000)], (40, 62, 96))
    canvas.ground(swell(rng, 740, 24, 1.1), (150, 186, 214))
    for i in range(15):
        u, w = rng.random(2).tolist()
        x = (i + u) * 1000 / 15
        if abs(x - 500) > 200 or w < 0.3:
            fir(canvas, x, 790 + 60 * w, 130 + 190 * w, (18, 40, 52), snow=w > 0.4)
    canvas.ground(swell(rng, 850, 22, 1.0), (190, 220, 236))
    canvas.ground(swell(rng, 930, 16, 1.3), mix((210, 232, 244), (120, 240, 180), 0.12))


def _wet_street(canvas: Canvas, rng: Rng) -> None:
    """Draw a street with puddles and ripples."""
    canvas.gradient([(650, (96, 106, 120)), (1000, (62, 72, 88))], 650, 1000)
    canvas.rectangle(0, 645, 1000, 668, (150, 158, 166))
    for u, v, w in rng.random((9, 3)).tolist():
        px, py, r = u * 1000, 710 + 260 * v, 60 + 110 * w * (0.4 + v)
        canvas.ellipse(px, py, r, r * 0.22, (134, 154, 176))
        canvas.ellipse(px, py + 3, r * 0.9, r * 0.16, (168, 188, 208))
    for u, v, w in rng.random((40, 3)).tolist():
        px, py, r = u * 1000, 690 + 300 * v, (9 + 16 * w) * (0.6 + v)
        canvas.ring(px, py, r, r * 0.32, 2.5, (214, 226, 238))
        for lean in (-0.6, 0.0, 0.6):
            canvas.line([(px, py), (px + lean * r, py - r * 0.9)], 2.5, (214, 226, 238))


@BACKGROUNDS.register("rainy day")
def rainy_day(canvas: Canvas, rng: Rng) -> None:
    """Low gray clouds, dense rain, a wet street with puddles and ripples."""
    gray = jitter(rng, (122, 138, 156), 10)
    canvas.gradient([(0, mix(gray, (40, 50, 70), 0.4)), (640, mix(gray, (220, 226, 232), 0.4))])
    at = -40.0
    while at < 1000:
        u, w, v = rng.random(3).tolist()
        wide = 90 + 90 * w
        tone = mix(gray, (64, 78, 98), 0.25 + 0.35 * v)
        top = 640 - 130 - 170 * u
        canvas.rectangle(at, top, at + wide, 660, tone)
        for r in range(int((640 - top) // 52)):
            for c in range(int(wide // 40)):
                lit = (r * 7 + c * 3 + int(u * 10)) % 5 == 0
                canvas.rectangle(
                    at + 12 + c * 40,
                    top + 18 + r * 52,
                    at + 32 + c * 40,
                    top + 46 + r * 52,
                    (236, 214, 150) if lit else mix(tone, (30, 40, 60), 0.3),
                )
        at += wide + 10 * v
    for row, (y, big) in enumerate(((60, 330), (130, 270))):
        for i in range(6):
            u, v = rng.random(2).tolist()
            cloud(
                canvas,
                rng,
                (i + u) * 200 - 60,
                y + 60 * v,
                big,
                mix((84, 94, 112), (140, 150, 164), row * 0.5 + 0.3 * v),
            )
    _wet_street(canvas, rng)
    for u, v, w in rng.random((330, 3)).tolist():
        length = 38 + 50 * w
        px, py = u * 1100 - 20, v * 1000
        canvas.line(
            [(px, py), (px - length * 0.22, py + length)], 2 + 2.4 * w, fade((222, 234, 246), 190)
        )
    # Drops large enough to outlive styles that keep no fine lines; one in each field of a grid.
    for k, (u, v, w) in enumerate(rng.random((12, 3)).tolist()):
        px, py, r = (k % 4 + 0.2 + 0.6 * u) * 250, (k // 4 + 0.3 + 0.5 * v) * 300, 22 + 12 * w
        for grow, tone in ((1.22, (70, 96, 130)), (1.0, (196, 226, 252))):
            canvas.disc(px, py, r * grow, tone)
            canvas.polygon(
                [
                    (px - r * grow * 0.95, py - r * 0.3),
                    (px, py - r * 2.4 * grow),
                    (px + r * grow * 0.95, py - r * 0.3),
                ],
                tone,
            )
