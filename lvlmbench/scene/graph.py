"""A scene as a graph: objects, relations between them, and the setting that they stand in.

The graph is what is to be drawn; where things came to stand is measured from the picture (table
``layouts``). The first object is the main one: a scene that shows one thing has no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.lists import PERSON
from lvlmbench.tables import ATTRIBUTES
from lvlmbench.tables import graph as columns

Role = Literal["main", "secondary"]
Facing = Literal["left", "right", "viewer"]

#: Attributes that are a person's own; ``color`` and ``number`` are those of any object.
_OF_PERSON = ("age", "gender", "race", "expression")


@dataclass(frozen=True)
class Garment:
    """A piece of clothing that a person wears."""

    label: str
    color: str | None = None


@dataclass(frozen=True)
class Person:
    """What describes a person; ``race`` is the skin tone or race, by the list of that name."""

    age: str | None = None
    gender: str | None = None
    race: str | None = None
    expression: str | None = None
    garments: tuple[Garment, ...] = ()
    action: str | None = None
    hair: str | None = None
    hair_color: str | None = None
    beard: str | None = None
    held: str | None = None
    held_color: str | None = None


@dataclass(frozen=True)
class Object:
    """Something that a scene shows, once or several times.

    Attributes
    ----------
    id
        Names the object within its scene, for relations and questions.
    list, label
        The vocabulary's entry; for a person described by attributes both are ``person``.
    count
        How many of it there are; None where it cannot be counted and is shown once.
    text
        The word that is written on it.
    span
        How large it is to be drawn: its longest side in thousandths of the picture's; None
        leaves it to the renderer.
    panel
        Which panel shows it, where the picture has several. What has the same id before a dot
        has the same place in its panel.
    aside
        How far it stands to the right of its place, and below it, in thousandths.
    chart
        What a chart or diagram shows.
    """

    id: str
    list: str
    label: str
    role: Role = "main"
    color: str | None = None
    count: int | None = None
    size_class: str | None = None
    facing: Facing | None = None
    person: Person | None = None
    text: str | None = None
    span: int | None = None
    panel: int | None = None
    aside: tuple[int, int] | None = None
    chart: Chart | None = None

    @property
    def slot(self) -> str:
        """What its place in a panel is called."""
        return self.id.partition(".")[0]

    @property
    def instances(self) -> int:
        """How often it is drawn."""
        return self.count or 1

    def entries(self) -> Iterator[tuple[str, str]]:
        """Yield the entries of vocabulary lists that it shows, as (list, label), without words."""
        if self.list != PERSON:
            yield self.list, self.label
        held = {"color": self.color}
        if self.person is not None:
            held |= {name: getattr(self.person, name) for name in _OF_PERSON}
        yield from ((name, label) for name, label in held.items() if label is not None)


@dataclass(frozen=True)
class Relation:
    """How one object stands to another, or to two others; all by their ids."""

    subject: str
    predicate: str
    object: str | None = None
    other: str | None = None


@dataclass(frozen=True)
class Setting:
    """What holds of the scene as a whole."""

    background: str | None = None
    style: str | None = None
    light: str | None = None
    weather: str | None = None


@dataclass(frozen=True)
class Graph:
    """What one scene is to show."""

    objects: tuple[Object, ...]
    relations: tuple[Relation, ...] = ()
    setting: Setting = Setting()

    @property
    def panels(self) -> int:
        """How many panels the picture has; 1 for a whole one."""
        return 1 + max(thing.panel or 0 for thing in self.objects)

    def look(self, thing: Object) -> str:
        """Return what is the same for things that look and lie alike: where panels are compared,
        their label; else their place."""
        return thing.slot if self.panels == 1 else thing.label

    @property
    def main(self) -> Object:
        """The object that the scene is about."""
        return self.objects[0]

    def entries(self) -> Iterator[tuple[str, str]]:
        """Yield the entries of vocabulary lists that the scene shows, as (list, label)."""
        for thing in self.objects:
            yield from thing.entries()
        for name in ("background", "style"):
            label = getattr(self.setting, name)
            if label is not None:
                yield name, label
        yield from (("text", thing.text) for thing in self.objects if thing.text is not None)

    def row(self) -> dict[str, Any]:
        """Return the graph in its nested form, as columns of the scenes table and as JSON."""
        return {name: _plain(value) for name, value in vars(self).items()}

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Graph:
        """Return the graph of a scene, a row of :data:`lvlmbench.tables.SCENES`."""
        return cls(
            objects=tuple(_object(each) for each in row["objects"]),
            relations=tuple(Relation(**each) for each in row["relations"]),
            setting=Setting(**row["setting"]),
        )


def arranged(scene: Mapping[str, Any]) -> bool:
    """Return whether a scene's things have sizes of their own: it is composed of several."""
    return any(thing["span"] is not None for thing in scene.get("objects") or ())


def _plain(value: Any) -> Any:
    """What ``dataclasses.asdict`` makes of it, with lists for tuples; several times as fast."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    held = getattr(value, "__dict__", None)
    return value if held is None else {name: _plain(each) for name, each in held.items()}


def _object(row: Mapping[str, Any]) -> Object:
    person = row["person"]
    if person is not None:
        garments = tuple(Garment(**each) for each in person["garments"] or ())
        person = Person(**{**person, "garments": garments})
    chart = None if row["chart"] is None else Chart.of(row["chart"])
    aside = None if row["aside"] is None else tuple(row["aside"])
    return Object(**{**row, "person": person, "chart": chart, "aside": aside})


def flat(scenes: pa.Table) -> dict[str, pa.Array]:
    """Return the flat columns of scenes by their graphs: the main object and the setting.

    Parameters
    ----------
    scenes
        Holds at least the columns of :data:`lvlmbench.tables.graph.COLUMNS`.
    """
    objects, setting = (scenes[name].combine_chunks() for name in ("objects", "setting"))
    main = pc.list_element(objects, 0)
    person = pc.struct_field(main, "person")

    def held(name: str) -> pa.Array:
        if name in _OF_PERSON:
            return pc.struct_field(person, name)
        return pc.struct_field(main, "count" if name == "number" else name)

    attributes = [held(field.name) for field in ATTRIBUTES]
    return {
        "foreground_list": pc.struct_field(main, "list"),
        "foreground": pc.struct_field(main, "label"),
        "attributes": pa.StructArray.from_arrays(attributes, fields=list(ATTRIBUTES)),
        "background": pc.struct_field(setting, "background"),
        "style": pc.struct_field(setting, "style"),
        "text": pc.struct_field(main, "text"),
    }


def single(held: Mapping[str, pa.Array], rows: int) -> dict[str, pa.Array]:
    """Return the nested columns of scenes that show one object each.

    Parameters
    ----------
    held
        Columns by name, of length ``rows``: fields of an object, of a person and of the setting;
        those that are not there are null in all rows.
    """

    def fields(of: pa.StructType, **nested: pa.Array) -> pa.StructArray:
        arrays = [
            nested[f.name] if f.name in nested else held.get(f.name, pa.nulls(rows, f.type))
            for f in of
        ]
        return pa.StructArray.from_arrays(arrays, fields=list(of))

    def constant(value: str) -> pa.Array:
        return pa.repeat(pa.scalar(value, pa.string()), rows)

    def lists(values: pa.Array, each: int) -> pa.ListArray:
        offsets = pa.array(each * np.arange(rows + 1), pa.int32())
        return pa.ListArray.from_arrays(offsets, values)

    if any(name in held for name in _OF_PERSON):
        none = lists(pa.nulls(0, columns.GARMENT), 0)
        person = fields(columns.PERSON, garments=none)
    else:
        person = pa.nulls(rows, columns.PERSON)
    thing = fields(columns.OBJECT, id=constant("o1"), role=constant("main"), person=person)
    return {
        "objects": lists(thing, 1),
        "relations": lists(pa.nulls(0, columns.RELATION), 0),
        "setting": fields(columns.SETTING),
    }
