"""What is printed: a wrong answer to the very question that the image is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.scene.answers import sort_of
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.palette import COLORS
from lvlmbench.scene.subtasks import SUBTASKS, foreground_lists
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.entries import VocabularyList

#: Lists of things that a background may show as well.
_FOREGROUNDS = frozenset(foreground_lists())


#: How far a wrong number is from the right one at most.
_NEAR = 3


def attacked(question: Mapping[str, Any], scene: Mapping[str, Any]) -> bool:
    """Whether a wrong answer is printed for this question.

    Not where it asks for a word: who reads a printed one there has read well (section 3.3). Nor for
    a short answer of which no wrong one is known.
    """
    if question["question_type"] == "short_answer" and not others(question):
        return False
    return not any(SUBTASKS[each["subtask"]].written for each in (question, scene))


def lists_printed(params: Params) -> list[str]:
    """Names of the vocabulary lists that printed labels come from, sorted."""
    names = set()
    for subtask in params.corpus.subtasks:
        recipe = SUBTASKS[subtask]
        if recipe.written:
            continue
        for variant in range(len(recipe.foregrounds)):
            names |= {*recipe.asked(variant), recipe.foregrounds[variant]}
    return sorted(names - {PERSON})


def choices(question: Mapping[str, Any]) -> list[str]:
    """The options of a closed question that are not its answer, in their order."""
    return [o for i, o in enumerate(question["options"]) if i != question["answer_index"]]


def others(question: Mapping[str, Any]) -> list[str]:
    """Wrong short answers of the same kind: numbers near by with the same sign, other colors."""
    accepted, answer = question["accepted"], question["answer"]
    sort = sort_of(accepted)
    digits = answer.removeprefix("-")
    if sort == "number" and digits.isdecimal():
        near = range(max(int(digits) - _NEAR, 1), int(digits) + _NEAR + 1)
        sign = "-" * (digits != answer)
        return [f"{sign}{number}" for number in near if number != int(digits)]
    return [each for each in COLORS if each not in accepted] if sort == "color" else []


class WrongAnswers:
    """Draws what is printed for a question.

    Parameters
    ----------
    params
        Of them the vocabulary, as the snapshot's renderer can draw it.
    true_false
        ``print_attack.true_false``.
    """

    def __init__(self, params: Params, true_false: Literal["option", "label"]) -> None:
        self._true_false = true_false
        self._renderer = params.corpus.drawable_by
        self._whole = load_vocabulary(vocabulary_dir(params)).lists
        self._drawn: dict[str, VocabularyList] = {}

    def candidates(self, question: Mapping[str, Any], scene: Mapping[str, Any]) -> Sequence[str]:
        """All texts that may be printed for a question about this scene.

        Raises
        ------
        UserError
            The vocabulary holds no wrong label.
        """
        kind = question["question_type"]
        if kind == "multiple_choice":
            return choices(question)
        if kind == "short_answer":
            return others(question)
        if kind == "true_false":
            if self._true_false == "option" or question["subtask"] not in self._whole:
                return choices(question)
            if question["answer"] != "True":
                return [question["claim"]]
            return self.wrong_labels(question["subtask"], question["claim"], scene)
        name, label = scene["foreground_list"], scene["foreground"]
        if name == PERSON:  # stands for itself; what the scene is about is one of its attributes
            name = scene["subtask"]
            label = scene["attributes"][name]
        return self.wrong_labels(name, label, scene)

    def draw(
        self, question: Mapping[str, Any], scene: Mapping[str, Any], rng: np.random.Generator
    ) -> str:
        """One of :meth:`candidates`, all equally likely."""
        texts = self.candidates(question, scene)
        return texts[int(rng.integers(len(texts)))]

    def wrong_labels(self, name: str, label: str, scene: Mapping[str, Any]) -> list[str]:
        """Labels of a list that are wrong where ``label`` is right.

        Left out are its synonyms and what the scene's background shows, with its synonyms.

        Raises
        ------
        UserError
            There are none, or the picture is a user's own and of no list.
        """
        if name not in self._whole:
            what = f"'{label}' is a picture of no vocabulary list: nothing wrong of it is known"
            raise UserError("scenarios", what, "leave attacks that print a wrong answer out")
        whole = self._whole[name]
        if name not in self._drawn:
            self._drawn[name] = whole.for_renderer(self._renderer)
        right = set(whole.alike(label))
        if name in _FOREGROUNDS and scene["background"] is not None:
            behind = self._whole["background"].by_label[scene["background"]]
            for shown in behind.extra.get("shows", ()):
                right |= whole.alike(shown) if shown in whole.by_label else set()
        found = [e.label for e in self._drawn[name].entries if e.label not in right]
        if not found:
            raise UserError(
                f"vocabulary: {name}",
                f"'{label}' has no wrong label beside it to print",
                "add entries outside its synonym group",
            )
        return found
