"""What a model is sent with the image: the question and how to answer it (Dysca, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

#: Before the options, on a line of its own.
OPTIONS = "Options:"

#: Behind the options of a closed-ended question.
CLOSED = (
    "End your reply with the letter of the correct option in parentheses: {letters}. "
    "Give no reasoning."
)

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
        ``multiple_choice``, ``true_false`` or ``free_form``.
    question, options
        As in :data:`lvlmbench.tables.QUESTIONS`; a free-form question has no options.

    Raises
    ------
    ValueError
        The question type is unknown, or the options do not fit it.
    """
    if question_type == "free_form":
        if options:
            raise ValueError("a free-form question has no options")
        return f"{question}\n{OPEN}"
    if question_type not in ("multiple_choice", "true_false"):
        raise ValueError(f"'{question_type}' is not a question type")
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise ValueError(f"a closed-ended question has at least two options, not {len(options)}")
    marks = [letter(i) for i in range(len(options))]
    lines = [f"{mark} {option}" for mark, option in zip(marks, options, strict=True)]
    letters = f"{', '.join(marks[:-1])} or {marks[-1]}"
    closing = CLOSED.replace("{letters}", letters)
    return "\n".join([question, OPTIONS, *lines, closing])
