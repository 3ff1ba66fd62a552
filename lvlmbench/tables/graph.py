"""The nested columns that hold a scene's graph: objects, relations between them, the setting."""

from __future__ import annotations

import pyarrow as pa

GARMENT = pa.struct([("label", pa.string()), ("color", pa.string())])

PERSON = pa.struct(
    [
        ("age", pa.string()),
        ("gender", pa.string()),
        ("race", pa.string()),
        ("expression", pa.string()),
        ("garments", pa.list_(GARMENT)),
        ("action", pa.string()),
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
    ]
)

RELATION = pa.struct(
    [("subject", pa.string()), ("predicate", pa.string()), ("object", pa.string())]
)

SETTING = pa.struct(
    [
        ("background", pa.string()),
        ("style", pa.string()),
        ("light", pa.string()),
        ("weather", pa.string()),
    ]
)

#: Columns of the scenes. Three rather than one, so that who asks for the style reads no objects.
COLUMNS = (
    pa.field("objects", pa.list_(OBJECT)),
    pa.field("relations", pa.list_(RELATION)),
    pa.field("setting", SETTING),
)
