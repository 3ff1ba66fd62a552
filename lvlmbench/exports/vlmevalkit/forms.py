"""How a question is put in the three kinds of dataset that VLMEvalKit's image loaders know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_uppercase

from lvlmbench.errors import UserError
from lvlmbench.exports.base import Example

#: Said behind a statement, since the loader's answers are Yes and No.
YES_OR_NO = "Answer yes if it is true, and no if it is false."

_TRUTH = {"true": "Yes", "false": "No"}


@dataclass(frozen=True)
class Form:
    """One kind of dataset.

    Attributes
    ----------
    suffix
        How the dataset's name ends. The tool takes a dataset that it does not know for a list of
        open questions only where ``openended`` is in the name.
    loader
        Class of vlmeval.dataset that reads it.
    lettered
        Whether options stand in columns A, B, C ...
    ask
        Text of the column ``question``.
    right
        Text of the column ``answer``.
    """

    suffix: str
    loader: str
    lettered: bool
    ask: Callable[[Example], str]
    right: Callable[[Example], str]


def _letter(example: Example) -> str:
    if example.answer_index is None:
        raise _untellable(example, "has no right option")
    return ascii_uppercase[example.answer_index]


def _yes_or_no(example: Example) -> str:
    said = _TRUTH.get(example.answer.casefold())
    if said is None:
        raise _untellable(example, f"has the answer '{example.answer[:40]}'")
    return said


def _untellable(example: Example, what: str) -> UserError:
    where = f"exports.formats: vlmevalkit: question {example.question_id}"
    return UserError(where, what, "leave the form out")


#: By question type.
FORMS = {
    "multiple_choice": Form(
        "mcq", "CustomMCQDataset", True, lambda example: example.question, _letter
    ),
    "true_false": Form(
        "yorn",
        "ImageYORNDataset",
        False,
        lambda example: f"{example.question}\n{YES_OR_NO}",
        _yes_or_no,
    ),
    "free_form": Form(
        "openended",
        "CustomVQADataset",
        False,
        lambda example: example.prompt,
        lambda example: example.answer,
    ),
}


def dataset_name(snapshot: str, scenario: str, form: Form) -> str:
    """Name of the dataset and, with ``.tsv``, of its file.

    It holds the start of the snapshot's id, because VLMEvalKit keeps all datasets in one folder.
    """
    return f"lvlmbench_{snapshot[:8]}_{scenario}_{form.suffix}"
