"""Mountains, volcano, waterfall, cave."""

from __future__ import annotations

from lvlmbench.render.pictograph.backgrounds.canvas import Canvas, Color, Point, fade, jitter, mix
from lvlmbench.render.pictograph.backgrounds.parts import (
    Rng,
    broadleaf,
    clouds,
    fir,
    ridge,
    specks,
    swell,
)
from lvlmbench.render.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.render.pictograph.backgrounds.trig import cosine, sine


def _peak(canvas: Canvas, rng: Rng, x: float, top: float, half: float, foot: float, rock: Color) -> None:
    """A rocky peak with a snow cap, lit from the left."""
    jag = rng.uniform(-1, 1, 8).tolist()
    left = [(x - half * t, top + (foot - top) * t + 22 * j) for t, j in zip((0.3, 0.6), jag, strict=False)]
    right = [(x + half * t, top + (foot - top) * t + 22 * j) for t, j in zip((0.35, 0.65), jag[2:], strict=False)]
    spine = [(x + 40 * j * t, top + (foot - top) * t) for t, j in zip((0.25, 0.55, 1.0), jag[4:], strict=False)]
    canvas.polygon([(x, top), *right, (x + half, foot), (x - half, foot), *reversed(left)], rock)
    canvas.polygon([(x, top), *right, (x + half, foot), *reversed(spine)], mix(rock, (30, 40, 80), 0.4))
    deep = (foot - top) * 0.42
    lx, rx = left[0], right[0]
    cap_left: list[Point] = [(x, top), (lx[0], lx[1]), (x - half * 0.42, top + deep * 1.05)]
    teeth = [(-0.3, 0.8), (-0.2, 1.15), (-0.1, 0.78), (0.0, 1.05)]
    low = [(x + half * a, top + deep * b) for a, b in teeth]
    canvas.polygon([*cap_left, *low], (250, 252, 255))
    shade = [(x, top), low[-1], (x + half * 0.1, top + deep * 0.75), (x + half * 0.22, top + deep * 1.2),
             (x + half * 0.33, top + deep * 0.86), (x + half * 0.42, top + deep * 1.05), (rx[0], rx[1])]  # fmt: skip
    canvas.polygon(shade, (206, 220, 244))


@BACKGROUNDS.register("snowy mountains")
def snowy_mountains(canvas: Canvas, rng: Rng) -> None:
    """Snow-capped peaks, snowed-in firs, a white foreground."""
    sky, rock = jitter(rng, (96, 164, 226), 16), jitter(rng, (112, 124, 156), 10)
    canvas.gradient([(0, sky), (560, (224, 240, 252))])
    clouds(canvas, rng, 3, 90, 210, 190, (246, 250, 255))
    for i in range(4):
        u, v = rng.random(2).tolist()
        _peak(canvas, rng, (i + 0.2 + 0.6 * u) * 250, 250 + 90 * v, 230, 660, mix(rock, (200, 222, 246), 0.5))
    for x, u in zip((110.0, 880.0, 480.0), rng.random(3).tolist(), strict=True):
        _peak(canvas, rng, x + 120 * (u - 0.5), 110 + 130 * u, 310, 740, rock)
    canvas.ground(swell(rng, 690, 26, 1.2), (226, 236, 250))
    for row, (count, foot, tall) in enumerate(((13, 730, 120), (8, 810, 210))):
        for i in range(count):
            u, w = rng.random(2).tolist()
            fir(canvas, (i + u) * 1000 / count, foot + 30 * w, tall * (0.7 + 0.5 * w),
                mix((44, 92, 84), (150, 180, 200), 0.35 - 0.3 * row), snow=True)  # fmt: skip
        canvas.ground(swell(rng, foot + 34, 16, 1.4), ((236, 243, 253), (248, 251, 255))[row])
    canvas.ground(swell(rng, 930, 20, 1.1), (232, 240, 252))
    specks(canvas, rng, 90, 860, 1000, 5, [(206, 220, 242), (255, 255, 255)])


@BACKGROUNDS.register("volcano")
def volcano(canvas: Canvas, rng: Rng) -> None:
    """An erupting cone with lava streams, ash cloud and flying embers."""
    dusk = jitter(rng, (70, 34, 52), 10)
    canvas.gradient([(0, dusk), (420, (176, 70, 52)), (700, (246, 160, 84))])
    x = float(rng.integers(440, 560))
    rock = jitter(rng, (74, 54, 58), 8)
    for k in range(5):
        for u, v, w in rng.random((9, 3)).tolist():
            spread = 420 - 70 * k
            canvas.disc(x + (u - 0.5) * 2 * spread, 40 + 34 * k + 50 * v, (52 + 60 * w) * (1.1 - 0.08 * k),
                        mix((52, 40, 50), (158, 96, 88), k / 5 + 0.1 * w))  # fmt: skip
    canvas.glow(x, 300, 330, (255, 150, 50), 30)
    for u, v in rng.random((13, 2)).tolist():
        reach = (u - 0.5) * 560
        up = 110 + 190 * v
        canvas.line([(x + reach * 0.08, 350), (x + reach * 0.4, 330 - up), (x + reach * 0.8, 310 - up * 0.55),
                     (x + reach, 330 + 40 * v)], 9, (255, 176, 60))  # fmt: skip
        canvas.disc(x + reach, 334 + 40 * v, 11, (255, 220, 110))
    canvas.polygon([(x - 55, 360), (x - 90, 170), (x - 20, 230), (x, 120), (x + 34, 236), (x + 84, 180), (x + 55, 360)],
                   (255, 120, 36))  # fmt: skip
    canvas.polygon([(x - 34, 360), (x - 40, 240), (x - 6, 280), (x + 8, 200), (x + 42, 250), (x + 34, 360)],
                   (255, 214, 90))  # fmt: skip
    cone = [(x - 560, 930), (x - 330, 690), (x - 170, 450), (x - 96, 340), (x + 96, 340), (x + 170, 450),
            (x + 330, 690), (x + 560, 930)]  # fmt: skip
    canvas.polygon(cone, rock)
    canvas.polygon([(x + 20, 340), (x + 96, 340), (x + 170, 450), (x + 330, 690), (x + 560, 930), (x + 130, 930),
                    (x + 60, 620)], mix(rock, (0, 0, 0), 0.3))  # fmt: skip
    canvas.ellipse(x, 342, 97, 20, (255, 190, 70))
    canvas.ellipse(x, 345, 74, 12, (255, 236, 150))
    for start, path in ((-64, (-130, -150, -300, -330)), (-8, (-24, 40, 10, 90)), (62, (110, 190, 230, 400))):
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


@BACKGROUNDS.register("waterfall")
def waterfall(canvas: Canvas, rng: Rng) -> None:
    """A broad white fall between mossy cliffs into a foaming pool."""
    sky, rock = jitter(rng, (170, 220, 246)), jitter(rng, (106, 100, 96), 10)
    green = jitter(rng, (74, 140, 70))
    canvas.gradient([(0, sky), (260, (232, 246, 250))])
    for x, y, s in rng.random((12, 3)).tolist():
        broadleaf(canvas, rng, x * 1000, 190 + 20 * y, 130 + 90 * s, mix(green, (30, 90, 60), 0.5 * y))
    canvas.rectangle(0, 170, 1000, 800, rock)
    for u, v, w in rng.random((90, 3)).tolist():
        px, py, r = u * 1000, 180 + 620 * v, 34 + 50 * w
        canvas.polygon([(px - r, py), (px - r * 0.3, py - r * 0.7), (px + r, py - r * 0.4), (px + r * 0.7, py + r * 0.8),
                        (px - r * 0.6, py + r)], mix(rock, (30, 30, 40) if u < v else (220, 214, 200), 0.08 + 0.2 * w))  # fmt: skip
    left, right = float(rng.integers(190, 260)), float(rng.integers(740, 810))
    top = 150.0
    canvas.polygon([(left, top), (right, top), (right + 40, 800), (left - 40, 800)], (120, 190, 226))
    for u, v, w in rng.random((230, 3)).tolist():
        at = left + 6 + (right - left - 12) * u
        lean = (u - 0.5) * 80
        y0, y1 = top + 660 * v * v * 0.9, top + 660 * min(1.0, v * v * 0.9 + 0.15 + 0.4 * w)
        k0, k1 = (y0 - top) / 650, (y1 - top) / 650
        tone = ((255, 255, 255), (206, 234, 248), (150, 206, 236))[int(w * 2.99)]
        canvas.line([(at + lean * k0, y0), (at + lean * k1, y1)], 5 + 9 * w, tone)
    canvas.polygon([(left - 4, top + 16), (left + 20, top - 12), (right - 20, top - 12), (right + 4, top + 16)],
                   (176, 222, 242))  # fmt: skip
    for side in (0, 1):
        edge = left if side == 0 else right
        for k, y in enumerate((250, 430, 620)):
            s = -1.0 if side == 0 else 1.0
            u = rng.random()
            canvas.ellipse(edge + s * (120 + 60 * u), y, 150, 26, mix(green, (30, 70, 40), 0.3))
            canvas.ellipse(edge + s * (120 + 60 * u), y - 8, 140, 20, mix(green, (170, 210, 90), 0.2 * k))
    for x in (left - 100, right + 100):
        canvas.ellipse(x, 168, 190, 34, mix(green, (30, 80, 40), 0.2))
        canvas.ellipse(x, 156, 180, 26, green)
    canvas.gradient([(780, (124, 200, 226)), (1000, (26, 110, 150))], 790, 1000)
    for u, v, w in rng.random((60, 3)).tolist():
        half = (20 + 60 * v) * (0.5 + w)
        canvas.rounded(u * 1000 - half, 815 + 170 * v, u * 1000 + half, 820 + 172 * v, 3, (190, 232, 244))
    for u, v, w in rng.random((70, 3)).tolist():
        canvas.disc(left - 70 + (right - left + 140) * u, 800 + 40 * (v - 0.5) * 2, 22 + 34 * w,
                    fade((255, 255, 255), 150))  # fmt: skip
    for u, v, w in rng.random((9, 3)).tolist():
        px = 170 * u if v < 0.5 else 1000 - 170 * u
        canvas.ellipse(px, 870 + 110 * w, 90, 50, mix(rock, (20, 20, 30), 0.3))
        canvas.ellipse(px - 10, 858 + 110 * w, 74, 32, mix(green, rock, 0.4 * u))


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
    canvas.ellipse(x, 480, 180, 200, mix(light, (255, 255, 255), 0.5))
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


def _spike(canvas: Canvas, x: float, root: float, half: float, length: float, color: Color) -> None:
    """A stalactite (positive length) or stalagmite (negative)."""
    canvas.polygon([(x - half, root), (x - half * 0.45, root + length * 0.35), (x, root + length),
                    (x + half * 0.45, root + length * 0.35), (x + half, root)], color)  # fmt: skip
    canvas.polygon([(x + half * 0.2, root), (x, root + length), (x + half * 0.45, root + length * 0.35),
                    (x + half, root)], mix(color, (0, 0, 0), 0.28))  # fmt: skip
