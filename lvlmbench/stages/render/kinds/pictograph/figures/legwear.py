"""Legs and what is worn on them and on the feet."""

from __future__ import annotations

from math import sqrt

from lvlmbench.stages.render.kinds.pictograph.faces import path
from lvlmbench.stages.render.kinds.pictograph.figures.body import Build, Joints
from lvlmbench.stages.render.kinds.pictograph.figures.marks import (
    Point,
    between,
    disc,
    edge,
    hull,
    limb,
    line,
    seam,
    turned,
)


def unit(a: Point, b: Point) -> Point:
    """Return the direction from ``a`` to ``b``."""
    x, y = b[0] - a[0], b[1] - a[1]
    norm = sqrt(x * x + y * y) or 1.0
    return x / norm, y / norm


def _foot(kind: str | None, fill: str, scale: float) -> str:
    k = scale

    def at(*numbers: float) -> str:
        return " ".join(f"{n * k:.2f}" for n in numbers)

    if kind is None:
        shape = f"M{at(-5, -5)} L{at(5, -5)} C{at(8, 0, 15, 1, 16, 4)} L{at(16, 7)} L{at(-5, 7)} Z"
        return path(shape, fill) + path(
            f"M{at(10, 6.6)} L{at(10.6, 4)} M{at(13, 6.6)} L{at(13.4, 4.4)}", width=1.1
        )
    if kind == "boots":
        shape = f"M{at(-8, -6)} L{at(8, -6)} C{at(9, -2, 19, -3, 19.5, 5)} L{at(19.5, 8)}"
        sole = f"M{at(-8, 6)} L{at(19.5, 6)}"
        return path(f"{shape} L{at(-8, 8)} Z", fill, edge(fill)) + path(
            sole, stroke=seam(fill), width=2.4
        )
    shape = f"M{at(-8, -7)} L{at(6, -8)} C{at(9, -3, 19, -4, 20, 4)} L{at(20, 8)} L{at(-8, 8)} Z"
    sole = f"M{at(-8.6, 6)} L{at(20.4, 6)} L{at(20.6, 8.4)} L{at(-8.6, 8.4)} Z"
    laces = f"M{at(4, -3.4)} L{at(9, -6.4)} M{at(8, -1.4)} L{at(12.4, -4.4)}"
    return (
        path(shape, fill, edge(fill))
        + path(sole, "#ffffff", width=1.3)
        + path(laces, stroke="#ffffff" if fill != "#f5f5f5" else "#6b6b70", width=1.7)
    )


def leg(
    side: int, b: Build, j: Joints, skin: str, bottom: tuple[str, str] | None,
    shoes: tuple[str, str] | None,
) -> str:  # fmt: skip
    """Return one leg with trousers or shorts and the foot; fills, not names of colors."""
    hip, knee, ankle = j.hips[side], j.knees[side], j.ankles[side]
    down, flip = unit(knee, ankle), j.toes[side]
    if down[0] < -0.95:  # a shin that lies on the ground: the sole looks up
        down, flip = (0.0, -1.0), 1
    out = []
    if not (bottom and bottom[0] == "trousers"):
        out.append(limb([hip, knee, ankle], skin, b.leg_width))
    foot = _foot(shoes and shoes[0], shoes[1] if shoes else skin, b.scale)
    out.append(turned(foot, ankle, down, flip))
    if bottom and bottom[0] == "trousers":
        fill = bottom[1]
        wide = b.leg_width + 5
        end = between(knee, ankle, 0.98 - wide / b.leg)  # its round end reaches further
        out.append(limb([hip, knee, end], fill, wide))
        out.append(path(line([between(knee, hip, 0.12), between(knee, ankle, 0.14)]),
                        stroke=seam(fill), width=1.2))  # fmt: skip
    elif bottom and bottom[0] == "shorts":
        fill = bottom[1]
        wide = b.leg_width + 7 * b.scale
        end = between(hip, knee, 0.8 - wide / b.leg)  # its round end reaches further
        out.append(limb([hip, end], fill, wide))
        way = unit(hip, knee)
        x, y = way[1] * wide * 0.46, -way[0] * wide * 0.46
        hem = [(end[0] - x, end[1] - y), (end[0] + x, end[1] + y)]
        out.append(path(line(hem), stroke=seam(fill), width=1.7))
    if shoes and shoes[0] == "boots":
        fill = shoes[1]
        out.append(limb([between(knee, ankle, 0.48), ankle], fill, b.leg_width + 6))
        out.append(turned(foot, ankle, down, flip))
        top, along = between(knee, ankle, 0.48), unit(knee, ankle)
        half = b.leg_width / 2 + 2.6
        across = (along[1] * half, -along[0] * half)
        d = line(
            [(top[0] - across[0], top[1] - across[1]), (top[0] + across[0], top[1] + across[1])]
        )
        out.append(path(d, stroke=edge(fill), width=9 * b.scale + 3))
        out.append(path(d, stroke=fill, width=9 * b.scale))
    return "".join(out)


def pelvis(b: Build, j: Joints, fill: str) -> str:
    """Return the seat of trousers or shorts, below the top's hem."""
    x, y = j.pelvis
    w = b.hips
    d = (
        f"M{x - w:.2f} {y - 16 * b.scale:.2f} L{x - w - 1:.2f} {y + 4:.2f} "
        f"Q{x:.2f} {y + 12 * b.scale:.2f} {x + w + 1:.2f} {y + 4:.2f} "
        f"L{x + w:.2f} {y - 16 * b.scale:.2f} Z"
    )
    return path(d, fill, fill, 1.0)


def hanging(b: Build, j: Joints, share: float, flare: float, from_waist: float) -> list[Point]:
    """Return the outline of a skirt that hangs around the thighs to this share of them."""
    points: list[Point] = []
    x, y = j.pelvis
    top = y - from_waist
    points += [(x - b.waist - 1, top), (x + b.waist + 1, top)]
    for side in (0, 1):
        hip, knee = j.hips[side], j.knees[side]
        points += disc(hip, b.leg_width * 0.5 + b.hips * 0.35)
        end = between(hip, knee, share)
        way = unit(hip, knee)
        out = (2 * side - 1) * flare
        if way[1] > 0.6:
            points += [(end[0] + out, end[1]), (end[0] - out * 0.3, end[1])]
        else:
            points += disc(end, b.leg_width * 0.75)
            # The cloth falls over the knee.
            points.append((end[0] + b.leg_width * 0.8, end[1] + b.leg_width * 1.5))
            points.append((end[0] - b.leg_width * 0.7, end[1] + b.leg_width * 1.5))
    return hull(points)


def skirt(b: Build, j: Joints, fill: str) -> str:
    """Return a pleated skirt to above the knee."""
    shape = hanging(b, j, 0.78, 16 * b.scale, 12 * b.scale)
    out = path(line(shape) + " Z", fill, edge(fill))
    x, y = j.pelvis
    top = (x, y - 12 * b.scale)
    for side in (0, 1):
        end = between(j.hips[side], j.knees[side], 0.74)
        for shift in (-6.0, 1.0, 8.0):
            start = (top[0] + (2 * side - 1) * (4 + shift * 0.5), top[1] + 10 * b.scale)
            foot = (end[0] + (2 * side - 1) * shift * b.scale, end[1])
            out += path(line([start, foot]), stroke=seam(fill), width=1.8)
    w, h = b.waist + 2, 6.4 * b.scale
    band = f"M{x - w:.2f} {top[1] - 1:.2f} h{2 * w:.2f} v{h:.2f} h{-2 * w:.2f} Z"
    return out + path(band, fill, edge(fill), 1.8)
