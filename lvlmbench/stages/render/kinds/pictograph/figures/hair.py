"""Hair: what hangs behind the head and what lies before it, around (0, 0) as the heads are."""

from __future__ import annotations

from lvlmbench.scene.figures.labels import HAIR_COLORS, UNDER_A_HAT
from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path, shade
from lvlmbench.stages.render.kinds.pictograph.figures.marks import edge, seam

_CAP = (
    "M-21 0 C-25 -24 -11 -30.5 0 -30.5 C11 -30.5 25 -24 21 0 C20 -6 18.6 -10 16.5 -13.6 "
    "C8 -11 -4 -13.4 -10 -17.6 C-14 -14 -19 -8 -21 0 Z"
)
#: Combed back, as below a bun or a ponytail.
_SLICK = (
    "M-21 0 C-24 -20 -14 -29.5 0 -29.5 C14 -29.5 24 -20 21 0 C19 -9 13 -16.5 0 -17 "
    "C-13 -16.5 -19 -9 -21 0 Z"
)
_PARTED = (
    "M-20.5 2 C-24 -22 -12 -31 1 -31 C14 -31 24 -22 20.5 2 C19 -8 14 -15 6 -21 "
    "C1 -13 -14 -10 -20.5 2 Z"
)
_FRINGE = (
    "M-21 3 C-25 -22 -12 -31 0 -31 C12 -31 25 -22 21 3 L18.6 -9.6 Q0 -13.4 -18.6 -9.6 Z"
)  # fmt: skip
_CURLS = (
    (-22, 6, 8), (22, 6, 8), (-26, -5, 9), (26, -5, 9), (-23, -17, 9.5), (23, -17, 9.5),
    (-14, -27, 10), (14, -27, 10), (0, -31, 10.5),
)  # fmt: skip
_BROW_CURLS = ((-13, -17, 6), (-4.5, -19, 6.5), (4.5, -19, 6.5), (13, -17, 6))


def _tail(side: int, color: str) -> str:
    d = (
        f"M{side * 18} -17 C{side * 34} -27 {side * 43} -8 {side * 36} 10 "
        f"C{side * 35} 18 {side * 31} 24 {side * 29} 29 C{side * 25} 20 {side * 24} 8 "
        f"{side * 25} 0 C{side * 26} -8 {side * 22} -10 {side * 18} -10 Z"
    )
    return path(d, color, edge(color)) + path(
        f"M{side * 30} -12 C{side * 34} -4 {side * 32} 8 {side * 30} 18",
        stroke=seam(color), width=1.3,
    )  # fmt: skip


def _braid(side: int, color: str) -> str:
    out = []
    for i in range(5):
        out.append(ellipse(side * (24 + i * 0.8), 8 + i * 7.4, 5.4 - i * 0.3, 5, color, 1.8))
    end = f"M{side * 27} 41 L{side * 31.5} 50 L{side * 23.5} 50 Z"
    return path(end, color, width=1.8) + "".join(reversed(out))


def back(style: str, color: str, hat: bool) -> str:
    """Return the hair behind head and body."""
    if style == "long":
        return path("M-18 -16 C-27 -8 -27 6 -28 22 C-29 36 -31 44 -33 52 C-22 58 -10 57 0 57 "
                    "C10 57 22 58 33 52 C31 44 29 36 28 22 C27 6 27 -8 18 -16 Z", color,
                    edge(color))  # fmt: skip
    if style == "bob":
        return path("M-18 -16 C-27 -10 -30 0 -30 9 Q-29 18 -18 17 L18 17 Q29 18 30 9 "
                    "C30 0 27 -10 18 -16 Z", color, edge(color))  # fmt: skip
    if style == "curly":
        return "".join(
            ellipse(x, y, r + 1.1, r + 1.1, edge(color), 0)
            for x, y, r in _CURLS
            if not hat or y > -10
        )
    if style == "ponytail":
        return _tail(1, color)
    if style == "bun" and not hat:
        return path("M-11 -34 C-13 -52 13 -52 11 -34 C9 -26 -9 -26 -11 -34 Z", color, edge(color))
    return ""


def _curly(color: str, hat: bool) -> str:
    out = []
    around = [c for c in _CURLS if not hat or c[1] > -10]
    out += [ellipse(x, y, r - 1.1, r - 1.1, color, 0) for x, y, r in around]
    if not hat:
        out += [ellipse(x, y, r + 1, r + 1, edge(color), 0) for x, y, r in _BROW_CURLS]
        out += [ellipse(x, y, r - 1, r - 1, color, 0) for x, y, r in _BROW_CURLS]
        out.append(ellipse(0, -26, 14, 6, color, 0))
        for x, y in ((-12, -25), (1, -29), (12, -24)):
            out.append(path(f"M{x - 4} {y + 2} Q{x} {y - 5} {x + 4} {y + 1}",
                            stroke=seam(color), width=1.3))  # fmt: skip
    for s in (-1, 1):
        out.append(path(f"M{s * 22} 2 Q{s * 29} 0 {s * 27} -7", stroke=seam(color), width=1.3))
    return "".join(out)


def _tufts(color: str) -> str:
    """Return what shows of the hair of an old head that is bald, or below its hat."""
    return "".join(
        path(f"M{s * 19} -11 C{s * 25} -12 {s * 28} -5 {s * 26} 1 C{s * 25} 4 {s * 22} 4 "
             f"{s * 20} 0 Q{s * 19} -4 {s * 19} -11 Z", color, width=1.8)
        for s in (-1, 1)
    )  # fmt: skip


def front(style: str, color: str, hat: bool) -> str:
    """Return the hair over the head; ``hat`` leaves out what would stand through one."""
    line = edge(color)
    old = color == HAIR_COLORS["gray"]
    tufts = _tufts(color) if old and (style == "bald" or (hat and style in UNDER_A_HAT)) else ""
    if style == "bald":
        shine = "" if hat else path("M8 -19 Q12 -17 13.6 -13", stroke="#ffffff", width=1.7)
        return shine + tufts
    if style == "curly":
        return _curly(color, hat)
    if style == "mohawk":
        sides = "".join(
            path(f"M{s * 20.4} -1 C{s * 22} -10 {s * 20} -16 {s * 16} -19", stroke=color, width=1.2)
            for s in (-1, 1)
        )
        crest = (
            "M-6 -13 C-11 -20 -10 -33 -7 -42 C-6 -47 -3 -49 0 -49 C3 -49 6 -47 7 -42 "
            "C10 -33 11 -20 6 -13 Q0 -9 -6 -13 Z"
        )
        strands = path("M-3 -44 C-5 -32 -4 -22 -2 -15 M3 -44 C5 -32 4 -22 2 -15 M0 -45 L0 -30",
                       stroke=seam(color), width=1.3)  # fmt: skip
        return sides + tufts if hat else sides + path(crest, color, line) + strands
    shape = {"short": _CAP, "long": _PARTED, "bob": _FRINGE}.get(style, _SLICK)
    out = path(shape, color, line)
    if style == "long":
        for s in (-1, 1):
            out += path(f"M{s * 20} -6 C{s * 20} 14 {s * 17} 30 {s * 20} 52 "
                        f"C{s * 31} 47 {s * 30} 16 {s * 24.5} -6 Z", color, line, 1.8)  # fmt: skip
    if style == "bob":
        for s in (-1, 1):
            out += path(f"M{s * 19} -8 C{s * 20} 2 {s * 19} 8 {s * 15.4} 14 "
                        f"Q{s * 29} 21 {s * 30} 8 C{s * 30} -2 {s * 27} -10 {s * 22} -12 Z",
                        color, line, 1.8)  # fmt: skip
    if style in ("bun", "ponytail", "pigtails"):
        folds = "M-8 -27 Q-9 -22 -11 -17 M0 -28.6 L0 -18 M8 -27 Q9 -22 11 -17"
        out += path(folds, stroke=seam(color), width=1.2)
    if style == "bun" and not hat:
        out += path("M-9 -31.4 Q0 -28 9 -31.4", stroke=shade(color, 0.5), width=2)
    if style == "pigtails":
        out += _braid(-1, color) + _braid(1, color)
    return out + tufts
