"""Snowy mountains and volcano."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    Point,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import (
    Rng,
    clouds,
    fir,
    ridge,
    specks,
    swell,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS


def _peak(
    canvas: Canvas, rng: Rng, x: float, top: float, half: float, foot: float, rock: Color
) -> None:
    """A rocky peak with a snow cap, lit from the left."""
    jag = rng.uniform(-1, 1, 8).tolist()
    left = [
        (x - half * t, top + (foot - top) * t + 22 * j)
        for t, j in zip((0.3, 0.6), jag, strict=False)
    ]
    right = [
        (x + half * t, top + (foot - top) * t + 22 * j)
        for t, j in zip((0.35, 0.65), jag[2:], strict=False)
    ]
    spine = [
        (x + 40 * j * t, top + (foot - top) * t)
        for t, j in zip((0.25, 0.55, 1.0), jag[4:], strict=False)
    ]
    canvas.polygon([(x, top), *right, (x + half, foot), (x - half, foot), *reversed(left)], rock)
    canvas.polygon(
        [(x, top), *right, (x + half, foot), *reversed(spine)], mix(rock, (30, 40, 80), 0.4)
    )
    deep = (foot - top) * 0.42
    lx, rx = left[0], right[0]
    cap_left: list[Point] = [(x, top), (lx[0], lx[1]), (x - half * 0.42, top + deep * 1.05)]
    teeth = [(-0.3, 0.8), (-0.2, 1.15), (-0.1, 0.78), (0.0, 1.05)]
    low = [(x + half * a, top + deep * b) for a, b in teeth]
    canvas.polygon([*cap_left, *low], (250, 252, 255))
    shade = [
        (x, top),
        low[-1],
        (x + half * 0.1, top + deep * 0.75),
        (x + half * 0.22, top + deep * 1.2),
        (x + half * 0.33, top + deep * 0.86),
        (x + half * 0.42, top + deep * 1.05),
        (rx[0], rx[1]),
    ]
    canvas.polygon(shade, (206, 220, 244))


@BACKGROUNDS.register("snowy mountains")
def snowy_mountains(canvas: Canvas, rng: Rng) -> None:
    """Snow-capped peaks, snowed-in firs, a white foreground."""
    sky, rock = jitter(rng, (96, 164, 226), 16), jitter(rng, (112, 124, 156), 10)
    canvas.gradient([(0, sky), (560, (224, 240, 252))])
    clouds(canvas, rng, 3, 90, 210, 190, (246, 250, 255))
    for i in range(4):
        u, v = rng.random(2).tolist()
        _peak(
            canvas,
            rng,
            (i + 0.2 + 0.6 * u) * 250,
            250 + 90 * v,
            230,
            660,
            mix(rock, (200, 222, 246), 0.5),
        )
    for x, u in zip((110.0, 880.0, 480.0), rng.random(3).tolist(), strict=True):
        _peak(canvas, rng, x + 120 * (u - 0.5), 110 + 130 * u, 310, 740, rock)
    canvas.ground(swell(rng, 690, 26, 1.2), (226, 236, 250))
    for row, (count, foot, tall) in enumerate(((13, 730, 120), (8, 810, 210))):
        for i in range(count):
            u, w = rng.random(2).tolist()
            fir(
                canvas,
                (i + u) * 1000 / count,
                foot + 30 * w,
                tall * (0.7 + 0.5 * w),
                mix((44, 92, 84), (150, 180, 200), 0.35 - 0.3 * row),
                snow=True,
            )
        canvas.ground(swell(rng, foot + 34, 16, 1.4), ((236, 243, 253), (248, 251, 255))[row])
    canvas.ground(swell(rng, 930, 20, 1.1), (232, 240, 252))
    specks(canvas, rng, 90, 860, 1000, 5, [(206, 220, 242), (255, 255, 255)])


def _ash(canvas: Canvas, rng: Rng, x: float) -> None:
    """Draw the cloud of ash above the crater."""
    for k in range(5):
        for u, v, w in rng.random((9, 3)).tolist():
            spread = 420 - 70 * k
            canvas.disc(
                x + (u - 0.5) * 2 * spread,
                40 + 34 * k + 50 * v,
                (52 + 60 * w) * (1.1 - 0.08 * k),
                mix((52, 40, 50), (158, 96, 88), k / 5 + 0.1 * w),
            )


def _eruption(canvas: Canvas, rng: Rng, x: float) -> None:
    """Draw stones in flight and the fire above the crater."""
    for u, v in rng.random((13, 2)).tolist():
        reach = (u - 0.5) * 640
        up = 110 + 190 * v
        arc = [
            (x + reach * t, 345 - 4 * up * t * (1 - t) + 40 * v * t)
            for t in (0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1)
        ]
        canvas.line(arc, 5, (255, 176, 60))
        canvas.disc(x + reach, 345 + 40 * v, 10, (255, 220, 110))
    canvas.polygon(
        [
            (x - 55, 360),
            (x - 90, 170),
            (x - 20, 230),
            (x, 120),
            (x + 34, 236),
            (x + 84, 180),
            (x + 55, 360),
        ],
        (255, 120, 36),
    )
    canvas.polygon(
        [(x - 34, 360), (x - 40, 240), (x - 6, 280), (x + 8, 200), (x + 42, 250), (x + 34, 360)],
        (255, 214, 90),
    )


@BACKGROUNDS.register("volcano")
def volcano(canvas: Canvas, rng: Rng) -> None:
    """An erupting cone with lava streams, ash cloud and flying embers."""
    dusk = jitter(rng, (70, 34, 52), 10)
    canvas.gradient([(0, dusk), (420, (176, 70, 52)), (700, (246, 160, 84))])
    x = float(rng.integers(440, 560))
    rock = jitter(rng, (74, 54, 58), 8)
    _ash(canvas, rng, x)
    canvas.glow(x, 300, 330, (255, 150, 50), 30)
    _eruption(canvas, rng, x)
    cone = [
        (x - 560, 930),
        (x - 330, 690),
        (x - 170, 450),
        (x - 96, 340),
        (x + 96, 340),
        (x + 170, 450),
        (x + 330, 690),
        (x + 560, 930),
    ]
    canvas.polygon(cone, rock)
    canvas.polygon(
        [
            (x + 20, 340),
            (x + 96, 340),
            (x + 170, 450),
            (x + 330, 690),
            (x + 560, 930),
            (x + 130, 930),
            (x + 60, 620),
        ],
        mix(rock, (0, 0, 0), 0.3),
    )
    canvas.ellipse(x, 342, 97, 20, (255, 190, 70))
    canvas.ellipse(x, 345, 74, 12, (255, 236, 150))
    for start, path in (
        (-64, (-130, -150, -300, -330)),
        (-8, (-24, 40, 10, 90)),
        (62, (110, 190, 230, 400)),
    ):
        j = rng.uniform(-22, 22, 4).tolist()
        pts = [(x + start, 346.0)] + [
            (x + p + q, y) for p, q, y in zip(path, j, (480.0, 610.0, 760.0, 940.0), strict=True)
        ]
        for width, tone in ((50, (206, 54, 26)), (34, (255, 120, 30)), (14, (255, 220, 100))):
            canvas.line(pts, width, tone)
    canvas.ground(ridge(rng, 860, 60, 5), (46, 32, 38))
    for u, v, w in rng.random((8, 3)).tolist():
        canvas.ellipse(u * 1000, 930 + 60 * v, 60 + 60 * w, 8 + 8 * w, (255, 120, 36))
        canvas.ellipse(u * 1000, 930 + 60 * v, 38 + 40 * w, 4 + 4 * w, (255, 216, 100))
    specks(canvas, rng, 90, 20, 820, 6, [(255, 190, 80), (255, 120, 40)], 1.0)
