"""What a model is sent with the image: the question and how to answer it (Dysca, section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import ascii_uppercase
from typing import TypeAlias

from lvlmbench.config import Params
from lvlmbench.scene.templates import Instructions
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import TYPES

#: Makes the whole text that is sent to a model of a question's type, its words and its options.
Prompts: TypeAlias = Callable[[str, str, Sequence[str]], str]

#: Gives the JSON schema, as text, of answers to a question's type and subtask; None of words.
Schemas: TypeAlias = Callable[[str, str], str | None]


def letter(index: int) -> str:
    """How option ``index`` is marked: "(A)" for the first one."""
    return f"({ascii_uppercase[index]})"


def prompt_for(
    words: Instructions, question_type: str, question: str, options: Sequence[str]
) -> str:
    """The whole text sent to a model along with the image.

    Parameters
    ----------
    words
        What all questions of the snapshot share.
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
        return _lines(question, words.short if TYPES[question_type].judged else words.open)
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise ValueError(f"a closed-ended question has at least two options, not {len(options)}")
    marks = [letter(i) for i in range(len(options))]
    lines = [f"{mark} {option}" for mark, option in zip(marks, options, strict=True)]
    letters = f"{', '.join(marks[:-1])} or {marks[-1]}"
    return _lines(question, words.options, *lines, words.closed.replace("{letters}", letters))


#: What stands in front of a question where what was said before is told as part of it.
SAID_BEFORE = "This was said about the image before:"


def in_one_turn(turns: Sequence[tuple[str, str]], prompt: str) -> str:
    """Return a prompt with what was said before in front of it, for who knows no dialogues.

    Parameters
    ----------
    turns
        What was asked and what was answered, in this order; without any the prompt stays as it is.
    """
    if not turns:
        return prompt
    told = [f"Question: {question}\nAnswer: {answer}" for question, answer in turns]
    return "\n\n".join([SAID_BEFORE, *told, prompt])


def _lines(*lines: str) -> str:
    """Those that are not empty, each on its own."""
    return "\n".join(line for line in lines if line)


def prompts_of(params: Params) -> Prompts:
    """Return what makes the text that is sent of a question's type, words and options.

    Raises
    ------
    UserError
        No suite of this kind is registered.
    """
    return partial(suite_of(params).prompt, params)


def schemas_of(params: Params) -> Schemas:
    """Return what gives the JSON schema of answers to a question's type and subtask.

    Raises
    ------
    UserError
        No suite of this kind is registered.
    """
    return partial(suite_of(params).schema, params)
