"""The table planned_descriptions."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT32, STRING, STRINGS, Column, Table
from lvlmbench.tables.graph import COLUMNS
from lvlmbench.tables.planned_aspects import THOUGHT_OF_AS

PLANNED_DESCRIPTIONS = Table(
    name="planned_descriptions",
    what="One picture that a model was asked to describe, bound to what can be drawn (AutoDavis, "
    "section 2.2). Suites that rules plan have no rows.",
    place="planned_descriptions/{planner}",
    key=("planner", "scene_id"),
    columns=(
        Column("planner", STRING, "Name of the model.", filled=True),
        Column("scene_id", STRING, "Scene that is made of it.", filled=True),
        Column("subtask", STRING, "Its request.", filled=True),
        Column("aspect", STRING, "Id of its fine-grained aspect.", filled=True),
        Column("level", STRING, "Its level of difficulty.", filled=True),
        Column(
            "number", INT32, "Number of the picture of this aspect and level, from 0.", filled=True
        ),
        Column(
            "status",
            STRING,
            "`made`; `refused`, `malformed` (no reply can be drawn at the level), `error` or "
            "`timeout` of the request; `no_aspect`: there is no aspect to describe pictures of.",
            filled=True,
            words=(*THOUGHT_OF_AS, "no_aspect"),
        ),
        Column("why", STRING, "Why there is none, in one line; null where there is one."),
        Column("description", STRING, "What the picture is to show, in words made of the graph."),
        Column("topic_word", STRING, "Its topic word."),
        Column("key_words", STRINGS, "Its key words."),
        Column("banned", STRINGS, "Words that it had to do without."),
        *COLUMNS,
    ),
)
