"""The city by night, a brick wall, a highway."""

from __future__ import annotations

from collections.abc import Callable

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng, clouds, fir, ridge
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.sky import stars

#: Where a lane is at a height of the picture.
At = Callable[[float, float], tuple[float, float]]


@BACKGROUNDS.register("city skyline at night")
def city_night(canvas: Canvas, rng: Rng) -> None:
    """Towers with lit windows under moon and stars, mirrored in a river."""
    night = jitter(rng, (20, 24, 72), 12)
    canvas.gradient(
        [
            (0, mix(night, (0, 0, 20), 0.5)),
            (520, mix(night, (120, 70, 150), 0.5)),
            (760, (206, 120, 130)),
        ]
    )
    stars(canvas, rng, 130, 420)
    moon = 130.0 if rng.integers(0, 2) else 870.0
    canvas.glow(moon, 130, 150, (230, 230, 255), 18)
    canvas.disc(moon, 130, 62, (246, 242, 214))
    for dx, dy, r in ((-20, -12, 13), (18, 16, 17), (14, -26, 8), (-16, 26, 8)):
        canvas.disc(moon + dx, 130 + dy, r, (222, 216, 186))
    for row, (count, low, tall) in enumerate(((14, 330, 250), (10, 180, 400))):
        tone = mix((46, 44, 104), (16, 16, 46), row)
        for i in range(count):
            u, v, w = rng.random(3).tolist()
            wide = 1000 / count * (0.72 + 0.4 * u)
            x0 = i * 1030 / count - 10
            height = low + tall * (v if i % 2 else 0.4 + 0.6 * v)
            if row == 1 and 2 < i < 6:
                height *= 0.8
            _tower(canvas, rng, x0, 790 - height, wide, mix(tone, (60, 60, 120), 0.25 * w), row)
    canvas.gradient([(790, (58, 44, 96)), (1000, (12, 14, 44))], 790, 1000)
    canvas.rectangle(0, 782, 1000, 796, (14, 14, 36))
    tones: list[Color] = [(255, 214, 120), (255, 170, 110), (150, 200, 255), (240, 130, 180)]
    for i, (u, v, w) in enumerate(rng.random((110, 3)).tolist()):
        y, half = 804 + 190 * v, (8 + 26 * w) * (0.5 + v)
        canvas.rounded(u * 1000 - half, y, u * 1000 + half, y + 5, 2, fade(tones[i % 4], 150))


def _tower(
    canvas: Canvas, rng: Rng, x: float, top: float, wide: float, color: Color, row: int
) -> None:
    canvas.rectangle(x, top, x + wide, 800, color)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        canvas.rectangle(x + wide * 0.47, top - 70, x + wide * 0.53, top, color)
        canvas.disc(x + wide * 0.5, top - 70, 5, (255, 80, 80))
    elif kind == 1:
        canvas.polygon([(x, top), (x + wide / 2, top - 60), (x + wide, top)], color)
    elif kind == 2:
        canvas.rectangle(x + wide * 0.2, top - 32, x + wide * 0.8, top, color)
    step = 24 - 4 * (1 - row)
    columns, rows = int((wide - 12) // step), int((790 - top - 10) // (step * 1.3))
    lit = rng.random((rows, columns))
    glow: Color = (255, 220, 130) if rng.integers(0, 3) else (170, 214, 255)
    if row == 0:
        glow = mix(glow, color, 0.35)
    for r in range(rows):
        y = top + 12 + r * step * 1.3
        for c in range(columns):
            if lit[r, c] < 0.55:
                at = x + 8 + c * step
                canvas.rectangle(at, y, at + step * 0.52, y + step * 0.72, glow)


@BACKGROUNDS.register("brick wall")
def brick_wall(canvas: Canvas, rng: Rng) -> None:
    """Courses of bricks in running bond, each of its own shade, with chips and stains."""
    brick = ((176, 74, 54), (158, 66, 56), (190, 96, 66))[int(rng.integers(0, 3))]
    mortar = jitter(rng, (204, 190, 174), 10)
    canvas.fill(mortar)
    tall, wide = 1000 / 14, 1000 / 6.5
    start = float(rng.integers(-150, 0))
    for r in range(15):
        tone_row = rng.random((9, 3)).tolist()
        y = r * tall - 20
        for c, (u, v, w) in enumerate(tone_row):
            x = start + c * wide - (wide / 2 if r % 2 else 0)
            tone = mix(brick, (90, 36, 34) if u < 0.5 else (222, 130, 96), 0.45 * v)
            canvas.rounded(x + 5, y + 5, x + wide - 5, y + tall - 5, 5, tone)
            canvas.rectangle(x + 9, y + 6, x + wide - 9, y + 12, mix(tone, (255, 220, 190), 0.22))
            canvas.rectangle(
                x + 7, y + tall - 13, x + wide - 7, y + tall - 6, mix(tone, (40, 10, 10), 0.28)
            )
            if w > 0.6:
                at = x + 20 + 100 * u
                canvas.ellipse(at, y + 22 + 26 * v, 8 + 9 * w, 5, mix(tone, (60, 20, 20), 0.35))
                canvas.ellipse(at + 24, y + 44 - 14 * v, 5, 4, mix(tone, (255, 210, 180), 0.25))
    for u, v, w in rng.random((3, 3)).tolist():
        canvas.ellipse(u * 1000, v * 1000, 120 + 120 * w, 90, fade((40, 20, 20), 18))


def _firs(canvas: Canvas, rng: Rng, x: float) -> None:
    """Draw firs along both sides of the road."""
    for side in (-1, 1):
        for u, v in rng.random((9, 2)).tolist():
            y = 480 + 150 * v
            fir(
                canvas,
                x + side * (90 + (y - 470) * 1.5 + 300 * u),
                y + 10,
                50 + 90 * v,
                (60, 116, 70),
                snow=False,
            )


def _rails_and_lamps(canvas: Canvas, horizon: float, at: At) -> None:
    """Draw guard rails and lamp posts along the road."""
    for side in (-1, 1):
        for k in range(9):
            y = horizon + 560 / (k + 0.9)
            px, scale = at(1.16 * side, y)[0], (y - horizon) / 300
            canvas.rectangle(px - 8 * scale, y - 80 * scale, px + 8 * scale, y, (130, 136, 142))
        for up, thick in ((0.15, 0.14),):
            rail = [at(1.16 * side, y) for y in (horizon + 4, 1400)]
            (xa, ya), (xb, yb) = rail
            ha, hb = (ya - horizon) / 3.4, (yb - horizon) / 3.4
            canvas.polygon(
                [
                    (xa, ya - ha * (1 - up)),
                    (xb, yb - hb * (1 - up)),
                    (xb, yb - hb * (1 - up - 3 * thick)),
                    (xa, ya - ha * (1 - up - 3 * thick)),
                ],
                (196, 202, 208),
            )


@BACKGROUNDS.register("highway")
def highway(canvas: Canvas, rng: Rng) -> None:
    """A six-lane road to the horizon with guard rails, lamp posts and blank direction signs."""
    sky, field = jitter(rng, (126, 196, 240)), jitter(rng, (142, 178, 96), 14)
    canvas.gradient([(0, sky), (470, (240, 246, 246))])
    clouds(canvas, rng, 4, 70, 260, 180, (255, 255, 255))
    horizon = 470.0
    canvas.ground(ridge(rng, 420, 70, 5), mix(field, (120, 150, 190), 0.6))
    canvas.ground(ridge(rng, 452, 30, 5), mix(field, (80, 130, 110), 0.5))
    canvas.gradient([(horizon, mix(field, (230, 230, 180), 0.3)), (1000, field)], horizon, 1000)
    x = float(rng.integers(470, 530))
    _firs(canvas, rng, x)
    road = jitter(rng, (86, 90, 98), 6)

    def at(lane: float, y: float) -> tuple[float, float]:
        return (x + lane * (14 + (y - horizon) * 1.02), y)

    canvas.polygon(
        [at(-1.1, horizon), at(1.1, horizon), at(1.1, 1000), at(-1.1, 1000)], (170, 166, 156)
    )
    canvas.polygon([at(-1, horizon), at(1, horizon), at(1, 1000), at(-1, 1000)], road)
    canvas.polygon(
        [at(-0.05, horizon), at(0.05, horizon), at(0.05, 1000), at(-0.05, 1000)], (112, 150, 84)
    )
    for lane, tone in (
        (-0.95, (250, 250, 250)),
        (0.95, (250, 250, 250)),
        (-0.085, (250, 204, 60)),
        (0.085, (250, 204, 60)),
    ):
        canvas.polygon(
            [
                at(lane - 0.009, horizon),
                at(lane + 0.009, horizon),
                at(lane + 0.009, 1000),
                at(lane - 0.009, 1000),
            ],
            tone,
        )
    phase = rng.random()
    for lane in (-0.66, -0.37, 0.37, 0.66):
        for k in range(11):
            near, far = 5.6 / (k + phase * 0.5 + 0.6), 5.6 / (k + phase * 0.5 + 1.05)
            y0, y1 = horizon + far * 62, horizon + near * 62
            if y0 < 1000:
                canvas.polygon(
                    [
                        at(lane - 0.012, y0),
                        at(lane + 0.012, y0),
                        at(lane + 0.012, y1),
                        at(lane - 0.012, y1),
                    ],
                    (250, 250, 250),
                )
    _rails_and_lamps(canvas, horizon, at)
    _gantry(canvas, x, 60 + 50 * rng.random())


def _gantry(canvas: Canvas, x: float, top: float) -> None:
    """An overhead sign bridge: green panels with lane arrows and no words."""
    steel = (136, 142, 150)
    for px in (x - 470, x + 470):
        canvas.rectangle(px - 13, top + 20, px + 13, 690, steel)
        canvas.rectangle(px + 3, top + 20, px + 13, 690, mix(steel, (0, 0, 0), 0.25))
    for y in (top + 24, top + 76):
        canvas.rectangle(x - 470, y, x + 470, y + 12, steel)
    for i in range(24):
        a = x - 470 + i * 39.2
        canvas.line(
            [(a, top + 30 if i % 2 else top + 82), (a + 39.2, top + 82 if i % 2 else top + 30)],
            5,
            steel,
        )
    for px, up in ((x - 300, False), (x, True), (x + 300, False)):
        canvas.rounded(px - 125, top - 30, px + 125, top + 130, 12, (250, 250, 250))
        canvas.rounded(px - 118, top - 23, px + 118, top + 123, 9, (20, 122, 76))
        for k, wide in enumerate((84, 60)):
            canvas.rounded(
                px - wide, top - 2 + 26 * k, px + wide, top + 10 + 26 * k, 5, (226, 240, 232)
            )
        y, s = (top + 84, -1) if up else (top + 84, 1)
        for dx in (-55, 55):
            canvas.rectangle(px + dx - 5, y - 22, px + dx + 5, y + 22, (255, 255, 255))
            canvas.polygon(
                [(px + dx - 18, y + 6 * s), (px + dx, y + 32 * s), (px + dx + 18, y + 6 * s)],
                (255, 255, 255),
            )
