"""What is worn over the trunk: vest, belt, tie, backpack, cape."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path
from lvlmbench.stages.render.kinds.pictograph.figures.body import Build, Joints
from lvlmbench.stages.render.kinds.pictograph.figures.marks import (
    between,
    edge,
    is_black,
    line,
    placed,
    seam,
)


def vest(b: Build, j: Joints, fill: str) -> str:
    """Return a sleeveless vest, open in a deep V: the top shows at neck, arms and hem."""
    (nx, ny), (px, py) = j.neck, j.pelvis
    k, s, w = b.scale, b.shoulders * 0.62, b.waist + 2.5
    wx, wy = nx + (px - nx) * 0.62, ny + b.torso * 0.62
    h = b.hips + 2
    y = py - 7 * k
    d = (
        f"M{nx - 9 * k:.2f} {ny - 2:.2f} L{nx - s - 3:.2f} {ny + 1:.2f} "
        f"Q{nx - s:.2f} {ny + 14 * k:.2f} {nx - b.shoulders + 3:.2f} {ny + 24 * k:.2f} "
        f"L{wx - w:.2f} {wy:.2f} L{px - h:.2f} {y:.2f} L{px - 9 * k:.2f} {y:.2f} "
        f"L{px:.2f} {y - 6 * k:.2f} L{px + 9 * k:.2f} {y:.2f} L{px + h:.2f} {y:.2f} "
        f"L{wx + w:.2f} {wy:.2f} L{nx + b.shoulders - 3:.2f} {ny + 24 * k:.2f} "
        f"Q{nx + s:.2f} {ny + 14 * k:.2f} {nx + s + 3:.2f} {ny + 1:.2f} "
        f"L{nx + 9 * k:.2f} {ny - 2:.2f} L{nx:.2f} {ny + 27 * k:.2f} Z"
    )
    above, below = (nx, ny + 27 * k), (px, y - 6 * k)
    buttons = "".join(
        ellipse(round(at[0] + 4 * k, 2), round(at[1], 2), 2.1, 2.1, seam(fill), 0)
        for at in (between(above, below, share) for share in (0.25, 0.65))
    )
    return (
        path(d, fill, edge(fill))
        + path(line([above, below]), stroke=edge(fill), width=1.6)
        + buttons
    )


def belt(b: Build, j: Joints, fill: str, low: bool) -> str:
    """Return a belt with its buckle, at the hips or (``low`` false) at the waist."""
    k = b.scale
    if low:
        x, y, w = j.pelvis[0], j.pelvis[1] - 6 * k, b.hips + 3.5
    else:
        share = 0.74
        x = j.neck[0] + (j.pelvis[0] - j.neck[0]) * share
        y, w = j.neck[1] + b.torso * share, b.waist + 3.5
    h = max(10.4 * k, 9.0)
    band = f"M{x - w:.2f} {y - h / 2:.2f} h{2 * w:.2f} v{h:.2f} h{-2 * w:.2f} Z"
    side = h * 0.42
    buckle = f"M{x - side:.2f} {y - side:.2f} h{2 * side:.2f} v{2 * side:.2f} h{-2 * side:.2f} Z"
    return (
        path(band, fill, edge(fill), 1.1 if is_black(fill) else 1.9)
        + path(buckle, "#ffffff", width=3.2)
        + path(buckle, stroke="#e9c84a", width=1.5)
    )


def tie(b: Build, j: Joints, fill: str) -> str:
    """Return a tie from the neck to the waist."""
    rim = edge(fill)
    shape = path("M-4 5 L4 5 L8.5 38 L0 48 L-8.5 38 Z", fill, rim)
    knot = path("M-6.4 -3 L6.4 -3 L4 7 L-4 7 Z", fill, rim)
    stripes = path("M-5 19 L3 13 M-6 29 L5.4 20 M-6.8 38 L6.6 28", stroke=seam(fill), width=1.5)
    return placed(shape + stripes + knot, j.neck, b.scale)


def backpack_behind(b: Build, j: Joints, fill: str) -> str:
    """Return the sack of a backpack as it stands out on both sides and above the shoulders."""
    k, w = b.scale, (b.shoulders + 12) / b.scale
    sack = (
        f"M{-w:.2f} 44 L{-w:.2f} 0 Q{-w:.2f} -20 {-w + 16:.2f} -20 L{w - 16:.2f} -20 "
        f"Q{w:.2f} -20 {w:.2f} 0 L{w:.2f} 44 Q{w:.2f} 52 {w - 8:.2f} 52 L{-w + 8:.2f} 52 "
        f"Q{-w:.2f} 52 {-w:.2f} 44 Z"
    )
    folds = f"M{-w:.2f} 4 L{-w + 12:.2f} 4 M{w:.2f} 4 L{w - 12:.2f} 4"
    handle = path("M-9 -20 C-9 -30 9 -30 9 -20", stroke=edge(fill), width=6) + path(
        "M-9 -20 C-9 -30 9 -30 9 -20", stroke=fill, width=2.6
    )
    return placed(handle + path(sack, fill, edge(fill))
                  + path(folds, stroke=seam(fill), width=1.8), j.neck, k)  # fmt: skip


def backpack_straps(b: Build, j: Joints, fill: str) -> str:
    """Return the straps of a backpack before the shoulders."""
    k, x = b.scale, b.shoulders * 0.62 / b.scale
    out = ""
    for s in (-1, 1):
        strap = f"M{s * x:.2f} -1 Q{s * (x - 2):.2f} 18 {s * (x + 3):.2f} 34"
        out += path(strap, stroke=edge(fill), width=10.4) + path(strap, stroke=fill, width=6.6)
        clip = f"M{s * x - 3:.2f} 18 L{s * x + 2:.2f} 18"
        out += path(clip, stroke=seam(fill), width=1.8)
    return placed(out, j.neck, k)


def cape_behind(b: Build, j: Joints, fill: str) -> str:
    """Return a cape that spreads behind the body."""
    k, s = b.scale, b.shoulders / b.scale
    down = (j.pelvis[1] - j.neck[1] + b.leg * 0.5) / k
    down = min(down, (246.0 - j.neck[1]) / k)
    w = s + 25
    d = (
        f"M0 -4 L{-s:.2f} 2 C{-s - 4:.2f} 40 {-w + 6:.2f} {down * 0.6:.2f} {-w:.2f} {down:.2f} "
        f"Q{-w * 0.7:.2f} {down - 9:.2f} {-w * 0.45:.2f} {down:.2f} Q0 {down - 10:.2f} "
        f"{w * 0.45:.2f} {down:.2f} Q{w * 0.7:.2f} {down - 9:.2f} {w:.2f} {down:.2f} "
        f"C{w - 6:.2f} {down * 0.6:.2f} {s + 4:.2f} 40 {s:.2f} 2 Z"
    )
    folds = "".join(
        path(f"M{t * s * 1.0:.2f} 30 Q{t * w * 0.78:.2f} {down * 0.6:.2f} {t * w * 0.8:.2f} "
             f"{down - 8:.2f}", stroke=seam(fill), width=1.6)
        for t in (-1, 1)
    )  # fmt: skip
    return placed(path(d, fill, edge(fill)) + folds, j.neck, k)


def cape_collar(b: Build, j: Joints, fill: str) -> str:
    """Return what holds the cape at the neck."""
    s = b.shoulders * 0.8 / b.scale
    d = f"M{-s:.2f} 1 Q0 -9 {s:.2f} 1 Q{s * 0.7:.2f} 9 5 10 L0 14 L-5 10 Q{-s * 0.7:.2f} 9 " \
        f"{-s:.2f} 1 Z"  # fmt: skip
    clasp = ellipse(0, 8, 3.6, 3.6, "#e9c84a", 1.6)
    return placed(path(d, fill, edge(fill)) + clasp, j.neck, b.scale)
