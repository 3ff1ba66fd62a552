"""What a picture shows, as questions see it: attributes from the graph, places as measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from lvlmbench.scene import panels, relations
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.relations import VISIBLE, Box, Judged, Seen

#: Shares of the side by which a thing has clearly moved, and has not.
_FAR, _NEAR = 0.055, 0.02
#: Smaller than this a thing cannot be told for sure.
_LEAST = 0.085

#: Whether two labels may stand for one thing.
Clash = Callable[[str, str], bool]
#: What is known of kinds of things: what it is called -> label -> what is so.
Facts = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Instance:
    """One thing that is drawn.

    Attributes
    ----------
    number
        Of the instance in the picture.
    object
        What the graph says of it.
    seen
        Where it can be seen; None where it cannot.
    """

    number: int
    object: Object
    seen: Seen | None

    @cached_property
    def there(self) -> bool | None:
        """Whether a person sees it; None where that is not clear."""
        if self.seen is None:
            return False
        return True if self.seen.visible >= VISIBLE and self.seen.span >= _LEAST else None


class World:
    """The instances of a picture, and how they stand to each other."""

    def __init__(
        self,
        graph: Graph,
        layout: Sequence[Mapping[str, Any]],
        side: int,
        clash: Clash,
        facts: Facts | None = None,
    ) -> None:
        objects = {thing.id: thing for thing in graph.objects}
        self.graph, self.clash = graph, clash
        self.facts: Facts = facts or {}
        self.instances = tuple(
            Instance(row["instance"], _drawn(objects[row["object"]], row), _seen(row, side))
            for row in layout
            if row["part"] is None
        )
        #: Whether the parts of a chart, as they were drawn, show its values.
        self.reads_back = any(
            each["predicate"] == "reads_back" and each["holds"]
            for row in layout
            for each in row["relations"]
        )
        #: What was found out of a chart: (what is asked, value) -> whether it holds.
        self.charted: dict[tuple[str, str], bool] = {}
        #: What is asked of a chart -> the one number or color that answers it.
        self.exact: dict[str, str] = {}
        #: Which instances have a value of an attribute, once it was found out.
        self.having: dict[tuple[str, str | int], dict[int, bool | None]] = {}
        #: Of a statement, whether it holds in each panel, once it was found out.
        self.by_panel: dict[str, list[bool | None]] = {}
        #: Of two panels, how many things differ, and of how many that is not clear.
        self.differing: dict[tuple[int, int], tuple[int, int] | None] = {}
        self._seen = {one.number: one.seen for one in self.instances}
        self._judged: dict[tuple[str, int, int, int], bool | None] = {}

    @cached_property
    def things(self) -> list[Instance]:
        """What is clearly there."""
        return [one for one in self.instances if one.there]

    def stands(self, predicate: str, a: int, b: int = -1, c: int = -1) -> bool | None:
        """Return whether instances stand so to each other; None where that is not clear."""
        key = (predicate, a, b, c)
        if key not in self._judged:
            self._judged[key] = self._judge(predicate, *(n for n in (a, b, c) if n >= 0))
        return self._judged[key]

    def _judge(self, predicate: str, *numbers: int) -> bool | None:
        if len({*numbers}) < len(numbers):
            return False
        parts = [self._seen[number] for number in numbers]
        if any(part is None for part in parts):
            return None
        found = self._decided(relations.judge(predicate, *(part for part in parts if part)))
        unsupported = predicate in relations.SUPPORTED and not self._planned(predicate, *numbers)
        return None if found and unsupported else found

    def _planned(self, predicate: str, a: int, b: int) -> bool:
        """Whether one instance was drawn so that another holds it up."""
        first, second = (self.instances[number].object.id for number in (a, b))
        return any(
            (each.predicate, each.subject, each.object) == (predicate, first, second)
            for each in self.graph.relations
        )

    def _decided(self, judged: Judged) -> bool | None:
        """Whether what was measured holds; None where that is not clear to a person."""
        return judged.holds

    def shift(self, a: int, b: int) -> bool | None:
        """Return whether two instances have different places in their panels."""
        parts = [self._seen[number] for number in (a, b)]
        if any(part is None for part in parts):
            return None
        corners = panels.origins(self.graph.panels)
        (ax, ay), (bx, by) = (
            tuple(
                at - edge / panels.SIDE
                for at, edge in zip(part.box.center, corners[part.panel], strict=True)
            )
            for part in parts
            if part
        )
        far = max(abs(ax - bx), abs(ay - by))
        return True if far >= _FAR else False if far <= _NEAR else None

    def outgrows(self, a: int, b: int) -> bool | None:
        """Return whether an instance is larger than another, which may be in another panel."""
        larger, same = (self._across(name, a, b) for name in ("larger", "same_size"))
        return False if same or larger is False else None if None in (larger, same) else True

    def _across(self, predicate: str, a: int, b: int) -> bool | None:
        """How instances stand to each other as if they were in one panel."""
        one, other = self._seen[a], self._seen[b]
        if one is None or other is None:
            return None
        return relations.judge(predicate, replace(one, panel=0), replace(other, panel=0)).holds

    def extreme(self, nearest: bool, a: int, b: int, others: Sequence[int]) -> bool | None:
        """Return whether instance a is nearest to (or farthest from) b among others."""
        own, ref = self._seen[a], self._seen[b]
        rest = [self._seen[n] for n in others if n not in (a, b)]
        if own is None or ref is None or any(one is None for one in rest):
            return None
        if not rest:
            return True
        return relations.extreme(own, ref, [one for one in rest if one], nearest).holds


def _drawn(thing: Object, row: Mapping[str, Any]) -> Object:
    """An object as it was drawn, where the layout says so."""
    label = row.get("label")
    return thing if label is None else replace(thing, label=label, color=row["fill"])


def _seen(row: Mapping[str, Any], side: int) -> Seen | None:
    box = row["box"]
    if box is None:
        return None
    return Seen(
        row["instance"],
        Box(*(box[name] / side for name in ("left", "top", "right", "bottom"))),
        row["pixels"] / side / side,
        row["visible"],
        {each["instance"]: each["share"] for each in row["hides"]},
        row["panel"],
    )
