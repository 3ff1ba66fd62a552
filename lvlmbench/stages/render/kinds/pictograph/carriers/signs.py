"""Signs, boards and screens that words stand on."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import (
    BLACK,
    BRIGHT,
    WHITE,
    Carrier,
    dot,
    lines,
    path,
    rect,
)

SIGNS: dict[str, Carrier] = {
    "road_sign": Carrier(
        (400, 300),
        rect(92, 150, 18, 146, "#9aa0a6") + rect(290, 150, 18, 146, "#9aa0a6")
        + rect(10, 20, 380, 150, "{a}", 18, 5) + rect(20, 30, 360, 130, "none", 12, 5, WHITE),
        (34, 42, 366, 148),
        (("#1f7a3d", "", WHITE), ("#1f5fae", "", WHITE), ("#6b4226", "", WHITE)),
    ),
    "street_sign": Carrier(
        (400, 320),
        rect(191, 60, 18, 256, "#8d949b") + dot(200, 44, 14, "#8d949b", 4)
        + rect(8, 62, 384, 106, "{a}", 12, 5) + rect(18, 72, 364, 86, "none", 8, 4, WHITE),
        (32, 78, 368, 152),
        (("#1f5fae", "", WHITE), ("#1f7a3d", "", WHITE), ("#23282e", "", WHITE)),
    ),
    "wooden_sign": Carrier(
        (400, 320),
        rect(186, 130, 28, 186, "#7a4f2a", 4, 5)
        + path("M14 46 L330 40 L390 104 L332 168 L16 174 Z", "#c48a4e", width=6)
        + path("M30 70 Q120 60 200 68 M250 60 Q290 56 326 60 M36 152 Q130 160 210 150 M260 156 "
               "L318 152", stroke="#a06c37", width=4)
        + dot(34, 106, 6, "#5a3a1c", 2) + dot(352, 106, 6, "#5a3a1c", 2),
        (50, 74, 334, 142),
        (("", "", "#2b1505"),),
    ),
    "billboard": Carrier(
        (420, 330),
        rect(110, 200, 20, 126, "#6c737a") + rect(290, 200, 20, 126, "#6c737a")
        + path("M110 300 L310 240 M110 240 L310 300", stroke="#6c737a", width=7)
        + rect(10, 30, 400, 180, "#e9ecef", 4, 6) + rect(24, 44, 372, 152, "{a}", 2, 4)
        + "".join(path(f"M{x} 30 L{x} 12 L{x + 16} 12", width=5) for x in (80, 200, 320)),
        (38, 60, 382, 180),
        BRIGHT,
    ),
    "shop_sign": Carrier(
        (400, 360),
        rect(24, 120, 352, 232, "#e8d6b8", 0, 5) + rect(50, 216, 150, 100, "#a9d8ee", 0, 5)
        + rect(240, 206, 96, 146, "#8a5a33", 0, 5) + dot(320, 284, 6, "#f4d03f")
        + "".join(
            path(f"M{24 + 44 * i} 138 L{68 + 44 * i} 138 L{68 + 44 * i} 172 "
                 f"Q{46 + 44 * i} 204 {24 + 44 * i} 172 Z", ("{a}", "#ffffff")[i % 2], width=4)
            for i in range(8)
        )
        + rect(8, 14, 384, 124, "{b}", 10, 6) + rect(20, 26, 360, 100, "none", 6, 4, "#f6e3a8"),
        (36, 36, 364, 116),
        (("#c8372d", "#6b1b15", "#fff3c9"), ("#2e8b4f", "#163f24", "#fff3c9"),
         ("#2f7fc4", "#17324d", "#fff3c9")),
    ),
    "sandwich_board": Carrier(
        (340, 400),
        path("M40 20 L14 388 M300 20 L326 388", stroke="#7a4f2a", width=18)
        + path("M40 14 L300 14 L322 340 L18 340 Z", "#9b6a3c", width=6)
        + path("M58 34 L282 34 L300 320 L40 320 Z", "#26302c", width=5)
        + path("M120 70 Q170 40 220 70", stroke="#e9efe9", width=5)
        + path("M90 270 L250 270 M110 290 L230 290", stroke="#e9efe9", width=5),
        (56, 96, 284, 244),
        (("", "", "#ffffff"),),
    ),
    "chalkboard": Carrier(
        (420, 320),
        path("M70 250 L50 316 M350 250 L370 316", stroke="#8b5a2b", width=14)
        + rect(10, 14, 400, 260, "#a8713a", 8, 6) + rect(32, 36, 356, 206, "#2c5f4a", 2, 5)
        + rect(60, 252, 54, 12, "#ffffff", 4, 3) + rect(290, 248, 70, 18, "#d9a441", 3, 3)
        + path("M58 218 Q120 210 170 220", stroke="#4c8069", width=6),
        (50, 66, 370, 204),
        (("", "", "#ffffff"), ("", "", "#fff3a8")),
    ),
    "whiteboard": Carrier(
        (420, 310),
        path("M90 250 L64 306 M330 250 L356 306", stroke="#7d848b", width=12)
        + rect(10, 14, 400, 244, "#c9ced4", 10, 6) + rect(26, 30, 368, 204, "#fdfefe", 4, 4)
        + rect(120, 240, 60, 14, "#d63031", 4, 3) + rect(200, 240, 60, 14, "#0a66c2", 4, 3),
        (44, 60, 376, 204),
        (("", "", "#123a8c"), ("", "", "#b3201a"), ("", "", "#1c1c1c")),
    ),
    "banner": Carrier(
        (440, 260),
        rect(12, 20, 14, 236, "#8b5a2b", 4, 4) + rect(414, 20, 14, 236, "#8b5a2b", 4, 4)
        + dot(19, 16, 11, "#f4d03f") + dot(421, 16, 11, "#f4d03f")
        + path("M24 44 Q220 66 416 44 L416 170 Q220 192 24 170 Z", "{a}", width=6)
        + path("M34 58 Q220 80 406 58 M34 158 Q220 180 406 158", stroke="{b}", width=5),
        (48, 82, 392, 154),
        BRIGHT,
    ),
    "flag": Carrier(
        (420, 360),
        rect(16, 20, 16, 336, "#9a6a3a", 4, 5) + dot(24, 18, 13, "#f4d03f", 4)
        + path("M32 40 Q130 20 220 42 Q320 64 406 40 L406 220 Q320 244 220 222 Q130 200 32 220 Z",
               "{a}", width=6),
        (56, 82, 384, 184),
        BRIGHT,
    ),
    "neon_sign": Carrier(
        (420, 240),
        rect(10, 10, 400, 220, "#1b1626", 18, 6) + rect(30, 30, 360, 180, "none", 26, 12, "{b}")
        + rect(30, 30, 360, 180, "none", 26, 5, "{a}"),
        (54, 58, 366, 182),
        (("#ff9ad5", "#a3155f", "#ffd6ee"), ("#8df6ff", "#0b7285", "#d9fcff"),
         ("#b6ff8d", "#2b7a0b", "#e6ffd9")),
    ),
    "license_plate": Carrier(
        (420, 220),
        rect(10, 14, 400, 192, "{a}", 22, 7) + rect(24, 28, 372, 164, "none", 14, 4, "{b}")
        + "".join(dot(x, y, 8, "#8d949b") for x in (90, 330) for y in (42, 178)),
        (40, 62, 380, 160),
        (("#ffffff", "#1f3f8f", "#1f3f8f"), ("#ffe082", "#5f4b00", BLACK)),
    ),
    "clapperboard": Carrier(
        (400, 350),
        path("M14 96 L372 20 L386 68 L28 144 Z", "#ffffff", width=6)
        + "".join(
            path(f"M{40 + 88 * i} {91 - 18.7 * i:.1f} L{84 + 88 * i} {82 - 18.7 * i:.1f} "
                 f"L{70 + 88 * i} {134 - 18.7 * i:.1f} L{30 + 88 * i} {141 - 18.7 * i:.1f} Z",
                 "#1c1f24", width=3)
            for i in range(4)
        )
        + rect(20, 140, 366, 196, "#2b2f36", 4, 6)
        + path("M34 284 L372 284 M150 284 L150 328 M262 284 L262 328", stroke=WHITE, width=4),
        (38, 156, 368, 274),
        (("", "", "#ffffff"),),
    ),
    "speech_bubble": Carrier(
        (420, 320),
        path("M60 14 L360 14 Q406 14 406 60 L406 186 Q406 232 360 232 L190 232 L104 306 L116 232 "
             "L60 232 Q14 232 14 186 L14 60 Q14 14 60 14 Z", "{a}", width=7),
        (34, 50, 386, 196),
        (("#ffffff", "", BLACK), ("#fff6c9", "", BLACK), ("#e3f2fd", "", BLACK)),
    ),
    "phone_screen": Carrier(
        (240, 420),
        rect(14, 10, 212, 400, "#2b2f36", 30, 6) + rect(28, 40, 184, 336, "{a}", 6, 4)
        + rect(90, 22, 60, 8, "#666c75", 4, 2) + dot(120, 393, 9, "#666c75")
        + rect(38, 150, 164, 100, "#ffffff", 16, 4)
        + dot(64, 78, 16, "#ffffff")
        + path("M92 70 L190 70 M92 86 L160 86", stroke=WHITE, width=6),
        (46, 158, 194, 242),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT),
    ),
    "laptop": Carrier(
        (440, 310),
        rect(60, 14, 320, 220, "#3a3f46", 14, 6) + rect(76, 30, 288, 186, "{a}", 4, 4)
        + path("M60 236 L380 236 L430 286 Q432 298 418 298 L22 298 Q8 298 10 286 Z", "#c3c8ce",
               width=6)
        + path("M90 250 L350 250 M80 264 L360 264", stroke="#7d848b", width=6)
        + path("M180 284 L260 284", stroke="#7d848b", width=8),
        (88, 60, 352, 186),
        (("#f7f9fb", "", "#12335f"), ("#12263f", "", "#8df0c0"), ("#ffffff", "", BLACK)),
    ),
    "television": Carrier(
        (420, 350),
        path("M140 60 L100 8 M280 60 L320 8", width=7) + rect(80, 310, 40, 34, "#5b3a1e", 4, 5)
        + rect(300, 310, 40, 34, "#5b3a1e", 4, 5) + rect(12, 56, 396, 260, "#8a5a33", 26, 7)
        + rect(34, 78, 290, 216, "{a}", 22, 6) + dot(366, 116, 17, "#f4d03f", 5)
        + dot(366, 170, 17, "#f4d03f", 5) + lines(348, 384, [220, 238, 256, 274], "#4a2d14", 5),
        (48, 112, 310, 260),
        (("#d7f0fa", "", "#12335f"), ("#1d2b3a", "", "#ffffff"), ("#fdf3d0", "", "#7a1616")),
    ),
    "placard": Carrier(
        (400, 400),
        rect(188, 200, 24, 196, "#b98a4b", 3, 5) + rect(14, 20, 372, 230, "{a}", 6, 7)
        + rect(28, 34, 344, 202, "none", 2, 4, "{b}"),
        (40, 52, 360, 218),
        (("#ffffff", "#c8372d", "#c8372d"), ("#fff3c4", "#1d1d1d", BLACK),
         ("#ffffff", "#1f4f8f", "#1f4f8f")),
    ),
    "computer_screen": Carrier(
        (420, 370),
        path("M170 280 L250 280 L266 344 L154 344 Z", "#aab1b8", width=6)
        + rect(110, 340, 200, 22, "#c3c8ce", 8, 5) + rect(10, 12, 400, 272, "#2b2f36", 16, 7)
        + rect(30, 32, 360, 214, "{a}", 4, 4) + dot(210, 265, 7, "#9aa0a6")
        + rect(30, 32, 360, 26, "{b}", 2, 4)
        + "".join(dot(x, 45, 6, c, 2) for x, c in ((48, "#ff5f57"), (68, "#febc2e"),
                                                   (88, "#28c840"))),
        (46, 78, 374, 230),
        (("#f7f9fb", "#d5dbe1", "#12335f"), ("#12263f", "#3d4f66", "#8df0c0"),
         ("#ffffff", "#d5dbe1", BLACK)),
    ),
}  # fmt: skip
