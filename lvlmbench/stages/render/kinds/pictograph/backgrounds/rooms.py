"""Rooms: library, kitchen, bedroom."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import Canvas, Color, jitter, mix
from lvlmbench.stages.render.kinds.pictograph.backgrounds.parts import Rng
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS


def _planks_and_rug(canvas: Canvas, wood: Color) -> None:
    """Draw a plank floor with a round rug."""
    plank = mix(wood, (226, 180, 120), 0.5)
    canvas.rectangle(0, 866, 1000, 1000, plank)
    for k in range(12):
        x = k * 110 - 120
        canvas.line(
            [(500 + (x - 450) * 0.9, 866), (500 + (x - 450) * 1.5, 1000)],
            4,
            mix(plank, (0, 0, 0), 0.3),
        )
    canvas.ellipse(500, 960, 330, 52, (150, 44, 52))
    canvas.ring(500, 960, 300, 43, 7, (230, 190, 110))


def _ladder(canvas: Canvas, rng: Rng, wood: Color) -> None:
    """Draw a ladder against the shelves."""
    x = 110.0 if rng.integers(0, 2) else 800.0
    rail = mix(wood, (255, 216, 150), 0.55)
    for dx in (0, 92):
        canvas.line([(x + dx * 0.8 + 12, 60), (x + dx, 930)], 17, mix(rail, (60, 30, 10), 0.3))
        canvas.line([(x + dx * 0.8 + 9, 60), (x + dx - 3, 930)], 9, rail)
    for k in range(11):
        canvas.rectangle(x + 6, 110 + k * 78, x + 88, 121 + k * 78, rail)


@BACKGROUNDS.register("library")
def library(canvas: Canvas, rng: Rng) -> None:
    """Tall shelves packed with book spines, a ladder, a plank floor with a rug."""
    wood = jitter(rng, (122, 76, 44), 12)
    dark = mix(wood, (30, 14, 6), 0.55)
    canvas.fill(dark)
    spines: list[Color] = [
        (168, 52, 48),
        (40, 84, 128),
        (62, 110, 74),
        (204, 160, 84),
        (112, 66, 110),
        (224, 212, 184),
        (48, 54, 76),
        (196, 110, 60),
        (86, 140, 150),
    ]
    rows, top, tall = 6, 46.0, 134.0
    for r in range(rows):
        y = top + r * tall
        floor = y + tall - 14
        for bay in range(3):
            x, end = bay * 338 - 4.0, bay * 338 + 322.0
            draws = rng.random((26, 3))
            picks = rng.integers(0, len(spines), 26).tolist()
            for (u, v, w), pick in zip(draws.tolist(), picks, strict=True):
                thick = 12 + 15 * u
                if x + thick > end:
                    break
                if w > 0.93:
                    x += 16
                    continue
                up = tall * (0.58 + 0.26 * v)
                tone = mix(spines[pick], (0, 0, 0), 0.2 * w)
                canvas.rectangle(x, floor - up, x + thick - 1.5, floor, tone)
                if w < 0.5:
                    band = mix(tone, (255, 226, 150), 0.6)
                    canvas.rectangle(
                        x + 2, floor - up * 0.86, x + thick - 4, floor - up * 0.8, band
                    )
                    canvas.rectangle(
                        x + 2, floor - up * 0.22, x + thick - 4, floor - up * 0.16, band
                    )
                x += thick
        canvas.rectangle(0, floor, 1000, floor + 16, wood)
        canvas.rectangle(0, floor + 11, 1000, floor + 16, mix(wood, (0, 0, 0), 0.4))
    for bay in range(4):
        x = bay * 338 - 17
        canvas.rectangle(x, 0, x + 22, 860, mix(wood, (255, 210, 150), 0.12))
        canvas.rectangle(x + 15, 0, x + 22, 860, mix(wood, (0, 0, 0), 0.3))
    canvas.rectangle(0, 0, 1000, 38, mix(wood, (255, 210, 150), 0.16))
    canvas.rectangle(0, 32, 1000, 42, mix(wood, (0, 0, 0), 0.4))
    canvas.rectangle(0, 840, 1000, 866, mix(wood, (255, 210, 150), 0.1))
    _planks_and_rug(canvas, wood)
    _ladder(canvas, rng, wood)


@BACKGROUNDS.register("kitchen")
def kitchen(canvas: Canvas, rng: Rng) -> None:
    """Cabinets, tiles, a stove under its hood, a sink at the window, a fridge."""
    fronts: list[Color] = [(104, 156, 148), (226, 180, 96), (120, 150, 190), (200, 116, 96)]
    front = jitter(rng, fronts[int(rng.integers(0, 4))], 10)
    edge, wall = mix(front, (0, 0, 0), 0.22), jitter(rng, (246, 238, 222), 6)
    canvas.fill(wall)
    tile, joint = mix(wall, (255, 255, 255), 0.5), mix(wall, (120, 130, 140), 0.35)
    canvas.rectangle(0, 340, 1000, 620, joint)
    for r in range(5):
        for c in range(17):
            x = c * 62 - (31 if r % 2 else 0)
            canvas.rectangle(x + 2, 342 + r * 56, x + 59, 395 + r * 56, tile)
    for k, x in enumerate((0, 150, 300, 700, 850)):
        canvas.rectangle(x, 40, x + 148, 330, edge)
        canvas.rectangle(x + 4, 40, x + 146, 324, front)
        canvas.rectangle(x + 20, 62, x + 130, 300, mix(front, (255, 255, 255), 0.18))
        knob = x + 124 if k % 2 == 0 else x + 24
        canvas.rounded(knob - 5, 250, knob + 5, 292, 4, (236, 236, 230))
    canvas.rectangle(0, 0, 1000, 42, edge)
    _hood(canvas, 575)
    for k in range(3):
        x = 190 + 62 * k
        canvas.line([(x, 372), (x, 470)], 8, (150, 156, 164))
        if k == 0:
            canvas.ellipse(x, 486, 22, 26, (150, 156, 164))
        elif k == 1:
            canvas.rounded(x - 20, 450, x + 20, 512, 6, (150, 156, 164))
            for s in (-9, 0, 9):
                canvas.rectangle(x + s - 2, 462, x + s + 2, 504, tile)
        else:
            canvas.ring(x, 488, 24, 24, 8, (150, 156, 164))
    canvas.rectangle(120, 362, 380, 374, (176, 140, 96))
    canvas.rectangle(0, 612, 1000, 652, (236, 230, 220))
    canvas.rectangle(0, 640, 1000, 654, (176, 168, 158))
    canvas.rectangle(0, 654, 1000, 910, edge)
    for k, x in enumerate((6, 150, 294, 0, 722, 866)):
        if k == 3:
            continue
        canvas.rectangle(x, 664, x + 130, 730, front)
        canvas.rounded(x + 45, 690, x + 85, 700, 4, (236, 236, 230))
        canvas.rectangle(x, 740, x + 130, 900, front)
        canvas.rectangle(x + 16, 756, x + 114, 884, mix(front, (255, 255, 255), 0.18))
    _stove(canvas, 575)
    canvas.rectangle(0, 910, 1000, 930, mix(edge, (0, 0, 0), 0.4))
    light, dark = mix(wall, (200, 190, 170), 0.5), mix(wall, (110, 110, 116), 0.6)
    canvas.rectangle(0, 930, 1000, 1000, light)
    for c in range(12):
        x = c * 92 - 40
        canvas.polygon([(x, 930), (x + 46, 930), (x + 40, 965), (x - 10, 965)], dark)
        canvas.polygon([(x + 40, 965), (x + 92, 965), (x + 92, 1000), (x + 34, 1000)], dark)
    canvas.rounded(790, 570, 930, 616, 8, (196, 204, 212))
    canvas.line([(860, 600), (860, 510), (830, 496), (806, 512), (806, 540)], 14, (160, 168, 178))
    canvas.disc(890, 588, 10, (160, 168, 178))
    bowl = ((214, 80, 70), (80, 130, 190), (240, 196, 80))[int(rng.integers(0, 3))]
    canvas.polygon([(40, 540), (140, 540), (118, 612), (62, 612)], bowl)
    canvas.rectangle(34, 534, 146, 550, mix(bowl, (255, 255, 255), 0.3))


def _hood(canvas: Canvas, x: float) -> None:
    canvas.rectangle(x - 46, 40, x + 46, 240, (200, 206, 212))
    canvas.polygon([(x - 46, 240), (x + 46, 240), (x + 122, 320), (x - 122, 320)], (182, 190, 198))
    canvas.rectangle(x - 122, 318, x + 122, 344, (150, 158, 168))
    for k in range(3):
        canvas.disc(x - 24 + 24 * k, 331, 5, (250, 250, 250))


def _stove(canvas: Canvas, x: float) -> None:
    """Cooker with a pot, a pan, knobs and an oven window."""
    canvas.rectangle(x - 135, 650, x + 135, 910, (214, 218, 222))
    canvas.rectangle(x - 135, 650, x + 135, 712, (70, 76, 86))
    for k in range(5):
        canvas.disc(x - 96 + 48 * k, 682, 15, (236, 236, 236))
        canvas.rectangle(x - 98 + 48 * k, 668, x - 94 + 48 * k, 684, (190, 60, 50))
    canvas.rounded(x - 106, 740, x + 106, 752, 6, (120, 128, 138))
    canvas.rounded(x - 106, 768, x + 106, 890, 12, (40, 44, 52))
    canvas.polygon([(x - 80, 880), (x - 20, 778), (x + 16, 778), (x - 44, 880)], (66, 72, 84))
    canvas.rectangle(x - 128, 604, x + 128, 616, (50, 54, 62))
    canvas.rounded(x - 112, 528, x - 12, 606, 10, (196, 62, 56))
    canvas.rectangle(x - 120, 520, x - 4, 534, (226, 100, 90))
    canvas.disc(x - 62, 512, 10, (60, 60, 66))
    canvas.rounded(x + 14, 576, x + 104, 606, 8, (60, 66, 74))
    canvas.rectangle(x + 100, 582, x + 176, 592, (40, 36, 34))


def _curtained_window(canvas: Canvas, x: float, quilt: Color, wood: Color) -> None:
    """Draw a window and its curtains."""
    canvas.rectangle(x - 120, 90, x + 120, 420, (250, 250, 246))
    canvas.rectangle(x - 106, 104, x + 106, 406, (150, 206, 240))
    canvas.disc(x + 50, 170, 26, (255, 240, 170))
    canvas.rectangle(x - 106, 340, x + 106, 406, (130, 190, 110))
    canvas.rectangle(x - 5, 104, x + 5, 406, (250, 250, 246))
    canvas.rectangle(x - 106, 250, x + 106, 260, (250, 250, 246))
    for s in (-1, 1):
        canvas.polygon(
            [
                (x + s * 155, 70),
                (x + s * 50, 70),
                (x + s * 92, 270),
                (x + s * 76, 450),
                (x + s * 155, 450),
            ],
            quilt,
        )
        for k in range(3):
            canvas.line(
                [(x + s * (80 + 24 * k), 74), (x + s * (100 + 16 * k), 446)],
                5,
                mix(quilt, (0, 0, 0), 0.2),
            )
    canvas.rounded(x - 175, 56, x + 175, 74, 8, wood)


def _wardrobe(canvas: Canvas, wood: Color, y: float) -> None:
    """Draw a wardrobe with two doors."""
    canvas.rectangle(y - 150, 180, y + 150, 770, wood)
    for s in (-1, 1):
        canvas.rectangle(
            y + (-142 if s < 0 else 6),
            192,
            y + (-6 if s < 0 else 142),
            750,
            mix(wood, (255, 220, 170), 0.2),
        )
        canvas.rectangle(
            y + (-126 if s < 0 else 22),
            214,
            y + (-22 if s < 0 else 126),
            726,
            mix(wood, (255, 220, 170), 0.1),
        )
        canvas.disc(y + s * 20, 470, 8, (240, 214, 140))


def _bed(canvas: Canvas, wood: Color, quilt: Color) -> None:
    """Draw a made bed with two pillows."""
    canvas.rounded(160, 470, 840, 800, 40, mix(wood, (60, 30, 10), 0.25))
    canvas.rounded(180, 490, 820, 800, 30, mix(wood, (255, 210, 150), 0.12))
    canvas.rounded(150, 640, 850, 960, 34, (250, 250, 250))
    for px in (330.0, 670.0):
        canvas.rounded(px - 140, 560, px + 140, 680, 50, (232, 236, 244))
        canvas.rounded(px - 134, 556, px + 130, 668, 50, (255, 255, 255))
    canvas.rounded(136, 700, 864, 975, 36, quilt)
    canvas.rounded(136, 700, 864, 760, 30, mix(quilt, (255, 255, 255), 0.45))
    for r in range(4):
        for c in range(9):
            px, py = 180 + c * 80 + (40 if r % 2 else 0), 785 + r * 50
            if px < 850:
                canvas.polygon(
                    [(px, py - 16), (px + 20, py), (px, py + 16), (px - 20, py)],
                    mix(quilt, (255, 255, 255), 0.2),
                )


@BACKGROUNDS.register("bedroom")
def bedroom(canvas: Canvas, rng: Rng) -> None:
    """A made bed between night tables, a curtained window and a wardrobe."""
    wall = jitter(
        rng, ((190, 206, 224), (224, 206, 190), (206, 216, 190))[int(rng.integers(0, 3))], 8
    )
    quilt = jitter(
        rng,
        ((86, 120, 176), (190, 100, 110), (110, 150, 110), (150, 116, 176))[
            int(rng.integers(0, 4))
        ],
        10,
    )
    wood = jitter(rng, (156, 104, 64), 10)
    canvas.fill(wall)
    for k in range(14):
        canvas.rectangle(k * 76, 0, k * 76 + 30, 760, mix(wall, (255, 255, 255), 0.22))
    canvas.rectangle(0, 740, 1000, 772, (250, 248, 244))
    canvas.rectangle(0, 770, 1000, 1000, mix(wood, (230, 190, 140), 0.45))
    for k in range(6):
        canvas.rectangle(0, 800 + k * 40, 1000, 803 + k * 40, mix(wood, (120, 70, 30), 0.3))
    left = bool(rng.integers(0, 2))
    x = 170.0 if left else 830.0
    _curtained_window(canvas, x, quilt, wood)
    y = 1000 - x
    _wardrobe(canvas, wood, y)
    _bed(canvas, wood, quilt)
    for px in (70.0, 930.0):
        canvas.rectangle(px - 62, 720, px + 62, 900, wood)
        canvas.rectangle(px - 52, 740, px + 52, 800, mix(wood, (255, 220, 170), 0.2))
        canvas.disc(px, 770, 8, (240, 214, 140))
        canvas.rectangle(px - 6, 640, px + 6, 720, (120, 100, 80))
        canvas.glow(px, 610, 110, (255, 236, 170), 24)
        canvas.polygon(
            [(px - 34, 570), (px + 34, 570), (px + 56, 650), (px - 56, 650)], (255, 232, 170)
        )
