"""The table entries."""

from __future__ import annotations

from lvlmbench.tables.declaration import STRING, STRINGS, Column, Table

ENTRIES = Table(
    name="entries",
    what="What the vocabulary says of the entries that a scene names, as far as it decides how the "
    "scene is drawn: who draws reads it in place of the vocabulary, so that an edit of another "
    "entry draws nothing anew.",
    place="entries",
    key=("scene_id", "list", "label"),
    columns=(
        Column("scene_id", STRING, "The scene.", filled=True),
        Column("list", STRING, "List of the vocabulary.", filled=True),
        Column("label", STRING, "Label of the entry.", filled=True),
        Column(
            "entry",
            STRING,
            "All that the vocabulary says of it, as JSON with sorted keys; null where the list has "
            "no such entry.",
        ),
        Column(
            "renderers", STRINGS, "Renderers that draw any entry of the list, sorted.", filled=True
        ),
    ),
)
