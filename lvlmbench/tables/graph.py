"""The nested columns that hold a scene's graph: objects, relations between them, the setting."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables.declaration import Column

GARMENT = pa.struct([("label", pa.string()), ("color", pa.string())])

PERSON = pa.struct(
    [
        ("age", pa.string()),
        ("gender", pa.string()),
        ("race", pa.string()),
        ("expression", pa.string()),
        ("garments", pa.list_(GARMENT)),
        ("action", pa.string()),
        ("hair", pa.string()),
        ("hair_color", pa.string()),
        ("beard", pa.string()),
        ("held", pa.string()),
        ("held_color", pa.string()),
    ]
)

CHART = pa.struct(
    [
        ("kind", pa.string()),
        ("title", pa.string()),
        ("noun", pa.string()),
        ("unit", pa.string()),
        ("categories", pa.list_(pa.string())),
        ("values", pa.list_(pa.int32())),
        ("colors", pa.list_(pa.string())),
        ("series", pa.list_(pa.string())),
        (
            "axis",
            pa.struct([(name, pa.int32()) for name in ("low", "high", "tick", "step", "labelled")]),
        ),
        ("marks", pa.list_(pa.string())),
        ("shape", pa.string()),
    ]
)

OBJECT = pa.struct(
    [
        ("id", pa.string()),
        ("role", pa.string()),
        ("list", pa.string()),
        ("label", pa.string()),
        ("color", pa.string()),
        ("count", pa.int8()),
        ("size_class", pa.string()),
        ("facing", pa.string()),
        ("person", PERSON),
        ("text", pa.string()),
        ("span", pa.int16()),
        ("panel", pa.int8()),
        ("aside", pa.list_(pa.int16())),
        ("chart", CHART),
    ]
)

RELATION = pa.struct(
    [
        ("subject", pa.string()),
        ("predicate", pa.string()),
        ("object", pa.string()),
        ("other", pa.string()),
    ]
)

SETTING = pa.struct(
    [
        ("background", pa.string()),
        ("style", pa.string()),
        ("light", pa.string()),
        ("weather", pa.string()),
    ]
)

_MEANINGS = {
    "objects": "What the scene shows, the main object first.",
    "objects.id": "Name of the object within its scene.",
    "objects.role": "`main` for what the scene is about, else `secondary`.",
    "objects.list": "Vocabulary list of the label; `person` for one described by attributes.",
    "objects.label": "Label in that list.",
    "objects.color": "Its color, where the scene fixes one.",
    "objects.count": "How many of it there are; null where it cannot be counted.",
    "objects.size_class": "How large it is in the world.",
    "objects.facing": "Where it faces: `left`, `right` or `viewer`.",
    "objects.person": "What describes a person; null for all else.",
    "objects.person.age": "Age.",
    "objects.person.gender": "Gender.",
    "objects.person.race": "Race; in pictographs, the skin tone.",
    "objects.person.expression": "Facial expression.",
    "objects.person.garments": "What the person wears.",
    "objects.person.garments.label": "A piece of clothing.",
    "objects.person.garments.color": "Its color.",
    "objects.person.action": "What the person does.",
    "objects.person.hair": "Hair style.",
    "objects.person.hair_color": "Color of the hair.",
    "objects.person.beard": "Facial hair.",
    "objects.person.held": "What the person holds.",
    "objects.person.held_color": "The color of that.",
    "objects.text": "The word that is written on it.",
    "objects.span": "Its longest side, planned, in thousandths of the picture's side.",
    "objects.panel": "Which panel shows it, from 0, where the picture has several; else null.",
    "objects.aside": "How far it stands to the right of its place and below it, in thousandths; "
    "null where it stands there.",
    "objects.chart": "A chart or diagram with its numbers; null for all else.",
    "objects.chart.kind": "`bar`, `line`, `pie`, `table`, `clock`, `number_line`, `geometry` or "
    "`shapes`.",
    "objects.chart.title": "What is written above it.",
    "objects.chart.noun": "What one category is called.",
    "objects.chart.unit": "What values are given in.",
    "objects.chart.categories": "What has values.",
    "objects.chart.values": "Category by category, the series of each in turn.",
    "objects.chart.colors": "One a series, one a category, or one for all.",
    "objects.chart.series": "Several lines or bars of each category, or columns of a table.",
    "objects.chart.axis": "The scale of bars, lines and number lines.",
    "objects.chart.axis.low": "Its lower end.",
    "objects.chart.axis.high": "Its upper end.",
    "objects.chart.axis.tick": "From tick to tick.",
    "objects.chart.axis.step": "What values are multiples of.",
    "objects.chart.axis.labelled": "Every how many ticks there is a number.",
    "objects.chart.marks": "What helps the reader: grid, values, numerals, minutes, legend.",
    "objects.chart.shape": "Of geometry: which shape.",
    "relations": "How objects stand to each other.",
    "relations.subject": "Id of the object that stands so.",
    "relations.predicate": "How it stands.",
    "relations.object": "Id of the object that it stands so to; null where it stands so by itself.",
    "relations.other": "Id of the second such object, as for `between`.",
    "setting": "What holds of the scene as a whole.",
    "setting.background": "Label of the background; null where the scene has none.",
    "setting.style": "Label of the style.",
    "setting.light": "Light, where the scene fixes it.",
    "setting.weather": "Weather, where the scene fixes it.",
}

#: Types of the columns of scenes. Three rather than one, so that who asks for the style reads no
#: objects.
_TYPES = {"objects": pa.list_(OBJECT), "relations": pa.list_(RELATION), "setting": SETTING}


def _parts(kind: pa.DataType, name: str) -> tuple[Column, ...]:
    """The parts of a column, where it is a struct or a list of them."""
    inner = kind.value_type if pa.types.is_list(kind) else kind
    if not pa.types.is_struct(inner):
        return ()
    fields = [inner.field(i) for i in range(inner.num_fields)]
    return tuple(_column(f"{name}.{field.name}", field.type) for field in fields)


def _column(name: str, kind: pa.DataType) -> Column:
    own = name.rpartition(".")[2]
    return Column(own, kind, _MEANINGS[name], parts=_parts(kind, name))


COLUMNS = tuple(_column(name, kind) for name, kind in _TYPES.items())
