"""Heads: outline, ears, features of each expression, signs of age and gender.

All is drawn around (0, 0), the middle of a head about 40 wide and 46 high, so that a bust can
use the same parts at another scale.
"""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path, shade
from lvlmbench.stages.render.kinds.pictograph.figures.marks import edge, placed, seam

#: Heads by age, and by gender of the grown: a square jaw, a fine chin, a round child's face.
_OUTLINES = {
    "child": "M-21 -4 C-21 -30 21 -30 21 -4 C21 13 11 22 0 22 C-11 22 -21 13 -21 -4 Z",
    "man": "M-20.5 -6 C-20.5 -29 20.5 -29 20.5 -6 L20 8 C19.6 17 13 25 7 25.5 L-7 25.5 "
    "C-13 25 -19.6 17 -20 8 Z",
    "woman": "M-19.5 -6 C-19.5 -28 19.5 -28 19.5 -6 L19 3 C18 13 8 24 0 24 C-8 24 -18 13 -19 3 Z",
}

_LIPS = "#c21f3a"


def outline(age: str, gender: str, skin: str) -> str:
    """Return ears and head without features."""
    ears = "".join(ellipse(s * 20.5, 2, 3.6, 5, skin, 1.9) for s in (-1, 1))
    return ears + path(_OUTLINES["child" if age == "child" else gender], skin)


def _eyes(age: str, gender: str, expression: str, skin: str) -> str:
    out = []
    wide = 1.14 if age == "child" else 1.0
    for s in (-1, 1):
        x = s * 9.0
        out.append(ellipse(x, 0, round(4.1 * wide, 2), round(4.9 * wide, 2), "#fff", 1.2))
        drop = {"sad": 1.4, "angry": 0.6}.get(expression, 0.0)
        out.append(ellipse(x, drop, round(2.4 * wide, 2), round(3.0 * wide, 2), "#000", 0))
        out.append(ellipse(x + 0.8, drop - 1.2, 0.9, 0.9, "#fff", 0))
        if expression == "angry":
            # The lid follows the brow: the stare of an angry eye.
            lid = f"M{x - s * 5.4} -0.6 L{x + s * 5.2} -4.4 L{x + s * 4.6} -7 L{x - s * 5.4} -7 Z"
            out.append(path(lid, skin, skin, 0.4))
            out.append(path(f"M{x - s * 4.8} -0.8 L{x + s * 4.6} -4.2", width=1.5))
        if gender == "woman":
            out.append(
                path(f"M{x - s * 3} -4.6 Q{x + s * 3} -6.6 {x + s * 4.6} -1 M{x + s * 4.2} -2.4 "
                     f"L{x + s * 8} -4.8 M{x + s * 4.6} 0 L{x + s * 8.4} -0.8 M{x + s * 2.6} -4.8 "
                     f"L{x + s * 5} -8", width=1.7)
            )  # fmt: skip
    return "".join(out)


def _brows(gender: str, expression: str, color: str, width: float) -> str:
    out = []
    for s in (-1, 1):
        x = s * 9.2
        d = {
            "happy": f"M{x - s * 4.6} -8.6 Q{x} -13.4 {x + s * 5} -8.8",
            "sad": f"M{x - s * 4.4} -12 Q{x + s * 1} -9.6 {x + s * 5.4} -6.2",
            "angry": f"M{x - s * 6} -4 L{x + s * 5.6} -10.2",
            "neutral": f"M{x - s * 4.8} -9.4 L{x + s * 5} -9.4",
        }[expression]
        out.append(path(d, stroke=color, width=width))
    return "".join(out)


def _mouth(expression: str, gender: str) -> str:
    lips = gender == "woman"
    line, width = (_LIPS, 4.4) if lips else ("#000", 2.2)
    if expression == "happy":
        d = "M-8.6 8.6 Q0 11.6 8.6 8.6 Q7 19.4 0 19.4 Q-7 19.4 -8.6 8.6 Z"
        teeth = "M-7 10 Q0 12.4 7 10 L6.2 13 Q0 14.8 -6.2 13 Z"
        return path(d, "#7a1616", line, width * 0.8) + path(teeth, "#fff", width=0)
    if expression == "sad":
        out = path("M-7.4 17.4 Q0 8.6 7.4 17.4", stroke=line, width=width + 0.2)
        for s in (-1, 1):
            out += path(
                f"M{s * 12} 5 C{s * 9.4} 9.4 {s * 9.8} 13.6 {s * 12.4} 13.6 "
                f"C{s * 15.4} 13.6 {s * 15} 9.4 {s * 12} 5 Z", "#61b2e4", "#1e50a0", 1.1,
            )  # fmt: skip
        return out
    if expression == "angry":
        d = "M-8 18.4 Q-7.4 9.8 0 9.8 Q7.4 9.8 8 18.4 Q0 15.4 -8 18.4 Z"
        return path(d, "#fff", line, width * 0.8) + path(
            "M-3.6 10.6 L-3.6 16 M0 10 L0 16 M3.6 10.6 L3.6 16", width=1
        )
    if lips:
        fold = "M-6 13 Q-3 10 0 11.4 Q3 10 6 13 Q3 17 0 17 Q-3 17 -6 13 Z"
        return path(fold, _LIPS, shade(_LIPS, 0.6), 0.9) + path("M-6 13 L6 13", width=0.9)
    return path("M-6.6 13.4 L6.6 13.4", width=width + 0.2)


def beard(kind: str, color: str, skin: str) -> str:
    """Return facial hair of a man's head, below the features of the mouth."""
    if kind == "mustache":
        return path("M0 7 C-4 3 -12 4.6 -17.6 13.4 C-10 15.4 -3 14 0 11.4 "
                    "C3 14 10 15.4 17.6 13.4 C12 4.6 4 3 0 7 Z", color, width=1.6)  # fmt: skip
    if kind == "full beard":
        chin = ("M-20 1 C-21 14 -15 31 0 32 C15 31 21 14 20 1 C17.6 8 14 8.6 10 7 Q0 3.4 -10 7 "
                "C-14 8.6 -17.6 8 -20 1 Z")  # fmt: skip
        # Strands tell brown hair from brown skin.
        strands = ("M-16 14 L-14 19 M-11 21 L-9.4 26 M-4 23.4 L-3.6 28.6 M4 23.4 L3.6 28.6 "
                   "M11 21 L9.4 26 M16 14 L14 19")  # fmt: skip
        return (
            path(chin, color, edge(color), 1.9)
            + path(strands, stroke=seam(color), width=1.5)
            + ellipse(0, 13.6, 10.6, 7, skin, 1.0)
        )
    return ""


def _wrinkles(skin: str) -> str:
    tone = shade(skin, 0.42)
    out = [path("M-9 -16.4 Q0 -18.4 9 -16.4 M-7.5 -13 Q0 -14.8 7.5 -13", stroke=tone, width=1.8)]
    for s in (-1, 1):
        out.append(
            path(f"M{s * 14.6} -1 L{s * 18} -3 M{s * 14.8} 1.2 L{s * 18.2} 1.4 M{s * 5} 7.2 "
                 f"Q{s * 9} 9.6 {s * 12.6} 6.6 M{s * 11} 10 Q{s * 14.6} 14 {s * 12.6} 19",
                 stroke=tone, width=1.8)
        )  # fmt: skip
    return "".join(out)


def features(
    age: str, gender: str, expression: str, skin: str, hair: str, beard_kind: str = "none"
) -> str:
    """Return eyes, brows, nose and mouth; ``hair`` is a fill, that of the brows and the beard."""
    old = age == "elderly"
    out = [_wrinkles(skin)] if old else []
    if beard_kind == "full beard":
        out.append(beard(beard_kind, hair, skin))
    out.append(_eyes(age, gender, expression, skin))
    brow = hair if old else ("#16110f" if gender == "man" else "#2a1b14")
    width = 3.4 if old or (gender == "man" and age != "child") else 2.2
    if old:
        out.append(_brows(gender, expression, "#000", width + 1.6))
    out.append(_brows(gender, expression, brow, width))
    nose = "M-1.6 6.4 Q0 7.8 1.6 6.4" if age == "child" else "M0.6 1 L-2 6.2 L1.6 6.8"
    out.append(path(nose, width=1.5))
    mouth = _mouth(expression, gender)
    out.append(placed(mouth, (0.0, 4.2)) if beard_kind == "mustache" else mouth)
    if beard_kind == "mustache":
        out.append(beard(beard_kind, hair, skin))
    return "".join(out)
