"""Places where people gather: classroom, theater stage."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import (
    Canvas,
    Color,
    fade,
    jitter,
    mix,
)
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine


@BACKGROUNDS.register("classroom")
def classroom(canvas: Canvas, rng: Rng) -> None:
    """A wide blackboard with chalk marks, a clock, wall charts, rows of desks."""
    canvas.keep_reading_order()
    wall = jitter(
        rng, ((246, 226, 176), (206, 224, 236), (226, 232, 206))[int(rng.integers(0, 3))], 8
    )
    wood = jitter(rng, (196, 142, 84), 10)
    canvas.fill(wall)
    canvas.rectangle(0, 560, 1000, 640, mix(wall, (140, 110, 80), 0.3))
    canvas.rectangle(0, 556, 1000, 566, mix(wood, (60, 30, 10), 0.2))
    canvas.rectangle(0, 640, 1000, 1000, mix(wood, (236, 206, 160), 0.5))
    for k in range(15):
        x = -400.0 + k * 130
        canvas.line([(500 + (x - 500) * 0.5, 640), (x, 1000)], 4, mix(wood, (110, 70, 30), 0.25))
    board = ((40, 92, 76), (44, 62, 74))[int(rng.integers(0, 2))]
    canvas.rectangle(90, 90, 910, 520, wood)
    canvas.rectangle(106, 106, 894, 504, board)
    canvas.polygon(
        [(106, 106), (420, 106), (250, 504), (106, 504)], mix(board, (255, 255, 255), 0.05)
    )
    canvas.rectangle(90, 512, 910, 534, mix(wood, (60, 30, 10), 0.25))
    for k, tone in enumerate(((255, 255, 255), (250, 220, 120), (240, 150, 150))):
        canvas.rounded(640 + 50 * k, 504, 676 + 50 * k, 514, 4, tone)
    canvas.rounded(240, 496, 320, 514, 4, (90, 70, 60))
    chalk = (236, 244, 238)
    _sum(canvas, 136, 140, chalk)
    canvas.polygon([(140, 460), (240, 460), (140, 350)], chalk)
    canvas.polygon([(150, 451), (216, 451), (150, 379)], board)
    canvas.ring(820, 190, 52, 52, 6, (250, 220, 120))
    canvas.line([(820, 190), (872, 190)], 5, chalk)
    canvas.line([(760, 300), (760, 460), (880, 460)], 5, chalk)
    pts = [(762 + 115 * t / 12, 400 - 46 * float(sine(t / 12 + 0.1))) for t in range(13)]
    canvas.line(pts, 5, (240, 150, 150))
    for r in range(3):
        canvas.line(
            [(330 + 14 * float(r), 130 + 34 * r), (640 - 40 * r, 130 + 34 * r)], 5, fade(chalk, 170)
        )
    canvas.disc(500, 42, 36, (70, 76, 86))
    canvas.disc(500, 42, 30, (255, 255, 255))
    a = rng.random()
    canvas.line(
        [(500, 42), (500 + 22 * float(sine(a)), 42 - 22 * float(cosine(a)))], 4, (40, 40, 46)
    )
    canvas.line([(500, 42), (500, 27)], 5, (40, 40, 46))
    for x, top in ((10.0, 150.0), (922.0, 150.0)):
        canvas.rectangle(x, top, x + 68, top + 110, (255, 255, 255))
        canvas.rectangle(x + 6, top + 8, x + 62, top + 54, jitter(rng, (120, 170, 220), 30))
        for k in range(3):
            canvas.rectangle(
                x + 8, top + 66 + 14 * k, x + 60 - 10 * k, top + 71 + 14 * k, (120, 126, 136)
            )
        canvas.rectangle(x, top + 150, x + 68, top + 260, jitter(rng, (236, 150, 110), 30))
        canvas.disc(x + 34, top + 204, 22, jitter(rng, (250, 220, 110), 20))
    seat = ((70, 120, 180), (200, 80, 70), (80, 150, 110))[int(rng.integers(0, 3))]
    for row, (y, scale, count) in enumerate(((690, 0.62, 5), (800, 0.82, 4), (945, 1.1, 3))):
        for i in range(count):
            x = 500 + (i - (count - 1) / 2) * (200 + 100 * row + 20 * row)
            _desk(canvas, x, y, scale, wood, seat)


def _sum(canvas: Canvas, x: float, y: float, chalk: Color) -> None:
    """1 + 2 = 3 in strokes of chalk."""
    strokes = (
        [(0, 14), (14, 0), (14, 60)],
        [(36, 32), (66, 32)],
        [(51, 16), (51, 48)],
        [(84, 12), (98, 0), (114, 10), (108, 28), (84, 60), (118, 60)],
        [(134, 24), (162, 24)],
        [(134, 42), (162, 42)],
        [(178, 4), (204, 4), (192, 26), (208, 40), (198, 58), (178, 56)],
    )
    for stroke in strokes:
        canvas.line([(x + a, y + b) for a, b in stroke], 6, chalk)


def _desk(canvas: Canvas, x: float, y: float, s: float, wood: Color, seat: Color) -> None:
    steel = (120, 128, 140)
    for dx in (-78, 78):
        canvas.rectangle(x + (dx - 5) * s, y, x + (dx + 5) * s, y + 120 * s, steel)
    canvas.polygon(
        [(x - 84 * s, y - 26 * s), (x + 84 * s, y - 26 * s), (x + 104 * s, y), (x - 104 * s, y)],
        wood,
    )
    canvas.rectangle(x - 104 * s, y, x + 104 * s, y + 14 * s, mix(wood, (60, 30, 10), 0.35))
    canvas.polygon(
        [
            (x + 14 * s, y - 20 * s),
            (x + 58 * s, y - 20 * s),
            (x + 68 * s, y - 6 * s),
            (x + 14 * s, y - 6 * s),
        ],
        (252, 252, 252),
    )
    for dx in (-36, 36):
        canvas.rectangle(x + (dx - 4) * s, y + 30 * s, x + (dx + 4) * s, y + 150 * s, steel)
    canvas.rounded(x - 48 * s, y + 24 * s, x + 48 * s, y + 84 * s, 12 * s, seat)
    canvas.rounded(
        x - 54 * s, y + 96 * s, x + 54 * s, y + 116 * s, 8 * s, mix(seat, (0, 0, 0), 0.2)
    )


@BACKGROUNDS.register("theater stage")
def theater_stage(canvas: Canvas, rng: Rng) -> None:
    """Red curtains drawn aside, spotlights on the boards, seats in front."""
    red = jitter(rng, ((176, 24, 36), (150, 20, 44), (190, 40, 30))[int(rng.integers(0, 3))], 8)
    back = jitter(rng, (44, 30, 66), 12)
    canvas.fill(back)
    for k in range(26):
        canvas.rectangle(k * 40, 60, k * 40 + 18, 740, mix(back, (0, 0, 0), 0.3))
    boards = jitter(rng, (176, 116, 66), 10)
    canvas.gradient([(690, mix(boards, (60, 30, 10), 0.5)), (860, boards)], 690, 860)
    for k in range(21):
        x = -500.0 + k * 100
        canvas.line([(500 + (x - 500) * 0.62, 690), (x, 860)], 4, mix(boards, (50, 20, 0), 0.5))
    for x, lean in ((250.0, 190.0), (500.0, 0.0), (750.0, -190.0)):
        sway = float(rng.integers(-40, 41))
        canvas.polygon(
            [
                (x - 16, 60),
                (x + 16, 60),
                (x + lean + sway + 150, 770),
                (x + lean + sway - 150, 770),
            ],
            (255, 246, 200, 46),
        )
        canvas.ellipse(x + lean + sway, 772, 150, 34, (255, 250, 214, 120))
    for side in (0, 1):
        for k in range(7):
            a, b = 250 - k * 38, 212 - k * 38
            low = 230 - k * 34
            tone = mix(red, (40, 0, 10), 0.5 if k % 2 else 0.08)
            pts = [(a, 40), (b - 4, 40), (low - 38, 790), (low, 790)]
            canvas.polygon([(x if side == 0 else 1000 - x, y) for x, y in pts], tone)
        band = [(10, 510), (150, 540), (228, 500), (226, 524), (150, 568), (6, 540)]
        canvas.polygon([(x if side == 0 else 1000 - x, y) for x, y in band], (240, 190, 70))
    for k in range(9):
        x = 1000 * (k + 0.5) / 9
        for r, tone in (
            (74, (236, 180, 60)),
            (66, mix(red, (30, 0, 10), 0.1)),
            (40, mix(red, (30, 0, 10), 0.4)),
        ):
            canvas.ellipse(x, 92, r, r * 1.5, tone)
    canvas.rectangle(0, 0, 1000, 112, red)
    for k in range(26):
        canvas.rectangle(k * 40, 0, k * 40 + 14, 112, mix(red, (40, 0, 10), 0.45))
    canvas.rectangle(0, 108, 1000, 122, (244, 200, 90))
    canvas.rectangle(0, 852, 1000, 905, (90, 52, 32))
    canvas.rectangle(0, 852, 1000, 864, (230, 180, 80))
    for k in range(14):
        x = 36 + k * 71.4
        canvas.glow(x, 850, 44, (255, 240, 170), 26)
        canvas.disc(x, 852, 14, (255, 250, 214))
    for row, (y, count) in enumerate(((930, 11), (985, 10))):
        for i in range(count):
            x = 1000 * (i + (0.5 if row else 0.0)) / (count - 1)
            tone = mix(red, (10, 0, 10), 0.55 - 0.2 * row)
            canvas.rounded(x - 44, y - 40, x + 44, y + 90, 26, tone)
            canvas.rounded(x - 34, y - 30, x + 34, y + 90, 20, mix(tone, (255, 120, 120), 0.14))
