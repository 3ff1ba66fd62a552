"""The table validation."""

from __future__ import annotations

from lvlmbench.tables.declaration import BOOL, INT8, INT16, STRING, STRINGS, Column, Table

#: Kinds of what a check is about (AutoDavis, section 2.3).
ELEMENTS = (
    "object", "human", "animal", "food", "activity", "attribute", "counting", "color", "material",
    "spatial", "location", "shape", "other",
)  # fmt: skip

VALIDATION = Table(
    name="validation",
    what="One check of a picture against its description: what the description says, and what the "
    "picture shows. Suites that do not validate have no rows.",
    place="validation",
    key=("check_id",),
    columns=(
        Column("check_id", STRING, "Id of the check: hash of (scene, number).", filled=True),
        Column("scene_id", STRING, "Scene whose last picture was checked.", filled=True),
        Column("number", INT16, "Number of the check, from 0.", filled=True),
        Column("element_type", STRING, "What it is about.", filled=True, words=ELEMENTS),
        Column("element", STRING, "Words of the description that it is about.", filled=True),
        Column("question", STRING, "The check as a question.", filled=True),
        Column("options", STRINGS, "Its options."),
        Column("answer_index", INT8, "The one that the description gives.", filled=True),
        Column("program", STRING, "The check as a program over the layout."),
        Column("validator", STRING, "Who answered it.", filled=True),
        Column(
            "answered_index", INT8, "The option that the picture shows; null where that is unclear."
        ),
        Column("correct", BOOL, "Whether both are the same.", filled=True),
    ),
)
