"""How things stand to each other, by a person's eye.

Bounds are those that the scenes promise to keep to, read strictly, or a little wider than what a
person tells apart: a center 6 % of the side away, a size 1.25 times another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import acos, degrees, hypot, inf

from support.oracle.picture import Picture, Thing, meant
from support.oracle.truth import Truth, every, no, reaches

_CLEAR, _LEVEL = 0.06, 0.02
_LARGER, _SAME = 1.25, 1.1
#: A thing that has moved within its panel: from here on a person sees it.
_MOVED = 0.05
_HIDES, _TOUCHES = 0.15, 0.02
#: How far what is inside or on something sticks out of it, and what does not.
_SLACK, _OUT = 0.016, 0.055
#: Angle at what stands between two things, from one to the other, in degrees.
_BETWEEN, _ASIDE = 115.0, 105.0

Test = Callable[[Thing, Thing], Truth]


def _apart(axis: int, sign: int, steepest: float = 1.2, level: float = 3.9) -> Test:
    """To a side, and that is the direction in which it lies rather than the other axis."""

    def test(a: Thing, b: Thing) -> Truth:
        if a.number == b.number:
            return False
        if a.panel != b.panel:
            return None
        by, aside = (sign * (b.middle[at] - a.middle[at]) for at in (axis, 1 - axis))
        clear = max(_CLEAR, (a.extents[axis] + b.extents[axis]) / 10)
        if by < clear:
            return False if by <= _LEVEL or abs(aside) >= level * by else None
        return True if by >= steepest * abs(aside) else None

    return test


def _aslant(a: Thing, sides: Sequence[str], b: Thing) -> Truth:
    """To two sides at once: about as far along either axis."""
    return every(_apart(*AXES[side], 0.45, inf)(a, b) for side in sides)


def beyond(a: Thing, side: str, b: Thing) -> Truth:
    """Return whether a lies farther to a side than b does, by that axis alone."""
    return _apart(*AXES[side], 0.0, inf)(a, b)


def hides(a: Thing, b: Thing) -> Truth:
    """Return whether a hides a part of b that a person notices."""
    return reaches(a.hides.get(b.number, 0.0), _HIDES, _TOUCHES)


def _in_front(a: Thing, b: Thing) -> Truth:
    if hides(a, b) and hides(b, a) is False:
        return True
    return False if hides(b, a) and hides(a, b) is False else None


def larger(a: Thing, b: Thing) -> Truth:
    """Return whether a is drawn larger than b, by its longest side and by its area."""
    if min(a.visible, b.visible) < 0.85:
        return None
    by = (max(a.extents) / max(b.extents), (a.area / b.area) ** 0.5)
    if min(by) >= _LARGER:
        return True
    return False if max(by) <= 1 / _LARGER else None


def _gap(a: Thing, b: Thing) -> float:
    assert a.edges and b.edges
    away = [
        max(a.edges[axis] - b.edges[axis + 2], b.edges[axis] - a.edges[axis + 2], 0.0)
        for axis in (0, 1)
    ]
    return hypot(*away)


def _next_to(a: Thing, b: Thing) -> Truth:
    if a.number == b.number:  # nobody stands next to oneself
        return False
    return no(reaches(_gap(a, b), 0.16, 0.06))


def _on(a: Thing, b: Thing) -> Truth:
    """Standing on a thing: the lower edge of one within the upper half of the other."""
    (left, top, right, bottom), foot = _edges(b), _edges(a)[3]
    x = a.middle[0]
    if x < left - _OUT or x > right + _OUT or foot < top - _OUT or _edges(a)[1] >= bottom:
        return False
    within = left <= x <= right and top - _SLACK <= foot <= (top + bottom) / 2
    return True if within and a.panel == b.panel else None


def _inside(a: Thing, b: Thing) -> Truth:
    """Within a thing on all four sides."""
    inner, outer = _edges(a), _edges(b)
    out = max(
        outer[0] - inner[0], outer[1] - inner[1], inner[2] - outer[2], inner[3] - outer[3]
    )  # fmt: skip
    return no(reaches(out, _OUT, _SLACK))


def _edges(a: Thing) -> tuple[float, float, float, float]:
    assert a.edges
    return a.edges


def _nearer(a: Thing, b: Thing) -> Truth:
    """Standing lower on the ground, and drawn larger; by one of the two alone nobody can tell."""
    lower = reaches(_edges(a)[3] - _edges(b)[3], _CLEAR, -_CLEAR)
    return lower if lower == larger(a, b) else None


def farthest(a: Thing, others: Sequence[Thing], nearest: bool) -> Truth:
    """Return whether a stands nearer to the viewer than all others do, or farther away."""
    rest = [one for one in others if one.number != a.number]
    return every(_nearer(a, one) if nearest else _nearer(one, a) for one in rest)


#: Side -> its axis, and the way along it.
AXES = {"to the left of": (0, 1), "to the right of": (0, -1), "above": (1, 1), "below": (1, -1)}

#: Words behind "is" -> what they say of two things.
RELATIONS: dict[str, Test] = {
    **{side: _apart(*axis) for side, axis in AXES.items()},
    "in front of": _in_front,
    "behind": lambda a, b: _in_front(b, a),
    "larger than": larger,
    "smaller than": lambda a, b: larger(b, a),
    "right next to": _next_to,
    "on": _on,
    "inside": _inside,
    "nearer than": _nearer,
    "farther away than": lambda a, b: _nearer(b, a),
}
#: Those of where things are, and of what hides a part of what.
SIDES = ("to the left of", "to the right of", "above", "below")
ORDERS = ("in front of", "behind")
#: What things are on or inside of.
PROPS = ("table", "bed", "rug", "picture frame", "box", "jar")


def stands(a: Thing, relations: str, b: Thing) -> Truth:
    """Return whether a stands so to b; relations may be joined by "and"."""
    sides = relations.split(" and ")
    return RELATIONS[relations](a, b) if len(sides) == 1 else _aslant(a, sides, b)


def told(picture: Picture, label: str, relations: str, other: str) -> Truth:
    """Return whether the one thing of a name stands so to the one of another name."""
    one, two = meant(lambda: picture.the(label), lambda: picture.the(other))
    return stands(one, relations, two)


def _away(a: Thing, b: Thing) -> float:
    return hypot(a.middle[0] - b.middle[0], a.middle[1] - b.middle[1])


def _closer(a: Thing, b: Thing, to: Thing) -> Truth:
    """Whether a is closer to a thing than b is, by centers and by gaps."""
    found = {_less(measure(a, to), measure(b, to)) for measure in (_away, _gap)}
    return found.pop() if len(found) == 1 else None


def _less(one: float, other: float) -> Truth:
    if other - one >= max(_CLEAR, one / 5):
        return True
    return False if one - other >= max(_CLEAR, other / 5) else None


def most_distant(a: Thing, to: Thing, others: Sequence[Thing], nearest: bool) -> Truth:
    """Return whether a is nearest to a thing, or farthest from it, of it and the others."""
    rest = [one for one in others if one.number not in (a.number, to.number)]
    if a.number == to.number:
        return False
    beats = [_closer(a, one, to) if nearest else _closer(one, a, to) for one in rest]
    if False in beats:
        return False
    found = every(beats)
    if found is None and rest and all(_beaten(a, to, rest, nearest, m) for m in (_away, _gap)):
        return False
    return found


def _beaten(
    a: Thing, to: Thing, rest: Sequence[Thing], nearest: bool, measure: Callable[..., float]
) -> bool:
    """Whether another thing is clearly nearer (or farther) by one measure, whichever it is."""
    own = measure(a, to)
    others = [measure(one, to) for one in rest]
    return _less(min(others), own) is True if nearest else _less(own, max(others)) is True


def between(a: Thing, b: Thing, c: Thing) -> Truth:
    """Return whether a stands between two others: by the angle under which it sees them."""
    if len({a.number, b.number, c.number}) < 3:
        return False
    (ax, ay), (bx, by), (cx, cy) = a.middle, b.middle, c.middle
    to_b, to_c = (bx - ax, by - ay), (cx - ax, cy - ay)
    lengths = hypot(*to_b) * hypot(*to_c)
    if min(hypot(*to_b), hypot(*to_c)) < _CLEAR:
        return None
    cosine = (to_b[0] * to_c[0] + to_b[1] * to_c[1]) / lengths
    return reaches(degrees(acos(max(-1.0, min(1.0, cosine)))), _BETWEEN, _ASIDE)


def largest(picture: Picture, a: Thing) -> Truth:
    """Return whether a thing is larger than all others."""
    return every(larger(a, one) for one in picture.clear() if one.number != a.number)


def smallest(picture: Picture, a: Thing) -> Truth:
    """Return whether a thing is smaller than all others."""
    return every(larger(one, a) for one in picture.clear() if one.number != a.number)


def moved(a: Thing, b: Thing, corners: Sequence[tuple[float, float]]) -> Truth:
    """Return whether two things stand at different places of their panels."""
    by = max(
        abs(a.middle[axis] - corners[a.panel][axis] - b.middle[axis] + corners[b.panel][axis])
        for axis in (0, 1)
    )
    return reaches(by, _MOVED, _LEVEL)


def grown(a: Thing, b: Thing) -> Truth:
    """Return whether b, which may be in another panel, is drawn larger than a."""
    if min(a.visible, b.visible) < 0.85:
        return None
    by = (max(b.extents) / max(a.extents), (b.area / a.area) ** 0.5)
    return True if min(by) >= _LARGER else False if max(by) <= _SAME else None
