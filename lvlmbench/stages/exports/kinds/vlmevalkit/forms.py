"""How a question is put in the three kinds of dataset that VLMEvalKit's image loaders know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from string import ascii_uppercase

from lvlmbench.core.errors import UserError
from lvlmbench.stages.exports.export import Example

#: Said before a statement, since the loader's answers are Yes and No, and behind it: of an answer
#: the loader reads the words yes and no, and nothing else.
IS_IT_SO = "Does this statement hold for the image?"
YES_OR_NO = "Answer yes or no."
#: Said behind a question with options. Of an answer the loader reads a letter that stands alone,
#: and only where there is none looks for the options' words.
BY_LETTER = "Answer with the letter of the option."

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


def lettered(options: Sequence[str]) -> list[str]:
    """The options as they are shown. Where one contains another ("female", "male"), so that the
    loader would find both in an answer that repeats the longer one, each has its letter in front.
    """
    folded = [option.casefold() for option in options]
    if not any(one in other for one, other in permutations(folded, 2)):
        return list(options)
    return [f"({letter}) {o}" for letter, o in zip(ascii_uppercase, options, strict=False)]


def _plainly(example: Example) -> str:
    """A statement as a question that yes or no answers."""
    statement = example.question
    for lead in example.leads:
        before, _, behind = lead.partition("{statement}")
        if statement.startswith(before) and statement.endswith(behind):
            statement = statement[len(before) : len(statement) - len(behind)]
            break
    return f"{IS_IT_SO} {statement}\n{YES_OR_NO}"


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
        "mcq",
        "CustomMCQDataset",
        True,
        lambda example: f"{example.question}\n{BY_LETTER}",
        _letter,
    ),
    "true_false": Form(
        "yorn",
        "ImageYORNDataset",
        False,
        _plainly,
        _yes_or_no,
    ),
    "short_answer": Form(
        "short_openended",
        "CustomVQADataset",
        False,
        lambda example: example.prompt,
        lambda example: example.answer,
    ),
    "free_form": Form(
        "openended",
        "CustomVQADataset",
        False,
        lambda example: example.prompt,
        lambda example: example.answer,
    ),
    "structured": Form(
        "structured",
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
