"""The table questions."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.tables.checks import first_row
from lvlmbench.tables.declaration import FLOAT, INT8, STRING, STRINGS, Column, Table, struct

QUESTION_TYPES = ("multiple_choice", "true_false", "free_form")


def _options(table: pa.Table) -> Iterator[tuple[int, str]]:
    """Closed questions have two options or more, none of them null, the right one among them."""
    if not {"question_type", "options"} <= {*table.column_names}:
        return
    options, closed = table["options"], pc.not_equal(table["question_type"], "free_form")
    count = pc.fill_null(pc.list_value_length(options), 0)
    few = pc.and_(closed, pc.less(count, 2))
    yield first_row(few), "is a closed question with fewer than 2 options"
    if pc.list_flatten(options).null_count:
        yield (
            next(n for n, o in enumerate(options.to_pylist(), 1) if None in (o or ())),
            "has an option that is null",
        )
    if "answer_index" in table.column_names:
        index = table["answer_index"]
        wrong = pc.or_(pc.is_null(index), pc.greater_equal(pc.fill_null(index, 0), count))
        yield first_row(pc.and_(closed, wrong)), "names no option as the right one"


QUESTIONS = Table(
    name="questions",
    what="One question about a scene, with its reference answer (Q).",
    place="questions",
    key=("question_id",),
    columns=(
        Column(
            "question_id",
            STRING,
            "Id of the question: hash of (scene, subtask asked about, question type).",
            filled=True,
        ),
        Column("scene_id", STRING, "Scene that the question is about.", filled=True),
        Column("subtask", STRING, "Subtask that the question asks about.", filled=True),
        Column("granularity", STRING, "`coarse` (style, background, color) or `fine`."),
        Column(
            "question_type",
            STRING,
            "`multiple_choice`, `true_false` or `free_form`.",
            filled=True,
            words=QUESTION_TYPES,
        ),
        Column(
            "question",
            STRING,
            "The question; the instruction and the options are added when it is asked.",
            filled=True,
        ),
        Column("options", STRINGS, "Options in the order shown; empty for free-form questions."),
        Column("answer", STRING, "The right option, or the reference caption.", filled=True),
        Column(
            "answer_index",
            INT8,
            "Place of the right option, from 0; null for free-form questions.",
            between=(0, 127),
        ),
        Column(
            "chance",
            FLOAT,
            "Accuracy of guessing, in [0, 1]; null for free-form questions.",
            between=(0, 1),
        ),
        Column(
            "claim", STRING, "Label that a true-or-false statement asserts; null for other types."
        ),
        Column("key", STRING, "What is asked of the scene: with its id it makes the question's."),
        Column("level", STRING, "Level of difficulty; null where the suite has none."),
        Column(
            "pair",
            STRING,
            "What it shares with the same question about the scene's twin, whose answer is "
            "another; null without one.",
        ),
        Column(
            "program",
            STRING,
            "What is asked as a program over the layout, as JSON, with `?` where an option goes; "
            "null where the suite has none.",
        ),
        struct(
            "factors",
            "What makes it hard, measured from the picture; null where the suite has no levels.",
            Column("kinds", INT8, "Kinds of things that the picture shows."),
            Column("instances", INT8, "Things that it shows."),
            Column("smallest", FLOAT, "Longest side of the smallest thing, of the picture's side."),
            Column("hidden", FLOAT, "Largest share of a thing that others hide."),
            Column("hops", INT8, "Steps of the program from one thing to another."),
            Column("near", INT8, "Wrong options that look like something that is there."),
            Column("prior", STRING, "`with` or `against` what is so in the world; or null."),
        ),
    ),
    rules=(_options,),
)
