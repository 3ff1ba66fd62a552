"""The table check_answers."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.tables.checks import first_row
from lvlmbench.tables.declaration import BOOL, INT8, STRING, Column, Table
from lvlmbench.tables.requests import REQUESTED_AS
from lvlmbench.tables.validation import ELEMENTS


def answered(table: pa.Table) -> Iterator[tuple[int, str]]:
    """Yield what breaks the rule that an answer gives an option and whether that is as described,
    and that what was not answered gives neither."""
    if not {"status", "answered_index", "correct"} <= {*table.column_names}:
        return
    there = pc.equal(table["status"], "answered")
    for name in ("answered_index", "correct"):
        known = pc.is_valid(table[name])
        yield first_row(pc.xor(there, known)), f"does not have '{name}' where it is answered"


CHECK_ANSWERS = Table(
    name="check_answers",
    what="What a validator behind an endpoint sees: one check of one picture, with what became of "
    "it (AutoDavis, section 2.3). What was not answered is neither right nor wrong. Suites that do "
    "not validate have no rows.",
    place="check_answers/{validator}",
    key=("validator", "scene_id", "check_id"),
    columns=(
        Column("validator", STRING, "Name of the validator.", filled=True),
        Column("scene_id", STRING, "Scene whose picture was shown.", filled=True),
        Column("image_id", STRING, "Id of that picture.", filled=True),
        Column("subtask", STRING, "Subtask of that scene.", filled=True),
        Column(
            "check_id",
            STRING,
            "The check, as in `validation`; one that was turned round has an id of its own.",
            filled=True,
        ),
        Column(
            "planted",
            BOOL,
            "Whether the check is of another scene, or turned round, so that this picture is known "
            "to show another option.",
            filled=True,
        ),
        Column("element_type", STRING, "What it is about.", filled=True, words=ELEMENTS),
        Column("answer_index", INT8, "The option that the description gives.", filled=True),
        Column(
            "shown_index",
            INT8,
            "The option that the picture shows by its layout; null where that is unclear.",
        ),
        Column(
            "status",
            STRING,
            "`answered`; `refused`, `malformed` (every reply breaks the rules or was cut off), "
            "`error` or `timeout` of the request.",
            filled=True,
            words=REQUESTED_AS,
        ),
        Column("answered_index", INT8, "The option that the validator gives."),
        Column("correct", BOOL, "Whether that is the one that the description gives."),
        Column("why", STRING, "Why there is no answer, in one line."),
        Column("request_id", STRING, "Its calls in `check_requests`.", filled=True),
    ),
    rules=(answered,),
)
