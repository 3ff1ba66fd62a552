"""Backgrounds by and in the sea."""

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
    clouds,
    rays,
    specks,
    swell,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import sine


@BACKGROUNDS.register("beach")
def beach(canvas: Canvas, rng: Rng) -> None:
    """Sand with a foam line, surf, an islet, a lifeguard hut and a sandcastle."""
    sky, sea, sand = (jitter(rng, c) for c in ((118, 200, 240), (24, 132, 178), (240, 212, 152)))
    horizon = float(rng.integers(300, 370))
    canvas.gradient([(0, sky), (horizon, mix(sky, (255, 255, 255), 0.6))], 0, horizon)
    sun = float(rng.integers(80, 920))
    canvas.glow(sun, 110, 150, (255, 255, 220), 30)
    canvas.disc(sun, 110, 52, (255, 246, 190))
    clouds(canvas, rng, 3, 120, horizon - 70, 190, (255, 255, 255))
    islet = float(rng.integers(150, 850))
    canvas.ellipse(islet, horizon, 130, 26, (86, 140, 110))
    canvas.ellipse(islet + 70, horizon, 70, 15, (66, 120, 96))
    shore = horizon + 290
    canvas.gradient([(horizon, sea), (shore, (96, 208, 206))], horizon, shore + 80)
    for x, y, s in rng.random((46, 3)).tolist():
        depth = horizon + 14 + (shore - horizon - 60) * y
        half = (12 + 40 * y) * (0.6 + s)
        canvas.line(
            [(x * 1000 - half, depth), (x * 1000, depth - 3 - 5 * y), (x * 1000 + half, depth)],
            2 + 4 * y,
            (190, 234, 240),
        )
    edge = swell(rng, shore, 16, 1.7)
    for drop, color in (
        (-34, (150, 228, 222)),
        (-18, (255, 255, 255)),
        (6, mix(sand, (120, 90, 50), 0.35)),
        (44, sand),
    ):
        canvas.ground([(x, y + drop) for x, y in edge], color)
    specks(
        canvas,
        rng,
        220,
        shore + 70,
        1000,
        5,
        [mix(sand, (140, 100, 50), t) for t in (0.2, 0.35, 0.1)],
    )
    for _ in range(5):
        u = rng.random(2).tolist()
        line = swell(rng, shore + 110 + 280 * u[0], 6, 1.0, 16, u[1] * 800, u[1] * 800 + 240)
        canvas.line(line, 5, mix(sand, (150, 110, 60), 0.22))
    left = bool(rng.integers(0, 2))
    _hut(canvas, 130 if left else 870, shore + 95)
    _castle(canvas, rng, 850 if left else 150, 925, mix(sand, (190, 130, 60), 0.45))
    for x, y in rng.random((6, 2)).tolist():
        _gull(canvas, x * 1000, 60 + y * (horizon - 130))


def _gull(canvas: Canvas, x: float, y: float) -> None:
    canvas.line(
        [(x - 16, y - 6), (x - 7, y - 9), (x, y), (x + 7, y - 9), (x + 16, y - 6)], 3, (70, 90, 110)
    )


def _hut(canvas: Canvas, x: float, foot: float) -> None:
    """A lifeguard hut on stilts."""
    wood = (250, 250, 246)
    for dx in (-75, -25, 25, 75):
        canvas.line([(x + dx * 0.85, foot - 130), (x + dx, foot)], 9, (206, 200, 190))
    canvas.line([(x - 75, foot - 10), (x + 66, foot - 110)], 6, (206, 200, 190))
    canvas.rectangle(x - 88, foot - 140, x + 88, foot - 124, (206, 200, 190))
    canvas.rectangle(x - 66, foot - 250, x + 66, foot - 140, wood)
    for i in range(1, 6):
        canvas.rectangle(x - 66, foot - 250 + i * 19, x + 66, foot - 247 + i * 19, (216, 220, 220))
    canvas.rectangle(x - 42, foot - 222, x + 42, foot - 180, (70, 130, 160))
    canvas.polygon(
        [(x - 90, foot - 246), (x - 55, foot - 305), (x + 55, foot - 305), (x + 90, foot - 246)],
        (226, 70, 56),
    )
    canvas.rectangle(x + 40, foot - 385, x + 45, foot - 300, (120, 110, 100))
    canvas.polygon(
        [(x + 45, foot - 385), (x + 100, foot - 368), (x + 45, foot - 350)], (250, 200, 50)
    )


def _castle(canvas: Canvas, rng: Rng, x: float, foot: float, color: Color) -> None:
    """A sandcastle: three towers with battlements on a mound."""
    dark = mix(color, (90, 50, 10), 0.25)
    canvas.ellipse(x, foot, 135, 30, dark)
    for dx, w, h in ((-62, 26, 80), (62, 26, 74), (0, 36, 118)):
        top = foot - h - float(rng.integers(0, 14))
        canvas.rectangle(x + dx - w, top, x + dx + w, foot, color)
        canvas.rectangle(x + dx + w * 0.4, top, x + dx + w, foot, dark)
        for b in range(3):
            at = x + dx - w + b * w * 0.8
            canvas.rectangle(at, top - 14, at + w * 0.4, top, color)
    canvas.rounded(x - 12, foot - 46, x + 12, foot, 10, mix(dark, (0, 0, 0), 0.4))


def _glittering_sea(canvas: Canvas, rng: Rng, horizon: float, x: float) -> None:
    """Draw dark water below the horizon with the path of the sun on it."""
    canvas.gradient(
        [(horizon, (214, 104, 84)), (horizon + 90, (122, 52, 96)), (1000, (36, 22, 66))],
        horizon,
        1000,
    )
    for u, v, w in rng.random((130, 3)).tolist():
        y = horizon + 6 + (990 - horizon) * v * v
        half = (8 + 50 * v) * (0.4 + w)
        at = u * 1000
        canvas.rounded(at - half, y, at + half, y + 2 + 6 * v, 3, fade((40, 20, 70), 90))
    for u, v, w in rng.random((110, 3)).tolist():
        y = horizon + 4 + (990 - horizon) * v
        half = (10 + 46 * v) * (0.4 + w)
        at = x + (u - 0.5) * 2 * (90 + 160 * v)
        canvas.rounded(
            at - half, y, at + half, y + 3 + 6 * v, 4, mix((255, 240, 170), (255, 150, 80), v)
        )


@BACKGROUNDS.register("sunset over the sea")
def sunset(canvas: Canvas, rng: Rng) -> None:
    """A big low sun, burning bands of sky and a glittering path on dark water."""
    top = jitter(rng, (64, 34, 104), 16)
    glow = jitter(rng, (255, 150, 60), 14)
    horizon = float(rng.integers(540, 620))
    canvas.gradient(
        [
            (0, top),
            (horizon * 0.4, jitter(rng, (190, 62, 110))),
            (horizon * 0.75, glow),
            (horizon, (255, 214, 110)),
        ],
        0,
        horizon,
    )
    x = float(rng.integers(300, 700))
    canvas.glow(x, horizon - 30, 380, (255, 210, 120), 22)
    canvas.disc(x, horizon - 30, 150, (255, 232, 140))
    canvas.disc(x, horizon - 30, 134, (255, 244, 180))
    for i, (u, v, w) in enumerate(rng.random((11, 3)).tolist()):
        y = 60 + (horizon - 150) * (i + v) / 11
        half = 90 + 200 * w
        tone = mix((110, 40, 100), (255, 130, 80), y / horizon)
        for k in range(3):
            canvas.rounded(
                u * 1000 - half + k * 50,
                y + k * 11,
                u * 1000 + half - k * 30,
                y + 13 + k * 11,
                7,
                fade(tone, 200),
            )
    _glittering_sea(canvas, rng, horizon, x)
    for side in (0, 1000):
        if rng.integers(0, 2):
            reach = float(rng.integers(110, 220))
            s = reach if side == 0 else -reach
            canvas.polygon(
                [
                    (side, horizon - 90),
                    (side + s * 0.5, horizon - 60),
                    (side + s * 0.8, horizon - 14),
                    (side + s, horizon + 6),
                    (side, horizon + 6),
                ],
                (58, 26, 66),
            )


@BACKGROUNDS.register("underwater scene")
def underwater(canvas: Canvas, rng: Rng) -> None:
    """Light from above, bubbles, swaying weed, coral and a sandy bottom."""
    light, deep = jitter(rng, (92, 206, 226)), jitter(rng, (8, 46, 104))
    canvas.gradient(
        [(0, (190, 244, 246)), (90, light), (520, jitter(rng, (22, 118, 180))), (1000, deep)]
    )
    crest = swell(rng, 34, 16, 4.0)
    canvas.polygon([(0, 0), *crest, (1000, 0)], (226, 252, 252))
    rays(canvas, rng, 9, float(rng.integers(250, 750)), -40, 900, 26, (220, 255, 255))
    far = swell(rng, 800, 40, 1.4)
    canvas.ground(far, mix(deep, (30, 110, 150), 0.5))
    for side in (0.0, 1.0):
        for k in range(4):
            u, w = rng.random(2).tolist()
            _weed(
                canvas,
                rng,
                abs(side * 1000 - (30 + 75 * k + 30 * u)),
                940,
                330 + 430 * w * (1 - k * 0.15),
                mix((20, 120, 80), (120, 180, 60), rng.random()),
            )
    canvas.ground(swell(rng, 900, 22, 1.8), (206, 190, 140))
    canvas.ground(swell(rng, 950, 14, 2.1), (226, 210, 160))
    specks(canvas, rng, 90, 930, 1000, 6, [(180, 160, 110), (240, 228, 190)])
    for k in range(6):
        u, w = rng.random(2).tolist()
        tone = ((236, 92, 110), (250, 150, 70), (200, 90, 190), (250, 200, 90))[
            int(rng.integers(0, 4))
        ]
        _coral(canvas, (k + 0.2 + 0.6 * u) * 1000 / 6, 968, 90 + 90 * w, tone)
    for x, y, s in rng.random((46, 3)).tolist():
        r = 5 + 15 * s * s
        canvas.disc(x * 1000, 60 + 820 * y, r, (220, 250, 255, 70))
        canvas.ring(x * 1000, 60 + 820 * y, r, r, 2.5, (226, 252, 255))
        canvas.disc(x * 1000 - r * 0.35, 60 + 820 * y - r * 0.35, r * 0.22, (255, 255, 255))


def _weed(canvas: Canvas, rng: Rng, x: float, foot: float, height: float, color: Color) -> None:
    """A swaying ribbon of kelp with leaflets."""
    tone = mix(color, (0, 40, 60), 0.1)
    phase = rng.random()
    left, right = [], []
    for i in range(17):
        t = i / 16
        cx = x + 26 * float(sine(t * 1.6 + phase)) * (0.3 + t)
        w = 15 * (1 - t) + 3
        y = foot - height * t
        left.append((cx - w, y))
        right.append((cx + w, y))
        if 2 < i < 16:
            s = 1 if i % 2 else -1
            canvas.polygon([(cx, y + 10), (cx + s * 52 * (1.1 - t), y - 34), (cx, y - 12)], tone)
    canvas.polygon([*left, *reversed(right)], mix(tone, (0, 20, 40), 0.15))


def _coral(canvas: Canvas, x: float, foot: float, height: float, color: Color) -> None:
    """A branching coral."""
    for lean, up in ((-0.55, 0.75), (-0.2, 1.0), (0.2, 0.9), (0.55, 0.7)):
        tip = (x + lean * height, foot - up * height)
        knee = (x + lean * height * 0.6, foot - up * height * 0.45)
        canvas.line([(x, foot), knee, tip], height * 0.13, color)
        canvas.disc(tip[0], tip[1], height * 0.085, mix(color, (255, 255, 255), 0.25))
        twig = (knee[0] + (0.22 if lean < 0 else -0.22) * height, knee[1] - 0.26 * height)
        canvas.line([knee, twig], height * 0.09, color)
        canvas.disc(twig[0], twig[1], height * 0.06, mix(color, (255, 255, 255), 0.25))
