"""Glyphs of OpenMoji that people call by another name, drawn anew or changed (CC BY-SA 4.0).

A glyph keeps its code, its view box and the fills by which the vocabulary colors it.
"""

from __future__ import annotations

import re

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path

_BROWN, _DARK, _GRAY, _LIGHT = "#6a462f", "#3f3f3f", "#9b9b9a", "#d0cfce"
_GREEN, _ORANGE, _RED = "#5c9e31", "#e27022", "#ea5a47"


def _shape(d: str, fill: str) -> str:
    return path(d, fill, width=2)


def _rect(x: float, y: float, width: float, height: float, fill: str, r: float = 0) -> str:
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{r}" fill="{fill}" '
            'stroke="#000" stroke-width="2"/>')  # fmt: skip


def _line(d: str, color: str = "#000", width: float = 2) -> str:
    return path(d, stroke=color, width=width)


def _spots(fill: str, *at: tuple[float, float, float, float]) -> str:
    return "".join(ellipse(x, y, rx, ry, fill, 0) for x, y, rx, ry in at)


def _mirrored(*points: tuple[float, float]) -> str:
    """Return a closed outline from its right half, mirrored at the middle."""
    both = [*points, *((72 - x, y) for x, y in reversed(points))]
    return "M" + " L".join(f"{x} {y}" for x, y in both) + " Z"


_TELEVISION = (
    _line("M36 20 L24 6 M36 20 L48 6") + ellipse(24, 6, 2, 2, "#000", 0)
    + ellipse(48, 6, 2, 2, "#000", 0) + _line("M17 60 L14 67 M55 60 L58 67")
    + _rect(5, 20, 62, 40, "#a57939", 4) + _rect(10, 25, 39, 30, "#92d3f5", 7)
    + _line("M16 41 L29 29", "#fff") + ellipse(58, 31, 3.6, 3.6, _LIGHT, 2)
    + ellipse(58, 41.5, 3.6, 3.6, _LIGHT, 2) + _line("M54 50 L62 50 M54 54 L62 54")
)  # fmt: skip

_DESKTOP_COMPUTER = (
    _rect(4, 12, 45, 33, _LIGHT, 2) + _rect(8, 16, 37, 23, _DARK) + _line("M30 35 L41 20", "#fff")
    + _shape("M22 45 L31 45 L33 52 L20 52 Z", _GRAY) + _rect(4, 56, 46, 8, _LIGHT, 2)
    + _line("M9 60 L10 60 M14 60 L15 60 M19 60 L35 60 M39 60 L40 60 M44 60 L45 60")
    + _rect(54, 8, 15, 56, _GRAY, 2) + _line("M58 15 L65 15 M58 21 L65 21")
    + ellipse(61.5, 31, 2, 2, "#b1cc33", 1.6) + _line("M58 52 L65 52 M58 57 L65 57")
)  # fmt: skip

_MAPLE_LEAF = (
    _shape(
        _mirrored((36, 5), (41, 14.5), (46.5, 11.5), (44, 27.5), (51.5, 19.5), (53.5, 24),
                  (62, 22), (59, 31.5), (63.5, 34), (49.5, 45.5), (51, 50.5), (37.3, 48.5),
                  (37.3, 67)), "#f4aa41",
    ) + _line("M36 47 L36 18 M36 45 L54 30 M36 45 L18 30", _ORANGE)
)  # fmt: skip

_TULIP = (
    _line("M36 38 L36 67", "#000", 5) + _line("M36 38 L36 67", _GREEN, 2)
    + _shape("M36 66 C24 64 15 55 13 38 C26 42 34 52 36 66 Z", _GREEN)
    + _shape("M36 66 C46 64 54 57 57 44 C46 46 38 55 36 66 Z", _GREEN)
    + _shape("M21 8 C18 30 25 42 36 42 C47 42 54 30 51 8 L43 17 L36 6 L29 17 Z", "#f4aa41")
    + _shape("M36 6 C26 17 25 34 36 42 C47 34 46 17 36 6 Z", _ORANGE)
)  # fmt: skip

_NECKTIE = (
    _shape("M31 21 L41 21 L50 55 L36 68 L22 55 Z", "#8967aa")
    + _line("M29 34 L40 24 M26 47 L44 33 M29 58 L47 44", "#b399c8", 3)
    + _line("M31 21 L41 21 L50 55 L36 68 L22 55 Z")
    + _shape("M27 5 L45 5 L41 21 L31 21 Z", "#8967aa")
)  # fmt: skip

_GLASSES = "".join(
    ellipse(x, 37, 13, 12, "#eef6fb", 0) for x in (20, 52)
) + "".join(
    _line(d, color, width)
    for color, width in (("#000", 5), (_GRAY, 2.4))
    for d in ("M33 34 Q36 29.5 39 34 M7.5 33 L4 27 M64.5 33 L68 27",
              *(f"M{x} 37 a13 12 0 1 0 26 0 a13 12 0 1 0 -26 0" for x in (7, 39)))
)  # fmt: skip

_LAWN_MOWER = (
    _line("M50 44 L64 13 L57 13", "#000", 5) + _line("M50 44 L63.4 14.4", _LIGHT, 1.6)
    + _rect(26, 31, 20, 12, _GREEN, 2) + _rect(31, 25, 10, 6, _DARK, 1)
    + _shape("M10 58 L14 43 L52 43 L60 58 Z", "#b1cc33")
    + "".join(ellipse(x, 58, 7, 7, _LIGHT, 2) + ellipse(x, 58, 1.6, 1.6, "#000", 0)
              for x in (19, 51))
    + _line("M3 66 L5 57 M7 66 L10 60 M64 66 L66 62 M69 66 L70 62 M2 66 L70 66", "#3c7a1c", 2.4)
)  # fmt: skip

_PIANO = (
    _rect(9, 50, 54, 14, _BROWN) + _rect(6, 8, 60, 30, _BROWN, 2) + _rect(10, 12, 52, 16, "#a57939")
    + path("M24 15 H35 V26 H24 Z M37 15 H48 V26 H37 Z", "#fff", width=1.4) + _line("M22 28 L50 28")
    + _line("M26.5 18.5 L32.5 18.5 M26.5 22 L32.5 22 M39.5 18.5 L45.5 18.5 M39.5 22 L45.5 22",
            width=1)
    + _rect(4, 34, 64, 13, "#fff", 1)
    + _line(" ".join(f"M{x} 35 L{x} 46" for x in range(12, 66, 8)), width=1.3)
    + "".join(f'<rect x="{x - 2}" y="35" width="4" height="7"/>' for x in (12, 20, 36, 44, 52))
    + _rect(3, 46, 66, 4, _BROWN, 1) + _line("M8 50 L8 67 M64 50 L64 67", width=4)
    + _line("M33 60 L33 66 M39 60 L39 66", "#f1b31c", 2.6)
)  # fmt: skip

#: Code -> what stands in place of the whole glyph.
ANEW = {
    "1F341": _MAPLE_LEAF, "1F337": _TULIP, "1F453": _GLASSES, "1F454": _NECKTIE,
    "1F4FA": _TELEVISION, "1F5A5": _DESKTOP_COMPUTER, "E343": _LAWN_MOWER,
    "1F3B9": _PIANO,
}  # fmt: skip

_CANDLES = "".join(
    _rect(x - 2, 8, 4, 7, "#61b2e4") + ellipse(x, 4.5, 1.8, 2.8, "#f4aa41", 1.4)
    for x in (24, 36, 48)
)

#: Code -> what lies over the fills and below the lines.
BELOW_LINES = {
    "1F992": _spots("#a57939", (22.6, 17.5, 1.5, 1.7), (25.6, 22.6, 1.9, 1.6), (29.3, 26, 1.8, 1.7),
                    (31.6, 31, 2.1, 1.8), (36, 36.5, 2.2, 2), (40.4, 34, 1.8, 1.6),
                    (42.4, 39.4, 2.3, 1.8), (46.2, 35.4, 2, 1.7), (51.2, 37, 2, 1.7),
                    (47.4, 40.6, 1.6, 1.4), (36.4, 43, 1.6, 1.9), (53, 42, 1.5, 1.7)),
    "1F34D": _line("M26 44 L39 31 M25 54 L46 35 M28 62 L49 43 M37 65 L50 53 M48 44 L33 31 "
                   "M49 54 L28 35 M46 62 L25 43 M36 65 L25 53", "#e2b04a", 1.8),
    "E0C4": _spots("#d22f27", *((x, y, 2.1, 1.7) for x, y in (
        (35, 21), (29.6, 24.6), (24.4, 29.4), (30.4, 29), (20.8, 34), (26.6, 34), (17, 40.6),
        (22, 38.6), (41.6, 20.4), (40.6, 25), (35.4, 26), (37.6, 30.6), (32.4, 32.6), (33, 37),
        (27.8, 38.4), (27, 42.4), (21.8, 43.2))), (39.2, 17.4, 1.6, 1.4)),
    "1F95C": _line("M19 46 L24 43 M18 52 L23 50 M26 52 L30 48 M26 41 L31 39 M32 45 L36 41 "
                   "M39 32 L44 29 M46 35 L50 31 M43 22 L47 19 M51 28 L55 25 M49 22 L52 20",
                   _BROWN, 1.8),
    "1FABF": path("M24.6 18 L20.6 13.4 C23 9.6 26 8.6 28 8.8 C32 9 34.6 11.6 32.6 18 C31.2 23 "
                  "31.4 28 32 31 Q27 34 23.2 30 C24.4 25 25.6 20 24.6 18 Z", _DARK, width=0)
    + path("M25 19.6 C25.6 15.6 29 15 29.4 17.4 C29.6 19.6 28 21.4 25.6 21.6 Z", "#fff", width=0),
    "1FACF": path("M10.4 29 C11 26.6 13.6 25 15.6 26.4 C17.4 27.8 16.8 30 15 31.4 "
                  "C12.6 32.4 10 31.2 10.4 29 Z", "#fff", width=0),
    "E005": path("M47.6 30.6 Q50 27.8 53.4 30.4 Q50.4 32.6 47.6 30.6 Z", "#fff", width=0)
    + path("M35.6 38.4 C30 38.6 25 41 21.4 46.4 C22.6 39.6 28 35 36 35.4 Z", "#fff", width=0),
}  # fmt: skip

#: Code -> what lies over all.
OVER_LINES = {
    "1F382": _CANDLES,
    "1FACF": "".join(
        path(ear, _LIGHT, width=1.6)
        for ear in ("M21.4 18.6 C20.8 12 23 7 26.8 4.4 C28.6 9 27.6 15 24.6 19.6 Z",
                    "M17 18.8 C12.4 14 10.8 9.4 11.6 5.6 C16.4 7.6 19.8 12.6 20.8 18.4 Z")
    ) + _line("M23.8 16 Q24 11.6 25.8 9 M17.8 15.8 Q15 12.4 13.8 9.2", _GRAY, 1.8)
    + ellipse(17.6, 23.4, 0.9, 1.1, "#000", 0),
}  # fmt: skip

#: Code -> what stands in the tags that are left out: a sofa's lamp, a cake's cherry, dashes.
WITHOUT = {
    "1F6CB": ("m34.46 9.549", "m34.53 9.549", "m47.09 13.7", "m58.92 59.61"),
    "1F382": ('cx="36" cy="12"', "M36,10.75"),
    "E0C4": ("-0.1519 2.773-0.5791", "1.12 2.611 1.098"),
}

#: Code -> what is written otherwise: long sleeves, a Canada goose's colors, a large head of seeds.
OTHERWISE = {
    "1F33B": (('r="5" fill="#F1B31C"', f'r="7.4" fill="{_BROWN}"'),
              ('r="5" fill="none"', 'r="7.4" fill="none"')),
    "1F9E5": (("V37h", "V52h"), ("V36.9412", "V52"), ("v-18.95", "v-34.01"), ("v18.95", "v34.01")),
    "1FABF": (('fill="#fff" d="m46', 'fill="#a57939" d="m46'), ("#f4aa41", _DARK),
              ("#e27022", _DARK)),
}  # fmt: skip

_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72">'
    '<g stroke-linecap="round" stroke-linejoin="round">'
)
_LINES = '<g id="line"'


def redrawn(code: str, source: str) -> str:
    """Return the SVG that shows a glyph: its own ``source`` unless it is changed here."""
    if code in ANEW:
        return f"{_HEAD}{ANEW[code]}</g></svg>"
    for words in WITHOUT.get(code, ()):
        source = re.sub(rf"<\w+ [^>]*{re.escape(words)}[^>]*/>", "", source)
    for old, new in OTHERWISE.get(code, ()):
        source = source.replace(old, new)
    below, over = BELOW_LINES.get(code, ""), OVER_LINES.get(code, "")
    group = '<g stroke-linecap="round" stroke-linejoin="round">{}</g>'
    if below:
        source = source.replace(_LINES, group.format(below) + _LINES, 1)
    return source.replace("</svg>", group.format(over) + "</svg>") if over else source
