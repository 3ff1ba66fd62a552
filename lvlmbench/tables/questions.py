"""The table questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.tables.checks import first_row
from lvlmbench.tables.declaration import (
    FLOAT,
    INT8,
    STRING,
    STRINGS,
    Column,
    Table,
    struct,
    structs,
)


@dataclass(frozen=True)
class QuestionType:
    """How a question is answered, and how answers to it are held against what is right.

    Attributes
    ----------
    label
        Its name for readers.
    offers
        Whether it offers options, one of which is right. A guesser takes one of them.
    judged
        Whether an answer is right or wrong. Others are compared with a reference caption, and have
        no accuracy of guessing.
    """

    label: str
    offers: bool = False
    judged: bool = True


#: All types of questions by name, in the order of tables.
TYPES = {
    "multiple_choice": QuestionType("Multiple choice", offers=True),
    "true_false": QuestionType("True or false", offers=True),
    "short_answer": QuestionType("Short answer"),
    "free_form": QuestionType("Free form", judged=False),
    "structured": QuestionType("Structured description", judged=False),
}
QUESTION_TYPES = tuple(TYPES)
#: Types that offer options; those whose answers are right or wrong.
OFFERING = tuple(name for name, each in TYPES.items() if each.offers)
JUDGED = tuple(name for name, each in TYPES.items() if each.judged)
_NAMED = "`multiple_choice`, `true_false`, `short_answer`, `free_form` or `structured`."


def offers(question_type: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return which questions, by their types, offer options."""
    return pc.is_in(question_type, value_set=pa.array(OFFERING))


def judged(question_type: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return which questions, by their types, have right and wrong answers."""
    return pc.is_in(question_type, value_set=pa.array(JUDGED))


#: What the key of an atomic check ends with, behind that of its question: this, the kind of what it
#: is about, and a number (AutoDavis, appendix R).
CHECK = "check"


def is_check(questions: pa.Table) -> pa.ChunkedArray:
    """Return which rows, by their ``key``, are atomic checks of other questions.

    They are asked in a scenario of their own, and counted nowhere else.
    """
    if "key" not in questions.column_names:
        return pa.chunked_array([pa.array([False] * len(questions), pa.bool_())])
    return pc.fill_null(
        pc.match_substring_regex(questions["key"], f"/{CHECK}/[a-z]+/[0-9]+$"), False
    )


def of_scenario(questions: pa.Table, checks: bool = False) -> pa.Table:
    """Return the questions that a scenario may ask: the atomic checks, or all others."""
    return questions.filter(pc.equal(is_check(questions), checks))


def checked_by(key: str) -> tuple[str, str]:
    """Return the key of the question that an atomic check belongs to, and what it is about."""
    question, _, element, _ = key.rsplit("/", 3)
    return question, element


def offered(
    options: Sequence[str], replaced: Sequence[str | None] | None, order: Sequence[int] | None
) -> list[str]:
    """Return the options that a question offers where an image asks for another order of them.

    Parameters
    ----------
    options, replaced
        Of the question.
    order
        Of the image: indices into ``options`` and ``replaced``, one behind the other; None for the
        options as they are.
    """
    if order is None:
        return [*options]
    every = [*options, *(replaced or ())]
    return [every[at] or "" for at in order]


def place_of(index: int | None, order: Sequence[int] | None) -> int | None:
    """Return where an option stands among those that :func:`offered` gives.

    None where it is not among them, or where there is no option.
    """
    if index is None or order is None:
        return index
    return [*order].index(index) if index in order else None


def before_adjusting(
    options: Sequence[str], replaced: Sequence[str | None] | None
) -> list[int] | None:
    """Return the order, as :func:`offered` takes it, in which nothing is adjusted.

    None where nothing was.
    """
    if not any(replaced or ()):
        return None
    there = zip(range(len(options)), replaced or (), strict=True)
    return [at if before is None else len(options) + at for at, before in there]


def _options(table: pa.Table) -> Iterator[tuple[int, str]]:
    """Closed questions have two options or more, none of them null, the right one among them."""
    if not {"question_type", "options"} <= {*table.column_names}:
        return
    options, closed = table["options"], offers(table["question_type"])
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


def _accepted(table: pa.Table) -> Iterator[tuple[int, str]]:
    """Short answers have forms that are accepted."""
    if not {"question_type", "accepted"} <= {*table.column_names}:
        return
    none = pc.equal(pc.fill_null(pc.list_value_length(table["accepted"]), 0), 0)
    short = pc.equal(table["question_type"], "short_answer")
    yield first_row(pc.and_(short, none)), "asks for a short answer, and accepts none"


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
            _NAMED,
            filled=True,
            words=QUESTION_TYPES,
        ),
        Column(
            "question",
            STRING,
            "The question; the instruction and the options are added when it is asked.",
            filled=True,
        ),
        Column("options", STRINGS, "Options in the order shown; empty where none are offered."),
        Column(
            "answer",
            STRING,
            "The right option, the short answer, or the reference caption.",
            filled=True,
        ),
        Column(
            "answer_index",
            INT8,
            "Place of the right option, from 0; null where none are offered.",
            between=(0, 127),
        ),
        Column(
            "chance",
            FLOAT,
            "Accuracy of guessing, in [0, 1]: 0 for short answers, whose level only all questions "
            "together tell (docs/metrics.md); null for free-form questions.",
            between=(0, 1),
        ),
        Column(
            "claim", STRING, "Label that a true-or-false statement asserts; null for other types."
        ),
        Column(
            "key",
            STRING,
            "What is asked of the scene: with its id it makes the question's. That of an atomic "
            "check is its question's, and behind it `check`, what it is about, and a number.",
        ),
        Column("level", STRING, "Level of difficulty; null where the suite has none."),
        Column(
            "pair",
            STRING,
            "What it shares with the same question about the scene's twin, whose answer is "
            "another; null without one.",
        ),
        Column(
            "base",
            STRING,
            "The scene that its scene shows in another style: with `key` it names the question "
            "that is the same in all these styles; null for scenes of their own.",
        ),
        Column(
            "program",
            STRING,
            "What is asked as a program over the layout, as JSON, with `?` where an option goes; "
            "null where the suite has none.",
        ),
        Column(
            "accepted",
            STRINGS,
            "Forms of a short answer that are right, as `3` and `three`, the answer itself first. "
            "Of a free-form question: forms of the one value that decides whether an answer is "
            "right; null where none does, and for other types.",
        ),
        Column(
            "rivals",
            STRINGS,
            "Of a free-form question that one value decides: other values of its kind that the "
            "picture shows or that are easily said instead; an answer must not give one of them.",
        ),
        Column(
            "replaced",
            STRINGS,
            "What stood in the place of each option before wrong ones were adjusted; null entries "
            "for options that were there, null where none was adjusted.",
        ),
        Column(
            "examiner", STRING, "Examiner that asks it; null where the suite knows of one alone."
        ),
        structs(
            "turns",
            "What was said before it, in this order; null where it begins.",
            Column("question", STRING, "What was asked."),
            Column("answer", STRING, "What was answered: right by construction."),
        ),
        Column(
            "description",
            STRING,
            "What stands for the picture where a judge compares answers; null where what is known "
            "of the picture does.",
        ),
        structs(
            "panels",
            "The pictures that its image is put together of, in this order, as shares of the "
            "image's sides; null where it is one picture.",
            Column("left", FLOAT, "Left edge.", between=(0, 1)),
            Column("top", FLOAT, "Upper edge.", between=(0, 1)),
            Column("right", FLOAT, "Right edge.", between=(0, 1)),
            Column("bottom", FLOAT, "Lower edge.", between=(0, 1)),
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
    rules=(_options, _accepted),
)
