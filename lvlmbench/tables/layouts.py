"""What was drawn where: one row an instance, measured from the picture (key image_id, instance)."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables.rules import Rules

BOX = pa.struct([(name, pa.int32()) for name in ("left", "top", "right", "bottom")])
COLOR = pa.struct([(name, pa.int16()) for name in ("red", "green", "blue")])

#: ``object`` and ``copy`` say of what in the scene's graph the instance is. Pictures that no
#: renderer measured, such as those of diffusion, have no rows.
LAYOUTS = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("instance", pa.int16()),
        ("object", pa.string()),
        ("copy", pa.int16()),
        ("panel", pa.int16()),
        ("box", BOX),
        ("visible", pa.float64()),
        ("depth", pa.int16()),
        ("color", COLOR),
        ("text_box", BOX),
    ]
)

RULES = Rules(
    filled=("image_id", "scene_id", "instance", "object", "visible", "depth"),
    once=("image_id", "instance"),
    ranges={"visible": (0, 1), "instance": (0, 2**15), "depth": (0, 2**15)},
)

MEANINGS = {
    "image_id": "The picture, in `images` of the same scenario.",
    "scene_id": "The scene that it shows.",
    "instance": "Number of the instance in the picture, from 0.",
    "object": "Which object of the scene's graph it is, by its id.",
    "copy": "Which of the object's instances, from 0.",
    "panel": "Which panel of the picture, from 0; more than one where a style repeats the scene.",
    "box": "Pixels from `left` to `right` and from `top` to `bottom`, the last ones excluded; null "
    "where nothing of it can be seen.",
    "box.left": "First column.",
    "box.top": "First row.",
    "box.right": "One past the last column.",
    "box.bottom": "One past the last row.",
    "visible": "Share of it that can be seen: not hidden by what is before it, by a frame, or cut "
    "off by the picture's edge.",
    "depth": "How many instances of its panel were drawn later, and so lie before it.",
    "color": "Mean color of the pixels that it shows, 0 to 255 each; null as the box.",
    "color.red": "Red.",
    "color.green": "Green.",
    "color.blue": "Blue.",
    "text_box": "Box of the word that is written on it; null where nothing is.",
    "text_box.left": "First column.",
    "text_box.top": "First row.",
    "text_box.right": "One past the last column.",
    "text_box.bottom": "One past the last row.",
}
