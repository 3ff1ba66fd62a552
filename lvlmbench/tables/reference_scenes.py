"""The table reference_scenes: what the reference models are trained on."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.tables.declaration import STRING, Column, Table, picture
from lvlmbench.tables.graph import COLUMNS
from lvlmbench.tables.scenes import SCENES

_ID = "Id of the scene: hash of (a seed that no snapshot can have, subtask, ordinal)."

REFERENCE_SCENES = Table(
    name="reference_scenes",
    what="One scene that the reference models are trained on or checked with: the columns of "
    "`scenes`, with a small image. No snapshot has any of them; the files hold `reference` where "
    "those of a snapshot hold its id.",
    place="reference/scenes",
    of_suite=False,
    key=("scene_id",),
    columns=(
        *(
            replace(c, meaning=_ID) if c.name == "scene_id" else c
            for c in SCENES.columns
            if c not in COLUMNS and c.name != "base"
        ),
        Column("split", STRING, "`training` or `validation`."),
        picture(
            "image",
            "The picture.",
            "The file, as PNG, `reference.scenes.pixels` a side.",
            "A file name for tools that write the picture out.",
        ),
        picture(
            "plain",
            "The same scene without its style; null for scenes that validate.",
            "The file, as PNG.",
            "A file name.",
        ),
        picture(
            "closeup",
            "Its foreground alone; null for scenes that validate.",
            "The file, as PNG.",
            "A file name.",
        ),
    ),
)
