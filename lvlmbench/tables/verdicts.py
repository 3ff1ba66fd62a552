"""The table verdicts."""

from __future__ import annotations

from lvlmbench.tables.declaration import BOOL, FLOAT, STRING, Column, Table

VERDICTS = Table(
    name="verdicts",
    what="What one filter says about one image. The filter `render` has a row for each scene and "
    "says which were not drawn, and why.",
    place="verdicts/{filter}",
    key=(
        "image_id",
        "filter",
    ),
    columns=(
        Column("image_id", STRING, "Id of the image, or the id it would have had.", filled=True),
        Column("scene_id", STRING, "Scene that the image shows.", filled=True),
        Column("filter", STRING, "Name of the filter.", filled=True),
        Column("score", FLOAT, "What the filter measured; null where it measures nothing."),
        Column("threshold", FLOAT, "What the score was compared with; null where there is none."),
        Column("keep", BOOL, "Whether the image may be asked about.", filled=True),
        Column("reason", STRING, "Why not; null where it may."),
        Column(
            "note",
            STRING,
            "What to know of it though it removes nothing, e.g. that the text was longer than the"
            " model reads; null where there is nothing.",
        ),
    ),
)
