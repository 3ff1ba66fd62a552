"""Landmarks that are tombs, temples, gates and halls."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import dot, path, rect
from lvlmbench.stages.render.kinds.pictograph.landmarks.shapes import (
    Landmark,
    arch,
    columns,
    ogive,
    onion,
    polygon,
)

_MARBLE, _SHADE, _WATER = "#fdfdf8", "#b9b4a8", "#6fb7e6"


def _minaret(mid: int, top: int, foot: int) -> str:
    wall = polygon((mid - 7, top), (mid + 7, top), (mid + 9, foot), (mid - 9, foot), fill=_MARBLE,
                   width=4)  # fmt: skip
    rings = "".join(rect(mid - 11, y, 22, 6, _MARBLE, 0, 3) for y in (top, top + 48, top + 94))
    return wall + rings + onion(mid, top, 20, 22, _MARBLE)


_TAJ = (
    _minaret(22, 84, 236) + _minaret(278, 84, 236)
    + path("M150 34 L150 12", stroke="#c9971f", width=5) + dot(150, 22, 5, "#e8bf3f", 3)
    + rect(118, 112, 64, 26, _MARBLE, 0, 4) + onion(150, 114, 94, 84, _MARBLE, 5)
    + rect(78, 122, 30, 18, _MARBLE, 0, 4) + onion(93, 122, 40, 34, _MARBLE)
    + rect(192, 122, 30, 18, _MARBLE, 0, 4) + onion(207, 122, 40, 34, _MARBLE)
    + rect(52, 140, 196, 96, _MARBLE, 0, 5)
    + "".join(ogive(x, foot, 20, 36, _SHADE) for x in (63, 89, 191, 217) for foot in (186, 232))
    + rect(116, 128, 68, 108, _MARBLE, 0, 5) + ogive(128, 236, 44, 88, "#8f897c", 4)
    + ogive(140, 236, 20, 44, "#4c473d")
    + rect(4, 236, 292, 16, "#e9e2d0", 0, 5)
    + rect(4, 252, 292, 26, _WATER, 0, 5) + rect(26, 252, 88, 26, "#7fb657", 0, 4)
    + rect(186, 252, 88, 26, "#7fb657", 0, 4)
)  # fmt: skip


def _arc() -> str:
    stone, dark = "#ddcba4", "#8a7650"
    return (
        rect(30, 12, 200, 34, stone, 0, 5)
        + "".join(dot(x, 29, 6, dark, 2) for x in range(46, 230, 21))
        + rect(22, 44, 216, 14, stone, 0, 5)
        + rect(30, 58, 200, 22, "#cbb688", 0, 5)
        + "".join(path(f"M{x} 76 L{x + 5} 64 L{x + 10} 76", stroke=dark, width=3)
                  for x in range(40, 214, 16))
        + rect(34, 80, 192, 170, stone, 0, 5)
        + arch(88, 250, 84, 160, "#7fc0ee", 5)
        + path("M88 250 L88 132 L100 132 L100 250 M172 250 L172 132 L160 132 L160 250", dark,
               width=3)
        + rect(44, 96, 34, 40, "#cbb688", 0, 3) + rect(182, 96, 34, 40, "#cbb688", 0, 3)
        + path("M48 128 L56 106 L62 128 L70 104 M186 128 L194 106 L200 128 L208 104", stroke=dark,
               width=3)
        + path("M46 230 L48 176 L60 152 L72 176 L76 230 Z M184 230 L188 176 L200 152 L212 176 "
               "L214 230 Z", "#b39c68", width=3)
        + path("M60 164 L60 226 M200 164 L200 226 M52 196 L70 196 M190 196 L208 196", stroke=dark,
               width=3)
        + rect(26, 236, 62, 16, stone, 0, 4) + rect(172, 236, 62, 16, stone, 0, 4)
        + rect(6, 250, 248, 12, "#9a9a9a", 0, 5)
    )  # fmt: skip


def _horse(x: int) -> str:
    """A horse before a chariot, seen from the front and a little from aside."""
    return path(
        f"M{x} 62 L{x + 2} 40 L{x} 26 L{x + 7} 18 L{x + 14} 28 L{x + 12} 42 L{x + 15} 62",
        "#5fae9b", width=4,
    )  # fmt: skip


_GATE = (
    path("M144 30 L144 6 L152 14 M136 14 L144 6 M144 62 L134 34 Q144 20 154 34 Z", "#5fae9b",
         width=4)
    + dot(144, 26, 6, "#5fae9b", 4)
    + "".join(_horse(x) for x in (94, 114, 158, 178))
    + rect(84, 60, 120, 18, "#d9c79a", 0, 5)
    + rect(56, 78, 176, 20, "#e2d2a8", 0, 5)
    + rect(44, 98, 200, 18, "#cdb983", 0, 5)
    + "".join(rect(x, 102, 10, 10, "#a08d5c", 0, 2) for x in range(54, 236, 22))
    + rect(48, 116, 192, 112, "#9db9cf", 0, 4)
    + columns(range(50, 232, 34), 116, 228, 18, "#ead9ae", 4)
    + "".join(path(f"M{x} 124 L{x} 220", stroke="#b7a473", width=3) for x in range(59, 240, 34))
    + rect(4, 150, 44, 12, "#d9c79a", 0, 4) + rect(240, 150, 44, 12, "#d9c79a", 0, 4)
    + polygon((2, 150), (26, 132), (50, 150), fill="#d9c79a", width=4)
    + polygon((238, 150), (262, 132), (286, 150), fill="#d9c79a", width=4)
    + columns(range(8, 44, 13), 162, 228, 8, "#ead9ae")
    + columns(range(246, 282, 13), 162, 228, 8, "#ead9ae")
    + rect(2, 228, 284, 12, "#a9a9a9", 0, 5)
)  # fmt: skip

_PARTHENON = (
    path("M2 262 L14 222 L40 206 L262 206 L286 222 L298 262 Q240 246 196 258 Q120 244 70 258 "
         "Q30 250 2 262 Z", "#c2a878", width=5)
    + path("M60 230 L84 222 M150 236 L176 226 M222 224 L246 232 M112 222 L128 232",
           stroke="#86704a", width=4)
    + rect(36, 192, 228, 16, "#f3e7c4", 0, 5) + rect(46, 180, 208, 14, "#f3e7c4", 0, 5)
    + rect(60, 90, 180, 92, "#a89468", 0, 0)
    + columns(range(52, 240, 26), 88, 182, 15, "#f7edcf", 4)
    + "".join(path(f"M{x} 98 L{x} 174", stroke="#bda876", width=3) for x in range(60, 250, 26))
    + rect(46, 68, 208, 22, "#efe0b6", 0, 5)
    + "".join(rect(x, 72, 7, 14, "#bda876", 0, 2) for x in range(56, 250, 17))
    # Of the gable the middle is lost.
    + polygon((40, 68), (40, 60), (112, 34), (108, 48), (122, 54), (112, 68), fill="#efe0b6")
    + polygon((260, 68), (260, 60), (206, 42), (198, 56), (184, 58), (188, 68), fill="#efe0b6")
    + path("M62 62 L92 52 L94 62 Z", "#bda876", width=3)
)  # fmt: skip


def _shell(foot: int, left: int, right: int, tip: int, top: int, fill: str = _MARBLE) -> str:
    """A sail: it rises from the left and ends in a tip over the right."""
    rise = foot - top
    d = (
        f"M{left} {foot} C{left + 4} {foot - rise * 3 // 5} {(left + tip) // 2} {top + 4} "
        f"{tip} {top} C{tip - (tip - right) // 3} {foot - rise // 2} {right} {foot - rise // 3} "
        f"{right} {foot} Z"
    )
    return path(d, fill, width=5)


_OPERA = (
    _shell(150, 196, 266, 296, 92) + _shell(150, 130, 214, 250, 52)
    + path("M146 150 C154 108 190 72 246 56 M206 150 C214 122 246 104 292 95", stroke=_SHADE,
           width=3)
    + _shell(150, 16, 78, 22, 96)
    + _shell(150, 50, 156, 184, 8)
    + path("M70 150 C78 84 116 34 180 12 M96 150 C104 96 134 46 180 14", stroke=_SHADE, width=3)
    + polygon((8, 150), (304, 150), (312, 176), (0, 176), fill="#c79a6b")
    + "".join(rect(x, 158, 12, 10, "#6d4d2c", 0, 2) for x in range(20, 290, 22))
    + rect(0, 176, 312, 22, _WATER, 0, 5)
    + path("M14 188 Q24 180 34 188 T54 188 M124 188 Q134 180 144 188 T164 188 M238 188 "
           "Q248 180 258 188 T278 188", stroke="#ffffff", width=4)
)  # fmt: skip


def _castillo() -> str:
    """Nine steps, a stair in the middle, a temple on top."""
    stone, dark = "#c9c4b2", "#7e7866"
    steps = "".join(
        polygon(
            (18 + 11 * i + 3, 212 - 17 * i), (282 - 11 * i - 3, 212 - 17 * i),
            (282 - 11 * i, 229 - 17 * i), (18 + 11 * i, 229 - 17 * i), fill=stone, width=4,
        )
        for i in range(9)
    )  # fmt: skip
    stair = polygon((128, 76), (172, 76), (182, 229), (118, 229), fill="#dedaca", width=4)
    treads = "".join(
        path(f"M{128 - (y - 76) // 15} {y} L{172 + (y - 76) // 15} {y}", stroke=dark, width=3)
        for y in range(86, 226, 10)
    )
    temple = (
        rect(112, 34, 76, 42, stone, 0, 5) + rect(106, 22, 88, 13, "#b5af9c", 0, 5)
        + rect(124, 46, 14, 30, "#4c473d", 0, 3) + rect(143, 46, 14, 30, "#4c473d", 0, 3)
        + rect(162, 46, 14, 30, "#4c473d", 0, 3)
    )  # fmt: skip
    return steps + stair + treads + temple + rect(2, 229, 296, 14, "#8cc152", 3, 5)


def _angkor() -> str:
    """Five towers like buds, and galleries before them."""
    stone, dark = "#b3a283", "#5f5340"

    def bud(mid: int, foot: int, wide: int, high: int) -> str:
        half = wide // 2
        rims = "".join(
            path(f"M{mid - half + i * half // 6} {foot - high * i // 6} "
                 f"L{mid + half - i * half // 6} {foot - high * i // 6}", stroke=dark, width=3)
            for i in range(1, 5)
        )  # fmt: skip
        d = (
            f"M{mid - half} {foot} C{mid - half - 3} {foot - high // 2} {mid - half // 3} "
            f"{foot - high * 4 // 5} {mid} {foot - high} C{mid + half // 3} "
            f"{foot - high * 4 // 5} {mid + half + 3} {foot - high // 2} {mid + half} {foot} Z"
        )
        return path(d, stone, width=5) + rims

    return (
        bud(94, 134, 38, 76) + bud(206, 134, 38, 76)
        + bud(40, 150, 40, 78) + bud(260, 150, 40, 78)
        + bud(150, 128, 52, 120)
        + polygon((60, 150), (240, 150), (252, 126), (48, 126), fill="#9c8b6c", width=4)
        + rect(12, 150, 276, 44, stone, 0, 5)
        + "".join(rect(x, 160, 11, 34, dark, 0, 2) for x in range(24, 276, 19))
        + polygon((122, 152), (150, 124), (178, 152), fill="#c9b996")
        + rect(128, 152, 44, 42, "#c9b996", 0, 4) + rect(141, 162, 18, 32, "#3d3427", 0, 3)
        + rect(2, 194, 296, 12, "#8cc152", 0, 5) + rect(2, 206, 296, 22, _WATER, 0, 5)
    )  # fmt: skip


HALLS: dict[str, Landmark] = {
    "taj_mahal": Landmark((300, 282), _TAJ),
    "arc_de_triomphe": Landmark((260, 266), _arc()),
    "brandenburg_gate": Landmark((288, 244), _GATE),
    "parthenon": Landmark((300, 266), _PARTHENON),
    "sydney_opera_house": Landmark((312, 202), _OPERA),
    "chichen_itza": Landmark((300, 248), _castillo()),
    "angkor_wat": Landmark((300, 232), _angkor()),
}
