"""The table planned_descriptions."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT8, INT32, STRING, STRINGS, Column, Table, structs
from lvlmbench.tables.graph import COLUMNS
from lvlmbench.tables.planned_aspects import THOUGHT_OF_AS
from lvlmbench.tables.validation import ELEMENTS

#: Of a text, in this table and in that of all descriptions.
CHECKS = structs(
    "checks",
    "Closed questions about a text, which the model wrote with it; validators answer them "
    "from the picture. Null where the description is a graph.",
    Column("element_type", STRING, "What it is about.", words=ELEMENTS),
    Column("element", STRING, "Words of the text that it is about."),
    Column("question", STRING, "The question."),
    Column("options", STRINGS, "Its options."),
    Column("answer_index", INT8, "The option that the text gives."),
)

PLANNED_DESCRIPTIONS = Table(
    name="planned_descriptions",
    what="One picture that a model was asked to describe (AutoDavis, section 2.2): as a graph of "
    "what can be drawn, or as a text that is the prompt of a text-to-image model. Suites that "
    "rules plan have no rows.",
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
        Column(
            "description",
            STRING,
            "What the picture is to show: words made of the graph, or the model's own text.",
        ),
        Column("topic_word", STRING, "Its topic word."),
        Column("key_words", STRINGS, "Its key words."),
        Column("banned", STRINGS, "Words that it had to do without."),
        CHECKS,
        *COLUMNS,
    ),
)
