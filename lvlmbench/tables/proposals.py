"""The table proposals."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.tables.checks import first_row
from lvlmbench.tables.declaration import INT8, STRING, STRINGS, Column, Table

#: What may come of a planned item that a served examiner was to ask about.
PROPOSED_AS = (
    "made", "unsupported", "refused", "malformed", "error", "timeout", "not_drawn", "not_planned",
)  # fmt: skip


def _asked(table: pa.Table) -> Iterator[tuple[int, str]]:
    """What is asked has a question, four options, and one of them as the right one."""
    if not {"status", "question", "options", "answer_index"} <= {*table.column_names}:
        return
    made = pc.equal(table["status"], "made")
    lacks = pc.or_(pc.is_null(table["question"]), pc.is_null(table["answer_index"]))
    yield (
        first_row(pc.and_(made, lacks)),
        "is asked and has no question, or no right option",
    )
    count = pc.fill_null(pc.list_value_length(table["options"]), 0)
    whole = pc.equal(count, 4)
    yield first_row(pc.and_(made, pc.invert(whole))), "is asked and has not four options"
    if pc.list_flatten(table["options"]).null_count:
        yield (
            next(n for n, o in enumerate(table["options"].to_pylist(), 1) if None in (o or ())),
            "has an option that is null",
        )


PROPOSALS = Table(
    name="proposals",
    what="What a served examiner proposes to ask about a planned picture, and what came of it "
    "(AutoDavis, section 2.4). Its truth is the examiner's claim: the evidence holds in the "
    "picture, whether the answer follows from it is not known. Suites without such an examiner "
    "have no rows.",
    place="proposals/{examiner}",
    key=("examiner", "scene_id"),
    columns=(
        Column("examiner", STRING, "Name of the examiner.", filled=True),
        Column("scene_id", STRING, "The planned scene.", filled=True),
        Column("subtask", STRING, "Its request.", filled=True),
        Column("aspect", STRING, "Id of its fine-grained aspect.", filled=True),
        Column("level", STRING, "Its level of difficulty.", filled=True),
        Column(
            "status",
            STRING,
            "`made`: it is asked; `unsupported`: the picture does not show the evidence; "
            "`refused`, `malformed` (every reply breaks the rules), `error` or `timeout` of the "
            "request; `not_drawn`: there is no picture as described; `not_planned`: nothing was "
            "described.",
            filled=True,
            words=PROPOSED_AS,
        ),
        Column("why", STRING, "Why nothing is asked, in one line; null where it is."),
        Column("question", STRING, "The question; null where none was made."),
        Column("options", STRINGS, "Its four options, after they were adjusted."),
        Column(
            "answer_index",
            INT8,
            "The option that the examiner calls right, from 0.",
            between=(0, 3),
        ),
        Column(
            "spare",
            STRINGS,
            "Wrong options that adjustment has replaced, in the order of the first wrong ones of "
            "`options`, which stand there now; null where it has replaced none.",
        ),
        Column(
            "adjustments",
            STRINGS,
            "What came of each request for a harder wrong option: `taken`; `offered already`, so "
            "that it stays; why it was refused; or the status of the request. Null where none was "
            "made.",
        ),
        Column(
            "evidence",
            pa.list_(
                pa.struct(
                    [
                        ("subject", STRING),
                        ("predicate", STRING),
                        ("object", STRING),
                        ("holds", pa.bool_()),
                    ]
                )
            ),
            "What the examiner bases its answer on, by ids of the scene's objects, and whether the "
            "picture shows it; null where that is not clear.",
        ),
        Column(
            "defects",
            STRINGS,
            "What it was told to keep away from; null where it was asked nothing.",
        ),
    ),
    rules=(_asked,),
)
