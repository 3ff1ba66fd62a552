"""Clothes, food and other things that words stand on."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import (
    BLACK,
    BRIGHT,
    WHITE,
    Carrier,
    dot,
    path,
    rect,
)

OBJECTS: dict[str, Carrier] = {
    "t_shirt": Carrier(
        (400, 380),
        path("M130 20 L40 56 L8 150 L74 172 L88 140 L88 366 L312 366 L312 140 L326 172 L392 150 "
             "L360 56 L270 20 Q250 62 200 62 Q150 62 130 20 Z", "{a}", width=7)
        + path("M130 20 Q150 76 200 76 Q250 76 270 20", stroke="{b}", width=5)
        + path("M88 140 L92 110 M312 140 L308 110", width=5),
        (102, 130, 298, 240),
        (*BRIGHT, ("#ffffff", "#c9ced4", BLACK), ("#2b2f36", "#565d68", WHITE)),
    ),
    "cap": Carrier(
        (400, 280),
        path("M60 180 C60 70 130 20 200 20 C270 20 340 70 340 180 Z", "{a}", width=7)
        + path("M60 180 Q200 140 340 180 Q396 214 388 244 Q200 190 12 244 Q4 214 60 180 Z", "{b}",
               width=7)
        + dot(200, 20, 10, "{b}", 5)
        + path("M200 30 L200 62 M110 60 Q92 110 92 158 M290 60 Q308 110 308 158", stroke="{b}",
               width=4),
        (104, 70, 296, 148),
        (("#c8372d", "#8e231b", WHITE), ("#1f4f8f", "#12335f", WHITE),
         ("#2e8b4f", "#1d6137", WHITE), ("#2b2f36", "#50565f", WHITE)),
    ),
    "tote_bag": Carrier(
        (340, 420),
        path("M104 170 L104 90 Q104 16 170 16 Q236 16 236 90 L236 170", stroke="#000", width=24)
        + path("M104 170 L104 90 Q104 16 170 16 Q236 16 236 90 L236 170", stroke="{b}", width=14)
        + path("M30 150 L310 150 L326 406 L14 406 Z", "{a}", width=7)
        + path("M30 166 L310 166", stroke="{b}", width=4),
        (44, 210, 296, 350),
        (("#f2e6cc", "#cdb78b", BLACK), ("#d9e8d2", "#9dbd8d", "#173d1c"),
         ("#34495e", "#1f2d3a", WHITE)),
    ),
    "mug": Carrier(
        (400, 320),
        path("M290 100 Q388 90 384 164 Q378 234 284 232", stroke="#000", width=40)
        + path("M290 100 Q388 90 384 164 Q378 234 284 232", stroke="{a}", width=28)
        + path("M24 50 L300 50 L296 280 Q294 306 262 306 L62 306 Q30 306 28 280 Z", "{a}", width=7)
        + '<ellipse cx="162" cy="50" rx="138" ry="26" fill="{b}" stroke="#000" '
        'stroke-width="7"/>'
        + '<ellipse cx="162" cy="54" rx="112" ry="16" fill="#5a3319" stroke="#000" '
        'stroke-width="4"/>',
        (42, 110, 284, 240),
        (*BRIGHT, ("#fdfdfb", "#dfe3e6", BLACK)),
    ),
    "cake": Carrier(
        (400, 360),
        "".join(
            rect(x, 40, 14, 70, c, 3, 4)
            + path(f"M{x + 7} 6 Q{x + 22} 30 {x + 7} 40 Q{x - 8} 30 {x + 7} 6 Z", "#ffb01f",
                   width=4)
            for x, c in ((96, "#4f9fd8"), (193, "#d8607c"), (290, "#5bb46a"))
        )
        + path("M30 130 Q30 104 60 104 L340 104 Q370 104 370 130 L370 330 L30 330 Z", "{a}",
               width=7)
        + path("M30 130 Q30 104 60 104 L340 104 Q370 104 370 130 L370 154 "
               + "q-17 36 -34 0 q-17 30 -34 0 " * 5 + "Z", "{b}", width=5)
        + path("M8 332 L392 332 Q392 352 360 352 L40 352 Q8 352 8 332 Z", "#e9ecef", width=6),
        (48, 190, 352, 310),
        (("#fbe3c0", "#f48fb1", "#6b1b35"), ("#fff6e5", "#8d5a3b", "#4a2511"),
         ("#e3f2fd", "#ffffff", "#12335f")),
    ),
    "balloon": Carrier(
        (360, 420),
        path("M180 334 Q150 370 184 392 Q200 404 180 416", width=5)
        + path("M162 338 L180 314 L198 338 Z", "{a}", width=6)
        + '<ellipse cx="180" cy="164" rx="168" ry="154" fill="{a}" stroke="#000" stroke-width="7"/>'
        + path("M60 104 Q84 52 130 40", stroke="#ffffff", width=11),
        (46, 112, 314, 220),
        BRIGHT,
    ),
    "cereal_box": Carrier(
        (300, 420),
        path("M20 40 L230 40 L280 14 L70 14 Z", "{b}", width=6)
        + path("M230 40 L280 14 L280 380 L230 408 Z", "{b}", width=6)
        + rect(20, 40, 210, 368, "{a}", 0, 6) + rect(30, 72, 190, 110, "#fffdf0", 10, 4)
        + path("M40 290 L210 290 Q206 372 125 372 Q44 372 40 290 Z", "#ffffff", width=5)
        + "".join(
            dot(x, y, 13, "#e2a13c", 4)
            for x, y in ((70, 280), (102, 272), (134, 280), (166, 272), (188, 284))
        ),
        (38, 80, 212, 174),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT),
    ),
    "bottle": Carrier(
        (260, 420),
        rect(100, 8, 60, 34, "#c8372d", 6, 6)
        + path("M104 42 L156 42 L156 96 Q236 120 236 180 L236 384 Q236 410 210 410 L50 410 "
               "Q24 410 24 384 L24 180 Q24 120 104 96 Z", "{a}", width=7)
        + rect(24, 190, 212, 150, "#fffaf0", 0, 6)
        + path("M48 150 Q52 130 76 122", stroke="#ffffff", width=8),
        (34, 200, 226, 330),
        (("#4f9d69", "", BLACK), ("#8fd3f4", "", BLACK), ("#b5651d", "", BLACK)),
    ),
    "doormat": Carrier(
        (440, 270),
        "".join(path(f"M{x} 22 L{x} 8 M{x} 248 L{x} 262", stroke="#7a5a2e", width=5)
                for x in range(20, 430, 14))
        + rect(10, 20, 420, 230, "#b98a4b", 6, 6)
        + rect(28, 38, 384, 194, "none", 4, 6, "#5f431d"),
        (46, 66, 394, 204),
        (("", "", "#24160a"),),
    ),
    "medal": Carrier(
        (340, 420),
        path("M80 10 L150 10 L200 170 L130 190 Z", "#2f7fc4", width=6)
        + path("M260 10 L190 10 L140 170 L210 190 Z", "#c8372d", width=6)
        + dot(170, 272, 142, "#f4c430", 7) + dot(170, 272, 120, "#ffe082", 4),
        (64, 226, 276, 318),
        (("", "", "#4a2f00"),),
    ),
    "surfboard": Carrier(
        (440, 200),
        path("M10 100 Q90 10 260 12 Q390 20 432 100 Q390 180 260 188 Q90 190 10 100 Z", "{a}",
             width=7)
        + path("M30 100 Q110 36 260 36 M30 100 Q110 164 260 164", stroke="{b}", width=6),
        (84, 58, 384, 142),
        (("#fff4d6", "#e8804a", "#12335f"), ("#d7f3f0", "#2a9d8f", "#5a1512")),
    ),
}  # fmt: skip
