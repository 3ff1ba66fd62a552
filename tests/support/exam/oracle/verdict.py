"""Judging a row of the table questions: what each option is, and what that says of the row."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import support.exam.oracle as here
from support.exam.oracle.reading import FAMILIES
from support.oracle.phrases import Unread
from support.oracle.picture import Picture
from support.oracle.truth import Truth
from support.oracle.verdict import Verdict

for _found in pkgutil.iter_modules(here.__path__):
    importlib.import_module(f"{here.__name__}.{_found.name}")

_ASPECTS = Path(__file__).resolve().parents[4] / "data" / "aspects"
_OPTIONS = 4


@cache
def families() -> Mapping[str, str]:
    """Return the family of questions of each aspect of the catalogue that has one."""
    found = {}
    for file in sorted(_ASPECTS.glob("*.yaml")):
        for general in yaml.safe_load(file.read_text()).get("general", ()):
            for fine in general["fine"]:
                if fine.get("family"):
                    found[fine["name"]] = fine["family"]
    return found


def aspect_of(question: Mapping[str, Any]) -> str:
    """Return the aspect that a question is about."""
    return str(question["key"]).rpartition("/")[2]


def judged(question: Mapping[str, Any], picture: Picture) -> Verdict:
    """Return the verdict on a question.

    Raises
    ------
    Unread
        It has a wording that the oracle does not know.
    """
    name, options = families()[aspect_of(question)], question["options"]
    if name not in FAMILIES or question["question_type"] != "multiple_choice":
        raise Unread(f"{question['question_type']} of the family '{name}'")
    asked = question["question"]
    values = tuple(FAMILIES[name].answers(asked, option, picture) for option in options)
    return Verdict(values, tuple(_faults(question, values)))


def _faults(question: Mapping[str, Any], values: tuple[Truth, ...]) -> list[str]:
    options, right = question["options"], question["answer_index"]
    if len({option.casefold() for option in options}) != _OPTIONS:
        return ["not four options"]
    if options[right] != question["answer"]:
        return ["the place of the answer is another"]
    found = []
    for at, value in enumerate(values):
        if at == right and value is not True:
            found.append("wrong answer" if value is False else "unclear answer")
        if at != right and value is not False:
            found.append("second truth" if value else "unclear option")
    return found
