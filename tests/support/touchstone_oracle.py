"""A second reader of scenes of ``touchstone``: by boxes and rows of graphs, without its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]

SIDES: Mapping[str, tuple[int, int]] = {
    "to the left of": (0, -1), "to the right of": (0, 1), "above": (1, -1), "below": (1, 1),
    "farthest to the left": (0, -1), "farthest to the right": (0, 1),
    "highest in the picture": (1, -1), "lowest in the picture": (1, 1),
}  # fmt: skip
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
OUT = "(farthest to the left|farthest to the right|highest in the picture|lowest in the picture)"
REL = "(to the left of|to the right of|above|below)"
#: What a picture's parts are called -> thirds of width and height that hold the center.
PLACES: Mapping[str, tuple[int | None, int | None]] = {
    "at the top left": (0, 0), "at the top center": (1, 0), "at the top right": (2, 0),
    "halfway up on the left": (0, 1), "in the center": (1, 1), "halfway up on the right": (2, 1),
    "at the bottom left": (0, 2), "at the bottom center": (1, 2),
    "at the bottom right": (2, 2), "at the top": (None, 0), "halfway up": (None, 1),
    "at the bottom": (None, 2), "on the left": (0, None), "on the right": (2, None),
    "halfway across": (1, None),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing that is drawn."""

    label: str
    color: str | None
    text: str | None
    person: Row | None
    center: tuple[float, float]
    span: float
    plural: str = ""

    def beside(self, side: str, other: Thing) -> bool:
        """Whether its center lies on that side of another's, rather than along the other axis."""
        axis, sign = SIDES[side]
        by = [self.center[at] - other.center[at] for at in (0, 1)]
        return sign * by[axis] > max(0.03, abs(by[1 - axis]))

    @property
    def worn(self) -> set[str]:
        """Clothes, as "red scarf"; trousers are called pants."""
        worn = (self.person or {}).get("garments", ())
        return {f"{g['color']} {g['label'].replace('trousers', 'pants')}" for g in worn}


@dataclass(frozen=True)
class Picture:
    """What a picture shows, as rows say."""

    things: tuple[Thing, ...]
    style: str | None
    background: str | None
    plurals: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, scene: Row, layout: Iterable[Row], side: int, plurals: Mapping[str, str]
    ) -> Picture:
        """Read scene and layout rows."""
        objects = {each["id"]: each for each in scene["objects"]}
        found = []
        for row in layout:
            if row["part"] is None:
                about, box = objects[row["object"]], row["box"]
                left, top, right, bottom = (
                    box[each] / side for each in ("left", "top", "right", "bottom")
                )
                center = ((left + right) / 2, (top + bottom) / 2)
                found.append(
                    Thing(
                        *(about["label"], about["color"], about["text"], about["person"], center),
                        max(right - left, bottom - top),
                    )
                )
        setting = scene["setting"]
        return cls(tuple(found), setting["style"], setting["background"], plurals)

    def one(self, label: str) -> Thing:
        """The only thing of a label."""
        (found,) = (each for each in self.things if each.label == label)
        return found

    def kind(self, plural: str) -> list[Thing]:
        """Things of a label that is given in the plural."""
        return [each for each in self.things if self.plurals.get(each.label) == plural]

    def outer(self, how: str) -> Thing:
        """The thing that is outermost."""
        axis, sign = SIDES[how]
        return max(self.things, key=lambda each: sign * each.center[axis])

    def sized(self, how: str, things: Iterable[Thing]) -> Thing:
        """The largest thing, or the smallest."""
        choose = max if how in ("largest", "larger") else min
        return choose(things, key=lambda each: each.span)

    def which(self, side: str, other: Thing, among: Iterable[Thing]) -> Thing:
        """The only one of some things that stands so to another."""
        (found,) = (each for each in among if each is not other and each.beside(side, other))
        return found

    def who(self, worn: str) -> Thing:
        """The only person who wears something."""
        worn = garment(worn)
        (found,) = (each for each in self.things if worn in each.worn)
        return found


def garment(said: str) -> str:
    """A garment without its article."""
    return re.sub(r"^an? ", "", said)


def someone(person: Row) -> str:
    """Who somebody is, as far as rows say."""
    if person["age"] == "child":
        return "a child"
    return (
        f"an elderly {person['gender']}" if person["age"] == "elderly" else f"a {person['gender']}"
    )


def is_somebody(said: str, person: Row) -> bool:
    """Whether words may name somebody: less may be said than is known."""
    vague = "an elderly person" if person["age"] == "elderly" else "a person"
    return said in (someone(person), vague)


def bare(words: str) -> str:
    """Words without an article."""
    return re.sub(r"^(an?|the) ", "", words, flags=re.I)


Check = Callable[[Picture, "re.Match[str]"], bool]


def checked(picture: Picture, text: str, checks: Iterable[tuple[str, Check]]) -> bool:
    """Whether a text holds by the first pattern that it fits; AssertionError where none does."""
    for pattern, check in checks:
        found = re.fullmatch(pattern, text, re.S)
        if found:
            return check(picture, found)
    raise AssertionError(f"no pattern fits: {text}")
