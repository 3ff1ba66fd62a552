"""Where one thing lies from another: which side it is on, or which corner.

A thing is left of, right of, above or below another where that is the main direction: its center
lies clearly farther along that axis than along the other. What lies so along the weaker axis may
be stated (:data:`lvlmbench.scene.relations.STATED`), but is neither asked nor owed. Lengths are
shares of the picture's side, y points down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

#: Centers that are so far apart can be told to lie left, right, above, below.
POSITION = 0.06
#: Centers that are no farther apart lie level: neither is above the other.
_LEVEL = 0.015
#: The same, as a share of the mean extent of the two: large things need more.
_OF_EXTENT = 0.25
#: Along the main axis, centers are at least so many times as far apart as along the other one.
_MAIN = 1.25
#: What lies so many times as far along the other axis, and hardly along this one, is level.
_BY_FAR = 4
#: Of a corner, as "above and to the left": the farther axis against the nearer one, at most.
_CORNER = 2.0


class Box(NamedTuple):
    """Where something is, in shares of the picture's side."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height."""
        return self.bottom - self.top

    @property
    def center(self) -> tuple[float, float]:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Seen:
    """One instance as a picture shows it.

    Attributes
    ----------
    number
        Of the instance in the picture.
    box
        Where it can be seen.
    area
        Share of the picture that shows it.
    visible
        Share of it that can be seen.
    hides
        Instance that it hides a part of -> share of that.
    panel
        Which panel of the picture it is in.
    """

    number: int
    box: Box
    area: float
    visible: float = 1.0
    hides: Mapping[int, float] = field(default_factory=dict)
    panel: int = 0

    @property
    def span(self) -> float:
        """Its longest side."""
        return max(self.box.width, self.box.height)


class Judged(NamedTuple):
    """Whether something holds, and by which margin.

    Attributes
    ----------
    holds
        None where it is not clear.
    margin
        In multiples of what is needed for it to be clear: 1 and more for yes, -1 and less for no.
    """

    holds: bool | None
    margin: float


def judged(value: float, need: float) -> Judged:
    """Return what a signed quantity says that must reach ``need`` to be clear, either way."""
    margin = round(value / need, 4)
    return Judged(True if margin >= 1 else False if margin <= -1 else None, margin)


def within(value: float, yes: float, no: float) -> Judged:
    """Return what a quantity says that is yes up to one bound and no from another on."""
    middle, half = (yes + no) / 2, abs(no - yes) / 2
    return judged((middle - value) if yes < no else (value - middle), half)


def every(*parts: Judged) -> Judged:
    """Return whether all hold: the weakest one decides; a clear no of one is enough for no."""
    return min(parts, key=lambda one: one.margin)


#: Returns how one thing stands to another.
Test = Callable[[Seen, Seen], Judged]


def apart(a: Seen, b: Seen) -> tuple[float, float]:
    """Return how far centers are apart, across and down."""
    (ax, ay), (bx, by) = a.box.center, b.box.center
    return abs(ax - bx), abs(ay - by)


def _times(more: float, less: float, need: float) -> Judged:
    """Whether one length is so many times another; where it is not, nothing is clear."""
    margin = round(more / max(need * less, 1e-6), 4)
    return Judged(True if margin >= 1 else None, margin)


def _side(axis: int, sign: int) -> Test:
    """Whether a thing lies to a side of another, and that is the main direction."""
    beyond = _offset(axis, sign)

    def judge(a: Seen, b: Seen) -> Judged:
        found, away = beyond(a, b), apart(a, b)
        along, aside = away[axis], away[1 - axis]
        if found.holds:
            return every(found, _times(along, aside, _MAIN))
        level = found.holds is None and aside >= _BY_FAR * along
        return Judged(False, -1.0) if level else found

    return judge


def _corner(down: int, across: int) -> Test:
    """Whether a thing lies aslant of another: along both axes, and about as far."""
    vertical, horizontal = _offset(1, down), _offset(0, across)

    def judge(a: Seen, b: Seen) -> Judged:
        both, away = every(vertical(a, b), horizontal(a, b)), apart(a, b)
        return every(both, _times(min(away), max(away), 1 / _CORNER)) if both.holds else both

    return judge


def _offset(axis: int, sign: int) -> Test:
    """Whether a center lies farther along an axis, wherever it lies along the other one."""

    def judge(a: Seen, b: Seen) -> Judged:
        extents = [(one.box.width, one.box.height)[axis] for one in (a, b)]
        need = max(POSITION, _OF_EXTENT * sum(extents) / 2)
        return within(sign * (b.box.center[axis] - a.box.center[axis]), need, _LEVEL)

    return judge


#: Sides by the main direction.
SIDES: Mapping[str, Test] = {
    "left_of": _side(0, 1),
    "right_of": _side(0, -1),
    "above": _side(1, 1),
    "below": _side(1, -1),
}
#: Two sides at once, about as far along either axis: "above and to the left of".
CORNERS: Mapping[str, Test] = {
    "above+left_of": _corner(1, 1),
    "above+right_of": _corner(1, -1),
    "below+left_of": _corner(-1, 1),
    "below+right_of": _corner(-1, -1),
}
#: Sides by one axis alone, as what is farthest to the left of all is farther left than each.
FARTHER: Mapping[str, Test] = {
    "farther_left": _offset(0, 1),
    "farther_right": _offset(0, -1),
    "higher": _offset(1, 1),
    "lower": _offset(1, -1),
}
