"""Places for sport: soccer field, swimming pool, basketball court."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    Point,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng, swell
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS


def _crowd(canvas: Canvas, rng: Rng, top: float, bottom: float, rows: int) -> None:
    """Stands: rows of tiny heads over colored shirts."""
    step = (bottom - top) / rows
    shirts: list[Color] = [
        (206, 60, 60),
        (60, 100, 190),
        (240, 240, 240),
        (240, 190, 60),
        (70, 150, 90),
        (60, 60, 80),
    ]
    canvas.rectangle(0, top, 1000, bottom, (96, 104, 120))
    for r in range(rows):
        y = top + r * step
        canvas.rectangle(0, y + step * 0.86, 1000, y + step, (132, 140, 156))
        picks = rng.integers(0, 6, 34).tolist()
        for i, pick in enumerate(picks):
            x = (i + (0.5 if r % 2 else 0.0)) * 30
            canvas.rectangle(x - 11, y + step * 0.42, x + 11, y + step * 0.86, shirts[pick])
            canvas.disc(x, y + step * 0.26, 8, ((236, 196, 160), (150, 100, 70))[pick % 2])


@BACKGROUNDS.register("soccer field")
def soccer_field(canvas: Canvas, rng: Rng) -> None:
    """Mown stripes with white markings, a goal with its net, stands and floodlights."""
    sky, turf = jitter(rng, (120, 190, 240)), jitter(rng, (70, 160, 64), 12)
    canvas.gradient([(0, sky), (220, (226, 242, 252))])
    for x in (90.0, 910.0):
        canvas.rectangle(x - 7, 60, x + 7, 240, (120, 126, 136))
        canvas.rounded(x - 62, 24, x + 62, 84, 6, (80, 86, 98))
        for k in range(8):
            canvas.disc(x - 44 + 29 * (k % 4), 40 + 28 * (k // 4), 10, (255, 252, 220))
    canvas.polygon(
        [(-10, 150), (500, 120), (1010, 150), (1010, 170), (500, 140), (-10, 170)], (226, 228, 232)
    )
    _crowd(canvas, rng, 168, 330, 5)
    boards = rng.integers(0, 4, 7).tolist()
    for k, pick in enumerate(boards):
        canvas.rectangle(
            k * 143,
            328,
            k * 143 + 143,
            374,
            ((30, 90, 170), (200, 50, 50), (250, 250, 250), (240, 190, 40))[pick],
        )
    canvas.rectangle(0, 374, 1000, 1000, turf)
    y, k = 374.0, 0
    while y < 1000:
        tall = 26 + (y - 374) * 0.24
        if k % 2:
            canvas.rectangle(0, y, 1000, y + tall, mix(turf, (20, 80, 20), 0.22))
        y += tall
        k += 1
    white = (248, 252, 248)

    def at(u: float, v: float) -> Point:
        """Field point: u across (-1..1 at the side lines), v from the goal line (0) toward us."""
        depth = 1 / (1.9 - v)
        t = (depth - 1 / 1.9) / (1 / 0.9 - 1 / 1.9)
        return (500 + u * (560 + 500 * t), 392 + 640 * t)

    canvas.line([at(-1.2, 0), at(1.2, 0)], 7, white)
    for half, deep in ((0.62, 0.52), (0.3, 0.22)):
        canvas.line([at(-half, 0), at(-half, deep), at(half, deep), at(half, 0)], 8, white)
    arc = swell(rng, 0, 0, 1, 17, -0.22, 0.22)
    canvas.line([at(u, 0.52 + 0.13 * (1 - (u / 0.22) ** 2)) for u, _ in arc], 8, white)
    x, y = at(0, 0.36)
    canvas.ellipse(x, y, 9, 5, white)
    for s in (-1, 1):
        canvas.line([at(s * 0.98, 0), at(s * 0.98, 1.0)], 9, white)
        px, py = at(s * 0.86, 0)
        canvas.rectangle(px - 3, py - 70, px + 3, py, (240, 240, 240))
        canvas.polygon([(px + 3, py - 70), (px + 40, py - 57), (px + 3, py - 44)], (226, 50, 50))
    _goal(canvas, 500, 398, 215, 170)
    for s in (-1, 1):
        for r in (46, 24):
            canvas.ring(500 + s * 500, 1000, r * 2.4, r * 1.2, 6, white)


def _goal(canvas: Canvas, x: float, foot: float, half: float, tall: float) -> None:
    net: Color = (250, 250, 250, 150)
    for k in range(25):
        t = x - half + 2 * half * k / 24
        canvas.line([(t, foot - tall), (x + (t - x) * 0.86, foot - 16)], 2.5, net)
    for k in range(11):
        y = foot - tall + tall * k / 11
        canvas.line([(x - half, y), (x + half, y)], 2.5, net)
    for px in (x - half, x + half):
        canvas.rectangle(px - 7, foot - tall - 7, px + 7, foot, (255, 255, 255))
    canvas.rectangle(x - half, foot - tall - 7, x + half, foot - tall + 7, (255, 255, 255))


def _hall(canvas: Canvas, wall: Color) -> None:
    """Draw the windows, pennants and tiles behind the pool."""
    for k in range(6):
        x = 20.0 + k * 166
        canvas.rectangle(x, 24, x + 130, 150, (160, 210, 240))
        canvas.polygon([(x + 20, 150), (x + 70, 24), (x + 100, 24), (x + 50, 150)], (200, 232, 250))
        canvas.rectangle(x + 62, 24, x + 68, 150, (250, 250, 250))
    for k in range(34):
        x = k * 30.0
        tone: Color = ((226, 60, 60), (250, 250, 250), (50, 110, 200))[k % 3]
        sag = 176 + 14 * (1 - ((x % 333) / 166 - 1) ** 2)
        canvas.polygon([(x, sag), (x + 24, sag), (x + 12, sag + 34)], tone)
    canvas.rectangle(0, 232, 1000, 300, mix(wall, (150, 170, 180), 0.35))
    for k in range(34):
        canvas.rectangle(k * 30, 232, k * 30 + 2, 300, mix(wall, (120, 140, 150), 0.5))
    canvas.rectangle(0, 264, 1000, 267, mix(wall, (120, 140, 150), 0.5))


def _ladder(canvas: Canvas, rng: Rng) -> None:
    """Draw the ladder at one side."""
    side = 1 if rng.integers(0, 2) else -1
    x = 500 + side * 452
    for dx in (-26, 26):
        canvas.line(
            [
                (x - side * 14, 930 + dx),
                (x - side * 14, 790 + dx),
                (x + side * 6, 762 + dx),
                (x + side * 34, 776 + dx),
            ],
            10,
            (206, 212, 220),
        )
    for y in (830, 870, 910):
        canvas.line([(x - side * 14, y - 26), (x - side * 14, y + 26)], 13, (170, 178, 188))


def _glitter(canvas: Canvas, rng: Rng, water: Color) -> None:
    """Draw light on the water."""
    for u, v, w in rng.random((100, 3)).tolist():
        y = 335 + 650 * v
        half = (14 + 56 * v) * (0.5 + 0.7 * w)
        x = u * 1040 - 20
        tone = mix(water, (255, 255, 255), 0.35 + 0.4 * w)
        canvas.line(
            [
                (x - half, y),
                (x - half * 0.3, y - 5 - 9 * v),
                (x + half * 0.3, y + 3 + 5 * v),
                (x + half, y - 4),
            ],
            2.5 + 3.5 * v,
            tone,
        )


@BACKGROUNDS.register("swimming pool")
def swimming_pool(canvas: Canvas, rng: Rng) -> None:
    """Blue water with lane ropes, starting blocks, tiled edges and a ladder."""
    water = jitter(rng, (44, 170, 220), 14)
    wall = jitter(rng, (226, 236, 240), 8)
    canvas.fill(wall)
    _hall(canvas, wall)
    canvas.gradient(
        [(300, mix(water, (10, 80, 160), 0.35)), (1000, mix(water, (160, 240, 250), 0.4))],
        300,
        1000,
    )
    for k in range(34):
        canvas.rectangle(
            k * 30 + 1, 300, k * 30 + 29, 326, (30, 90, 170) if k % 2 else (236, 246, 250)
        )
    lanes = 5

    def at(u: float, y: float) -> float:
        return 500 + u * (600 + (y - 320) * 0.95)

    for lane in range(lanes):
        u = (lane + 0.5) / lanes * 2 - 1
        canvas.polygon(
            [
                (at(u - 0.03, 326), 326),
                (at(u + 0.03, 326), 326),
                (at(u + 0.03, 1000), 1000),
                (at(u - 0.03, 1000), 1000),
            ],
            fade((10, 60, 140), 100),
        )
        x = at(u, 300)
        canvas.polygon(
            [(x - 40, 300), (x + 40, 300), (x + 30, 222), (x - 30, 222)], (240, 244, 248)
        )
        canvas.polygon([(x - 40, 226), (x + 40, 226), (x + 34, 204), (x - 34, 204)], (40, 90, 180))
        canvas.disc(x, 262, 17, ((226, 60, 60), (40, 90, 180))[lane % 2])
    _glitter(canvas, rng, water)
    start = int(rng.integers(0, 2))
    for lane in range(1, lanes):
        u = lane / lanes * 2 - 1
        y, k = 330.0, start
        while y < 1010:
            r = 5 + (y - 320) * 0.026
            canvas.ellipse(at(u, y), y, r * 1.15, r, ((226, 50, 50), (252, 252, 252))[(k // 2) % 2])
            y += r * 1.5
            k += 1
    for s in (-1, 1):
        x = 500 + s * 455
        canvas.rectangle(min(x, x + s * 100), 700, max(x, x + s * 100), 1000, wall)
        canvas.rectangle(x - 6, 700, x + 6, 1000, (30, 90, 170))
    _ladder(canvas, rng)


@BACKGROUNDS.register("basketball court")
def basketball_court(canvas: Canvas, rng: Rng) -> None:
    """A parquet court with painted key, a backboard and hoop, stands behind."""
    paint = jitter(
        rng,
        ((190, 60, 60), (50, 100, 180), (70, 140, 100), (120, 70, 150))[int(rng.integers(0, 4))],
        12,
    )
    wood = jitter(rng, (226, 170, 104), 10)
    canvas.fill((60, 64, 80))
    for k in range(7):
        canvas.glow(70 + k * 143, 20, 60, (255, 250, 220), 30)
        canvas.rounded(30 + k * 143, 10, 110 + k * 143, 26, 5, (255, 252, 230))
    _crowd(canvas, rng, 60, 470, 9)
    canvas.rectangle(0, 466, 1000, 530, mix(paint, (0, 0, 0), 0.35))
    canvas.rectangle(0, 466, 1000, 476, (230, 230, 234))
    canvas.rectangle(0, 530, 1000, 1000, wood)
    for k in range(41):
        x = -1000 + k * 75
        canvas.line([(500 + (x - 500) * 0.5, 530), (x, 1000)], 3, mix(wood, (120, 70, 20), 0.3))
    for u, v, w in rng.random((60, 3)).tolist():
        y = 530 + 470 * v * v
        canvas.rectangle(u * 1000, y, u * 1000 + 30 + 40 * w, y + 3, mix(wood, (120, 70, 20), 0.3))
    white = (252, 252, 250)
    canvas.line([(-10, 560), (1010, 560)], 8, white)
    canvas.polygon([(330, 560), (670, 560), (790, 870), (210, 870)], paint)
    canvas.line([(330, 560), (670, 560), (790, 870), (210, 870), (330, 560)], 9, white)
    canvas.ring(500, 870, 190, 66, 9, white)
    curve = [(t / 20) for t in range(-20, 21)]
    canvas.line([(500 + 560 * u, 575 + 415 * (1 - u * u) ** 0.5) for u in curve], 9, white)
    for s in (-1, 1):
        canvas.line([(500 + s * 14, 545), (500 + s * 14, 300)], 16, (80, 86, 100))
    canvas.rounded(335, 90, 665, 320, 10, (250, 250, 252))
    canvas.rounded(347, 102, 653, 308, 6, (206, 224, 236))
    canvas.polygon([(347, 308), (347, 240), (480, 102), (560, 102)], (226, 238, 246))
    canvas.rectangle(430, 190, 570, 300, (214, 50, 40))
    canvas.rectangle(440, 200, 560, 300, (214, 230, 240))
    for k in range(9):
        x = 440 + k * 15
        canvas.line([(x, 318), (500 + (x - 500) * 0.5 + (8 if k % 2 else -8), 400)], 4, white)
        canvas.line([(x, 318), (500 + (x - 500) * 0.5 - (8 if k % 2 else -8), 400)], 4, white)
    canvas.ring(500, 318, 68, 15, 9, (240, 100, 30))
