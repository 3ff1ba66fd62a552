"""The table layouts: what was drawn where, measured from the picture."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables.declaration import FLOAT, INT16, INT32, STRING, Column, Table, struct


def _box(name: str, meaning: str) -> Column:
    return struct(
        name,
        meaning,
        Column("left", INT32, "First column."),
        Column("top", INT32, "First row."),
        Column("right", INT32, "One past the last column."),
        Column("bottom", INT32, "One past the last row."),
    )


LAYOUTS = Table(
    name="layouts",
    what="One thing that an image shows, measured from what was drawn. Images of a renderer that "
    "cannot measure, such as `diffusion`, have no rows.",
    place="layouts/clean",
    key=("image_id", "instance"),
    columns=(
        Column("image_id", STRING, "The picture, in `images` of the same scenario.", filled=True),
        Column("scene_id", STRING, "The scene that it shows.", filled=True),
        Column("instance", INT16, "Number of the instance in the picture, from 0.", filled=True),
        Column("object", STRING, "Which object of the graph it is, by its id.", filled=True),
        Column(
            "label", STRING, "What the renderer says that it drew there; null where it does not."
        ),
        Column("fill", STRING, "Color that it gave it; null where that has its own."),
        Column("copy", INT16, "Which of the object's instances, from 0."),
        Column("part", STRING, "Which part of a chart it is, by its name; null for all else."),
        Column(
            "panel",
            INT16,
            "Which panel of the picture, from 0; more than one where a style repeats the scene.",
        ),
        _box("box", "Where it can be seen, in pixels; null where nothing of it can."),
        Column(
            "visible",
            FLOAT,
            "Share of it that can be seen: not hidden by what is before it, by a frame, or cut "
            "off by the picture's edge.",
            filled=True,
            between=(0, 1),
        ),
        Column("depth", INT16, "How many instances of its panel lie before it.", filled=True),
        struct(
            "color",
            "Mean color of the pixels that it shows, 0 to 255 each; null as the box.",
            Column("red", INT16, "Red."),
            Column("green", INT16, "Green."),
            Column("blue", INT16, "Blue."),
        ),
        _box("text_box", "Where the word on it can be seen; null where none is written."),
        Column("pixels", INT32, "How many pixels show it.", filled=True),
        Column(
            "hides",
            pa.list_(pa.struct([("instance", INT16), ("share", FLOAT)])),
            "What of other things it hides, as shares of them.",
        ),
        Column(
            "relations",
            pa.list_(
                pa.struct(
                    [
                        ("predicate", STRING),
                        ("object", INT16),
                        ("other", INT16),
                        ("margin", FLOAT),
                        ("holds", pa.bool_()),
                    ]
                )
            ),
            "How it was planned to stand to other instances, and whether it does: the margin in "
            "multiples of what a person needs to be sure, and null where that is not clear.",
        ),
    ),
)
