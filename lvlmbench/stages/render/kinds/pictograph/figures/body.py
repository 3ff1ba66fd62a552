"""Builds by age and gender, and where the joints are in each pose."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from lvlmbench.scene.figures.figure import GROUND, MIDDLE, Figure
from lvlmbench.stages.render.kinds.pictograph.figures.marks import Point


@dataclass(frozen=True)
class Build:
    """Measures of a body: half widths of shoulders, waist and hips, lengths, limb widths.

    ``drop`` is how far the head sinks between the shoulders, ``lean`` how far it comes forward,
    ``head`` the scale of the head, ``scale`` that of garments made for a grown torso.
    """

    shoulders: float
    waist: float
    hips: float
    torso: float
    leg: float
    upper: float
    fore: float
    arm_width: float
    leg_width: float
    head: float
    scale: float
    drop: float = 0.0
    lean: float = 0.0


BUILDS = {
    ("child", "man"): Build(17, 15, 15, 38, 44, 19, 17, 8.5, 10, 0.94, 0.68),
    ("child", "woman"): Build(16, 14, 16, 38, 44, 19, 17, 8.5, 10, 0.94, 0.68),
    ("adult", "man"): Build(29, 21, 19, 58, 82, 31, 28, 12, 14, 1.0, 1.0),
    ("adult", "woman"): Build(21.5, 14.5, 22, 57, 82, 30, 27, 9.5, 13, 1.0, 0.92),
    ("elderly", "man"): Build(25, 23, 20, 53, 70, 29, 27, 11, 13, 1.0, 0.92, 7, 6),
    ("elderly", "woman"): Build(20, 18, 22, 52, 70, 28, 26, 9.5, 12.5, 1.0, 0.86, 7, 6),
}


@dataclass(frozen=True)
class Joints:
    """Where the parts of a body are; pairs are (left, right) on the picture.

    ``toes`` tells to which side each foot points (-1 left, 1 right).
    """

    head: Point
    neck: Point
    pelvis: Point
    shoulders: tuple[Point, Point]
    elbows: tuple[Point, Point]
    hands: tuple[Point, Point]
    hips: tuple[Point, Point]
    knees: tuple[Point, Point]
    ankles: tuple[Point, Point]
    toes: tuple[int, int]


Way = tuple[Point, Point]

_DOWN: Way = ((0.22, 0.97), (0.06, 1.0))

#: Directions of (upper arm, forearm) of the left and the right arm; x grows outwards.
_ARMS: dict[str, tuple[Way, Way]] = {
    "standing": (_DOWN, _DOWN),
    "waving": (_DOWN, ((0.96, 0.1), (0.3, -0.95))),
    "arms raised": (((0.72, -0.7), (0.12, -1.0)), ((0.72, -0.7), (0.12, -1.0))),
    "arms stretched out": (((1.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (1.0, 0.0))),
    "hands on hips": (((0.75, 0.66), (-0.74, 0.68)), ((0.75, 0.66), (-0.74, 0.68))),
    "arms crossed": (((0.14, 0.98), (-1.0, -0.3)), ((0.14, 0.98), (-1.0, -0.3))),
    "running": (((0.85, 0.5), (-0.35, 0.94)), ((0.3, 0.95), (0.8, -0.6))),
    "sitting": (_DOWN, ((0.3, 0.95), (0.8, 0.5))),
    "kneeling": (_DOWN, ((0.3, 0.95), (0.8, 0.4))),
    "standing on one leg": (((0.8, 0.55), (0.9, 0.3)), ((0.8, 0.55), (0.9, 0.3))),
}

#: Directions of (thigh, shin) of both legs, x grows to the right; then the feet's sides.
_LEGS: dict[str, tuple[Way, Way, tuple[int, int]]] = {
    "running": (((-0.4, 0.92), (-0.78, 0.62)), ((0.95, 0.16), (-0.2, 1.0)), (1, 1)),
    "sitting": (((0.98, 0.06), (0.1, 1.0)), ((0.98, 0.06), (0.1, 1.0)), (1, 1)),
    "kneeling": (((-0.2, 0.98), (-1.0, 0.05)), ((1.0, 0.02), (0.02, 1.0)), (1, 1)),
    "standing on one leg": (((0.0, 1.0), (0.0, 1.0)), ((0.85, 0.5), (-0.8, 0.6)), (-1, 1)),
}
_STRAIGHT = ((-0.06, 1.0), (-0.03, 1.0)), ((0.06, 1.0), (0.03, 1.0)), (-1, 1)
#: Old knees give way outwards.
_BOWED = ((-0.22, 0.97), (0.14, 0.99)), ((0.22, 0.97), (-0.14, 0.99)), (-1, 1)

#: How a thing is carried -> directions of the arm that carries it.
CARRYING: dict[str, Way] = {
    "up": ((0.34, 0.94), (0.8, -0.6)),
    "front": ((0.3, 0.95), (0.86, -0.3)),
    "down": ((0.4, 0.92), (0.12, 1.0)),
}

#: Which hand holds the thing: the left one (0) where the right one is busy.
_HOLDS = {"waving": 0, "standing on one leg": 0, "sitting": 0, "kneeling": 0}


def holding_side(action: str) -> int:
    """Return the hand that is free in an action: 0 left, 1 right on the picture."""
    return _HOLDS.get(action, 1)


def _step(a: Point, way: Point, length: float, side: int = 1) -> Point:
    norm = sqrt(way[0] * way[0] + way[1] * way[1])
    return a[0] + side * way[0] / norm * length, a[1] + way[1] / norm * length


def build_of(figure: Figure) -> Build:
    """Return the measures of a figure's body."""
    return BUILDS[figure.age, figure.gender]


def joints(figure: Figure, carried: str | None) -> Joints:
    """Return where the joints are; ``carried`` is a key of :data:`CARRYING` or None."""
    b, action = build_of(figure), figure.action
    sole = 7.0 * b.scale
    left, right, toes = _LEGS.get(action, _BOWED if figure.age == "elderly" else _STRAIGHT)
    apart = 0.3 if action in ("sitting", "kneeling", "running") else 0.55
    half = b.leg / 2
    rest = (0.0, 0.0)
    feet = [_step(_step(rest, w[0], half), w[1], half)[1] for w in (left, right)]
    reach = max(feet)
    if action == "kneeling":
        reach = max(_step(rest, left[0], half)[1] + b.leg_width / 2 - sole, feet[1])
    elif action == "running":
        reach += 13 * b.scale  # on tiptoe
    lean = {"running": 7.0 * b.scale}.get(action, 0.0)
    shift = {"sitting": -8.0, "kneeling": -4.0}.get(action, 0.0) * b.scale
    pelvis = (MIDDLE + shift, GROUND - sole - reach)
    neck = (pelvis[0] + lean, pelvis[1] - b.torso)
    head = (neck[0] + lean * 0.5 + b.lean, neck[1] - 26 * b.head + b.drop)
    hips = (
        (pelvis[0] - b.hips * apart, pelvis[1]),
        (pelvis[0] + b.hips * apart, pelvis[1]),
    )
    at = b.shoulders - b.arm_width * 0.45
    y = neck[1] + b.arm_width * 0.62
    shoulders = ((neck[0] - at, y), (neck[0] + at, y))
    ways = list(_ARMS[action])
    if carried is not None:
        ways[holding_side(action)] = CARRYING[carried]
    elbows = [_step(shoulders[i], ways[i][0], b.upper, 2 * i - 1) for i in (0, 1)]
    hands = [_step(elbows[i], ways[i][1], b.fore, 2 * i - 1) for i in (0, 1)]
    knees = [_step(hips[i], (left, right)[i][0], half) for i in (0, 1)]
    ankles = [_step(knees[i], (left, right)[i][1], half) for i in (0, 1)]
    return Joints(
        head, neck, pelvis, shoulders, (elbows[0], elbows[1]), (hands[0], hands[1]), hips,
        (knees[0], knees[1]), (ankles[0], ankles[1]), toes,
    )  # fmt: skip
