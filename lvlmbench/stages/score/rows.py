"""From answers to rows of the scores table."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.stages.replies.answer_text import final_answer
from lvlmbench.stages.score.captions import Compare
from lvlmbench.stages.score.choice import NO_CHOICE, NONE_OF_OPTIONS, Choice, survives_cut
from lvlmbench.stages.score.cleaning import clean
from lvlmbench.stages.score.refusal import is_refusal
from lvlmbench.stages.score.short import UNREAD, Short, is_right, read_short
from lvlmbench.stages.score.short import survives_cut as short_survives_cut
from lvlmbench.stages.score.strategy import fits_nothing, read_choice

#: The columns of the tables that scoring reads.
ANSWERS = ["model", "scenario", "question_id", "image_id", "text", "logprobs", "status"]
QUESTIONS = [
    "question_id", "scene_id", "subtask", "question_type", "question", "options", "answer",
    "answer_index", "accepted", "replaced",
]  # fmt: skip
SCENES = ["scene_id", "style"]
IMAGES = ["image_id", "perturbation", "order"]

_READ = [*ANSWERS, *QUESTIONS[3:], "order"]

Row = dict[str, Any]


class Asked:
    """What the answers of a scenario are about, to be looked up: questions, scenes, images.

    It is held in Arrow's columns, some 300 bytes a question.

    Parameters
    ----------
    questions, scenes, images
        Columns :data:`QUESTIONS`, :data:`SCENES` and :data:`IMAGES` of these tables.
    prompts
        Whether captions are compared with the prompts of their scenes, column ``prompt``.
    """

    def __init__(
        self, questions: pa.Table, scenes: pa.Table, images: pa.Table, *, prompts: bool = False
    ) -> None:
        self._questions = _held(questions).combine_chunks()
        self._question_ids = _ids(questions["question_id"])
        scene = pc.index_in(self._questions["scene_id"], value_set=_ids(scenes["scene_id"]))
        self._has_scene = pc.is_valid(scene)
        if prompts:
            self._questions = _prompted(self._questions, scenes["prompt"].take(scene))
        self._style = scenes["style"].combine_chunks().take(scene)
        self._image_ids = _ids(images["image_id"])
        done = images["perturbation"].combine_chunks()
        self._perturbation = pc.struct_field(done, "kind")
        self._severity = pc.struct_field(done, "severity")
        self._order = images["order"].combine_chunks()

    def of(self, answers: pa.Table) -> pa.Table:
        """The answers with what they are about: the other columns of the questions, and ``style``,
        ``perturbation``, ``severity`` and ``order``.

        Raises
        ------
        UserError
            An answer's question, scene or image is not among those given.
        """
        question = pc.index_in(answers["question_id"], value_set=self._question_ids)
        image = pc.index_in(answers["image_id"], value_set=self._image_ids)
        known = self._has_scene.take(question).fill_null(False)
        _check(
            answers, "question_id", known,
            "hold question {}, which this corpus does not",
            "run the rules 'questions' and 'answer' again",
        )  # fmt: skip
        _check(
            answers, "image_id", pc.is_valid(image),
            "are about image {}, which this scenario does not have",
            "run the rules 'scenario' and 'answer' again",
        )  # fmt: skip
        for name in QUESTIONS[1:]:
            answers = answers.append_column(name, self._questions[name].take(question))
        answers = answers.append_column("style", self._style.take(question))
        answers = answers.append_column("perturbation", self._perturbation.take(image))
        answers = answers.append_column("severity", self._severity.take(image))
        return answers.append_column("order", self._order.take(image))


def _held(questions: pa.Table) -> pa.Table:
    """What is looked at of questions; their words only where a choice or a short answer is read
    beside them."""
    found = questions.select(QUESTIONS)
    closed = [name for name, each in tables.TYPES.items() if each.judged]
    at, read = QUESTIONS.index("question"), pc.is_in(found["question_type"], pa.array(closed))
    words = pc.if_else(read, found["question"], pa.scalar(None, pa.string()))
    return found.set_column(at, "question", words)


def _prompted(questions: pa.Table, prompts: pa.ChunkedArray) -> pa.Table:
    """The questions, with prompts in the place of reference captions."""
    open_ones = [name for name, each in tables.TYPES.items() if not each.judged]
    free = pc.is_in(questions["question_type"], value_set=pa.array(open_ones))
    answers = pc.if_else(free, prompts, questions["answer"])
    return questions.set_column(QUESTIONS.index("answer"), "answer", answers).combine_chunks()


def _ids(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks()


def _check(answers: pa.Table, column: str, known: pa.Array, what: str, fix: str) -> None:
    missing = answers.filter(pc.invert(known)).slice(0, 1).to_pylist()
    for answer in missing:
        where = f"answers of '{answer['model']}' in scenario '{answer['scenario']}'"
        raise UserError(where, what.format(answer[column]), fix)


def score_rows(answers: pa.Table, asked: Asked, compare: Compare | None, strategy: str) -> pa.Table:
    """Rows of the scores table, one an answer, in the answers' order.

    ``scored`` is false where nothing can be said about the answer: the request failed or was
    refused, the text is empty or declines to answer, or no choice can be read from it. Such answers
    are counted, and neither right nor wrong.
    Of an answer that was cut off a choice counts if
    :func:`~lvlmbench.stages.score.choice.survives_cut` says so, a short answer if
    :func:`~lvlmbench.stages.score.short.survives_cut` does; a caption that was cut off is not
    scored. Short answers are read by one rule, whatever the strategy. Where a strategy chooses an
    option of an answer that says that none fits, the choice is scored, and ``parse_method`` says
    what the answer says: the consensus goes by it.

    Parameters
    ----------
    answers
        Columns :data:`ANSWERS` of the answers table.
    compare
        Compares captions with references; called only if there are some. None: judges alone read
        captions, which then have no similarity.
    strategy
        ``score.strategy``: how choices are read.

    Raises
    ------
    UserError
        An answer's question, scene or image is not among those given, or its ``logprobs`` are not
        one an option.
    """
    about = asked.of(answers)
    rows = [_row(answer, strategy) for answer in about.select(_READ).to_pylist()]
    captions = [row for row in rows if row["pair"] is not None]
    if captions and compare is not None:
        found = compare([row["pair"] for row in captions])
        for row, similarity in zip(captions, found, strict=True):
            row["similarity"] = similarity
    columns = {name: about[name] for name in tables.SCORES.names if name in about.column_names}
    for name in ("parsed_index", "parse_method", "correct", "similarity", "scored"):
        columns[name] = pa.array([row[name] for row in rows], tables.SCORES.field(name).type)
    return pa.table(columns).select(tables.SCORES.names).cast(tables.SCORES.schema)


def _row(answer: Row, strategy: str) -> Row:
    """What is read from an answer; as ``pair`` a caption with its reference, to be compared."""
    row: Row = dict.fromkeys(("parsed_index", "parse_method", "correct", "similarity", "pair"))
    row["scored"] = False
    text = answer["text"] if answer["status"] in ("answered", "truncated") else None
    cut = answer["status"] == "truncated"
    kind = tables.TYPES[answer["question_type"]]
    if not kind.judged:
        caption = final_answer(text or "")
        if is_refusal(caption):
            row["parse_method"] = "refusal"
        elif clean(caption) and not cut:
            row["pair"], row["scored"] = (answer["answer"], caption), True
        return row
    if not kind.offers:
        short = UNREAD if text is None else _short(answer, text, cut)
        row["parse_method"] = short.method
        if short.said is not None:
            row["correct"], row["scored"] = is_right(short.said, answer["accepted"]), True
        return row
    order = answer["order"]
    options = tables.offered(answer["options"], answer["replaced"], order)
    choice = NO_CHOICE if text is None else _choice({**answer, "options": options}, text, strategy)
    if (
        cut
        and choice.method not in ("logprobs", "refusal")
        and not survives_cut(text or "", options, answer["question"])
    ):
        choice = NO_CHOICE
    row["parse_method"] = choice.method
    if choice.index is not None:
        if not cut and fits_nothing(strategy, text or "", options):
            row["parse_method"] = NONE_OF_OPTIONS.method
        row["parsed_index"] = choice.index if order is None else order[choice.index]
        row["correct"], row["scored"] = row["parsed_index"] == answer["answer_index"], True
    return row


def _short(answer: Row, text: str, cut: bool) -> Short:
    found = read_short(text, answer["accepted"], answer["question"])
    if cut and found.said is not None:
        opening = short_survives_cut(text, answer["accepted"], answer["question"])
        return found if opening else UNREAD
    return found


def _choice(answer: Row, text: str, strategy: str) -> Choice:
    logprobs = answer["logprobs"]
    if logprobs is not None and len(logprobs) != len(answer["options"]):
        raise UserError(
            f"answers of '{answer['model']}' in scenario '{answer['scenario']}'",
            f"have {len(logprobs)} logprobs for the {len(answer['options'])} options of question "
            f"{answer['question_id']}",
            "give one number an option, null where it is not known",
        )
    return read_choice(strategy, text, answer["options"], logprobs, answer["question"])
