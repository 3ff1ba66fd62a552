"""Paper and books that words stand on."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import (
    BLACK,
    BRIGHT,
    PALE,
    Carrier,
    dot,
    lines,
    path,
    rect,
)

PAPERS: dict[str, Carrier] = {
    "book_cover": Carrier(
        (320, 420),
        path("M34 10 L300 10 L300 392 L46 392 Q20 392 20 370 L20 30 Q20 10 34 10 Z", "{b}", width=6)
        + path("M46 392 Q30 392 30 380 Q30 366 46 366 L300 366 L300 392 Z", "#fbf6e6", width=5)
        + path("M38 12 L300 12 L300 366 L46 366 Q38 366 34 370 Z", "{a}", width=5)
        + path("M62 14 L62 364", stroke="{b}", width=8)
        + rect(80, 62, 204, 118, "#fffaf0", 4, 4)
        + path("M182 230 L196 262 L230 264 L204 286 L214 320 L182 300 L150 320 L160 286 L134 264 "
               "L168 262 Z", "#f4d03f", width=4),
        (88, 70, 276, 172),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT if a != "#f4d03f"),
    ),
    "notebook": Carrier(
        (320, 400),
        rect(46, 18, 268, 376, "{a}", 12, 5) + rect(36, 8, 266, 376, "#fffdf4", 6, 5)
        + path("".join(f"M62 {y} L300 {y} " for y in range(200, 380, 24)), stroke="#8fb4dc",
               width=3)
        + path("M62 190 L300 190", stroke="{b}", width=4)
        + "".join(
            dot(48, y, 7, "#333")
            + path(f"M48 {y} Q14 {y - 14} 12 {y + 4} Q14 {y + 14} 44 {y + 4}", stroke="#666",
                   width=6)
            for y in range(44, 380, 40)
        ),
        (72, 48, 288, 178),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT),
    ),
    "newspaper": Carrier(
        (420, 400),
        rect(14, 14, 392, 374, "#f4f1e6", 2, 6)
        + path("M34 36 L386 36 M34 44 L386 44", width=3)
        + path("M34 156 L386 156", width=3)
        + rect(34, 176, 164, 120, "#b9bec4", 0, 3)
        + path("M34 296 L92 220 L130 262 L156 236 L198 296 Z", "#7f868d", width=3)
        + lines(218, 386, [182, 200, 218, 236, 254, 272, 290])
        + lines(34, 198, [318, 336, 354]) + lines(218, 386, [318, 336, 354]),
        (34, 54, 386, 148),
        (("", "", BLACK),),
    ),
    "poster": Carrier(
        (320, 420),
        rect(14, 14, 292, 392, "{a}", 2, 6) + rect(32, 32, 256, 150, "{b}", 2, 4)
        + dot(160, 286, 70, "#ffe9a8", 5)
        + path("M90 286 A70 70 0 0 0 230 286 Z", "#e8804a", width=5)
        + dot(32, 30, 8, "#d22f27") + dot(288, 30, 8, "#d22f27"),
        (42, 46, 278, 168),
        (("#2a9d8f", "#fffdf0", BLACK), ("#e76f51", "#fffdf0", BLACK),
         ("#264653", "#fff1c4", BLACK), ("#6d597a", "#fdeef4", BLACK)),
    ),
    "postage_stamp": Carrier(
        (400, 320),
        path("M14 14 " + " ".join(f"L{14 + 31 * i} 14 q9.3 18 18.6 0" for i in range(12))
             + " L386 14 L386 306 "
             + " ".join(f"L{386 - 31 * i} 306 q-9.3 -18 -18.6 0" for i in range(12))
             + " L14 306 Z", "#fffdf4", width=5)
        + rect(40, 44, 320, 232, "{a}", 0, 4)
        + path("M40 276 L40 232 L110 176 L170 226 L240 160 L360 250 L360 276 Z", "{b}", width=4)
        + dot(320, 80, 18, "#ffd23f", 3)
        + rect(52, 112, 296, 84, "#fffdf4", 4, 4),
        (60, 118, 340, 190),
        (("#9fd3ee", "#4f9d69", "#7a1616"), ("#f7c59f", "#a4583c", "#12335f"),
         ("#cdb4db", "#6d597a", BLACK)),
    ),
    "rubber_stamp": Carrier(
        (420, 220),
        rect(10, 14, 400, 192, "#fbf8ee", 6, 3, "#b9b4a4")
        + rect(34, 38, 352, 144, "none", 16, 9, "{a}")
        + rect(50, 54, 320, 112, "none", 8, 4, "{a}"),
        (62, 62, 358, 158),
        (("#b3201a", "", "#b3201a"), ("#123a8c", "", "#123a8c"), ("#1d6137", "", "#1d6137")),
    ),
    "sticky_note": Carrier(
        (340, 340),
        path("M14 24 L326 24 L326 262 L262 326 L14 326 Z", "{a}", width=6)
        + path("M326 262 L262 262 L262 326 Z", "{b}", width=5)
        + dot(170, 30, 14, "#d22f27", 4),
        (32, 100, 308, 230),
        (("#ffe66d", "#d9b92e", BLACK), ("#ffb3c7", "#e07b98", BLACK),
         ("#a8e6a3", "#66b860", BLACK), ("#a9def9", "#5fb0dd", BLACK)),
    ),
    "greeting_card": Carrier(
        (320, 400),
        path("M60 24 L310 8 L310 392 L60 384 Z", "#ffffff", width=6)
        + path("M14 14 L262 24 L262 386 L14 392 Z", "{a}", width=6)
        + "".join(
            path(f"M{x} {y} c-14 -22 -40 -4 0 26 c40 -30 14 -48 0 -26 Z", "#d22f27", width=4)
            for x, y in ((138, 60), (70, 312), (206, 312), (138, 330))
        ),
        (30, 124, 248, 256),
        PALE,
    ),
    "envelope": Carrier(
        (420, 300),
        rect(14, 20, 392, 264, "{a}", 8, 6)
        + path("M16 24 L210 132 L404 24", "{b}", width=5)
        + rect(60, 156, 300, 96, "#ffffff", 6, 4),
        (68, 162, 352, 246),
        PALE,
    ),
    "ticket": Carrier(
        (440, 230),
        path("M14 20 L426 20 L426 84 a31 31 0 0 0 0 62 L426 210 L14 210 L14 146 a31 31 0 0 0 0 -62 "
             "Z", "{a}", width=6)
        + path("M348 26 L348 204", width=4).replace("/>", ' stroke-dasharray="10 10"/>')
        + rect(60, 52, 270, 126, "{b}", 4, 3)
        + path("M378 80 L378 150 M390 80 L390 150 M398 80 L398 150", width=4),
        (68, 58, 322, 172),
        (("#f6c945", "#fff7d6", BLACK), ("#ef8354", "#fff0e6", BLACK),
         ("#8ecae6", "#f0f9ff", BLACK)),
    ),
    "name_badge": Carrier(
        (400, 290),
        rect(14, 24, 372, 250, "{a}", 24, 6) + rect(28, 96, 344, 140, "#ffffff", 6, 4)
        + dot(200, 58, 20, "#ffffff", 4)
        + path("M190 54 Q190 66 200 66 Q210 66 210 54", width=4),
        (40, 106, 360, 226),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT if a != "#f4d03f"),
    ),
    "price_tag": Carrier(
        (420, 240),
        path("M60 30 L406 30 L406 210 L60 210 L12 150 L12 90 Z", "{a}", width=6)
        + dot(52, 120, 15, "#ffffff", 5)
        + path("M52 120 Q20 60 40 12", stroke="#d22f27", width=6),
        (88, 58, 390, 182),
        (*PALE, ("#d9a066", "#a8713a", BLACK)),
    ),
    "scroll": Carrier(
        (420, 300),
        rect(48, 34, 324, 232, "#f3e2b8", 0, 6) + rect(14, 20, 56, 260, "#e0c88c", 26, 6)
        + rect(350, 20, 56, 260, "#e0c88c", 26, 6)
        + path("M42 30 L42 270 M378 30 L378 270", stroke="#a8894a", width=4),
        (82, 80, 338, 220),
        (("", "", "#4a2511"),),
    ),
    "business_card": Carrier(
        (420, 250),
        rect(12, 14, 396, 222, "#ffffff", 8, 6) + rect(12, 14, 34, 222, "{a}", 6, 5)
        + lines(72, 250, [184, 204], "#8d949b", 6) + dot(350, 190, 22, "{a}", 4),
        (66, 46, 388, 150),
        tuple((a, b, BLACK) for a, b, _ in BRIGHT),
    ),
    "luggage_tag": Carrier(
        (440, 240),
        path("M44 120 Q-8 60 30 30 Q70 6 92 84", stroke="#7a4f2a", width=12)
        + rect(60, 24, 366, 196, "{a}", 34, 7) + dot(98, 122, 17, "#e9ecef", 5)
        + rect(134, 54, 270, 136, "#fffdf4", 14, 5),
        (144, 66, 394, 178),
        tuple((a, b, BLACK) for a, b, _ in (*BRIGHT, ("#a8713a", "", ""))),
    ),
}  # fmt: skip
