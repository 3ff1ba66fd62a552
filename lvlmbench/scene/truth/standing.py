"""How the things of a picture stand to each other, where they are, which is the largest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, permutations

from lvlmbench.scene.claims import RELATIONS, Feature
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.relations import CELLS, CONVERSE, Seen
from lvlmbench.scene.truth.geometry import Measured

#: Relations of which all pairs of things are told; their converses say the same.
_TOLD = ("left_of", "above", "in_front_of")
#: Things up to which that is so; of more, geometry knows.
_MOST = 5
#: What plans call a relation that claims call otherwise.
_SAME = {"hides": "in_front_of"}
_SIZES = frozenset(("larger", "smaller", "same_size"))

#: What claims call the middle row and column.
_MIDDLE = {"middle", "center"}
#: Number of panels -> where each of them is.
_SIDES = {2: ("left", "right"), 4: ("top left", "top right", "bottom left", "bottom right")}


class Planned:
    """Relations between things of a scene that are there."""

    def __init__(self, graph: Graph, objects: Mapping[str, Feature]) -> None:
        self._objects = objects
        #: Whether the scene is about sizes.
        self.sizes = any(each.predicate in _SIZES for each in graph.relations)
        self.things = [thing.id for thing in graph.objects if thing.id in objects]
        self._relations = []
        for each in graph.relations:
            name = _SAME.get(each.predicate, each.predicate)
            named = [part for part in (each.subject, each.object, each.other) if part is not None]
            if name in RELATIONS and len(named) > 1 and all(part in objects for part in named):
                self._relations.append(Relation(each.subject, name, each.object, each.other))

    def unmeasured(self) -> list[Feature]:
        """Return what was planned, for pictures that nobody measured."""
        return [self._feature(each, False, "graph") for each in self._relations]

    def measured(self, geometry: Measured) -> list[Feature]:
        """Return what holds as measured: what was planned, and other pairs, that may be said."""
        found: dict[tuple[str | None, ...], Feature] = {}
        for each in self._relations:
            self._take(each, geometry, False, found)
        if len(self.things) <= _MOST:
            for a, b in permutations(self.things, 2):
                for name in _TOLD:
                    if (CONVERSE.get(name), b, a, None) not in found:
                        self._take(Relation(a, name, b), geometry, True, found)
        return [*found.values()]

    def _take(
        self,
        each: Relation,
        geometry: Measured,
        optional: bool,
        found: dict[tuple[str | None, ...], Feature],
    ) -> None:
        key = (each.predicate, each.subject, each.object, each.other)
        named = (each.predicate, each.subject, each.object or "", each.other)
        if geometry.holds(*named) and key not in found:
            optional = optional or not geometry.mainly(*named)
            found[key] = self._feature(each, optional, "layout")

    def _feature(self, each: Relation, optional: bool, source: str) -> Feature:
        thing, to = self._objects[each.subject], self._objects[each.object or ""]
        third = None if each.other is None else self._objects[each.other]
        parts = [thing, to, *([] if third is None else [third])]
        return Feature(
            ".".join((thing.feature, each.predicate, *(one.feature for one in parts[1:]))),
            *("relation", thing.subject, each.predicate, to.subject),
            value=None if third is None else third.subject,
            about=thing.feature,
            other=to.feature,
            forms=(each.predicate.replace("_", " "),),
            optional=optional or any(one.optional for one in parts),
            source=source,
        )


def places(geometry: Measured, objects: Mapping[str, Feature]) -> Iterator[Feature]:
    """Yield where things are that stand alone and clearly in one of nine parts; it may be said.

    In a picture of several panels that is the panel.
    """
    panels = geometry.world.graph.panels
    for name, one in _alone(geometry, objects).items():
        cell = _cell(one)
        value = _SIDES[panels][one.panel] if panels > 1 else _words(cell)
        if panels > 1 or geometry.world.stands(cell, one.number):
            yield Feature(
                *(f"{name}.at", "place", objects[name].subject, "at"),
                value=value,
                about=name,
                forms=(value,),
                optional=True,
                source="layout",
            )


def _words(cell: str) -> str:
    """What claims call a part of the picture."""
    return " ".join(word for word in cell.split() if word not in _MIDDLE) or "center"


def _alone(geometry: Measured, names: Iterable[str]) -> dict[str, Seen]:
    """What is seen of things that are there once."""
    found = {}
    for name in names:
        numbers = geometry.instances.get(name, ())
        seen = geometry.seen(numbers[0]) if len(numbers) == 1 else None
        if seen is not None:
            found[name] = seen
    return found


def _cell(one: Seen) -> str:
    """The part of the picture that holds a thing's center."""
    across, down = (min(int(3 * at), 2) for at in one.box.center)
    return CELLS[3 * down + across]


def ranks(
    geometry: Measured, planned: Planned, objects: Mapping[str, Feature]
) -> Iterator[Feature]:
    """Yield the places of things by size, where each is clearly larger than the next.

    They are owed where the scene is about sizes.
    """
    alone = _alone(geometry, planned.things)
    order = sorted(alone, key=lambda name: -alone[name].span)
    if not 1 < len(order) == len(planned.things):
        return
    if not all(geometry.holds("larger", a, b) for a, b in pairwise(order)):
        return
    for at, name in enumerate(order):
        yield Feature(
            *(f"{name}.rank", "rank", objects[name].subject, "rank"),
            value=str(at + 1),
            about=name,
            forms=(str(at + 1), str(at - len(order))),
            optional=not planned.sizes or objects[name].optional,
            source="layout",
        )
