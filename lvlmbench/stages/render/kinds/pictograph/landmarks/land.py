"""Landmarks that belong to the land: walls, bridges, rings."""

from __future__ import annotations

from itertools import pairwise

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import path, rect
from lvlmbench.stages.render.kinds.pictograph.landmarks.shapes import Landmark, arch, ogive, polygon

_WATER, _GRASS, _RED = "#6fb7e6", "#8cc152", "#d8482c"


def _colosseum() -> str:
    """A round wall of arches, four stories high on one side and broken down on the other."""
    stone, dark = "#dfbf8b", "#5e452b"

    def sag(x: int) -> int:
        return 18 - 18 * (x - 150) * (x - 150) // (144 * 144)

    def opening(x: int, foot: int, high: int) -> str:
        wide = 8 + sag(x) * 2 // 3
        return arch(x - wide // 2, foot + sag(x), wide, high, dark, 2)

    xs = (24, 46, 71, 99, 129, 160, 190, 219, 245, 267, 284)
    high = (24, 46, 71, 99, 129)
    bows = "".join(
        path(f"M{x0} {y + sag(x0)} Q{(x0 + x1) // 2} {y + bend} {x1} {y + sag(x1)}",
             stroke="#8f6f44", width=4)
        for y, x0, x1, bend in ((98, 10, 150, 26), (134, 8, 288, 34), (170, 8, 292, 34))
    )  # fmt: skip
    return (
        # The inner wall, seen over the broken edge.
        path("M140 66 Q230 58 290 92 L292 130 L140 124 Z", "#c49c62", width=5)
        + "".join(arch(x, 112 + (x - 170) // 10, 13, 26, dark, 2) for x in range(176, 280, 22))
        + path("M10 48 Q70 72 148 64 L156 80 L170 84 L172 102 L188 106 L192 122 L214 124 "
               "Q256 118 292 112 L292 206 Q150 244 8 206 Z", stone, width=6)
        + bows
        + "".join(rect(x - 4, 66 + sag(x), 8, 11, dark, 0, 2) for x in high)
        + "".join(opening(x, 114, 22) for x in high)
        + "".join(opening(x, 152, 26) for x in xs)
        + "".join(opening(x, 194, 31) for x in xs)
    )  # fmt: skip


def _golden_gate() -> str:
    """Two red towers, a cable between them, a roadway on hangers over water."""

    def cable(x: int) -> int:
        """How high the cable is: a parabola between the towers and half of one outside."""
        if 82 <= x <= 238:
            return 136 - 96 * (x - 160) * (x - 160) // (78 * 78)
        out = 82 - x if x < 82 else x - 238
        return 40 + 104 * out // 80

    def tower(mid: int) -> str:
        legs = rect(mid - 14, 28, 9, 184, _RED, 0, 3) + rect(mid + 5, 28, 9, 184, _RED, 0, 3)
        struts = "".join(rect(mid - 14, y, 28, 9, _RED, 0, 3) for y in (30, 64, 98, 172))
        return legs + struts + rect(mid - 20, 206, 40, 16, "#9a9a9a", 0, 4)

    line = "M" + " L".join(f"{x} {cable(x)}" for x in range(4, 317, 6))
    hangers = " ".join(f"M{x} {cable(x)} L{x} 146" for x in range(16, 310, 12))
    return (
        path("M2 212 L2 150 Q22 128 44 160 Q60 176 70 212 Z", "#7a9a55", width=4)
        + path("M318 212 L318 138 Q292 120 274 158 Q258 180 250 212 Z", "#7a9a55", width=4)
        + rect(2, 204, 316, 30, _WATER, 0, 5)
        + path("M110 220 Q122 212 134 220 T158 220 M176 226 Q188 218 200 226", stroke="#ffffff",
               width=4)
        + path(hangers, stroke="#8f2c1a", width=3)
        + tower(82) + tower(238)
        + path(line, width=9) + path(line, stroke=_RED, width=5)
        + rect(2, 144, 316, 13, _RED, 0, 4)
    )  # fmt: skip


def _tower_bridge() -> str:
    """Two towers with pointed roofs, walkways high between them, the roadway half open."""
    stone, blue = "#d8c9a3", "#4a9bd4"

    def tower(left: int) -> str:
        mid = left + 29
        turrets = "".join(
            polygon((x, 62), (x + 6, 30), (x + 12, 62), fill="#5d6b78", width=3)
            + rect(x, 60, 12, 150, stone, 0, 3)
            for x in (left, left + 46)
        )
        return (
            polygon((left + 8, 62), (mid, 8), (left + 50, 62), fill="#5d6b78", width=4)
            + rect(left + 6, 60, 46, 150, stone, 0, 4)
            + turrets
            + "".join(
                ogive(x, y, 9, 26, "#5b4a2c", 2) for y in (96, 134) for x in (mid - 11, mid + 2)
            )
            + arch(mid - 14, 186, 28, 38, "#5b4a2c", 3)
            + rect(left - 8, 200, 74, 26, "#b9a987", 0, 4)
        )  # fmt: skip

    return (
        rect(2, 212, 336, 26, _WATER, 0, 5)
        + rect(120, 74, 100, 9, blue, 0, 4) + rect(120, 92, 100, 9, blue, 0, 4)
        + path("M126 83 L134 92 L142 83 L150 92 L158 83 L166 92 L174 83 L182 92 L190 83 L198 92 "
               "L206 83 L214 92", width=3)
        + path("M6 176 Q40 168 66 84 M334 176 Q300 168 274 84", width=11)
        + path("M6 176 Q40 168 66 84 M334 176 Q300 168 274 84", stroke=blue, width=6)
        + path("M24 172 L24 186 M38 158 L38 186 M50 132 L50 186 M316 172 L316 186 M302 158 "
               "L302 186 M290 132 L290 186", stroke="#2c6d9c", width=4)
        + rect(2, 184, 66, 12, blue, 0, 4) + rect(272, 184, 66, 12, blue, 0, 4)
        + rect(2, 168, 14, 62, stone, 0, 4) + rect(324, 168, 14, 62, stone, 0, 4)
        + polygon((124, 186), (160, 146), (164, 154), (124, 198), fill=blue, width=4)
        + polygon((216, 186), (180, 146), (176, 154), (216, 198), fill=blue, width=4)
        + tower(66) + tower(216)
    )  # fmt: skip


def _stonehenge() -> str:
    """Standing stones, some with a third laid over two, on grass."""
    light, mid, deep = "#bdbdb6", "#a3a39c", "#85857f"

    def stone(x: int, top: int, foot: int, wide: int, fill: str) -> str:
        return polygon(
            (x, foot), (x + 3, top + 4), (x + 8, top), (x + wide - 6, top + 1),
            (x + wide - 2, top + 6), (x + wide, foot), fill=fill,
        )  # fmt: skip

    def trilith(x: int, top: int, foot: int, wide: int, gap: int, fill: str) -> str:
        far = x + wide + gap
        lintel = polygon(
            (x - 4, top + 2), (x - 2, top - 16), (x + 6, top - 19), (far + wide - 4, top - 17),
            (far + wide + 4, top - 12), (far + wide + 3, top + 3), fill=fill,
        )  # fmt: skip
        return stone(x, top, foot, wide, fill) + stone(far, top, foot, wide, fill) + lintel

    return (
        path("M2 214 Q20 150 160 146 Q300 150 318 214 Q160 244 2 214 Z", _GRASS, width=5)
        + trilith(88, 92, 158, 16, 16, deep) + trilith(150, 88, 156, 16, 16, deep)
        + stone(212, 104, 158, 16, deep) + stone(60, 112, 164, 15, deep)
        + trilith(12, 92, 192, 24, 22, mid) + stone(262, 84, 190, 26, mid)
        + trilith(206, 74, 200, 24, 20, mid)
        + trilith(92, 62, 214, 30, 32, light)
        + polygon((196, 222), (202, 208), (250, 210), (258, 224), fill=light)
        + path("M102 92 L106 118 M172 100 L168 130 M216 108 L220 130 M20 128 L24 146",
               stroke="#6e6e68", width=4)
    )  # fmt: skip


def _wall() -> str:
    """A wall with battlements that winds over hills from tower to tower."""
    stone, side, dark = "#cdb892", "#a98f66", "#5f4d33"

    def tower(x: int, top: int, wide: int, high: int) -> str:
        notch = wide // 5
        teeth = "".join(
            rect(x - 3 + i * (wide + 6 - notch) // 3, top - notch, notch, notch, stone, 0, 3)
            for i in range(4)
        )
        slits = "".join(
            arch(x + wide * i // 4 - notch // 2, top + high * 3 // 5, notch, high // 3, dark, 2)
            for i in (1, 2, 3)
        )
        wall = rect(x, top, wide, high, stone, 0, 4) + rect(x - 3, top, wide + 6, 7, stone, 0, 3)
        return teeth + wall + slits

    def battlements(points: tuple[tuple[int, int], ...]) -> str:
        found = []
        for (x0, y0), (x1, y1) in pairwise(points):
            n = max(1, abs(x1 - x0) // 14)
            for i in range(1, 2 * n, 2):
                x, y = x0 + (x1 - x0) * i // (2 * n), y0 + (y1 - y0) * i // (2 * n)
                found.append(rect(x - 4, y - 9, 8, 10, stone, 0, 3))
        return "".join(found)

    return (
        path("M2 150 L60 96 L96 122 L168 62 L206 84 L252 44 L318 110 L318 244 L2 244 Z",
             "#6f9a4a", width=5)
        + path("M2 190 Q80 118 150 150 Q230 96 318 170 L318 244 L2 244 Z", "#86b558", width=5)
        + battlements(((178, 92), (214, 66), (244, 50)))
        + path("M166 104 L178 90 L214 64 L246 48 L252 58 L222 78 L190 104 Z", stone, width=4)
        + tower(240, 26, 30, 32)
        + battlements(((30, 204), (80, 182), (128, 158), (178, 152), (226, 130)))
        + path("M10 232 L22 206 L80 180 L128 156 L178 150 Q214 142 222 126 Q222 112 178 108 "
               "L190 96 Q258 100 258 132 Q250 168 192 182 L142 190 L96 214 L62 240 L10 240 Z",
               stone, width=5)
        + path("M62 240 L96 214 L142 190 L192 182 Q250 168 258 132 L258 148 Q250 186 196 200 "
               "L150 208 L112 228 L94 242 Z", side, width=4)
        + tower(158, 66, 40, 44)
        + tower(18, 150, 62, 74)
    )  # fmt: skip


LAND: dict[str, Landmark] = {
    "colosseum": Landmark((300, 232), _colosseum()),
    "golden_gate_bridge": Landmark((320, 238), _golden_gate()),
    "tower_bridge": Landmark((340, 242), _tower_bridge()),
    "stonehenge": Landmark((320, 236), _stonehenge()),
    "great_wall_of_china": Landmark((320, 248), _wall()),
}
