"""Where things stand: to each other, in the picture, in a row, and under two conditions."""

from __future__ import annotations

from collections.abc import Callable

from support.exam.oracle.reading import (
    SIDES,
    conditions,
    family,
    fits,
    referred,
    stands,
    the,
    the_label,
)
from support.oracle import places
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Picture, Thing
from support.oracle.truth import Truth, both, every, no, reaches, some

#: Centers on a line, and off it.
_ON_LINE, _OFF_LINE = 0.04, 0.08
#: How far a center is from the border of its part of the picture.
_IN_PART = 0.03
#: How far the edge of another thing may lie beyond that of the outermost one.
_BEYOND = 0.06

_SIDE = "(?:to the left of|to the right of|above|below)"


@family("sides").reads(
    "Where is the {thing} in relation to the {thing2}?",
    "In the picture, where is the {thing} relative to the {thing2}?",
    "Which of these describes where the {thing} is in the picture?",
)
def _where(picture: Picture, found: Found, option: str) -> Truth:
    said = fits(
        rf"(?P<straight>directly )?(?P<sides>{_SIDE}(?: and {_SIDE})?) the (?P<label>LABEL)",
        option,
        picture,
    )
    if said is None or said["label"] != found.get("thing2", said["label"]):
        raise Unread(option)
    one, other = the(picture, found["thing"]), the(picture, said["label"])
    sides = said["sides"].split(" and ")
    if said["straight"] and len(sides) != 1:
        raise Unread(option)
    truth = places.stands(one, said["sides"], other)
    return both(truth, _straight(one, other, sides[0])) if said["straight"] else truth


def _straight(one: Thing, other: Thing, side: str) -> Truth:
    axis = 1 if side in SIDES[:2] else 0
    return no(reaches(abs(one.middle[axis] - other.middle[axis]), _OFF_LINE, _ON_LINE))


@family("sides").reads(
    "Which of these is {relations} {said}?", "In the picture, what is {relations} {said}?"
)
def _which(picture: Picture, found: Found, option: str) -> Truth:
    sides = found["relations"].split(" and ")
    if not {*sides} <= {*SIDES}:
        raise Unread(found["relations"])
    other, one = referred(picture, found["said"]), the(picture, the_label(option, picture))
    return places.stands(one, found["relations"], other)


_EXTREMES = {
    "farthest to the left": ("to the left of", 0, 1),
    "farthest to the right": ("to the right of", 2, -1),
    "highest up": ("above", 1, 1),
    "lowest down": ("below", 3, -1),
}


def _farthest(picture: Picture, one: Thing, said: str, but: Thing | None = None) -> Truth:
    """Whether a thing is farthest out: its center is, and its edge is not behind another's."""
    relation, edge, sign = _EXTREMES[said]
    others = [each for each in picture.clear() if each != one and each != but]
    assert one.edges is not None
    if one == but:
        return False
    found = every(places.beyond(one, relation, each) for each in others)
    behind = [sign * (one.edges[edge] - each.edges[edge]) for each in others if each.edges]
    return None if found and max(behind, default=0) > _BEYOND else found


def _register_outermost(said: str) -> None:
    @family("outermost").reads(
        f"Which of these is {said} in the picture?",
        f"In the picture, which of these is {said}?",
    )
    def _all(picture: Picture, found: Found, option: str) -> Truth:
        return _farthest(picture, the(picture, the_label(option, picture)), said)

    @family("outermost").reads(
        f"Apart from the {{thing}}, which of these is {said} in the picture?",
        f"If the {{thing}} were not there, which of these would be {said}?",
    )
    def _rest(picture: Picture, found: Found, option: str) -> Truth:
        one, but = the(picture, the_label(option, picture)), the(picture, found["thing"])
        return _farthest(picture, one, said, but)


for _each in _EXTREMES:
    _register_outermost(_each)


def _register_near(said: str) -> None:
    @family("near").reads(
        f"Which of these is {said} {{said}}?", f"In the picture, what is {said} {{said}}?"
    )
    def _near(picture: Picture, found: Found, option: str) -> Truth:
        to, one = referred(picture, found["said"]), the(picture, the_label(option, picture))
        return places.most_distant(one, to, picture.clear(), said == "nearest to")


_register_near("nearest to")
_register_near("farthest from")


@family("between").reads(
    "Three of these are in the picture. Which one is between the other two?",
    "Which of these is in the middle, between two of the others?",
)
def _middle(picture: Picture, found: Found, option: str) -> Truth:
    there = picture.clear()
    if len(there) != 3:
        raise Unread(f"three things? there are {len(there)}")
    one = the(picture, the_label(option, picture))
    return places.between(one, *(each for each in there if each != one))


@family("between").reads(
    "Which of these is between the {thing} and the {thing2}?",
    "In the picture, what is between the {thing} and the {thing2}?",
)
def _between(picture: Picture, found: Found, option: str) -> Truth:
    one = the(picture, the_label(option, picture))
    return places.between(one, the(picture, found["thing"]), the(picture, found["thing2"]))


def _register_aligned(said: str, axis: int) -> None:
    @family("aligned").reads(f"Which of these is {said} {{said}}?", f"What is {said} {{said}}?")
    def _aligned(picture: Picture, found: Found, option: str) -> Truth:
        other, one = referred(picture, found["said"]), the(picture, the_label(option, picture))
        if one == other:
            return False
        return no(reaches(abs(one.middle[axis] - other.middle[axis]), _OFF_LINE, _ON_LINE))


_register_aligned("at the same height as", 1)
_register_aligned("directly above or below", 0)


@family("hidden").reads(
    "Which of these covers part of {said}?",
    "What is in front of {said} and covers part of it?",
)
def _covers(picture: Picture, found: Found, option: str) -> Truth:
    other, one = referred(picture, found["said"]), the(picture, the_label(option, picture))
    return places.hides(one, other)


@family("hidden").reads(
    "Which of these is partly covered by {said}?",
    "What is partly hidden behind {said}?",
)
def _covered(picture: Picture, found: Found, option: str) -> Truth:
    other, one = referred(picture, found["said"]), the(picture, the_label(option, picture))
    return places.hides(other, one)


_ROWS, _COLUMNS = ("top", "middle", "bottom"), ("left", "center", "right")
_PART = (
    r"(?P<middle>in the center)|halfway up the (?P<side>left|right) side"
    r"|at the (?P<row>top|bottom) (?P<column>left|center|right)"
)


def _part(words: str, picture: Picture) -> tuple[int, int]:
    """Column and row of a part of the picture."""
    said = fits(_PART, words, picture)
    if said is None:
        raise Unread(words)
    if said["middle"]:
        return 1, 1
    return _COLUMNS.index(said["side"] or said["column"]), _ROWS.index(said["row"] or "middle")


def _lies_in(one: Thing, part: tuple[int, int]) -> Truth:
    """Whether a thing's center lies in a ninth of the picture, clear of its borders."""
    inside = []
    for at, middle in zip(part, one.middle, strict=True):
        inner = [middle - at / 3] * (at > 0) + [(at + 1) / 3 - middle] * (at < 2)
        inside.append(reaches(min(inner), _IN_PART, -_IN_PART))
    return every(inside)


@family("cells").reads(
    "In the picture, which of these is {said}?", "Which of these is {said} of the picture?"
)
def _which_in(picture: Picture, found: Found, option: str) -> Truth:
    part = _part(found["said"], picture)
    return _lies_in(the(picture, the_label(option, picture)), part)


@family("cells").reads("In which part of the picture is {said}?", "Where in the picture is {said}?")
def _in_which(picture: Picture, found: Found, option: str) -> Truth:
    return _lies_in(referred(picture, found["said"]), _part(option, picture))


#: How two conditions are joined, and what that means.
_JOINED: dict[str, Callable[[Truth, Truth], Truth]] = {
    r"both (?P<a>.+) and (?P<b>SIDE .+)": lambda a, b: both(a, b),
    r"(?P<a>.+) but not (?P<b>SIDE .+)": lambda a, b: both(a, no(b)),
    r"(?P<a>.+) or (?P<b>SIDE .+) \(or both\)": lambda a, b: some([a, b]),
    r"neither (?P<a>.+) nor (?P<b>SIDE .+)": lambda a, b: both(no(a), no(b)),
}


@family("logic").reads(
    "In the picture, which of these is {said}?",
    "In the picture, one of these is {said}. Which one is it?",
)
def _both(picture: Picture, found: Found, option: str) -> Truth:
    for pattern, joined in _JOINED.items():
        said = fits(pattern, found["said"], picture)
        if said is None:
            continue
        first = conditions(said["a"], picture)
        second = conditions(said["b"].replace(" it", f" the {first[-1][1]}"), picture)
        if len(first) != 1 or len(second) != 1:
            continue
        one = the(picture, the_label(option, picture))
        (side, label), (other, again) = first[0], second[0]
        if pattern.startswith("both") and label == again:
            return places.stands(one, f"{side} and {other}", the(picture, label))
        return joined(stands(one, first, picture), stands(one, second, picture))
    raise Unread(found["said"])
