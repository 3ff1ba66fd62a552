"""Landmarks that are taller than they are wide."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import dot, path, rect
from lvlmbench.stages.render.kinds.pictograph.landmarks.shapes import (
    Landmark,
    arch,
    ogive,
    onion,
    polygon,
)

_GRASS, _STONE, _DARK = "#8cc152", "#e9d9ae", "#6d5a3a"


def _pisa() -> str:
    """A round tower of arcades that leans by one in seven over level ground."""

    def at(x: int, y: int) -> tuple[int, int]:
        return x + (270 - y) // 7, y

    def story(left: int, right: int, top: int, foot: int, bays: int) -> str:
        wall = polygon(
            at(left, top), at(right, top), at(right, foot), at(left, foot), fill="#fbf6e6"
        )
        step = (right - left) // bays
        first = left + (right - left - step * bays) // 2
        gaps = []
        for x in range(first, first + step * bays, step):
            inner, outer = x + 4, x + step - 4
            tip = at((inner + outer) // 2, top + 5)
            gaps.append(
                polygon(
                    at(inner, foot - 4),
                    at(inner, top + 12),
                    tip,
                    at(outer, top + 12),
                    at(outer, foot - 4),
                    fill="#8a7a58",
                    width=2,
                )
            )
        return wall + "".join(gaps)

    floors = "".join(story(56, 134, 56 + 27 * i, 83 + 27 * i, 6) for i in range(6))
    ledges = "".join(
        path("M{} {} L{} {}".format(*at(51, y), *at(139, y)), width=7) for y in range(56, 246, 27)
    )
    return (
        rect(4, 270, 222, 14, _GRASS, 3, 5)
        + story(52, 138, 218, 270, 5)
        + floors
        + story(66, 124, 18, 52, 4)
        + ledges
        + path("M{} {} L{} {}".format(*at(62, 18), *at(128, 18)), width=8)
    )


_BIG_BEN = (
    polygon((60, 74), (100, 8), (140, 74), fill="#5d6b78")
    + path("M100 8 L100 0", width=5)
    + rect(86, 44, 28, 14, "#e8c15a", 0, 3)
    + rect(52, 72, 96, 22, "#cda75c", 0, 5)
    + "".join(rect(x, 76, 9, 15, "#5b4a2c", 2, 0) for x in range(61, 139, 14))
    + rect(48, 94, 104, 92, "#d8b56a", 0, 5)
    + dot(100, 140, 39, "#e8c15a", 5)
    + dot(100, 140, 32, "#ffffff", 4)
    + path("M100 112 L100 118 M100 162 L100 168 M72 140 L78 140 M122 140 L128 140", width=4)
    + path("M100 140 L100 118 M100 140 L115 148", width=5)
    + rect(58, 186, 84, 154, "#d8b56a", 0, 5)
    + "".join(
        ogive(x, foot, 11, 40, "#7a6335", 2) for foot in (236, 284, 332) for x in (67, 86, 104, 122)
    )
    + path("M54 190 L146 190 M58 240 L142 240 M58 288 L142 288", width=4)
    + rect(44, 338, 112, 16, "#b8924a", 0, 5)
)

_CHRIST = (
    path("M4 300 C60 262 84 236 104 228 L156 228 C176 236 200 262 256 300 Z", "#6aa84f", width=5)
    + rect(104, 206, 52, 40, "#a9a9a9", 0, 5)
    + path(
        "M108 70 L22 74 L8 80 L8 92 L24 94 L34 116 L62 108 L98 116 L104 206 L156 206 L162 116 "
        "L198 108 L226 116 L236 94 L252 92 L252 80 L238 74 L152 70 Q130 60 108 70 Z",
        "#e6e3d8", width=5,
    )
    + path("M118 110 L114 200 M130 116 L130 202 M142 110 L146 200", stroke="#8d8a80", width=4)
    + path("M106 80 Q130 116 154 80", stroke="#8d8a80", width=4)
    + path("M42 78 L48 106 M70 78 L70 102 M190 78 L190 102 M218 78 L212 106", stroke="#8d8a80",
           width=3)
    + path("M112 66 C104 26 116 12 130 12 C144 12 156 26 148 66 Q130 78 112 66 Z", "#bfbbad",
           width=5)
    + path("M118 36 C118 20 142 20 142 36 C142 52 138 62 130 66 C122 62 118 52 118 36 Z",
           "#f1eee4", width=3)
    + dot(125, 38, 2, "#000", 0) + dot(135, 38, 2, "#000", 0)
)  # fmt: skip


def _burj() -> str:
    """A needle that steps back, now on this side and now on that."""
    left = ((30, 360), (30, 300), (42, 300), (42, 236), (52, 236), (52, 172), (60, 172), (60, 112),
            (66, 112), (66, 66), (70, 66))  # fmt: skip
    right = ((120, 360), (120, 270), (108, 270), (108, 204), (98, 204), (98, 140), (90, 140),
             (90, 88), (84, 88), (84, 50), (80, 50))  # fmt: skip
    shine = "M75 70 L75 356 M60 180 L60 356 M90 148 L90 356 M46 308 L46 356 M104 278 L104 356"
    floors = "".join(
        path(f"M{x0} {y} L{x1} {y}", stroke="#5f7f96", width=3)
        for y, x0, x1 in ((126, 60, 90), (188, 52, 98), (252, 42, 108), (316, 30, 120))
    )
    return (
        path("M75 52 L75 4", width=5)
        + polygon(*left, (75, 40), *reversed(right), fill="#b7cfdd")
        + path(shine, stroke="#7fa0b6", width=4)
        + floors
        + rect(8, 356, 134, 14, "#e3c98c", 3, 5)
    )


def _basil() -> str:
    """Nine towers are five here: a tent between onion domes, no two in the same colors."""

    def tower(mid: int, foot: int, top: int, wide: int) -> str:
        neck = wide * 2 // 5
        return rect(mid - neck, top, 2 * neck, foot - top, "#c0503c", 0, 4) + arch(
            mid - neck // 2, foot - 10, neck, (foot - top) * 3 // 5, "#f6e7cf", 2
        )

    def dome(mid: int, foot: int, wide: int, high: int, one: str, other: str) -> str:
        half, up = wide * 2 // 5, foot - high
        ribs = path(
            f"M{mid - half // 2} {foot} C{mid - half} {foot - high // 2} {mid - half // 3} "
            f"{foot - high * 3 // 4} {mid} {up} C{mid + half // 3} {foot - high * 3 // 4} "
            f"{mid + half} {foot - high // 2} {mid + half // 2} {foot}",
            other, width=3,
        )  # fmt: skip
        middle = path(
            f"M{mid - 3} {foot} C{mid - half // 2} {foot - high // 2} {mid - 3} "
            f"{foot - high * 3 // 4} {mid} {up} C{mid + 3} {foot - high * 3 // 4} "
            f"{mid + half // 2} {foot - high // 2} {mid + 3} {foot}",
            one, width=3,
        )  # fmt: skip
        cross = path(f"M{mid} {up} L{mid} {up - 14} M{mid - 5} {up - 9} L{mid + 5} {up - 9}",
                     stroke="#c9971f", width=4)  # fmt: skip
        return cross + onion(mid, foot, wide, high, one) + ribs + middle

    return (
        polygon((105, 150), (130, 46), (155, 150), fill="#d9674d")
        + path("M130 60 L118 150 M130 60 L142 150", stroke="#f6e7cf", width=4)
        + dome(130, 48, 26, 26, "#e8bf3f", "#e8bf3f")
        + tower(66, 220, 122, 58) + dome(66, 124, 58, 58, "#2f7fc4", "#f4f1e6")
        + tower(194, 220, 122, 58) + dome(194, 124, 58, 58, "#3f9c55", "#f1cf4a")
        + rect(102, 148, 56, 72, "#c0503c", 0, 4)
        + "".join(arch(x, 214, 14, 48, "#f6e7cf", 2) for x in (107, 123, 139))
        + tower(28, 240, 172, 48) + dome(28, 174, 48, 46, "#c8372d", "#3f9c55")
        + tower(232, 240, 172, 48) + dome(232, 174, 48, 46, "#f1cf4a", "#c8372d")
        + tower(130, 240, 196, 44) + dome(130, 198, 46, 44, "#7d4ba6", "#f4f1e6")
        + rect(6, 234, 248, 26, "#e9dcc0", 0, 5)
        + "".join(arch(x, 258, 18, 19, "#a8402f", 2) for x in range(17, 240, 30))
    )  # fmt: skip


TOWERS: dict[str, Landmark] = {
    "leaning_tower_of_pisa": Landmark((230, 288), _pisa()),
    "big_ben": Landmark((200, 358), _BIG_BEN),
    "christ_the_redeemer": Landmark((260, 304), _CHRIST),
    "burj_khalifa": Landmark((150, 374), _burj()),
    "saint_basils_cathedral": Landmark((260, 264), _basil()),
}
