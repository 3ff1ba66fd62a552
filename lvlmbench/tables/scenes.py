"""The table scenes."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables import graph
from lvlmbench.tables.declaration import INT8, INT32, INT64, STRING, Column, Table, struct

SCENES = Table(
    name="scenes",
    what="One planned scene: the metadata M and the prompt P (Dysca, sections 3.1 and 3.2).",
    place="scenes",
    key=("scene_id",),
    columns=(
        Column(
            "scene_id",
            STRING,
            "Id of the scene: hash of (snapshot seed, subtask, ordinal).",
            filled=True,
        ),
        Column("subtask", STRING, "Subtask that the scene was planned for.", filled=True),
        Column(
            "ordinal",
            INT32,
            "Number of the scene within its subtask, from 0.",
            filled=True,
            between=(0, 2**31),
        ),
        Column(
            "foreground_list",
            STRING,
            "Vocabulary list that the foreground comes from.",
            filled=True,
        ),
        Column("foreground", STRING, "Label of the foreground in that list.", filled=True),
        struct(
            "attributes",
            "Attributes of the foreground; null where the scene does not fix one.",
            Column("color", STRING, "Color of the foreground."),
            Column("number", INT8, "How many of the foreground there are."),
            Column("age", STRING, "Age of the person."),
            Column("gender", STRING, "Gender of the person."),
            Column("race", STRING, "Race of the person; in pictographs, the skin tone."),
            Column("expression", STRING, "Facial expression of the person."),
        ),
        Column("background", STRING, "Label of the background; null where the scene has none."),
        Column("style", STRING, "Label of the style."),
        Column("text", STRING, "The text that can be read in the image; null where there is none."),
        Column("prompt", STRING, "Prompt of a text-to-image model."),
        Column("negative_prompt", STRING, "What that model is told to avoid."),
        Column(
            "caption", STRING, "Reference for free-form answers: what the scene holds.", filled=True
        ),
        Column("seed", INT64, "Seed of the image's random choices."),
        Column("level", STRING, "How difficult it is meant to be; null without levels."),
        Column(
            "pair",
            STRING,
            "What a scene and its twin share, in which one fact is another; null without a twin.",
        ),
        Column(
            "base",
            STRING,
            "The scene that it shows in another style, with all else the same; null for scenes of "
            "their own. Only the scenario `restyled` asks about scenes with a base.",
        ),
        *graph.COLUMNS,
    ),
)

#: Type of the column ``attributes``.
ATTRIBUTES: pa.StructType = SCENES.field("attributes").type
