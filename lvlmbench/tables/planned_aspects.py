"""The table planned_aspects."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT16, STRING, Column, Table
from lvlmbench.tables.requests import REQUESTED_AS

#: What may come of an aspect that a model was to think of.
THOUGHT_OF_AS = ("made", *(status for status in REQUESTED_AS if status != "answered"))

PLANNED_ASPECTS = Table(
    name="planned_aspects",
    what="One fine-grained aspect that a model was asked for (AutoDavis, section 2.1). How many "
    "there are, and their ids, follow from the parameters, whatever is replied. Suites whose "
    "aspects all come from the catalogue have no rows.",
    place="planned_aspects/{planner}",
    key=("planner", "aspect"),
    columns=(
        Column("planner", STRING, "Name of the model.", filled=True),
        Column("subtask", STRING, "The request.", filled=True),
        Column("general_no", INT16, "Number of the general aspect, from 0.", filled=True),
        Column("general", STRING, "Name of the general aspect; null where none was given."),
        Column("fine_no", INT16, "Number of the fine-grained aspect in it, from 0.", filled=True),
        Column("aspect", STRING, "Id of the fine-grained aspect.", filled=True),
        Column("called", STRING, "Its name; null where none was given."),
        Column("introduction", STRING, "What it is about, in a sentence."),
        Column("guidance", STRING, "What pictures and questions should hold."),
        Column(
            "status",
            STRING,
            "`made`; `refused`, `malformed` (every reply breaks the rules), `error` or `timeout` "
            "of the request for it, or of that for its general aspect.",
            filled=True,
            words=THOUGHT_OF_AS,
        ),
        Column("why", STRING, "Why there is none, in one line; null where there is one."),
    ),
)
