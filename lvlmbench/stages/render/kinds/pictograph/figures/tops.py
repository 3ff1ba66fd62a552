"""Torsos and arms, and what is worn on them."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path
from lvlmbench.stages.render.kinds.pictograph.figures.body import Build, Joints
from lvlmbench.stages.render.kinds.pictograph.figures.legwear import hanging, unit
from lvlmbench.stages.render.kinds.pictograph.figures.marks import (
    between,
    edge,
    limb,
    line,
    placed,
    seam,
    turned,
)

#: How far a sleeve reaches (0 to 1 upper arm, to 2 wrist), and how much wider than the arm it is.
_SLEEVES = {
    "T-shirt": (0.8, 6.0), "sweater": (1.84, 6.0),
    "jacket": (1.84, 6.0), "coat": (1.86, 6.5),
}  # fmt: skip


def torso(b: Build, j: Joints, fill: str, grow: float = 0.0, below: float = 3.0) -> str:
    """Return the trunk from neck to hips; ``grow`` widens it, ``below`` lengthens it."""
    (nx, ny), (px, py) = j.neck, j.pelvis
    s, w, h = b.shoulders + grow * 0.4, b.waist + grow, b.hips + grow
    wx, wy = nx + (px - nx) * 0.62, ny + b.torso * 0.62
    d = (
        f"M{nx - 8 * b.scale:.2f} {ny - 3:.2f} Q{nx - s:.2f} {ny:.2f} {nx - s:.2f} {ny + 9:.2f} "
        f"Q{wx - w - 1:.2f} {wy - 10 * b.scale:.2f} {wx - w:.2f} {wy:.2f} "
        f"Q{px - h:.2f} {py - 8 * b.scale:.2f} {px - h:.2f} {py + below:.2f} "
        f"L{px + h:.2f} {py + below:.2f} "
        f"Q{px + h:.2f} {py - 8 * b.scale:.2f} {wx + w:.2f} {wy:.2f} "
        f"Q{wx + w + 1:.2f} {wy - 10 * b.scale:.2f} {nx + s:.2f} {ny + 9:.2f} "
        f"Q{nx + s:.2f} {ny:.2f} {nx + 8 * b.scale:.2f} {ny - 3:.2f} Z"
    )
    return path(d, fill, edge(fill))


def collar(kind: str, fill: str) -> str:
    """Return what stands out at the neck, over a vest too: a sweater's rolled neck."""
    if kind == "sweater":
        roll = "M-13 -9 Q0 0 13 -9 L14.5 4 Q0 14 -14.5 4 Z"
        ribs = "M-8 -4 L-9 7 M-3 -2 L-3 9 M3 -2 L3 9 M8 -4 L9 7"
        return path(roll, fill, edge(fill), 2) + path(ribs, stroke=seam(fill), width=1.2)
    return ""


def _sweater(fill: str) -> str:
    fold = seam(fill)
    knit = " ".join(
        f"M{x} {y} L{x + 3} {y + 3} L{x + 6} {y}" for y in (18, 27, 36) for x in (-13, -3, 7)
    )
    return path(knit, stroke=fold, width=1.5)


def _jacket(fill: str) -> str:
    fold, rim = seam(fill), edge(fill)
    return (
        path("M0 6 L0 52", stroke=rim, width=4.2)
        + path("M0 7 L0 52", stroke="#e8e8ea", width=2)
        + path("M-17 36 L-10 29 M17 36 L10 29", stroke=fold, width=2.2)
        + path("M-8 -6 L0 7 L-11 17 L-18 2 Z M8 -6 L0 7 L11 17 L18 2 Z", fill, rim, 2)
    )


def _coat(fill: str) -> str:
    rim, fold = edge(fill), seam(fill)
    dots = "".join(ellipse(x, y, 2.5, 2.5, fold, 0) for y in (26, 38, 50) for x in (-6, 6))
    return (
        path("M0 18 L0 84", stroke=fold, width=1.6)
        + dots
        + path("M-20 54 L-11 52 L-11 57 L-20 59 Z M20 54 L11 52 L11 57 L20 59 Z", fill, rim, 1.5)
        + path("M-8 -6 L0 19 L-9 24 L-12 15 L-19 13 L-16 0 Z M8 -6 L0 19 L9 24 L12 15 L19 13 "
               "L16 0 Z", fill, rim, 2)
    )  # fmt: skip


def top(kind: str, fill: str, b: Build, j: Joints, skin: str) -> str:
    """Return the trunk in its garment, without sleeves."""
    k = b.scale
    if kind == "dress":
        hem = hanging(b, j, 0.98, 20 * k, 20 * k)
        waist = j.neck[0] * 0.38 + j.pelvis[0] * 0.62, j.neck[1] + b.torso * 0.62
        return (
            path(line(hem) + " Z", fill, edge(fill))
            + torso(b, j, fill, below=-14 * k)
            + path(line([(waist[0] - b.waist, waist[1]), (waist[0] + b.waist, waist[1])]),
                   stroke=seam(fill), width=1.6)
            + placed(path("M-9 -5 Q-9 12 0 12 Q9 12 9 -5 Z", skin, edge(fill), 2), j.neck, k)
        )  # fmt: skip
    if kind == "coat":
        hem = hanging(b, j, 0.74, 12 * k, 24 * k)
        body = path(line(hem) + " Z", fill, edge(fill)) + torso(b, j, fill, 3, below=-8 * k)
        return body + placed(_coat(fill), j.neck, k)
    grow = {"T-shirt": 1.0, "sweater": 3.0, "jacket": 3.0}[kind]
    body = torso(b, j, fill, grow, below=4 * k)
    neck = j.neck
    if kind == "T-shirt":
        hole = path("M-9 -5 Q-7 5 0 5 Q7 5 9 -5 Z", skin, edge(fill), 2)
        return body + placed(hole, neck, k)
    body += _hem(b, j, fill, grow)
    return body + placed((_sweater if kind == "sweater" else _jacket)(fill), neck, k)


def _hem(b: Build, j: Joints, fill: str, grow: float) -> str:
    x, y = j.pelvis
    w, h = b.hips + grow, 9 * b.scale
    y -= h - 5 * b.scale
    ribs = " ".join(
        f"M{x + w * i / 5:.2f} {y + 1.5:.2f} L{x + w * i / 5:.2f} {y + h - 1.5:.2f}"
        for i in range(-4, 5)
    )
    band = f"M{x - w:.2f} {y:.2f} h{2 * w:.2f} v{h:.2f} h{-2 * w:.2f} Z"
    return path(band, fill, edge(fill), 1.8) + path(ribs, stroke=seam(fill), width=1.2)


def _hand(fill: str, glove: bool, scale: float, open_: bool) -> str:
    k = scale * 1.14 if glove else scale
    if glove:
        shape = (
            "M-6.4 -4 L6.4 -4 L7.4 4 C7.6 15 -7.6 15 -7.4 5 C-12 5 -14 0 -11 -3 "
            "C-9 -4.4 -7.4 -2.4 -6.4 -1 Z"
        )
        cuff = "M-7.6 -9 L7.6 -9 L7.6 -3 L-7.6 -3 Z"
        body = path(shape, fill, edge(fill)) + path(cuff, fill, edge(fill), 1.9)
        body += path("M-3 -8 L-3 -4 M3 -8 L3 -4", stroke=seam(fill), width=1.3)
    elif open_:
        fingers = "".join(
            path(f"M{x * 0.6:.2f} 5 L{x:.2f} {y}", stroke="#000", width=6)
            for x, y in ((-5.6, 11), (-2, 13.4), (2, 13.4), (5.6, 11), (-8, 4.6))
        )
        fingers += ellipse(0, 3, 6, 6.4, fill)
        fingers += "".join(
            path(f"M{x * 0.6:.2f} 5 L{x:.2f} {y}", stroke=fill, width=3)
            for x, y in ((-5.6, 11), (-2, 13.4), (2, 13.4), (5.6, 11), (-8, 4.6))
        )
        body = fingers
    else:
        body = ellipse(0, 3, 6, 6.6, fill) + path("M-4.6 0 Q-8 3 -5 6", fill, width=1.8)
    return f'<g transform="scale({k:.3f})">{body}</g>'


def arm(
    side: int, b: Build, j: Joints, skin: str, sleeve: tuple[str, str], glove: str | None,
    open_: bool,
) -> str:  # fmt: skip
    """Return one arm with its sleeve and hand; fills, not names of colors."""
    shoulder, elbow, hand = j.shoulders[side], j.elbows[side], j.hands[side]
    wrist = between(elbow, hand, 0.94)
    out = [limb([shoulder, elbow, wrist], skin, b.arm_width)]
    palm = turned(
        _hand(glove or skin, glove is not None, max(b.scale, 0.74), open_), hand,
        unit(elbow, hand), 2 * side - 1,
    )  # fmt: skip
    if glove is None:
        out.append(palm)
    if sleeve and sleeve[0] in _SLEEVES:
        reach, wider = _SLEEVES[sleeve[0]]
        points = [shoulder, elbow]
        if reach <= 1:
            points = [shoulder, between(shoulder, elbow, reach - 0.5 * b.arm_width / b.upper)]
        else:
            points.append(between(elbow, hand, reach - 1))
        wide = b.arm_width + wider * b.scale
        out.append(limb(points, sleeve[1], wide))
        if reach > 1 and sleeve[0] != "coat":
            out.append(_cuff(points, sleeve[1], wide))
        # The sleeve grows out of the shoulder: no line between them.
        inner = between(shoulder, (j.neck[0], shoulder[1]), 0.35)
        out.append(path(line([shoulder, inner]), stroke=sleeve[1], width=round(wide - 3, 2)))
    else:
        inner = between(shoulder, (j.neck[0], shoulder[1]), 0.3)
    if glove is not None:
        out.append(palm)
    return "".join(out)


def _cuff(points: list[tuple[float, float]], fill: str, wide: float) -> str:
    a, b = points[-2], points[-1]
    at, way = between(a, b, 0.86), unit(a, b)
    x, y = way[1] * wide / 2, -way[0] * wide / 2
    return path(line([(at[0] - x, at[1] - y), (at[0] + x, at[1] + y)]), stroke=seam(fill),
                width=1.6)  # fmt: skip
