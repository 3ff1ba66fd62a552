"""Waterfall and cave."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng, broadleaf, ridge, swell
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine


def _moss(canvas: Canvas, rng: Rng, left: float, right: float, green: Color) -> None:
    """Draw green ledges on both sides of the fall."""
    for side in (0, 1):
        edge = left if side == 0 else right
        for k, y in enumerate((250, 430, 620)):
            s = -1.0 if side == 0 else 1.0
            u = rng.random()
            canvas.ellipse(edge + s * (120 + 60 * u), y, 150, 26, mix(green, (30, 70, 40), 0.3))
            canvas.ellipse(
                edge + s * (120 + 60 * u), y - 8, 140, 20, mix(green, (170, 210, 90), 0.2 * k)
            )
    for x in (left - 100, right + 100):
        canvas.ellipse(x, 168, 190, 34, mix(green, (30, 80, 40), 0.2))
        canvas.ellipse(x, 156, 180, 26, green)


def _pool(canvas: Canvas, rng: Rng, left: float, right: float, rock: Color, green: Color) -> None:
    """Draw the pool with its foam and the stones before it."""
    canvas.gradient([(780, (124, 200, 226)), (1000, (26, 110, 150))], 790, 1000)
    for u, v, w in rng.random((60, 3)).tolist():
        half = (20 + 60 * v) * (0.5 + w)
        canvas.rounded(
            u * 1000 - half, 815 + 170 * v, u * 1000 + half, 820 + 172 * v, 3, (190, 232, 244)
        )
    for u, v, w in rng.random((70, 3)).tolist():
        canvas.disc(
            left - 70 + (right - left + 140) * u,
            800 + 40 * (v - 0.5) * 2,
            22 + 34 * w,
            fade((255, 255, 255), 150),
        )
    for u, v, w in rng.random((9, 3)).tolist():
        px = 170 * u if v < 0.5 else 1000 - 170 * u
        canvas.ellipse(px, 870 + 110 * w, 90, 50, mix(rock, (20, 20, 30), 0.3))
        canvas.ellipse(px - 10, 858 + 110 * w, 74, 32, mix(green, rock, 0.4 * u))


@BACKGROUNDS.register("waterfall")
def waterfall(canvas: Canvas, rng: Rng) -> None:
    """A broad white fall between mossy cliffs into a foaming pool."""
    sky, rock = jitter(rng, (170, 220, 246)), jitter(rng, (106, 100, 96), 10)
    green = jitter(rng, (74, 140, 70))
    canvas.gradient([(0, sky), (260, (232, 246, 250))])
    for x, y, s in rng.random((12, 3)).tolist():
        broadleaf(
            canvas, rng, x * 1000, 190 + 20 * y, 130 + 90 * s, mix(green, (30, 90, 60), 0.5 * y)
        )
    canvas.rectangle(0, 170, 1000, 800, rock)
    for u, v, w in rng.random((90, 3)).tolist():
        px, py, r = u * 1000, 180 + 620 * v, 34 + 50 * w
        canvas.polygon(
            [
                (px - r, py),
                (px - r * 0.3, py - r * 0.7),
                (px + r, py - r * 0.4),
                (px + r * 0.7, py + r * 0.8),
                (px - r * 0.6, py + r),
            ],
            mix(rock, (30, 30, 40) if u < v else (220, 214, 200), 0.08 + 0.2 * w),
        )
    left, right = float(rng.integers(190, 260)), float(rng.integers(740, 810))
    top = 150.0
    canvas.polygon(
        [(left, top), (right, top), (right + 40, 800), (left - 40, 800)], (120, 190, 226)
    )
    for u, v, w in rng.random((230, 3)).tolist():
        at = left + 6 + (right - left - 12) * u
        lean = (u - 0.5) * 80
        y0, y1 = top + 660 * v * v * 0.9, top + 660 * min(1.0, v * v * 0.9 + 0.15 + 0.4 * w)
        k0, k1 = (y0 - top) / 650, (y1 - top) / 650
        tone = ((255, 255, 255), (206, 234, 248), (150, 206, 236))[int(w * 2.99)]
        canvas.line([(at + lean * k0, y0), (at + lean * k1, y1)], 5 + 9 * w, tone)
    canvas.polygon(
        [
            (left - 4, top + 16),
            (left + 20, top - 12),
            (right - 20, top - 12),
            (right + 4, top + 16),
        ],
        (176, 222, 242),
    )
    _moss(canvas, rng, left, right, green)
    _pool(canvas, rng, left, right, rock, green)


@BACKGROUNDS.register("cave")
def cave(canvas: Canvas, rng: Rng) -> None:
    """Inside a cavern: stalactites, stalagmites, a pool, daylight at the mouth."""
    rock = jitter(rng, (92, 76, 84), 12)
    light = jitter(rng, (250, 226, 160))
    dark = mix(rock, (8, 4, 16), 0.6)
    canvas.fill(dark)
    x = float(rng.integers(400, 600))
    for k in range(7):
        t = k / 6
        ring = rng.uniform(0.9, 1.1, 20).tolist()
        w, h = 560 - 320 * t, 500 - 270 * t
        pts = []
        for i, j in enumerate(ring):
            a = i / 20
            pts.append((x + w * j * float(cosine(a)), 480 + h * j * float(sine(a))))
        canvas.polygon(pts, mix(mix(dark, rock, 0.3 + t), light, 0.55 * t * t))
    _mouth(canvas, rng, x)
    canvas.ground(swell(rng, 720, 22, 1.3), mix(rock, dark, 0.35))
    canvas.ellipse(x, 800, 300, 60, (50, 100, 130))
    canvas.ellipse(x, 796, 250, 44, (90, 150, 170))
    canvas.ellipse(x, 780, 120, 16, (214, 226, 190))
    for depth in (0, 1):
        tone = (mix(rock, (200, 170, 150), 0.25), mix(rock, (10, 6, 16), 0.45))[depth]
        count = (11, 10)[depth]
        for i in range(count):
            u, v, w = rng.random(3).tolist()
            px = (i + u) * 1000 / count
            away = abs(px - 500) / 500
            half = 26 + 26 * w + 20 * depth
            drop = (110 + 190 * away + 120 * v) * (0.8 + 0.3 * depth)
            _spike(canvas, px, -10, half, drop, tone)
            rise = (60 + 150 * away + 80 * w) * (0.8 + 0.4 * depth)
            _spike(canvas, px + 30, (850, 1010)[depth], half, -rise, tone)
    canvas.ground(ridge(rng, 960, 26, 4), mix(rock, (6, 4, 12), 0.65))


def _mouth(canvas: Canvas, rng: Rng, x: float) -> None:
    """The way out: a ragged arch with sky, hills and a path of light behind it."""
    arch = [
        (-215, 740),
        (-205, 600),
        (-190, 470),
        (-130, 350),
        (-60, 300),
        (20, 322),
        (95, 296),
        (150, 370),
        (196, 480),
        (186, 610),
        (214, 740),
    ]
    shift = rng.uniform(-16, 16, len(arch)).tolist()
    outline = [(x + dx + s, y + s) for (dx, y), s in zip(arch, shift, strict=True)]
    canvas.polygon(outline, (176, 222, 248))
    canvas.disc(x + 70, 430, 40, (255, 246, 200))
    low = [p for p in outline if p[1] > 540]
    left, right = low[: len(low) // 2], low[len(low) // 2 :]
    canvas.polygon(
        [*reversed(left), (x - 90, 545), (x, 590), (x + 100, 550), *right], (120, 178, 110)
    )
    canvas.polygon([(x - 180, 740), (x - 20, 600), (x + 30, 600), (x + 150, 740)], (236, 222, 170))


def _spike(canvas: Canvas, x: float, root: float, half: float, length: float, color: Color) -> None:
    """A stalactite (positive length) or stalagmite (negative)."""
    canvas.polygon(
        [
            (x - half, root),
            (x - half * 0.45, root + length * 0.35),
            (x, root + length),
            (x + half * 0.45, root + length * 0.35),
            (x + half, root),
        ],
        color,
    )
    canvas.polygon(
        [
            (x + half * 0.2, root),
            (x, root + length),
            (x + half * 0.45, root + length * 0.35),
            (x + half, root),
        ],
        mix(color, (0, 0, 0), 0.28),
    )
