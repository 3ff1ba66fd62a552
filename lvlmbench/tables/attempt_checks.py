"""The table attempt_checks."""

from __future__ import annotations

from lvlmbench.tables.check_answers import answered
from lvlmbench.tables.declaration import BOOL, INT8, INT16, STRING, STRINGS, Column, Table
from lvlmbench.tables.requests import REQUESTED_AS
from lvlmbench.tables.validation import ELEMENTS

ATTEMPT_CHECKS = Table(
    name="attempt_checks",
    what="What a validator sees in one attempt at a picture, where validators decide while "
    "pictures are drawn: one check of the description, with what became of it (AutoDavis, section "
    "2.3). The last attempt of a scene decides what is asked about it.",
    place="attempt_checks",
    key=("scene_id", "attempt", "validator", "number"),
    columns=(
        Column("scene_id", STRING, "Scene that was drawn.", filled=True),
        Column("image_id", STRING, "Id of its picture.", filled=True),
        Column("subtask", STRING, "Its request.", filled=True),
        Column("attempt", INT16, "Which attempt at the scene, as in `attempts`.", filled=True),
        Column("validator", STRING, "Name of the validator.", filled=True),
        Column("number", INT8, "Number of the check, from 0.", filled=True),
        Column("check_id", STRING, "Id of the check: hash of (scene, number).", filled=True),
        Column("element_type", STRING, "What it is about.", filled=True, words=ELEMENTS),
        Column(
            "element", STRING, "Words of the description that it is about.", filled=True
        ),
        Column("question", STRING, "The check as a question.", filled=True),
        Column(
            "options", STRINGS, "Its options; of a text, also that the picture does not tell."
        ),
        Column("answer_index", INT8, "The option that the description gives.", filled=True),
        Column(
            "status",
            STRING,
            "`answered`; `refused`, `malformed`, `error` or `timeout` of the request.",
            filled=True,
            words=REQUESTED_AS,
        ),
        Column("answered_index", INT8, "The option that the validator gives."),
        Column("correct", BOOL, "Whether that is the one that the description gives."),
        Column("why", STRING, "Why there is no answer, in one line."),
        Column("request_id", STRING, "Its calls in `attempt_requests`.", filled=True),
    ),
    rules=(answered,),
)  # fmt: skip
