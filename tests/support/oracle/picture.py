"""A picture as the oracle sees it: things with names, and where each can be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from support.oracle.names import Names
from support.oracle.truth import Truth, both, every, some

#: Share of a thing from which on a person is sure of it.
_VISIBLE = 0.55
#: The same of its letters.
_LEGIBLE = 0.9
#: Longest side, of the picture's, from which on a person is sure of it.
_LEAST = 0.08


class Unsure(Exception):
    """There is no telling which thing is meant."""


class Nothing(Exception):
    """No thing is meant: there is none of that name."""


@dataclass(frozen=True)
class Thing:
    """One thing: what the graph says of it, and where it can be seen, in shares of the side.

    ``hides`` holds, by number, the shares of other things that it hides; ``edges`` are left, top,
    right and bottom, None where nothing of it can be seen.
    """

    number: int
    label: str
    color: str | None
    word: str | None
    panel: int
    edges: tuple[float, float, float, float] | None
    area: float
    visible: float
    hides: Mapping[int, float]
    person: Mapping[str, Any] | None = None
    facing: str | None = None

    @property
    def there(self) -> Truth:
        """Whether a person sees it."""
        if self.edges is None:
            return False
        return True if self.visible >= _VISIBLE and max(self.extents) >= _LEAST else None

    @property
    def quarter(self) -> int | None:
        """Which quarter of the picture shows it, row by row; None where nothing of it is seen."""
        if self.edges is None:
            return None
        x, y = self.middle
        return (x > 0.5) + 2 * (y > 0.5)

    @property
    def extents(self) -> tuple[float, float]:
        """Width and height."""
        left, top, right, bottom = self._edges
        return right - left, bottom - top

    @property
    def middle(self) -> tuple[float, float]:
        """The center of its box."""
        left, top, right, bottom = self._edges
        return (left + right) / 2, (top + bottom) / 2

    @property
    def _edges(self) -> tuple[float, float, float, float]:
        if self.edges is None:
            raise Unsure(f"nothing of the {self.label} can be seen")
        return self.edges


def meant(*finds: Callable[[], Thing]) -> list[Thing]:
    """Return the things that are found, one by one.

    Raises
    ------
    Nothing
        One is not there: this is certain, whatever the others are.
    Unsure
        All may be there, and there is no telling which is meant.
    """
    found, unsure = [], None
    for find in finds:
        try:
            found.append(find())
        except Unsure as error:
            unsure = error
    if unsure is not None:
        raise unsure
    return found


class Picture:
    """What one picture shows."""

    def __init__(self, scene: Mapping[str, Any], things: Sequence[Thing], names: Names) -> None:
        self.things, self.names = tuple(things), names
        self.panels = 1 + max(thing["panel"] or 0 for thing in scene["objects"])
        self.setting = scene["setting"]
        self.chart: Mapping[str, Any] | None = scene["objects"][0].get("chart")

    def within(self, panel: int) -> Picture:
        """Return what one of four panels shows: what is seen there, whatever it was meant for."""
        found = copy(self)
        found.things = tuple(thing for thing in self.things if thing.quarter == panel)
        found.panels = 1
        return found

    def elsewhere(self, label: str) -> Truth:
        """Return whether something else shows a label: None where it may, else False."""
        return None if self.doubts(label) else False

    def doubts(self, label: str) -> list[str]:
        """Return what can be seen beside the things, or as parts, and may be called so."""
        around = self.names.around(self.setting)
        parts = self.names.parts(thing.label for thing in self.things)
        return [
            *(each for each in around if self.names.may_be(label, each)),
            *(each for each in parts if self.names.is_a(each, label)),
        ]

    def called(self, thing: Thing, label: str) -> Truth:
        """Return whether a thing is there and has this name."""
        if thing.label == label:
            return thing.there
        may_be = thing.there is not False and self.names.may_be(thing.label, label)
        return None if may_be else False

    def shows(self, label: str) -> Truth:
        """Return whether anything has this name."""
        found = [self.called(thing, label) for thing in self.things]
        return some([*found, self.elsewhere(label)])

    def number(self, label: str) -> int | None:
        """Return how many things have this name."""
        found = [self.called(thing, label) for thing in self.things]
        return None if None in found else found.count(True)

    def the(self, label: str, *told: Mapping[int, Truth], panel: int | None = None) -> Thing:
        """Return the one thing of this name of which all that is told holds, by number.

        Raises
        ------
        Nothing
            There is none.
        Unsure
            There are several, or there may be.
        """
        found = {
            thing.number: every([self.called(thing, label), *(each[thing.number] for each in told)])
            for thing in self.things
            if panel is None or thing.panel == panel
        }
        return self._only(found, label)

    def the_colored(self, color: str) -> Thing:
        """Return the one thing of a color, whatever it is.

        Raises
        ------
        Nothing
            There is none.
        Unsure
            There are several, or there may be: of some the color is not told.
        """
        found = {one.number: both(one.there, self.colored(one, color)) for one in self.things}
        return self._only(found, f"{color} thing")

    def _only(self, found: Mapping[int, Truth], what: str) -> Thing:
        """The one thing of which something was found, by number."""
        there = [thing for thing in self.things if found.get(thing.number)]
        if None in found.values() or len(there) > 1:
            raise Unsure(f"which {what}?")
        if not there:
            raise Nothing(what)
        return there[0]

    def clear(self) -> list[Thing]:
        """Return all that is there.

        Raises
        ------
        Unsure
            Of something there is no telling.
        """
        if any(thing.there is None for thing in self.things):
            raise Unsure("something is hardly to be seen")
        return [thing for thing in self.things if thing.there]

    def colored(self, thing: Thing, color: str) -> Truth:
        """Return whether a thing has a color; None where its own is not told."""
        return None if thing.color is None else thing.color == color

    def faces(self, thing: Thing, side: str) -> Truth:
        """Return whether a thing that is seen as a whole faces a side."""
        if thing.facing not in ("left", "right") or thing.visible < _LEGIBLE:
            return None
        return thing.facing == side

    def says(self, thing: Thing, word: str) -> Truth:
        """Return whether a word is written on a thing, in whatever case."""
        if thing.word is None:
            return False
        return thing.word.lower() == word.lower() if thing.visible >= _LEGIBLE else None


def from_layout(
    scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]], side: int, names: Names
) -> Picture:
    """Return a picture by rows of the tables scenes and layouts."""
    objects = {thing["id"]: thing for thing in scene["objects"]}
    things = []
    whole = [row for row in layout if row["part"] is None]
    for number, row in enumerate(sorted(whole, key=lambda row: int(row["instance"]))):
        assert row["instance"] == number, "a layout numbers its instances"
        meant, box = objects[row["object"]], row["box"]
        edges = box and tuple(box[e] / side for e in ("left", "top", "right", "bottom"))
        things.append(
            Thing(
                number, meant["label"], meant["color"], meant["text"], row["panel"], edges,
                row["pixels"] / side / side, row["visible"],
                {each["instance"]: each["share"] for each in row["hides"] or ()}, meant["person"],
                meant.get("facing"),
            )
        )  # fmt: skip
    return Picture(scene, things, names)
