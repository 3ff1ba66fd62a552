"""What a model is sent with the image: the question and how to answer it (Dysca, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from lvlmbench.tables import TYPES

#: Before the options, on a line of its own.
OPTIONS = "Options:"

#: Behind the options of a closed-ended question.
CLOSED = (
    "End your reply with the letter of the correct option in parentheses: {letters}. "
    "Give no reasoning."
)

#: Behind a question for a short answer.
SHORT = "Answer with one number or one word only."

#: Behind a free-form question.
OPEN = "Answer in one or two plain sentences."


def letter(index: int) -> str:
    """How option ``index`` is marked: "(A)" for the first one."""
    return f"({ascii_uppercase[index]})"


def prompt_for(question_type: str, question: str, options: Sequence[str]) -> str:
    """The whole text sent to a model along with the image.

    Parameters
    ----------
    question_type
        One of :data:`lvlmbench.tables.QUESTION_TYPES`.
    question, options
        As in :data:`lvlmbench.tables.QUESTIONS`; only some types have options.

    Raises
    ------
    ValueError
        The question type is unknown, or the options do not fit it.
    """
    if question_type not in TYPES:
        raise ValueError(f"'{question_type}' is not a question type")
    if not TYPES[question_type].offers:
        if options:
            raise ValueError(f"a question of type {question_type} has no options")
        return f"{question}\n{SHORT if TYPES[question_type].judged else OPEN}"
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise ValueError(f"a closed-ended question has at least two options, not {len(options)}")
    marks = [letter(i) for i in range(len(options))]
    lines = [f"{mark} {option}" for mark, option in zip(marks, options, strict=True)]
    letters = f"{', '.join(marks[:-1])} or {marks[-1]}"
    closing = CLOSED.replace("{letters}", letters)
    return "\n".join([question, OPTIONS, *lines, closing])
