"""Open country: desert, forest, meadow, farm."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import (
    Rng,
    broadleaf,
    clouds,
    fir,
    grass,
    rays,
    specks,
    swell,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import sine


@BACKGROUNDS.register("desert")
def desert(canvas: Canvas, rng: Rng) -> None:
    """Wind-rippled dunes with sharp crests under a blazing sun, mesas far off."""
    sky, sand = jitter(rng, (250, 196, 120)), jitter(rng, (232, 168, 84), 10)
    canvas.gradient([(0, jitter(rng, (98, 178, 220))), (420, sky), (520, (255, 232, 180))])
    sun = float(rng.integers(120, 880))
    canvas.glow(sun, 140, 210, (255, 250, 200), 34)
    canvas.disc(sun, 140, 72, (255, 250, 214))
    for k in range(3):
        u, w = rng.random(2).tolist()
        x, half, top = (k + u) * 333, 70 + 60 * w, 400 - 60 * u
        rock = mix((190, 96, 62), sky, 0.25)
        canvas.polygon(
            [
                (x - half * 1.6, 500),
                (x - half, top + 30),
                (x - half * 0.9, top),
                (x + half * 0.9, top),
                (x + half, top + 30),
                (x + half * 1.6, 500),
            ],
            rock,
        )
        for band in (22, 48):
            canvas.rectangle(
                x - half * 0.97,
                top + band,
                x + half * 0.97,
                top + band + 7,
                mix(rock, (90, 30, 20), 0.25),
            )
    for k, (base, count) in enumerate(((560, 4), (690, 3), (860, 3), (1060, 2))):
        tone = mix(mix(sand, sky, 0.5), sand, k / 3)
        for i in range(count):
            u, v, w = rng.random(3).tolist()
            x = (i + 0.1 + 0.8 * u) * 1000 / count
            _dune(
                canvas,
                x,
                base,
                (90 + 35 * k) * (0.7 + 0.6 * v),
                (190 + 60 * k) * (0.9 + 0.5 * w),
                tone,
            )
        canvas.ground(swell(rng, base - 14, 10, 1.2), mix(tone, (255, 230, 170), 0.1))
    for u, v, w in rng.random((16, 3)).tolist():
        ripple = swell(rng, 860 + 130 * v, 5, 0.8, 14, u * 1000 - 130, u * 1000 + 60 + 90 * w)
        canvas.line(ripple, 4, fade(mix(sand, (120, 60, 20), 0.4), 120))
    specks(canvas, rng, 60, 860, 1000, 5, [mix(sand, (110, 60, 20), 0.4)])


def _dune(canvas: Canvas, x: float, base: float, height: float, half: float, color: Color) -> None:
    """A dune with a sharp crest: a long lit side and a lee side in shadow."""
    steps = [i / 12 for i in range(13)]
    lit = [(x - half * 1.4 * (1 - t), base - height * t * (0.45 + 0.55 * t)) for t in steps]
    lee = [(x + half * t, base - height * (1 - t) * (0.35 + 0.65 * (1 - t))) for t in steps]
    crest = [
        (x + half * (0.16 * float(sine(1.1 * t)) - 0.5 * t * t), base - height * (1 - t))
        for t in steps
    ]
    canvas.polygon([*lit, *lee], color)
    canvas.polygon([*lee, *reversed(crest)], mix(color, (140, 66, 30), 0.45))


@BACKGROUNDS.register("forest")
def forest(canvas: Canvas, rng: Rng) -> None:
    """Rows of trees that fade into green haze, trunks up close, ferns below."""
    haze = jitter(rng, (190, 224, 170))
    leaf = jitter(rng, (46, 116, 58), 14)
    canvas.gradient(
        [(0, mix(haze, leaf, 0.35)), (420, haze), (760, mix(haze, leaf, 0.5)), (1000, leaf)]
    )
    for row, (count, foot, tall, t) in enumerate(
        ((15, 640, 470, 0.62), (11, 700, 600, 0.36), (8, 760, 700, 0.16))
    ):
        tone = mix(leaf, haze, t)
        for i in range(count):
            u, w, kind = rng.random(3).tolist()
            x, h = (i + u) * 1000 / count, tall * (0.75 + 0.4 * w)
            if kind < 0.6 or row == 0:
                fir(canvas, x, foot, h, mix(tone, (20, 60, 40), 0.15 * kind), snow=False)
            else:
                broadleaf(canvas, rng, x, foot, h * 0.9, mix(tone, (120, 160, 40), 0.2))
    rays(canvas, rng, 6, float(rng.integers(150, 850)), -60, 1000, 22, (255, 255, 210))
    canvas.ground(swell(rng, 765, 18, 1.6), mix(leaf, (110, 130, 50), 0.35))
    canvas.ground(swell(rng, 850, 20, 1.9), mix(leaf, (30, 60, 30), 0.3))
    for side in (0, 1):
        for k in range(2):
            u, w = rng.random(2).tolist()
            x = (20 + 130 * k + 60 * u) if side == 0 else 980 - 130 * k - 60 * u
            _trunk(canvas, rng, x, 30 + 22 * w, 930 - 50 * k)
    for i in range(16):
        u, w = rng.random(2).tolist()
        lush = mix(leaf, (130, 190, 60), 0.45 * w)
        canvas.disc((i + u) * 1000 / 14 - 40, -30 + 30 * w, 80 + 40 * u, mix(leaf, (20, 70, 40), w))
        canvas.disc((i + w) * 1000 / 14 - 40, -40 + 20 * u, 56, lush)
    for i in range(11):
        u, w = rng.random(2).tolist()
        _fern(
            canvas,
            (i + u) * 1000 / 11,
            1000 - 50 * w,
            110 + 60 * w,
            mix(leaf, (140, 200, 70), 0.2 + 0.4 * u),
        )


def _trunk(canvas: Canvas, rng: Rng, x: float, half: float, foot: float) -> None:
    bark = jitter(rng, (92, 64, 44), 10)
    canvas.polygon(
        [
            (x - half, -5),
            (x + half, -5),
            (x + half * 1.1, foot - 60),
            (x + half * 1.9, foot),
            (x - half * 1.9, foot),
            (x - half * 1.1, foot - 60),
        ],
        bark,
    )
    canvas.polygon(
        [
            (x + half * 0.3, -5),
            (x + half, -5),
            (x + half * 1.1, foot - 60),
            (x + half * 1.9, foot),
            (x + half * 0.5, foot),
        ],
        mix(bark, (0, 0, 0), 0.25),
    )
    for u, v, w in rng.random((14, 3)).tolist():
        at = x - half * 0.8 + 1.5 * half * u
        y = v * (foot - 90)
        canvas.line([(at, y), (at + 3, y + 30 + 50 * w)], 4, mix(bark, (20, 10, 0), 0.45))


def _fern(canvas: Canvas, x: float, foot: float, size: float, color: Color) -> None:
    for lean in (-0.95, -0.5, 0.0, 0.5, 0.95):
        tip = (x + lean * size, foot - size * (1.05 - 0.45 * abs(lean)))
        canvas.polygon(
            [
                (x - 8, foot),
                ((x + tip[0]) / 2 - size * 0.1, (foot + tip[1]) / 2 - size * 0.14),
                tip,
                ((x + tip[0]) / 2 + size * 0.1, (foot + tip[1]) / 2 - size * 0.02),
                (x + 8, foot),
            ],
            mix(color, (0, 40, 0), 0.2 * (1 + lean)),
        )


@BACKGROUNDS.register("meadow")
def meadow(canvas: Canvas, rng: Rng) -> None:
    """Rolling green hills full of small wild flowers under a fair sky."""
    sky, green = jitter(rng, (110, 190, 244)), jitter(rng, (126, 196, 72), 14)
    canvas.gradient([(0, sky), (430, (226, 244, 255))], 0, 520)
    clouds(canvas, rng, 4, 110, 330, 240, (255, 255, 255))
    for k, base in enumerate((450, 530, 620)):
        canvas.ground(
            swell(rng, base, 34, 0.9 + 0.3 * k), mix(mix(green, (150, 210, 170), 0.6), green, k / 2)
        )
    for x, y in rng.random((9, 2)).tolist():
        broadleaf(canvas, rng, x * 1000, 500 + 50 * y, 70 + 20 * y, mix(green, (30, 90, 50), 0.5))
    canvas.gradient([(660, green), (1000, mix(green, (40, 110, 40), 0.55))], 680, 1000)
    grass(canvas, rng, 170, 640, 1010, 46, mix(green, (40, 130, 40), 0.55))
    grass(canvas, rng, 90, 700, 1010, 46, mix(green, (220, 240, 120), 0.35))
    petals = [(255, 255, 255), (250, 210, 60), (236, 84, 90), (190, 120, 220), (120, 140, 240)]
    spots = rng.random((120, 3))
    for i, (x, y, s) in enumerate(spots[spots[:, 1].argsort(kind="stable")].tolist()):
        r = (4 + 10 * y) * (0.7 + 0.5 * s)
        px, py = x * 1000, 630 + 360 * y
        canvas.line([(px, py), (px, py + r * 3)], 2 + 2 * y, (60, 130, 50))
        tone = petals[i % 5]
        for dx, dy in ((-0.9, 0), (0.9, 0), (0, -0.9), (0, 0.9)):
            canvas.disc(px + dx * r, py + dy * r, r * 0.75, tone)
        canvas.disc(px, py, r * 0.6, (250, 190, 40) if i % 5 != 1 else (180, 110, 30))


@BACKGROUNDS.register("farm")
def farm(canvas: Canvas, rng: Rng) -> None:
    """A red barn with a silo behind a fence and rows of crops."""
    sky, green = jitter(rng, (134, 204, 244)), jitter(rng, (140, 186, 70), 10)
    canvas.gradient([(0, sky), (420, (236, 246, 250))], 0, 500)
    clouds(canvas, rng, 3, 110, 230, 200, (255, 255, 255))
    canvas.ground(swell(rng, 430, 20, 1.1), mix(green, (170, 210, 160), 0.5))
    canvas.ground(swell(rng, 470, 10, 1.3), green)
    left = bool(rng.integers(0, 2))
    _barn(canvas, 190 if left else 810, 520, 1.0 if left else -1.0)
    x = 850 if left else 150
    for dx in (-90, 0, 90):
        broadleaf(canvas, rng, x + dx, 500, 200, mix(green, (40, 110, 50), 0.6))
    soil = jitter(rng, (140, 94, 56), 8)
    canvas.rectangle(0, 520, 1000, 1000, soil)
    vanish = float(rng.integers(420, 580))
    for i in range(-14, 15):
        foot = vanish + i * 130
        canvas.polygon(
            [
                (vanish + i * 26 - 5, 520),
                (vanish + i * 26 + 5, 520),
                (foot + 34, 1000),
                (foot - 34, 1000),
            ],
            mix(soil, (50, 30, 10), 0.25),
        )
        for k in range(11):
            t = ((k + 1) / 11) ** 2
            px, py, r = vanish + i * 26 + (foot - vanish - i * 26) * t, 520 + 470 * t, 5 + 30 * t
            if -40 < px < 1040:
                canvas.ellipse(px, py, r, r * 0.62, (60, 130, 50))
                canvas.ellipse(px - r * 0.15, py - r * 0.25, r * 0.7, r * 0.4, (116, 178, 70))
    for i in range(13):
        at = i * 84 - 10
        canvas.rectangle(at, 462, at + 15, 548, (246, 240, 226))
        canvas.polygon([(at, 462), (at + 7.5, 450), (at + 15, 462)], (246, 240, 226))
    for y in (478, 512):
        canvas.rectangle(0, y, 1000, y + 13, (236, 228, 210))


def _barn(canvas: Canvas, x: float, foot: float, way: float) -> None:
    red, dark = (186, 48, 44), (140, 30, 32)
    sx = x - 165 * way
    canvas.rectangle(sx - 48, foot - 330, sx + 48, foot, (196, 200, 206))
    canvas.rectangle(sx + 10, foot - 330, sx + 48, foot, (166, 172, 180))
    canvas.ellipse(sx, foot - 330, 48, 42, (120, 130, 142))
    for i in range(7):
        canvas.rectangle(
            sx - 48, foot - 290 + i * 42, sx + 48, foot - 286 + i * 42, (150, 156, 164)
        )
    canvas.polygon(
        [
            (x - 140, foot),
            (x - 140, foot - 190),
            (x - 92, foot - 290),
            (x, foot - 345),
            (x + 92, foot - 290),
            (x + 140, foot - 190),
            (x + 140, foot),
        ],
        red,
    )
    for i in range(1, 14):
        canvas.rectangle(x - 140 + i * 20, foot - 190, x - 137 + i * 20, foot, dark)
    roof = [
        (x - 158, foot - 180),
        (x - 100, foot - 300),
        (x, foot - 362),
        (x + 100, foot - 300),
        (x + 158, foot - 180),
    ]
    canvas.line(roof, 22, (84, 74, 78))
    canvas.rectangle(x - 36, foot - 275, x + 36, foot - 215, (250, 246, 240))
    canvas.rectangle(x - 28, foot - 267, x + 28, foot - 223, (70, 30, 30))
    canvas.rectangle(x - 70, foot - 150, x + 70, foot, (250, 246, 240))
    canvas.rectangle(x - 60, foot - 140, x + 60, foot, red)
    for a, b in ((-60, 0), (0, 60)):
        canvas.line([(x + a, foot - 140), (x + b, foot)], 8, (250, 246, 240))
        canvas.line([(x + b, foot - 140), (x + a, foot)], 8, (250, 246, 240))
    canvas.rectangle(x - 4, foot - 140, x + 4, foot, (250, 246, 240))
