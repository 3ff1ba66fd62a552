"""Judging a row of the table questions: what each option is, and what that says of the row."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from support.oracle import short, skills
from support.oracle.phrases import SKILLS, Unread
from support.oracle.picture import Picture
from support.oracle.truth import Truth, no

for _found in pkgutil.iter_modules(skills.__path__):
    importlib.import_module(f"{skills.__name__}.{_found.name}")

_LEAD = re.compile(
    r"(?:True or false\?|Is this statement about the image true or false\?"
    r"|Is the following true or false\?|Is it true or false\?) (?P<statement>.+)"
)


class Verdict(NamedTuple):
    """What the oracle says of a question: of each option, and what is wrong with the row."""

    options: tuple[Truth, ...]
    faults: tuple[str, ...]


def judged(question: Mapping[str, Any], picture: Picture) -> Verdict:
    """Return the verdict on a question.

    Raises
    ------
    Unread
        It has a wording that the oracle does not know.
    """
    name, options = question["subtask"], question["options"]
    if name not in SKILLS:
        raise Unread(f"no patterns for the skill '{name}'")
    if question["question_type"] == "true_false":
        found = _LEAD.fullmatch(question["question"])
        if found is None or sorted(options) != ["False", "True"]:
            raise Unread(question["question"])
        holds = SKILLS[name].answers(found["statement"], "", picture)
        values = tuple(holds if option == "True" else no(holds) for option in options)
    elif question["question_type"] == "multiple_choice":
        values = tuple(SKILLS[name].answers(question["question"], o, picture) for o in options)
    elif question["question_type"] == "short_answer":
        said = [question["answer"], *short.others(question["answer"], picture)]
        values = tuple(SKILLS[name].answers(question["question"], each, picture) for each in said)
        faults = _of_each(values, 0)
        return Verdict(values, (*faults, *short.faults(question)))
    else:
        raise Unread(f"questions of type {question['question_type']}")
    return Verdict(values, tuple(_faults(question, values)))


def _faults(question: Mapping[str, Any], values: tuple[Truth, ...]) -> list[str]:
    right = question["options"].index(question["answer"])
    if question["options"][question["answer_index"]] != question["answer"]:
        return ["the place of the answer is another"]
    return _of_each(values, right)


def _of_each(values: tuple[Truth, ...], right: int) -> list[str]:
    found = []
    for at, value in enumerate(values):
        if at == right and value is not True:
            found.append("wrong answer" if value is False else "unsure answer")
        if at != right and value is not False:
            found.append("second truth" if value else "unsure option")
    return found
