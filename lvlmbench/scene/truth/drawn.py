"""What a drawn picture shows, as features: from the scene's graph and from what was measured.

What each list of the vocabulary is: animals, objects, plants, foods, clothes, carriers, landmarks
and props are objects. Somebody described by attributes is the object ``person``. A profession or
celebrity is an object of that name, and may be called a person. An action is one of a person. A
film, series or anime is an object of its title. A chart is the object ``chart`` with the words
written on it: its numbers are no features, so that its picture is not closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import eq
from typing import Any

from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import FOREGROUND
from lvlmbench.scene.truth.counting import counts, uncounted
from lvlmbench.scene.truth.geometry import Measured
from lvlmbench.scene.truth.listed import listed
from lvlmbench.scene.truth.names import Names, distinct, names_of
from lvlmbench.scene.truth.people import Somebody
from lvlmbench.scene.truth.setting import whole
from lvlmbench.scene.truth.standing import Planned, places, ranks
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import Clash, World

#: List whose entries are no objects: what somebody does.
ACTION = "action"

#: Lists whose entries are people: they may be called so.
_PEOPLE = ("profession", "celebrity")
#: What a style hides where it cannot be told what a thing is.
_SHAPE = frozenset(("shape", FOREGROUND))


def truth_of(
    graph: Graph,
    layout: Sequence[Mapping[str, Any]],
    side: int,
    vocabulary: Vocabulary,
    clash: Clash = eq,
    renderer: str | None = None,
) -> Truth:
    """Return all that is known of a scene's picture.

    Parameters
    ----------
    layout
        Its rows of :data:`lvlmbench.tables.LAYOUTS`, in any order; none where nobody measured it.
        Then features are what was to be drawn, and there may be more.
    side
        Of the picture, in pixels.
    clash
        Whether two labels may stand for one thing.
    renderer
        Who drew it: what styles hide and depict depends on that.
    """
    measured = measured_of(graph, layout, side, clash)
    return _Picture(graph, measured, names_of(vocabulary, renderer)).truth()


def measured_of(
    graph: Graph, layout: Sequence[Mapping[str, Any]], side: int, clash: Clash = eq
) -> Measured | None:
    """Return how the things of a picture stand to each other, as :func:`truth_of` has it.

    None where nobody measured them. It is for who reads features from the table truth.
    """
    if not layout:
        return None
    world = World(graph, sorted(layout, key=_number), side, clash)
    instances: dict[str, list[int]] = {thing.id: [] for thing in graph.objects}
    for one in world.instances:
        if one.there is not False:
            instances[one.object.id].append(one.number)
    holding = {
        thing.id: f"{thing.id}.held" if thing.person.held else None
        for thing in graph.objects
        if thing.person is not None and figure_of(thing.person) is not None
    }
    return Measured(world, {name: tuple(found) for name, found in instances.items()}, holding)


def _number(row: Mapping[str, Any]) -> int:
    return int(row["instance"])


class _Picture:
    """One scene, and what was measured of its picture."""

    def __init__(self, graph: Graph, measured: Measured | None, names: Names) -> None:
        self.graph, self.measured, self.names = graph, measured, names
        self.hidden = _hidden(graph, names)
        self.seen = _seen(graph, measured)
        self.shown = [thing for thing in graph.objects if thing.id in self.seen]
        self.people = {
            thing.id: Somebody(thing.id, thing.person, names, self.hidden)
            for thing in self.shown
            if thing.list == PERSON and thing.person is not None
        }

    def truth(self) -> Truth:
        """Return its features, and how its things stand to each other."""
        found = [feature for thing in self.shown for feature in self._all_of(thing)]
        objects = {each.feature: each for each in found if each.kind == "object"}
        planned, hidden = Planned(self.graph, objects), "number" in self.hidden
        if self.measured is not None:
            found += counts(self.measured.world, objects, self.people, hidden)
            found += planned.measured(self.measured)
            found += places(self.measured, objects)
            found += ranks(self.measured, planned, objects)
        else:
            found += planned.unmeasured()
            found += uncounted(self.graph, objects, hidden)
        found += whole(self.graph, self.names, self.hidden)
        found += listed(self.graph, self.shown, self.names, self.measured is not None)
        charted = any(thing.chart for thing in self.graph.objects)
        return Truth(tuple(found), self.measured is not None and not charted, self.measured)

    def _all_of(self, thing: Object) -> Iterator[Feature]:
        """The features of one object; of one that is not clear, none is owed."""
        first, *rest = self._thing(thing)
        yield first
        for each in rest:
            yield replace(each, optional=True) if first.optional else each

    def _thing(self, thing: Object) -> Iterator[Feature]:
        """The features of one object, itself first."""
        source = "graph" if self.measured is None else "layout"
        optional = not self.seen[thing.id] or bool(_SHAPE & self.hidden)
        if thing.id in self.people:
            who = self.people[thing.id]
            forms = who.forms
            yield Feature(thing.id, "object", PERSON, forms=forms, optional=optional, source=source)
            yield from who.features()
        elif thing.list == ACTION:
            yield from self._acting(thing, optional, source)
        else:
            called = self.names.of(thing.list, thing.label)
            yield Feature(
                *(thing.id, "object", called.label),
                forms=called.forms,
                group=called.group,
                optional=optional,
                source=source,
            )
            yield from self._marked(thing, called.label)
        if thing.list in _PEOPLE:
            yield self._somebody(thing)

    def _marked(self, thing: Object, label: str) -> Iterator[Feature]:
        """What is so of a thing: its color, and what is written on it."""
        if thing.color is not None and "color" not in self.hidden:
            yield self._attribute(thing, label, "color", thing.color)
        if thing.text is not None:
            yield self._attribute(thing, label, "text", thing.text, "text" in self.hidden)
        if thing.chart is not None:
            chart = thing.chart
            if chart.title:
                yield self._attribute(thing, label, "text", chart.title)
            for word in distinct(*chart.categories, *chart.series):
                yield self._attribute(thing, label, "text", word, True, f"text.{word}")

    def _attribute(
        self,
        thing: Object,
        label: str,
        name: str,
        value: str,
        optional: bool = False,
        suffix: str = "",
    ) -> Feature:
        return Feature(
            *(f"{thing.id}.{suffix or name}", "attribute", label, name),
            value=value.lower(),
            about=thing.id,
            forms=self.names.of(name, value).forms if name != "text" else distinct(value),
            optional=optional,
            source="graph",
        )

    def _acting(self, thing: Object, optional: bool, source: str) -> Iterator[Feature]:
        """Somebody of whom the scene says what it does and nothing else."""
        forms = (*self.names.anybody, *self.names.more("performer", thing.label))
        yield Feature(thing.id, "object", PERSON, forms=forms, optional=optional, source=source)
        verbs = self.names.more(ACTION, thing.label) or (thing.label,)
        yield Feature(
            *(f"{thing.id}.does", "action", PERSON, "does"),
            value=verbs[0],
            about=thing.id,
            forms=distinct(*verbs, thing.label),
            source="graph",
        )

    def _somebody(self, thing: Object) -> Feature:
        """That whoever has a profession or a name may be called a person."""
        return Feature(
            *(f"{thing.id}.person", "object", PERSON),
            forms=self.names.anybody,
            optional=True,
            source="listed",
        )


def _seen(graph: Graph, measured: Measured | None) -> dict[str, bool]:
    """Objects that are there: whether a person sees one of them clearly."""
    if measured is None:
        return dict.fromkeys((thing.id for thing in graph.objects), True)
    there = {one.number: one.there for one in measured.world.instances}
    return {
        name: any(there[number] for number in numbers)
        for name, numbers in measured.instances.items()
        if numbers
    }


def _hidden(graph: Graph, names: Names) -> frozenset[str]:
    """What style and weather hide: of things that stand among others, what they hide of small
    ones."""
    small = any(thing.span is not None for thing in graph.objects)
    found: set[str] = set()
    for name in ("style", "weather"):
        entry = names.entry(name, getattr(graph.setting, name))
        if entry is not None:
            found |= entry.hidden_small if small else entry.hidden
    return frozenset(found)
