"""A model that is always right scores exactly 100, one that is always wrong exactly 0, however it
words its answers (Dysca, section 3.4: accuracy over multiple-choice and true-or-false)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from lvlmbench.stages.score.strategy import read_choice
from lvlmbench.suites.suite import build_shard
from support.corpus_sample import params_for, sample_vocabulary

Way = Callable[[str, str, list[str]], str]


def _thought(letter: str, text: str, options: list[str]) -> str:
    others = " ".join(
        f"({chr(65 + i)}) {option} does not fit what I see."
        for i, option in enumerate(options)
        if option != text
    )
    return (
        f"Let's look at the image step by step. A subject stands in front. {others} Wait, let me "
        f"look at the details again.\n\nTherefore, the answer is ({letter}) {text}."
    )


WAYS: dict[str, Way] = {
    "bare letter": lambda letter, text, options: letter,
    "bracketed letter": lambda letter, text, options: f"({letter.lower()})",
    "bold letter": lambda letter, text, options: f"**{letter}**",
    "boxed in LaTeX": lambda letter, text, options: rf"$\boxed{{\text{{{letter}}}}}$",
    "double brackets": lambda letter, text, options: f"My verdict: [[{letter}]]",
    "announced": lambda letter, text, options: f"Answer: {letter}",
    "letter with text": lambda letter, text, options: f"{letter}. {text}",
    "text alone": lambda letter, text, options: text,
    "text in a sentence": lambda letter, text, options: f"I would say that it is {text}.",
    "chain of thought": _thought,
    "JSON": lambda letter, text, options: json.dumps({"reason": "see there", "answer": letter}),
    "tags": lambda letter, text, options: f"<think>Hm.</think><answer>{letter}</answer>",
}


@cache
def closed_questions() -> list[dict[str, Any]]:
    """Multiple-choice and true-or-false questions of all subtasks, some 800."""
    params = params_for(scenes_per_subtask=20)
    _, questions = build_shard(params, sample_vocabulary(), 0, params.corpus.n_scenes)
    return [row for row in questions.to_pylist() if row["question_type"] != "free_form"]


def score(way: Way, shift: int) -> float:
    """Accuracy in percent of a model that answers ``shift`` places behind the right option; all
    answers must be read."""
    correct = []
    for question in closed_questions():
        options = question["options"]
        said = (question["answer_index"] + shift) % len(options)
        choice = read_choice("lvlmbench", way(chr(65 + said), options[said], options), options)
        assert choice.index == said, (way(chr(65 + said), options[said], options), options)
        correct.append(choice.index == question["answer_index"])
    return 100 * sum(correct) / len(correct)


def test_the_questions_are_of_all_kinds() -> None:
    questions = closed_questions()
    assert {len(q["options"]) for q in questions} == {2, 3, 4}
    assert {q["question_type"] for q in questions} == {"multiple_choice", "true_false"}
    assert any(
        option.startswith(("a ", "an ", "the ")) for q in questions for option in q["options"]
    ) or any(option in ("Blue", "Chalk") for q in questions for option in q["options"])


@pytest.mark.parametrize("name", WAYS)
def test_a_perfect_model_scores_100_and_a_wrong_one_0(name: str) -> None:
    assert score(WAYS[name], 0) == 100
    assert score(WAYS[name], 1) == 0
