"""Where things stand: poses and places without overlap, wholly on the canvas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lvlmbench.stages.render.kinds.pictograph.raster import Pose

#: Longest side of a thing as a share of the canvas, by how many things there are.
SPAN = {1: (0.50, 0.74), 2: (0.34, 0.46), 3: (0.27, 0.37)}

#: Where to put 2 or 3 things when random places keep colliding: centers as shares of the canvas.
_SLOTS = {
    1: (((0.5, 0.5),),),
    2: (((0.27, 0.5), (0.73, 0.5)), ((0.28, 0.3), (0.72, 0.7)), ((0.72, 0.28), (0.28, 0.72))),
    3: (
        ((0.27, 0.28), (0.73, 0.28), (0.5, 0.72)),
        ((0.5, 0.28), (0.27, 0.72), (0.73, 0.72)),
    ),
}


@dataclass(frozen=True)
class Place:
    """One thing's pose and the left upper corner of its posed box, in pixels."""

    pose: Pose
    corner: tuple[int, int]


def half_tangent(rng: np.random.Generator, degrees: float) -> float:
    """Tangent of half a random tilt of at most ``degrees``; three in ten stand upright."""
    # tan(x/2) is nearly x/2 for the small tilts used here; no transcendental function is needed.
    limit = degrees * (3.141592653589793 / 360)
    upright, tilt = rng.random(2)
    return 0.0 if upright < 0.3 else float((2 * tilt - 1) * limit)


def _overlaps(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def place(
    rng: np.random.Generator,
    canvas: int,
    sizes: list[tuple[int, int]],
    spans: list[float],
    tilt: float,
    mirror: bool,
) -> list[Place]:
    """Pose and place the things; boxes neither overlap nor leave the canvas.

    Parameters
    ----------
    sizes
        Width and height of each thing's raster, in pixels.
    spans
        Wanted longest side of each, in pixels; reduced where it would not fit.
    tilt
        Largest tilt in degrees.
    mirror
        Whether a thing may be mirrored.
    """
    margin = max(1, round(canvas * 0.012))
    room = canvas - 2 * margin
    poses, extents = [], []
    for (width, height), span in zip(sizes, spans, strict=True):
        half_tan = half_tangent(rng, tilt)
        mirrored = bool(rng.random() < 0.5) and mirror
        pose = Pose(span / max(width, height), half_tan, mirrored)
        extent = pose.extent(width, height)
        if max(extent) > room:
            # One pixel less than fits, since the extent is rounded up.
            pose = Pose(pose.scale * (room - 1) / max(extent), half_tan, mirrored)
            extent = pose.extent(width, height)
        poses.append(pose)
        extents.append(extent)
    for _ in range(60):
        boxes: list[tuple[int, int, int, int]] = []
        for width, height in extents:
            u, v = rng.random(2)
            x = margin + int(u * (room - width + 1))
            y = margin + int(v * (room - height + 1))
            boxes.append((x, y, x + width, y + height))
        if not any(_overlaps(a, b) for i, a in enumerate(boxes) for b in boxes[:i]):
            return [Place(p, b[:2]) for p, b in zip(poses, boxes, strict=True)]
    slots = _SLOTS[len(sizes)][int(rng.integers(len(_SLOTS[len(sizes)])))]
    most = canvas * (0.44 if len(sizes) > 1 else 0.96)
    places = []
    for pose, size, extent, (u, v) in zip(poses, sizes, extents, slots, strict=True):
        if max(extent) > most:
            pose = Pose(pose.scale * (most - 1) / max(extent), pose.half_tan, pose.mirrored)
            extent = pose.extent(*size)
        places.append(
            Place(pose, (round(u * canvas - extent[0] / 2), round(v * canvas - extent[1] / 2)))
        )
    return places
